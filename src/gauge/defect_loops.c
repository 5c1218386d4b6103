/* defect_loops.c - sums over the loops of a defect. */
#include "src/gauge/defect_loops.h"

#include "src/lattice/kernels.h"

#include <assert.h>

SUM_KERNEL(loops_of_defect, DEFECT_CELLS, 0);

void defect_loops_into(sum_cells cells, const gauge *u, const defect_box *box, const loop_weights *w)
{
    assert(!w->by_time.open);
    gauge_exchange(u, GHOSTS_LOOPS);
    const defect_loops_args args = { { lattice_on(u->links.lattice, u->links.where), gauge_view_of(u) }, *box,
                                     w->plaquette, w->rectangle, w->parallelogram, w->by_time };
    const sum_launch sum = { .where = u->links.where, .precision = u->links.precision, .args = &args,
                             .range = range_of_list(DEFECT_PARTS * box->size * box->size * box->size) };
    run_sum_into(&loops_of_defect, &sum, cells);
}

defect_sums defect_sums_of(const sum_cell cell[DEFECT_CELLS])
{
    return (defect_sums){ sum_cell_value(&cell[0], SUM_BOUND), sum_cell_value(&cell[1], SUM_BOUND) };
}

double defect_action_difference(const defect_sums *s, double c, double other)
{
    return (other - c) * s->one + (other * other - c * c) * s->two;
}
