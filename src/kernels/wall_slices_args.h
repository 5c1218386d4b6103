/* wall_slices_args.h - what wall_slices is given.
 *
 *     out_s <- factor_s in_from(s),   for each chirality
 *
 * of spinor fields with any numbers of slices, not the same place. */
#ifndef KILN_KERNELS_WALL_SLICES_ARGS_H
#define KILN_KERNELS_WALL_SLICES_ARGS_H

#include "src/kernels/wall_args.h"

typedef struct {
    vector_view out, in;
    int slices;                            /* of `out` */
    int from[2][SLICES_MAX];
    double factor[2][SLICES_MAX];          /* 0: zero, and nothing is read */
} wall_slices_args;

#endif
