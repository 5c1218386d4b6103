/* loop_weights.h - the weights of loops in exp(-S), S = sum over loops of w_loop (3 - Re Tr W), by kind, by the number
 * of steps in t, and by place in time (kernels/weighted_args.h).
 *
 *     w_loop = (coefficient of the kind) (factor of its steps in t) (`ends`, or 0, with open boundaries)
 *
 * Where all factors are equal, kernels without them serve. */
#ifndef KILN_GAUGE_LOOP_WEIGHTS_H
#define KILN_GAUGE_LOOP_WEIGHTS_H

#include "src/kernels/weighted_args.h"

#include <stdbool.h>

typedef struct {
    double plaquette, rectangle, parallelogram;     /* beta/3 c_loop */
    time_weights by_time;
} loop_weights;

/* All factors 1, periodic. */
#define ISOTROPIC_WEIGHTS { { 1, 1 }, { 1, 1, 1 }, { 1, 1 }, 1, 0 }
time_weights time_weights_isotropic(void);
/* With open boundaries `ends` for loops in space in the first and the last slice. */
time_weights time_weights_open(double ends);

/* Whether directions and slices are alike. */
bool time_weights_are_equal(const time_weights *w);

#endif
