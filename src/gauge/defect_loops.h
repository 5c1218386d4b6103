/* defect_loops.h - how a gauge action depends on the factor c of a defect.
 *
 *     S_c = S_0 - c s_1 - c^2 s_2,   s_k = sum over the loops W with k links of the defect of w_loop Re Tr W
 *
 * for the same links.  A loop of an action has at most two of them, because it crosses the defect once in each
 * direction.  So the difference of two actions depends only on the loops that cross the defect. */
#ifndef KILN_GAUGE_DEFECT_LOOPS_H
#define KILN_GAUGE_DEFECT_LOOPS_H

#include "src/gauge/defect.h"
#include "src/gauge/loop_weights.h"

typedef struct { double one, two; } defect_sums;

/* Adds the local terms of s_1 and s_2 to two cells at the place of `u`, as run_sum_into does; `w` must not have open
 * boundaries.  The cells of all ranks together are the exact sums, independent of ranks, threads and device. */
enum { DEFECT_CELLS = 2 };
void defect_loops_into(sum_cells cells, const gauge *u, const defect_box *box, const loop_weights *w);

/* s_1 and s_2 from two cells after sums_read; NaN if a term is not finite or is beyond SUM_BOUND, 2^24
 * (site/exact_sum.h). */
defect_sums defect_sums_of(const sum_cell cell[DEFECT_CELLS]);

/* S_c - S_other for the links of the sums. */
double defect_action_difference(const defect_sums *s, double c, double other);

#endif
