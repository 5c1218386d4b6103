/* krylov_kinds.c - computes the scalars of an iteration in a separate launch of one block, without sites. */
#include "src/kernels/krylov_kinds.h"
#include "src/site/site.h"

/* Scalars are in double, for vectors of any precision. */
#ifndef SINGLE

#define KRYLOV_FINISH(name, sums, finish)                                                                              \
    ONE_BLOCK(krylov_##finish, krylov_batch, b, thread, threads)                                                       \
    {                                                                                                                  \
        finish(b, b->state->going != 0, thread, threads);                                                              \
    }

FOR_KRYLOV_SUMS(KRYLOV_FINISH)

#endif
