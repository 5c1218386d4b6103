/* krylov_curvature.h - <p, (C^+C + shift) p> of the systems of a batch, for operators that store C p but do not compute
 * this sum themselves.  Without a shift it is |C p|^2, which reads one vector instead of the two of <p, q>. */
#ifndef KILN_KERNELS_KRYLOV_CURVATURE_H
#define KILN_KERNELS_KRYLOV_CURVATURE_H

#include "src/kernels/krylov_site.h"
#include "src/site/storage.h"

#define BATCH_CURVATURE(format, suffix)                                                                                \
    KRYLOV_EACH(vector_batch_curvature##suffix, 1, batch_curvature_args, a, n, x, s, krylov_is_going,                  \
                curvature_per_bound, curvature_finish)                                                                 \
    {                                                                                                                  \
        if (a->b.state->system[a->b.number[n]].shift == 0)                                                             \
            s[0] = vector_norm2(load_vector_as(format, &a->c[n], x));                                                  \
        else                                                                                                           \
            s[0] = vector_dot(load_vector_as(format, &a->p[n], x), load_vector_as(format, &a->q[n], x)).re;            \
    }

#endif
