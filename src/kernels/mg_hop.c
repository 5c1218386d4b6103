/* mg_hop.c - the Wilson hop within aggregates, or from one neighbour in another aggregate (mg_args.h). */
#include "src/kernels/mg_args.h"
#include "src/kernels/neighbour_sum.h"

/* 1 where the hop in this direction leads to another aggregate, else 0; or the reverse. */
SITE_FN real leaving(const mg_hop_args *a, site x, int direction, bool inside)
{
    real factor = spread(0);
    for (int lane = 0; lane < LANES; lane++)
        if (((a->leaves[x.at[lane]] >> direction & 1) == 0) == inside)
            set_lane(&factor, lane, 1);
    return factor;
}

SITE_MAP(mg_hop, mg_hop_args, a, x)
{
    const bool inside = a->direction < 0;
    spinor sum = spinor_zero();
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        if (inside || a->direction == mu) {
            half_spinor h = projected(mu, 0, load_spinor_as(VECTOR_NATIVE, &a->in, site_up(&a->l, x, mu), 0));
            h = half_spinor_carried(load_link_as(LINK_12, &a->u, x, mu), h);
            if (a->phases.on)
                h = half_spinor_turned(hop_phase(&a->phases, mu, false), h);
            if (mu == 3)
                h = half_spinor_times(boundary_factor(&a->l, a->boundary, x, false), h);
            sum = expanded(mu, 0, half_spinor_times(leaving(a, x, mu, inside), h), sum);
        }
        if (inside || a->direction == mu + BACKWARD) {
            const site down = site_down(&a->l, x, mu);
            half_spinor h = projected(mu, 1, load_spinor_as(VECTOR_NATIVE, &a->in, down, 0));
            h = half_spinor_carried_back(load_link_as(LINK_12, &a->u, down, mu), h);
            if (a->phases.on)
                h = half_spinor_turned(hop_phase(&a->phases, mu, true), h);
            if (mu == 3)
                h = half_spinor_times(boundary_factor(&a->l, a->boundary, x, true), h);
            sum = expanded(mu, 1, half_spinor_times(leaving(a, x, mu + BACKWARD, inside), h), sum);
        }
    }
    KEEP_LOOP
    for (int spin = 0; spin < SPINS; spin++) {
        color_vector s = vector_scale((scalar)a->scale, sum.s[spin]);
        if (a->with_y)
            s = vector_axpy(1, load_vector(&a->y, site_in_slab(&a->y, spin, x)), s);
        store_vector(&a->out, site_in_slab(&a->out, spin, x), s);
    }
}
