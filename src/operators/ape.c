/* ape.c - levels of APE smearing: staples into the scratch field, and projected back. */
#include "src/operators/ape.h"

#include "src/kernels/line_args.h"
#include "src/kernels/staggered_args.h"
#include "src/lattice/kernels.h"

MAP_KERNEL(ape_links);
SUM_KERNEL(unitarize, 1, 1);

void ape_smear(gauge *u, gauge *scratch, const ape_params *p)
{
    lattice *l = u->links.lattice;
    const place where = u->links.where;
    const precision digits = u->links.precision;
    const ape_args blend = { lattice_on(l, where), gauge_view_of(u), gauge_view_of(scratch), p->alpha };
    const unitarize_args project = { blend.l, gauge_view_of(scratch), gauge_view_of(u), true };
    const sum_launch launch = { .where = where, .precision = digits, .args = &project, .range = lattice_all(l) };
    for (int64_t n = 0; n < p->levels; n++) {
        gauge_exchange(u, GHOSTS_SIDES);
        run_map(&ape_links, where, digits, &blend, lattice_all(l));
        const sum_array unread = sums_scratch(l, where, unitarize.sums, unitarize.maxima);
        run_sum_into(&unitarize, &launch, unread.cells);
        gauge_forget_derived(u);
    }
    gauge_forget_derived(scratch);
}
