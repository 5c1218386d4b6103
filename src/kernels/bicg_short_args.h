/* bicg_short_args.h - arguments of the kernels of a short cycle of BiCGstab (l = 1) for vectors of spinors in half.
 *
 * With the sums of vector_bicg_minimum, (r_1, r_0), |r_1|^2, |r_0|^2 and (s, r_1), the end of a cycle of bicg.h is
 * known before a vector has changed:
 *     g = (r_1, r_0) / |r_1|^2;   |r_0 - g r_1|^2 = |r_0|^2 - |(r_1, r_0)|^2 / |r_1|^2
 *     (s, r_0 - g r_1) = - g (s, r_1),   because alpha makes (s, r_0) zero
 * So one pass changes x, r_0 and u_0, and there is no launch for the directions. */
#ifndef KILN_KERNELS_BICG_SHORT_ARGS_H
#define KILN_KERNELS_BICG_SHORT_ARGS_H

#include "src/kernels/bicg_args.h"

/* vector_bicg_minimum: (r_1, r_0), |r_1|^2, |r_0|^2, weight (s, r_1).  A site of the range is the first slab of a
 * spinor. */
typedef struct { krylov_batch b; vector_view shadow[BATCH_MAX_RHS], r[2][BATCH_MAX_RHS]; } bicg_minimum_args;

/* vector_bicg_shadow_spinors: as vector_bicg_shadow, over the first slabs of spinors.
 * vector_bicg_advance, with bicg_step_args, for systems that have stepped:
 *     x <- x + unit (alpha u_0 + g r_0);   r_0 <- r_0 - g r_1
 *     u_0 <- r_0 - beta (u_0 - g u_1),  while the batch is going
 * x is native, in single precision. */

#endif
