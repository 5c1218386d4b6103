/* loop_weights.h - the weights of loops in exp(-S), S = sum over loops of w_loop (3 - Re Tr W), by kind, by the number
 * of steps in t, and by place in time (kernels/weighted_args.h).
 *
 *     w_loop = (coefficient of the kind) (factor for its number of steps in t) (factor of its time slice)
 *
 * The last factor is 1 with periodic boundaries.  With open boundaries it is 0 for loops with inactive links and `ends`
 * for loops in space in the first and the last slice. */
#ifndef KILN_GAUGE_LOOP_WEIGHTS_H
#define KILN_GAUGE_LOOP_WEIGHTS_H

#include "src/kernels/weighted_args.h"

#include <stdbool.h>

typedef struct {
    double plaquette, rectangle, parallelogram;     /* coefficients (beta / 3) c of the kinds */
    time_weights by_time;
} loop_weights;

/* All factors 1, periodic. */
#define ISOTROPIC_WEIGHTS { { 1, 1 }, { 1, 1, 1 }, { 1, 1 }, 1, 0 }
time_weights time_weights_isotropic(void);
/* Open boundaries, all factors of steps in t 1. */
time_weights time_weights_open(double ends);

/* Whether all factors are 1, so that kernels without factors give the same result. */
bool time_weights_are_equal(const time_weights *w);

#endif
