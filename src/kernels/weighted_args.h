/* weighted_args.h - arguments of the kernels for loops whose coefficients depend on direction and place in time: on
 * anisotropic lattices, and with open boundaries in time (open_args.h). */
#ifndef KILN_KERNELS_WEIGHTED_ARGS_H
#define KILN_KERNELS_WEIGHTED_ARGS_H

#include "src/kernels/heatbath_args.h"

/* Factors of the coefficients of loops.  The index is the number of steps of the loop in t (without the steps back).
 * With `open` boundaries, loops with inactive links have the factor 0 instead, and loops in space in the first and the
 * last slice the further factor `ends`. */
typedef struct {
    double plaquette[2], rectangle[3], parallelogram[2];
    double ends;
    int open;
} time_weights;

typedef struct { gauge_args g; time_weights w; } weighted_loop_args;
typedef struct { gauge_force_args f; time_weights w; } weighted_force_args;
typedef struct { heatbath_args h; time_weights w; } weighted_heatbath_args;

#endif
