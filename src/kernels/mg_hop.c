/* mg_hop.c - the Wilson hop of near-null vectors, within aggregates, or from one neighbor in another aggregate
 * (mg_args.h). */
#define OVER_SLABS
#include "src/kernels/mg_site.h"

/* 1 where the hop in this direction leads to another aggregate, else 0; or the reverse. */
SITE_FN real leaving(const mg_hop_args *a, site x, int direction, bool inside)
{
    real factor = spread(0);
    for (int lane = 0; lane < LANES; lane++)
        if (((a->leaves[x.at[lane]] >> direction & 1) == 0) == inside)
            set_lane(&factor, lane, 1);
    return factor;
}

/* The spins of one chirality of a near-null vector; the others are zero. */
SITE_FN spinor load_chirality(const mg_hop_args *a, int column, site x)
{
    const int slab = SPINS * column + 2 * a->chirality;
    const color_vector upper = load_vector(&a->in, site_in_slab(&a->in, slab, x)),
                       lower = load_vector(&a->in, site_in_slab(&a->in, slab + 1, x));
    spinor s;
    s.s[0] = a->chirality ? vector_zero() : upper;
    s.s[1] = a->chirality ? vector_zero() : lower;
    s.s[2] = a->chirality ? upper : vector_zero();
    s.s[3] = a->chirality ? lower : vector_zero();
    return s;
}

SITE_FN spinor add_forward(const mg_hop_args *a, int column, site x, int mu, bool inside, spinor sum)
{
    half_spinor h = projected(mu, 0, load_chirality(a, column, site_up(&a->l, x, mu)));
    h = half_spinor_carried(load_link_as(LINK_12, &a->u, x, mu), h);
    if (a->phases.on)
        h = half_spinor_times_phase(hop_phase(&a->phases, mu, false), h);
    if (mu == 3)
        h = half_spinor_times(boundary_factor(&a->l, a->boundary, x, false), h);
    return expanded(mu, 0, half_spinor_times(leaving(a, x, mu, inside), h), sum);
}

SITE_FN spinor add_backward(const mg_hop_args *a, int column, site x, int mu, bool inside, spinor sum)
{
    const site down = site_down(&a->l, x, mu);
    half_spinor h = projected(mu, 1, load_chirality(a, column, down));
    h = half_spinor_carried_back(load_link_as(LINK_12, &a->u, down, mu), h);
    if (a->phases.on)
        h = half_spinor_times_phase(hop_phase(&a->phases, mu, true), h);
    if (mu == 3)
        h = half_spinor_times(boundary_factor(&a->l, a->boundary, x, true), h);
    return expanded(mu, 1, half_spinor_times(leaving(a, x, mu + BACKWARD, inside), h), sum);
}

SITE_MAP(mg_hop, mg_hop_args, a, of_column)
{
    const bool inside = a->direction < 0;
    const int column = of_column.before;
    const site x = in_first_slab(of_column);
    spinor sum = spinor_zero();
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        if (inside || (a->direction == mu && any_leaves(a->leaves, x, mu)))
            sum = add_forward(a, column, x, mu, inside, sum);
        if (inside || (a->direction == mu + BACKWARD && any_leaves(a->leaves, x, mu + BACKWARD)))
            sum = add_backward(a, column, x, mu, inside, sum);
    }
    KEEP_LOOP
    for (int spin = 0; spin < SPINS; spin++) {
        color_vector s = vector_scale((scalar)a->scale, sum.s[spin]);
        if (a->with_y)
            s = vector_axpy(1, load_vector(&a->y, site_in_slab(&a->y, SPINS * column + spin, x)), s);
        store_vector(&a->out, site_in_slab(&a->out, SPINS * column + spin, x), s);
    }
}
