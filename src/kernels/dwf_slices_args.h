/* dwf_slices_args.h - arguments of dwf_slices.
 *
 *     out_s <- factor_s in_from(s),   for each chirality
 *
 * The spinor fields may have different numbers of slices; their memory does not overlap. */
#ifndef KILN_KERNELS_DWF_SLICES_ARGS_H
#define KILN_KERNELS_DWF_SLICES_ARGS_H

#include "src/kernels/dwf_args.h"

typedef struct {
    vector_view out, in;
    int Ls;                            /* of `out` */
    int from[2][SLICES_MAX];
    double factor[2][SLICES_MAX];          /* 0: out_s is zero, `in` is not read */
} dwf_slices_args;

#endif
