/* vec_reduce.c - norms and products of color vectors, in native format; the largest term determines the bound of a
 * sum. */
#define OVER_SLABS
#include "src/kernels/vec_mixed_args.h"
#include "src/kernels/vector_verbs.h"

SITE_SUM(vector_norms, 1, 1, vector_args, a, x, s)
{
    norms_as(VECTOR_NATIVE, a, x, s);
}

SITE_SUM(vector_products, 2, 1, vector_args, a, x, s)
{
    products_as(VECTOR_NATIVE, a, x, s);
}

/* Products with several vectors, which share the loads of y. */
SITE_SUM(vector_products_together, 2 * PRODUCTS_TOGETHER, 0, products_args, a, here, s)
{
    const color_vector y = load_vector(&a->y, here);
    UNROLL_LOOP
    for (int i = 0; i < PRODUCTS_TOGETHER; i++) {
        const cplx product = vector_dot(load_vector(&a->x[i], here), y);
        s[2 * i] = product.re;
        s[2 * i + 1] = product.im;
    }
}

/* y <- y + a x;  s0 = |y|^2 */
SITE_SUM(vector_axpy_norm2, 1, 0, vector_args, a, x, s)
{
    s[0] = vector_norm2(axpy_as(VECTOR_NATIVE, a, x));
}
