/* vec_update.c - sums of colour vectors with factors: what solvers do between applications of an operator. */
#include "src/kernels/vector_args.h"
#include "src/site/site.h"

/* y <- y + a x */
SITE_MAP(vector_axpy_sites, vector_args, a, x)
{
    store_vector(&a->y, x, vector_axpy((scalar)a->a, load_vector(&a->x, x), load_vector(&a->y, x)));
}

/* y <- x + a y */
SITE_MAP(vector_xpay, vector_args, a, x)
{
    store_vector(&a->y, x, vector_axpy((scalar)a->a, load_vector(&a->y, x), load_vector(&a->x, x)));
}

/* x <- x + a p, then p <- r + b p: p is read once for both */
SITE_MAP(vector_cg_update, cg_update_args, a, x)
{
    color_vector p = load_vector(&a->p, x);
    store_vector(&a->x, x, vector_axpy((scalar)a->a, p, load_vector(&a->x, x)));
    store_vector(&a->p, x, vector_axpy((scalar)a->b, p, load_vector(&a->r, x)));
}

/* x_k <- x_k + a_k p_k, then p_k <- z_k r + b_k p_k: r is read once for all */
SITE_MAP(vector_multishift_update, multishift_args, a, x)
{
    color_vector r = load_vector(&a->r, x);
    KEEP_LOOP
    for (int k = 0; k < a->count; k++) {
        color_vector p = load_vector(&a->p[k], x);
        store_vector(&a->x[k], x, vector_axpy((scalar)a->a[k], p, load_vector(&a->x[k], x)));
        store_vector(&a->p[k], x, vector_axpy((scalar)a->b[k], p, vector_scale((scalar)a->z[k], r)));
    }
}

/* y <- a x + sum_k c_k v_k */
SITE_MAP(vector_combine, combine_args, a, x)
{
    color_vector y = vector_scale((scalar)a->a, load_vector(&a->x, x));
    KEEP_LOOP
    for (int k = 0; k < a->count; k++)
        y = vector_axpy((scalar)a->c[k], load_vector(&a->v[k], x), y);
    store_vector(&a->y, x, y);
}
