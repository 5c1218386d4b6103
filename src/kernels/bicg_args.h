/* bicg_args.h - arguments of the kernels of BiCGstab(l), for a batch of systems (src/solvers/bicg.h has the algorithm).
 *
 * Coefficients are in the state.  The kernels change only systems that are going; vector_bicg_advance, at the end of a
 * short cycle (bicg_short_args.h), changes those that have stepped.  The vectors of each system are r_0 .. r_l and
 * u_0 .. u_l. */
#ifndef KILN_KERNELS_BICG_ARGS_H
#define KILN_KERNELS_BICG_ARGS_H

#include "src/kernels/krylov_args.h"

/* vector_bicg_shadow: weight (s, v) and |v|^2.  b.part: 2 j for v = u_(j+1), 2 j + 1 for v = r_(j+1). */
typedef struct { krylov_batch b; vector_view shadow[BATCH_MAX_RHS], v[BATCH_MAX_RHS]; } bicg_shadow_args;

/* vector_bicg_gram: (r_i, r_k) for `count` values of k from b.part % BICG_POWERS on, i = b.part / BICG_POWERS */
typedef struct {
    krylov_batch b;
    int count, unused;
    vector_view left[BATCH_MAX_RHS], right[BICG_PRODUCTS][BATCH_MAX_RHS];
} bicg_gram_args;

/* j = `step`; r_k and u_k for k <= j are read and written; vector_bicg_residuals also reads u_(j+1).
 *     vector_bicg_directions   u_k <- r_k - beta u_k,             k <= j;   for j = 0, with g of the cycle before,
 *                              u_0 <- r_0 - beta (u_0 - sum_k g_k u_k),  k = 1 .. l
 *     vector_bicg_residuals    r_k <- r_k - alpha u_(k+1),        k <= j;   with_x: x <- x + unit alpha u_0
 *     vector_bicg_cycle        x <- x + unit (alpha u_0 + sum_k g_k r_(k-1)),  r_0 <- r_0 - sum_k g_k r_k,
 *                              k = 1 .. l;   weight (s, r_0) and |r_0|^2
 * x is native, in the precision of the kernel or (x_is_other) in the other one, and is summed in double; or (x_is_low)
 * it has the format of the other vectors. */
typedef struct {
    krylov_batch b;
    int step, with_x, x_is_other, x_is_low;
    double unit[BATCH_MAX_RHS];
    vector_view x[BATCH_MAX_RHS], shadow[BATCH_MAX_RHS];
    vector_view r[BICG_POWERS][BATCH_MAX_RHS], u[BICG_POWERS][BATCH_MAX_RHS];
} bicg_step_args;

#endif
