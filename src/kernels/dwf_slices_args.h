/* dwf_slices_args.h - what dwf_slices is given.
 *
 *     out_s <- factor_s in_from(s),   for each chirality
 *
 * of spinor fields with any numbers of slices, not the same place. */
#ifndef KILN_KERNELS_DWF_SLICES_ARGS_H
#define KILN_KERNELS_DWF_SLICES_ARGS_H

#include "src/kernels/dwf_args.h"

typedef struct {
    vector_view out, in;
    int Ls;                            /* of `out` */
    int from[2][SLICES_MAX];
    double factor[2][SLICES_MAX];          /* 0: zero, and nothing is read */
} dwf_slices_args;

#endif
