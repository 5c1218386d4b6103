/* vec_mixed.c - vector operations of mixed-precision solvers, in every format: residuals with the products for the next
 * direction, directions with a complex factor, and linear combinations accumulated in double. */
#define OVER_SLABS
#include "src/kernels/vec_mixed_args.h"
#include "src/kernels/vector_multiple.h"
#include "src/site/site.h"
#include "src/site/storage.h"

#ifdef SINGLE
typedef double other;
#else
typedef float other;
#endif

/* y <- y + a x;  s0 = |y|^2, s1 = Re y^+ (y - previous y), with y as it is stored */
SITE_FN void residual_as(vector_format f, const vector_args *a, site x, real *s)
{
    color_vector before = load_vector_as(f, &a->y, x);
    color_vector y = vector_axpy((scalar)a->a, load_vector_as(f, &a->x, x), before);
    y = store_vector_as(f, &a->y, x, y);
    s[0] = vector_norm2(y);
    s[1] = vector_dot(y, vector_axpy(-1, before, y)).re;
}

/* p <- (re + i im) r + b from */
SITE_FN void direction_as(vector_format f, const direction_args *a, site x)
{
    const color_vector r = load_vector_as(f, &a->r, x);
    const color_vector p = vector_scale((scalar)a->b, load_vector_as(f, &a->from, x));
    store_vector_as(f, &a->p, x, vector_plus_multiple(p, a->re, a->im, r));
}

/* x <- x + (re + i im) (b - q) */
SITE_FN void relax_as(vector_format f, const relax_args *a, site here)
{
    const color_vector b = load_vector_as(f, &a->b, here), q = load_vector_as(f, &a->q, here);
    const color_vector left = vector_axpy(-1, q, b);
    const color_vector x = load_vector_as(f, &a->x, here);
    store_vector_as(f, &a->x, here, vector_plus_multiple(x, a->re, a->im, left));
}

/* y <- y + sum_k c_k v_k, with products and sums in double in any precision; y is native, and the LANES sites of a call
 * are adjacent in it */
SITE_FN void gather_as(vector_format f, const gather_args *a, site x)
{
    double sum[VECTOR_REALS][LANES];
    place_of o = find_in_slab(x, VECTOR_REALS);
    scalar *same = (scalar *)a->y.data + o.first[0];
    other *elsewhere = (other *)a->y.data + o.first[0];
    for (int i = 0; i < VECTOR_REALS; i++)
        for (int lane = 0; lane < LANES; lane++)
            sum[i][lane] = a->y_is_other ? (double)elsewhere[i * SITE_TILE + lane] : (double)same[i * SITE_TILE + lane];
    KEEP_LOOP
    for (int k = 0; k < a->count; k++) {
        color_vector v = load_vector_as(f, &a->v[k], x);
        for (int i = 0; i < VECTOR_REALS; i++)
            for (int lane = 0; lane < LANES; lane++)
                sum[i][lane] += a->c[k] * (double)lane_of(*component(&v, i), lane);
    }
    for (int i = 0; i < VECTOR_REALS; i++)
        for (int lane = 0; lane < LANES; lane++) {
            if (a->y_is_other)
                elsewhere[i * SITE_TILE + lane] = (other)sum[i][lane];
            else
                same[i * SITE_TILE + lane] = (scalar)sum[i][lane];
        }
}

/* y <- a y + sum_k c_k v_k, c_k complex */
SITE_MAP(vector_project, project_args, a, x)
{
    color_vector y = vector_scale((scalar)a->a, load_vector(&a->y, x));
    KEEP_LOOP
    for (int k = 0; k < a->count; k++)
        y = vector_plus_multiple(y, a->re[k], a->im[k], load_vector(&a->v[k], x));
    store_vector(&a->y, x, y);
}

#define MIXED_VERBS(format, suffix)                                                                                    \
    SITE_SUM(vector_residual##suffix, 2, 0, vector_args, a, x, s) { residual_as(format, a, x, s); }                    \
    SITE_MAP(vector_direction##suffix, direction_args, a, x) { direction_as(format, a, x); }                           \
    SITE_MAP(vector_relax##suffix, relax_args, a, x) { relax_as(format, a, x); }                                       \
    SITE_MAP(vector_gather##suffix, gather_args, a, x) { gather_as(format, a, x); }

MIXED_VERBS(VECTOR_NATIVE, )
#ifdef SINGLE
MIXED_VERBS(VECTOR_HALF, _half)
MIXED_VERBS(VECTOR_INT20, _int20)
#else
MIXED_VERBS(VECTOR_INT30, _int30)
#endif
