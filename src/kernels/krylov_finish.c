/* krylov_finish.c - computes the scalars of an iteration in a separate launch of one block, without sites. */
#include "src/kernels/krylov_finish.h"
#include "src/site/site.h"

/* Scalars are in double, for vectors of any precision. */
#ifndef SINGLE

#ifdef __CUDACC__
#define KRYLOV_FINISH(name, finish)                                                                                    \
    static __global__ void __launch_bounds__(SITE_BLOCK) name##_block(const __grid_constant__ krylov_batch b)          \
    {                                                                                                                  \
        finish(&b, b.state->going != 0, (int)threadIdx.x, SITE_BLOCK);                                                 \
    }                                                                                                                  \
    extern "C" void K(name)(const krylov_batch *b, void *stream)                                                       \
    {                                                                                                                  \
        name##_block<<<1, SITE_BLOCK, 0, (cudaStream_t)stream>>>(*b);                                                  \
    }
#else
#define KRYLOV_FINISH(name, finish)                                                                                    \
    krylov_finish_fn K(name);                                                                                          \
    void K(name)(const krylov_batch *b, void *stream)                                                                  \
    {                                                                                                                  \
        (void)stream;                                                                                                  \
        finish(b, b->state->going != 0, 0, 1);                                                                         \
    }
#endif

KRYLOV_FINISH(krylov_curvature_finish, curvature_finish)
KRYLOV_FINISH(krylov_residual_finish, residual_finish)
KRYLOV_FINISH(krylov_bicg_shadow_finish, bicg_shadow_finish)
KRYLOV_FINISH(krylov_bicg_gram_finish, bicg_gram_finish)
KRYLOV_FINISH(krylov_bicg_cycle_finish, bicg_cycle_finish)

#endif
