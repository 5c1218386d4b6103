/* gauge_fixing.c - sweeps over both parities until the quality is reached. */
#include "src/lattice/gauge_fixing.h"

#include "src/kernels/gauge_fixing_args.h"
#include "src/lattice/exchange.h"
#include "src/lattice/kernels.h"

#include <inttypes.h>
#include <math.h>

MAP_KERNEL(gauge_fixing_update);
SUM_KERNEL(gauge_fixing_quality, 2, 1);

const char *const gauge_condition_names[] = { "landau", "coulomb", NULL };

enum { SWEEPS_PER_CHECK = 10, COLORS = 3 };

static gauge_fixing_args args_of(const gauge_rotation *g, const gauge *u, const gauge_fixing_params *p)
{
    return (gauge_fixing_args){ .l = lattice_on(u->links.lattice, u->links.where), .u = gauge_view_of(u),
                                .g = matrix_view_of(&g->f), .axes = p->condition == GAUGE_COULOMB ? 3 : 4,
                                .overrelaxation = p->overrelaxation };
}

/* The ghosts of g are those of the last update. */
static void measure(gauge_fixing_result *r, const gauge *u, const gauge_fixing_args *args)
{
    lattice *l = u->links.lattice;
    const double volume = (double)lattice_volume(l);
    const sum_launch sum = { .where = u->links.where, .precision = u->links.precision, .args = args,
                             .range = lattice_all(l) };
    double s[3];
    run_sum(&gauge_fixing_quality, l, &sum, s);
    r->functional = s[0] / (2 * COLORS * args->axes * volume);
    r->theta = s[1] / (COLORS * volume);
    r->theta_largest = s[2] / COLORS;
}

gauge_fixing_result gauge_fixing_search(gauge_rotation *g, const gauge *u, const gauge_fixing_params *p)
{
    lattice *l = u->links.lattice;
    const gauge_fixing_args args = args_of(g, u, p);
    gauge_fixing_result r = { .sweeps = 0 };
    gauge_exchange(u, GHOSTS_NEAR);
    field_exchange(&g->f, GHOSTS_NEAR);
    measure(&r, u, &args);
    while (r.theta >= p->quality && r.sweeps < p->sweeps) {
        for (int n = 0; n < SWEEPS_PER_CHECK && r.sweeps < p->sweeps; n++, r.sweeps++)
            for (int parity = 0; parity < 2; parity++) {
                run_map(&gauge_fixing_update, u->links.where, u->links.precision, &args, lattice_parity(l, parity));
                field_exchange(&g->f, GHOSTS_NEAR);
            }
        measure(&r, u, &args);
    }
    r.converged = r.theta < p->quality;
    return r;
}

gauge_fixing_result gauge_fixing_measure(const gauge *u, const gauge_fixing_params *p)
{
    gauge_rotation *g = gauge_rotation_create_unit(u->links.lattice, u->links.where, u->links.precision);
    gauge_fixing_params measure_only = *p;
    measure_only.sweeps = 0;
    const gauge_fixing_result r = gauge_fixing_search(g, u, &measure_only);
    gauge_rotation_free(g);
    return r;
}

bool gauge_fixing_check(const gauge_fixing_result *r, const gauge_fixing_params *p, failure *f)
{
    if (r->converged)
        return true;
    if (!isfinite(r->theta))
        return fail(f, "gauge fixing: links are not finite");
    return fail(f, "gauge fixing (%s): theta is %.3g after %" PRId64 " sweeps, but should be below %g; allow more "
                   "sweeps, or use another overrelaxation than %g",
                gauge_condition_names[p->condition], r->theta, r->sweeps, p->quality, p->overrelaxation);
}
