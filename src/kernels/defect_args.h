/* defect_args.h - arguments of the kernels for links that cross a defect of the boundary.
 *
 * M. Hasenbusch, Phys. Rev. D 96 (2017) 054504, arXiv:1706.04443.  The defect is a cube of `size`^3 sites of the slice
 * x_mu = corner_mu, mu = `direction`; its links go in direction mu.  In the other directions nu it covers x_nu =
 * corner_nu, ..., corner_nu + size - 1, periodically. */
#ifndef KILN_KERNELS_DEFECT_ARGS_H
#define KILN_KERNELS_DEFECT_ARGS_H

#include "src/kernels/weighted_args.h"

typedef struct { int direction, size, corner[4]; } defect_box;

/* U <- factor U on the links of the defect; random_defect: U <- a matrix with the Haar measure */
typedef struct { gauge_args g; defect_box box; double factor; } defect_args;
typedef struct { gauge_args g; defect_box box; rng_key key; } random_defect_args;

/* Weights of loops as in gauge/loop_weights.h, without open boundaries.  The range has the numbers of a list with
 * DEFECT_PARTS entries for each link of the cube. */
enum { DEFECT_PARTS = 8 };
typedef struct {
    gauge_args g;
    defect_box box;
    double plaquette, rectangle, parallelogram;
    time_weights by_time;
} defect_loops_args;

#endif
