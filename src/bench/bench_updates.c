/* bench_updates.c - time sweeps of heat bath and overrelaxation over all links.
 *
 * The flops count the staples and the products of a link with them and with three elements of SU(2), but not the random
 * numbers, whose number varies. */
#include "src/base/memory.h"
#include "src/bench/bench_groups.h"
#include "src/bench/bench_rows.h"
#include "src/gauge/heatbath.h"
#include "src/lattice/rng.h"

/* Three subgroups, link and product with the staples: two rows of three, each a sum of two complex products. */
enum { SU2_LINK = 3 * 2 * (2 * 3 * 14) };

static const struct {
    const char *name;
    loop_weights w;
    int staples;                      /* flops of a link */
    bool overrelax;
} sweeps[] = {
    { "heatbath_plaquette", { 2, 0, 0, ISOTROPIC_WEIGHTS }, 6 * PLAQUETTE_STAPLE, false },
    { "overrelax_plaquette", { 2, 0, 0, ISOTROPIC_WEIGHTS }, 6 * PLAQUETTE_STAPLE, true },
    { "heatbath_rectangle", { 10.0 / 3, -1.0 / 6, 0, ISOTROPIC_WEIGHTS }, 6 * RECTANGLE_STAPLES, false },
    { "overrelax_rectangle", { 10.0 / 3, -1.0 / 6, 0, ISOTROPIC_WEIGHTS }, 6 * RECTANGLE_STAPLES, true },
};

typedef struct { heatbath *h; gauge *u; bool overrelax; } sweep_job;

static void run_sweep(const void *what)
{
    const sweep_job *j = what;
    if (j->overrelax)
        heatbath_overrelax(j->h, j->u);
    else
        heatbath_sweep(j->h, j->u, rng_key_for(4, 0, 0, RNG_TEST), 0);
}

void bench_updates(const bench_request *w, gauge *u, bench_table *t)
{
    double volume = (double)lattice_local_sites(lattice_shape_of(u->links.lattice));
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
        if (!link_colors_are_possible(&w->shape, link_colors_loops(&sweeps[i].w), NULL))
            continue;
        sweep_job j = { heatbath_create(u, &sweeps[i].w), u, sweeps[i].overrelax };
        bench_time time = bench_launches(w->where, w->repeats, run_sweep, &j);
        bench_row *row = bench_add_row(t, sweeps[i].name, "portable", u->links.precision, time);
        row->flops = volume * 4 * (sweeps[i].staples + PRODUCT + SU2_LINK);
        row->bytes = volume * ((double)precision_bytes(row->p) * 2 * GAUGE_REALS + (double)sizeof(int) * (8 + 4));
        heatbath_free(j.h);
    }
}
