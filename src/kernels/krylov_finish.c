/* krylov_finish.c - computes the scalars of an iteration in a separate launch of one block, without sites.  That of the
 * Gram matrix of BiCGstab is in bicg_short.c. */
#include "src/kernels/krylov_finish.h"
#include "src/site/site.h"

/* Scalars are in double, for vectors of any precision. */
#ifndef SINGLE

#define KRYLOV_FINISH(name, finish)                                                                                    \
    ONE_BLOCK(name, krylov_batch, b, thread, threads)                                                                  \
    {                                                                                                                  \
        finish(b, b->state->going != 0, thread, threads);                                                              \
    }

KRYLOV_FINISH(krylov_curvature_finish, curvature_finish)
KRYLOV_FINISH(krylov_residual_finish, residual_finish)
KRYLOV_FINISH(krylov_bicg_shadow_finish, bicg_shadow_finish)
KRYLOV_FINISH(krylov_bicg_cycle_finish, bicg_cycle_finish)

#endif
