/* vector_verbs.h - the vector operations of solvers for one system, in a literal format.
 *
 * Norms and products are of the vectors as they are stored. */
#ifndef KILN_KERNELS_VECTOR_VERBS_H
#define KILN_KERNELS_VECTOR_VERBS_H

#include "src/kernels/vector_args.h"
#include "src/site/site.h"
#include "src/site/storage.h"

/* y <- y + a x */
SITE_FN color_vector axpy_as(vector_format f, const vector_args *a, site x)
{
    color_vector y = load_vector_as(f, &a->y, x);
    return store_vector_as(f, &a->y, x, vector_axpy((scalar)a->a, load_vector_as(f, &a->x, x), y));
}

/* y <- x + a y */
SITE_FN void xpay_as(vector_format f, const vector_args *a, site x)
{
    color_vector y = load_vector_as(f, &a->y, x);
    store_vector_as(f, &a->y, x, vector_axpy((scalar)a->a, y, load_vector_as(f, &a->x, x)));
}

/* x_k <- x_k + a_k p_k, then p_k <- z_k r + b_k p_k: r is read once for all */
SITE_FN void multishift_update_as(vector_format f, const multishift_args *a, site x)
{
    color_vector r = load_vector_as(f, &a->r, x);
    KEEP_LOOP
    for (int k = 0; k < a->count; k++) {
        color_vector p = load_vector_as(f, &a->p[k], x), sum = load_vector_as(f, &a->x[k], x);
        store_vector_as(f, &a->x[k], x, vector_axpy((scalar)a->a[k], p, sum));
        store_vector_as(f, &a->p[k], x, vector_axpy((scalar)a->b[k], p, vector_scale((scalar)a->z[k], r)));
    }
}

/* y <- a x + sum_k c_k v_k */
SITE_FN void combine_as(vector_format f, const combine_args *a, site x)
{
    color_vector y = vector_scale((scalar)a->a, load_vector_as(f, &a->x, x));
    UNROLL_TWICE
    for (int k = 0; k < a->count; k++)
        y = vector_axpy((scalar)a->c[k], load_vector_as(f, &a->v[k], x), y);
    store_vector_as(f, &a->y, x, y);
}

/* s0 = |x|^2, s1 = the largest |x|^2 of a site */
SITE_FN void norms_as(vector_format f, const vector_args *a, site x, real *s)
{
    s[0] = s[1] = vector_norm2(load_vector_as(f, &a->x, x));
}

/* s0, s1 = Re and Im of x^+ y, s2 = the largest of their terms, by size */
SITE_FN void products_as(vector_format f, const vector_args *a, site x, real *s)
{
    cplx product = vector_dot(load_vector_as(f, &a->x, x), load_vector_as(f, &a->y, x));
    s[0] = product.re;
    s[1] = product.im;
    s[2] = larger_or_nan(larger_or_nan(product.re, -product.re), larger_or_nan(product.im, -product.im));
}

#endif
