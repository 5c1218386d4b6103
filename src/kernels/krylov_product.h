/* krylov_product.h - <p, q> of the systems of a batch, for operators that do not sum it by the way. */
#ifndef KILN_KERNELS_KRYLOV_PRODUCT_H
#define KILN_KERNELS_KRYLOV_PRODUCT_H

#include "src/kernels/krylov_site.h"
#include "src/site/storage.h"

SITE_FN void batch_product_as(vector_format f, int systems, const batch_product_args *a, site x, real *s)
{
    UNROLL_LOOP
    for (int n = 0; n < systems; n++)
        s[n] = vector_dot(load_vector_as(f, &a->p[n], x), load_vector_as(f, &a->q[n], x)).re;
}

#define BATCH_PRODUCT(format, suffix, systems)                                                                         \
    KRYLOV_SUM(vector_batch_product_##systems##suffix, systems, 1, batch_product_args, a, x, s, curvature_per_bound,   \
               curvature_ends)                                                                                         \
    {                                                                                                                  \
        batch_product_as(format, systems, a, x, s);                                                                    \
    }
#define BATCH_PRODUCTS(format, suffix)                                                                                 \
    BATCH_PRODUCT(format, suffix, 1)                                                                                   \
    BATCH_PRODUCT(format, suffix, 2)                                                                                   \
    BATCH_PRODUCT(format, suffix, 4)                                                                                   \
    BATCH_PRODUCT(format, suffix, 8)

#endif
