/* gauge_fixing.c - sweeps over both parities until the quality is reached. */
#include "src/gauge/gauge_fixing.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/kernels/gauge_fixing_args.h"
#include "src/lattice/kernels.h"
#include "src/site/exact_sum.h"

#include <inttypes.h>
#include <math.h>

MAP_KERNEL(gauge_fixing_update);
MAP_KERNEL(gauge_fixing_divergence);
SUM_KERNEL(gauge_fixing_quality, 2, 1);

const char *const gauge_condition_names[] = { "landau", "coulomb", NULL };

enum { SWEEPS_PER_CHECK = 10, COLORS = 3 };

static gauge_fixing_args args_of(const gauge_rotation *g, const gauge *u, const gauge_fixing_params *p)
{
    return (gauge_fixing_args){ .l = lattice_on(u->links.lattice, u->links.where), .u = gauge_view_of(u),
                                .g = matrix_view_of(&g->f), .axes = p->condition == GAUGE_COULOMB ? 3 : 4,
                                .overrelaxation = p->overrelaxation };
}

/* Measures functional and theta; the ghosts of g must be up to date. */
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

/* The exact sum of the numbers, rounded once, so that it does not depend on their order.  NaN if one is not finite. */
static double sum_exactly(const double *numbers, size_t count)
{
    sum_cell cell = { { 0 }, 0 };
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, numbers[i]);
    const double bound = sum_bound_above(largest);
    for (size_t i = 0; i < count; i++)
        sum_cell_add(&cell, numbers[i], SUM_WORD / bound);
    return sum_cell_value(&cell, bound);
}

/* r->theta_slice <- the largest theta of a time slice, or NaN if one is NaN.  Overwrites `divergence`, a field with one
 * real per site, with Tr D^+ D. */
static void measure_slices(gauge_fixing_result *r, const gauge *u, gauge_fixing_args args, field *divergence)
{
    args.out = field_view_of(divergence).data;
    run_map(&gauge_fixing_divergence, u->links.where, u->links.precision, &args, lattice_all(u->links.lattice));
    const size_t sites = field_slice_reals(divergence);
    double *slice = slice_alloc(sites);
    r->theta_slice = 0;
    for (int t = 0; t < field_slice_count(divergence); t++) {
        field_get_slice(slice, divergence, t);
        const double theta = sum_exactly(slice, sites) / (COLORS * (double)sites);
        r->theta_slice = theta <= r->theta_slice ? r->theta_slice : theta;
    }
    memory_free(slice);
}

/* Whether theta (with `divergence`, theta of every time slice) is below the quality.  theta is the mean over slices,
 * and no slice is above theta_largest, so the slices are measured only if the quality is between the two. */
static bool is_below(gauge_fixing_result *r, const gauge *u, const gauge_fixing_args *args, double quality,
                     field *divergence)
{
    measure(r, u, args);
    if (!divergence)
        return r->theta < quality;
    if (!(r->theta < quality))
        return false;
    if (r->theta_largest < quality)
        return true;
    measure_slices(r, u, *args, divergence);
    return r->theta_slice < quality;
}

size_t gauge_fixing_bytes(gauge_condition condition, const lattice_shape *shape)
{
    return condition == GAUGE_COULOMB ? field_bytes(shape, PRECISION_DOUBLE, 1) : 0;
}

gauge_fixing_result gauge_fixing_search(gauge_rotation *g, const gauge *u, const gauge_fixing_params *p)
{
    lattice *l = u->links.lattice;
    const gauge_fixing_args args = args_of(g, u, p);
    gauge_fixing_result r = { .sweeps = 0 };
    gauge_exchange(u, GHOSTS_NEAR);
    field_exchange(&g->f, GHOSTS_NEAR);
    field divergence, *slices = NULL;
    if (p->condition == GAUGE_COULOMB) {
        divergence = field_create(l, u->links.where, u->links.precision, 1, "the quality of Coulomb's gauge");
        slices = &divergence;
    }
    r.converged = is_below(&r, u, &args, p->quality, slices);
    while (!r.converged && !isnan(r.theta) && r.sweeps < p->sweeps) {
        for (int n = 0; n < SWEEPS_PER_CHECK && r.sweeps < p->sweeps; n++, r.sweeps++)
            for (int parity = 0; parity < 2; parity++) {
                run_map(&gauge_fixing_update, u->links.where, u->links.precision, &args, lattice_parity(l, parity));
                field_exchange(&g->f, GHOSTS_NEAR);
            }
        r.converged = is_below(&r, u, &args, p->quality, slices);
    }
    if (slices) {
        measure_slices(&r, u, args, slices);
        field_free(slices);
    }
    return r;
}

bool gauge_fixing_check(const gauge_fixing_result *r, const gauge_fixing_params *p, failure *f)
{
    if (r->converged)
        return true;
    if (!isfinite(r->theta))
        return fail(f, "gauge fixing: links are not finite");
    const bool slices = p->condition == GAUGE_COULOMB;
    return fail(f, "gauge fixing (%s): %s is %.3g after %" PRId64 " sweeps, but should be below %g; allow more "
                   "sweeps, or use another overrelaxation than %g", gauge_condition_names[p->condition],
                slices ? "the largest theta of a time slice" : "theta", slices ? r->theta_slice : r->theta, r->sweeps,
                p->quality, p->overrelaxation);
}
