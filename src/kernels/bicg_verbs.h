/* bicg_verbs.h - the vector operations of BiCGstab(l) for a batch, for a format that is a compile-time constant.
 * Coefficients come from the state. */
#ifndef KILN_KERNELS_BICG_VERBS_H
#define KILN_KERNELS_BICG_VERBS_H

#include "src/kernels/krylov_site.h"
#include "src/kernels/vector_multiple.h"
#include "src/site/storage.h"

#ifdef SINGLE
typedef double other;
#else
typedef float other;
#endif

/* v - f a */
SITE_FN color_vector minus_multiple(color_vector v, krylov_complex f, color_vector a)
{
    return vector_plus_multiple(v, -f.re, -f.im, a);
}

SITE_FN krylov_complex scaled(krylov_complex f, double unit)
{
    krylov_complex z;
    z.re = unit * f.re;
    z.im = unit * f.im;
    return z;
}

/* The numbers of a site in double, lane by lane: of x, or of the sum of terms to be added to x. */
typedef struct { double c[VECTOR_REALS][LANES]; } site_doubles;

SITE_FN void add_term(site_doubles *sum, krylov_complex f, color_vector v)
{
    for (int i = 0; i < VECTOR_REALS; i += 2)
        for (int lane = 0; lane < LANES; lane++) {
            const double re = (double)lane_of(*component(&v, i), lane),
                         im = (double)lane_of(*component(&v, i + 1), lane);
            sum->c[i][lane] = fused_double(f.re, re, fused_double(-f.im, im, sum->c[i][lane]));
            sum->c[i + 1][lane] = fused_double(f.re, im, fused_double(f.im, re, sum->c[i + 1][lane]));
        }
}

SITE_FN site_doubles no_terms(void)
{
    site_doubles sum;
    for (int i = 0; i < VECTOR_REALS; i++)
        for (int lane = 0; lane < LANES; lane++)
            sum.c[i][lane] = 0;
    return sum;
}

/* The LANES sites of a call are adjacent in a native x. */
SITE_FN site_doubles load_solution(vector_format f, const bicg_step_args *a, int n, site x)
{
    site_doubles old;
    if (a->x_is_low) {
        color_vector v = load_vector_as(f, &a->x[n], x);
        for (int i = 0; i < VECTOR_REALS; i++)
            for (int lane = 0; lane < LANES; lane++)
                old.c[i][lane] = (double)lane_of(*component(&v, i), lane);
        return old;
    }
    place_of o = find_in_slab(x, VECTOR_REALS);
    const scalar *same = (const scalar *)a->x[n].data + o.first[0];
    const other *elsewhere = (const other *)a->x[n].data + o.first[0];
    for (int i = 0; i < VECTOR_REALS; i++)
        for (int lane = 0; lane < LANES; lane++) {
            const int at = i * SITE_TILE + lane;
            old.c[i][lane] = a->x_is_other ? (double)elsewhere[at] : (double)same[at];
        }
    return old;
}

/* x <- old + sum; `old` is the result of load_solution */
SITE_FN void store_solution(vector_format f, const bicg_step_args *a, int n, const site_doubles *old,
                            const site_doubles *sum, site x)
{
    if (a->x_is_low) {
        color_vector v;
        for (int i = 0; i < VECTOR_REALS; i++)
            for (int lane = 0; lane < LANES; lane++)
                set_lane(component(&v, i), lane, (scalar)old->c[i][lane] + (scalar)sum->c[i][lane]);
        store_vector_as(f, &a->x[n], x, v);
        return;
    }
    place_of o = find_in_slab(x, VECTOR_REALS);
    scalar *same = (scalar *)a->x[n].data + o.first[0];
    other *elsewhere = (other *)a->x[n].data + o.first[0];
    for (int i = 0; i < VECTOR_REALS; i++)
        for (int lane = 0; lane < LANES; lane++) {
            const int at = i * SITE_TILE + lane;
            const double now = old->c[i][lane] + sum->c[i][lane];
            if (a->x_is_other)
                elsewhere[at] = (other)now;
            else
                same[at] = (scalar)now;
        }
}

/* s0, s1: weight (shadow, v);  s2: |v|^2 */
SITE_FN void shadow_sums(color_vector shadow, double weight, color_vector v, real *s)
{
    const real w = spread((scalar)weight);
    cplx product = vector_dot(shadow, v);
    s[0] = w * product.re;
    s[1] = w * product.im;
    s[2] = vector_norm2(v);
}

SITE_FN void bicg_shadow_as(vector_format f, const bicg_shadow_args *a, int n, site x, real *s)
{
    const double weight = a->b.state->bicg[a->b.number[n]].weight;
    shadow_sums(load_vector_as(f, &a->shadow[n], x), weight, load_vector_as(f, &a->v[n], x), s);
}

SITE_FN void bicg_gram_as(vector_format f, const bicg_gram_args *a, int n, site x, real *s)
{
    color_vector left = load_vector_as(f, &a->left[n], x), right[BICG_PRODUCTS];
    UNROLL_LOOP
    for (int k = 0; k < BICG_PRODUCTS; k++)          /* all loads before the first use; unused k load vector 0 */
        right[k] = load_vector_as(f, &a->right[k < a->count ? k : 0][n], x);
    UNROLL_LOOP
    for (int k = 0; k < BICG_PRODUCTS; k++) {
        cplx product = vector_dot(left, right[k]);
        s[2 * k] = k < a->count ? product.re : spread(0);
        s[2 * k + 1] = k < a->count ? product.im : spread(0);
    }
}

/* Runs over the systems n of a batch that are going. */
#define FOR_GOING(n, a)                                                                                                \
    KEEP_LOOP                                                                                                          \
    for (int n = 0; n < (a)->b.count; n++)                                                                             \
        if ((a)->b.state->system[(a)->b.number[n]].status == SYSTEM_GOING)

SITE_FN void bicg_directions_as(vector_format f, const bicg_step_args *a, site x)
{
    FOR_GOING(n, a) {
        const bicg_system *b = &a->b.state->bicg[a->b.number[n]];
        const int before = a->step == 0 ? b->order : 0;          /* powers of the cycle before */
        KEEP_LOOP
        for (int k = 0; k <= a->step; k++) {
            color_vector u = load_vector_as(f, &a->u[k][n], x);
            const color_vector r = load_vector_as(f, &a->r[k][n], x);
            KEEP_LOOP
            for (int i = 1; i <= before; i++)
                u = minus_multiple(u, b->g[i - 1], load_vector_as(f, &a->u[i][n], x));
            store_vector_as(f, &a->u[k][n], x, minus_multiple(r, b->beta, u));
        }
    }
}

SITE_FN void bicg_residuals_as(vector_format f, const bicg_step_args *a, site x)
{
    FOR_GOING(n, a) {
        const krylov_complex alpha = a->b.state->bicg[a->b.number[n]].alpha;
        if (a->with_x) {
            const site_doubles old = load_solution(f, a, n, x);
            site_doubles sum = no_terms();
            add_term(&sum, scaled(alpha, a->unit[n]), load_vector_as(f, &a->u[0][n], x));
            store_solution(f, a, n, &old, &sum, x);
        }
        KEEP_LOOP
        for (int k = 0; k <= a->step; k++) {
            color_vector r = load_vector_as(f, &a->r[k][n], x);
            store_vector_as(f, &a->r[k][n], x, minus_multiple(r, alpha, load_vector_as(f, &a->u[k + 1][n], x)));
        }
    }
}

/* Loads come before the operations that need them and before the first store: a thread waits for memory once. */
SITE_FN void bicg_cycle_as(vector_format f, const bicg_step_args *a, int n, site x, real *s)
{
    const bicg_system *b = &a->b.state->bicg[a->b.number[n]];
    const double unit = a->unit[n];
    color_vector r = load_vector_as(f, &a->r[0][n], x), before = r, power = load_vector_as(f, &a->r[1][n], x);
    const color_vector u = load_vector_as(f, &a->u[0][n], x), shadow = load_vector_as(f, &a->shadow[n], x);
    const site_doubles old = load_solution(f, a, n, x);
    site_doubles sum = no_terms();
    add_term(&sum, scaled(b->alpha, unit), u);
    KEEP_LOOP
    for (int k = 1; k <= a->step; k++) {
        const krylov_complex g = b->g[k - 1];
        add_term(&sum, scaled(g, unit), before);
        r = minus_multiple(r, g, power);
        before = power;
        if (k < a->step)
            power = load_vector_as(f, &a->r[k + 1][n], x);
    }
    store_solution(f, a, n, &old, &sum, x);
    r = store_vector_as(f, &a->r[0][n], x, r);
    shadow_sums(shadow, b->weight, r, s);
}

#define BICG_VERBS(format, suffix)                                                                                     \
    KRYLOV_EACH(vector_bicg_shadow##suffix, 3, bicg_shadow_args, a, n, x, s, krylov_is_going, norm_per_bound,          \
                bicg_shadow_finish)                                                                                    \
    {                                                                                                                  \
        bicg_shadow_as(format, a, n, x, s);                                                                            \
    }                                                                                                                  \
    KRYLOV_EACH(vector_bicg_gram##suffix, 2 * BICG_PRODUCTS, bicg_gram_args, a, n, x, s, krylov_is_going,              \
                norm_per_bound, bicg_gram_finish)                                                                      \
    {                                                                                                                  \
        bicg_gram_as(format, a, n, x, s);                                                                              \
    }                                                                                                                  \
    KRYLOV_EACH(vector_bicg_cycle##suffix, 3, bicg_step_args, a, n, x, s, krylov_is_going, norm_per_bound,             \
                bicg_cycle_finish)                                                                                     \
    {                                                                                                                  \
        bicg_cycle_as(format, a, n, x, s);                                                                             \
    }                                                                                                                  \
    KRYLOV_MAP(vector_bicg_directions##suffix, bicg_step_args, a, x) { bicg_directions_as(format, a, x); }             \
    KRYLOV_MAP(vector_bicg_residuals##suffix, bicg_step_args, a, x) { bicg_residuals_as(format, a, x); }

#endif
