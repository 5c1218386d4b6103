/* vec_reduce.c - norms and products of colour vectors; the largest term tells how fine a sum must be. */
#include "src/kernels/vector_args.h"
#include "src/site/site.h"

/* s0 = |x|^2, s1 = the largest |x|^2 of a site */
SITE_SUM(vector_norms, 1, 1, vector_args, a, x, s)
{
    s[0] = s[1] = vector_norm2(load_vector(&a->x, x));
}

/* s0, s1 = Re and Im of x^+ y, s2 = the largest of their terms, by size */
SITE_SUM(vector_products, 2, 1, vector_args, a, x, s)
{
    cplx product = vector_dot(load_vector(&a->x, x), load_vector(&a->y, x));
    s[0] = product.re;
    s[1] = product.im;
    s[2] = larger_or_nan(larger_or_nan(product.re, -product.re), larger_or_nan(product.im, -product.im));
}

/* y <- y + a x;  s0 = |y|^2 */
SITE_SUM(vector_axpy_norm2, 1, 0, vector_args, a, x, s)
{
    color_vector y = vector_axpy((scalar)a->a, load_vector(&a->x, x), load_vector(&a->y, x));
    store_vector(&a->y, x, y);
    s[0] = vector_norm2(y);
}
