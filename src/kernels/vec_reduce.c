/* vec_reduce.c - norms and products of colour vectors, in native format; the largest term shows which bound a sum
 * needs. */
#define OVER_SLABS
#include "src/kernels/vector_verbs.h"

SITE_SUM(vector_norms, 1, 1, vector_args, a, x, s)
{
    norms_as(VECTOR_NATIVE, a, x, s);
}

SITE_SUM(vector_products, 2, 1, vector_args, a, x, s)
{
    products_as(VECTOR_NATIVE, a, x, s);
}

/* y <- y + a x;  s0 = |y|^2 */
SITE_SUM(vector_axpy_norm2, 1, 0, vector_args, a, x, s)
{
    s[0] = vector_norm2(axpy_as(VECTOR_NATIVE, a, x));
}
