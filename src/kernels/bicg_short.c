/* bicg_short.c - the kernels of a short cycle of BiCGstab (bicg_short_args.h).
 *
 * A thread adds the products of the four color vectors of a spinor before it adds them to an exact sum: on a GPU the
 * conversions of an exact sum took longer than the memory when each color vector had a term. */
#define OVER_SLABS
#include "src/kernels/bicg_short_steps.h"
#include "src/kernels/bicg_verbs.h"

#ifdef SINGLE

/* A thread loads a whole spinor of each vector before it needs the first number: fewer threads with more registers. */
#undef EACH_THREADS
#undef EACH_RESIDENT
#define EACH_THREADS(sums) 256
#define EACH_RESIDENT(sums) ((sums) > 3 ? 2 : 3)

/* Color vector `spin` of the spinor whose first slab is that of x. */
SITE_FN color_vector load_spin(const vector_view *v, int spin, site x)
{
    x.before += spin * v->slab_sites;
    return load_vector_as(VECTOR_HALF, v, x);
}

KRYLOV_EACH(vector_bicg_shadow_spinors_half, 3, bicg_shadow_args, a, n, x, s, krylov_is_going, norm_per_bound,
            bicg_shadow_finish)
{
    const double weight = a->b.state->bicg[a->b.number[n]].weight;
    color_vector shadow[SLAB_GROUP], v[SLAB_GROUP];
    real sum[3];
    UNROLL_LOOP
    for (int k = 0; k < SLAB_GROUP; k++) {
        shadow[k] = load_spin(&a->shadow[n], k, x);
        v[k] = load_spin(&a->v[n], k, x);
    }
    s[0] = s[1] = s[2] = spread(0);
    UNROLL_LOOP
    for (int k = 0; k < SLAB_GROUP; k++) {
        shadow_sums(shadow[k], weight, v[k], sum);
        UNROLL_LOOP
        for (int i = 0; i < 3; i++)
            s[i] = s[i] + sum[i];
    }
}

KRYLOV_EACH(vector_bicg_minimum_half, 6, bicg_minimum_args, a, n, x, s, krylov_is_going, norm_per_bound,
            bicg_minimum_finish)
{
    const real weight = spread((scalar)a->b.state->bicg[a->b.number[n]].weight);
    color_vector r[SLAB_GROUP], power[SLAB_GROUP], shadow[SLAB_GROUP];
    UNROLL_LOOP
    for (int k = 0; k < SLAB_GROUP; k++) {
        r[k] = load_spin(&a->r[0][n], k, x);
        power[k] = load_spin(&a->r[1][n], k, x);
        shadow[k] = load_spin(&a->shadow[n], k, x);
    }
    for (int i = 0; i < 6; i++)
        s[i] = spread(0);
    UNROLL_LOOP
    for (int k = 0; k < SLAB_GROUP; k++) {
        const cplx across = vector_dot(power[k], r[k]), along = vector_dot(shadow[k], power[k]);
        s[0] = s[0] + across.re;
        s[1] = s[1] + across.im;
        s[2] = s[2] + vector_norm2(power[k]);
        s[3] = s[3] + vector_norm2(r[k]);
        s[4] = s[4] + weight * along.re;
        s[5] = s[5] + weight * along.im;
    }
}

/* v + f a */
SITE_FN color_vector plus_multiple(color_vector v, krylov_complex f, color_vector a)
{
    return vector_plus_multiple(v, f.re, f.im, a);
}

SITE_MAP(vector_bicg_advance_half, bicg_step_args, a, x)
{
    const bool goes_on = a->b.state->going != 0;
    KEEP_LOOP
    for (int n = 0; n < a->b.count; n++) {
        const bicg_system *b = &a->b.state->bicg[a->b.number[n]];
        if (!a->b.state->system[a->b.number[n]].stepped)
            continue;
        const color_vector r = load_vector_as(VECTOR_HALF, &a->r[0][n], x);
        const color_vector power = load_vector_as(VECTOR_HALF, &a->r[1][n], x);
        const color_vector u = load_vector_as(VECTOR_HALF, &a->u[0][n], x);
        const color_vector next = load_vector_as(VECTOR_HALF, &a->u[1][n], x);
        const color_vector sum = plus_multiple(load_vector(&a->x[n], x), scaled(b->alpha, a->unit[n]), u);
        store_vector(&a->x[n], x, plus_multiple(sum, scaled(b->g[0], a->unit[n]), r));
        const color_vector now = store_vector_as(VECTOR_HALF, &a->r[0][n], x, minus_multiple(r, b->g[0], power));
        if (goes_on) {
            const color_vector former = minus_multiple(u, b->g[0], next);
            store_vector_as(VECTOR_HALF, &a->u[0][n], x, minus_multiple(now, b->beta, former));
        }
    }
}

#endif
