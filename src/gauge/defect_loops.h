/* defect_loops.h - how a gauge action depends on the factor c of a defect.
 *
 *     S_c = S_0 - c s_1 - c^2 s_2,   s_k = sum over the loops W with k links of the defect of w_loop Re Tr W
 *
 * at the same links.  A loop of an action has at most two: it goes through the slice of the defect there and back.  So
 * the difference of two factors needs the loops of the defect alone. */
#ifndef KILN_GAUGE_DEFECT_LOOPS_H
#define KILN_GAUGE_DEFECT_LOOPS_H

#include "src/gauge/defect.h"
#include "src/gauge/loop_weights.h"

typedef struct { double one, two; } defect_sums;

/* Adds the terms of s_1 and s_2 to the sums of two cells at the place of `u`, as run_sum_into does; `w` without open
 * boundaries.  The cells of all ranks together have the sums: exact, so independent of ranks, threads and device. */
enum { DEFECT_CELLS = 2 };
void defect_loops_into(sum_cells cells, const gauge *u, const defect_box *box, const loop_weights *w);

/* The sums of two cells that were read (sums_read); NaN if a term is not finite or is beyond SUM_BOUND, 2^24
 * (site/exact_sum.h). */
defect_sums defect_sums_of(const sum_cell cell[DEFECT_CELLS]);

/* S_c - S_other at the links of the sums. */
double defect_action_difference(const defect_sums *s, double c, double other);

#endif
