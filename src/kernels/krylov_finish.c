/* krylov_finish.c - an iteration's scalars from its two sums, in launches of their own: one block, no sites. */
#include "src/kernels/krylov_finish.h"
#include "src/site/site.h"

/* Scalars are in double, whatever the vectors are. */
#ifndef SINGLE

#define KRYLOV_FINISH(name, finish)                                                                                    \
    ONE_BLOCK(name, krylov_batch, b, thread, threads)                                                                  \
    {                                                                                                                  \
        finish(b, b->state->going != 0, thread, threads);                                                              \
    }

KRYLOV_FINISH(krylov_curvature_finish, curvature_finish)
KRYLOV_FINISH(krylov_residual_finish, residual_finish)
KRYLOV_FINISH(krylov_bicg_shadow_finish, bicg_shadow_finish)
KRYLOV_FINISH(krylov_bicg_gram_finish, bicg_gram_finish)
KRYLOV_FINISH(krylov_bicg_cycle_finish, bicg_cycle_finish)

#endif
