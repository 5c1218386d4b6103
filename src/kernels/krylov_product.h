/* krylov_product.h - <p, q> of the systems of a batch, for operators that do not sum it by the way. */
#ifndef KILN_KERNELS_KRYLOV_PRODUCT_H
#define KILN_KERNELS_KRYLOV_PRODUCT_H

#include "src/kernels/krylov_site.h"
#include "src/site/storage.h"

#define BATCH_PRODUCT(format, suffix)                                                                                  \
    KRYLOV_EACH(vector_batch_product##suffix, 1, batch_product_args, a, n, x, s, krylov_is_going, curvature_per_bound, \
                curvature_ends)                                                                                        \
    {                                                                                                                  \
        s[0] = vector_dot(load_vector_as(format, &a->p[n], x), load_vector_as(format, &a->q[n], x)).re;                \
    }

#endif
