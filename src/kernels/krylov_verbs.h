/* krylov_verbs.h - the vector operations of conjugate gradients for a batch, for a format that is a compile-time
 * constant.  Coefficients come from the state.
 *
 * The results have the same bits as the operations for one system (vector_verbs.h, vec_mixed.c). */
#ifndef KILN_KERNELS_KRYLOV_VERBS_H
#define KILN_KERNELS_KRYLOV_VERBS_H

#include "src/kernels/krylov_site.h"
#include "src/site/storage.h"

#ifdef SINGLE
typedef double other;
#else
typedef float other;
#endif

/* r_n <- from_n - alpha_n q_n;  s_0 = |r_n|^2, s_1 = Re r_n^+ (r_n - from_n), with r_n as it is stored */
SITE_FN void batch_residual_as(vector_format f, const batch_residual_args *a, int n, site x, real *s)
{
    const double alpha = a->b.state->system[a->b.number[n]].alpha;
    color_vector before = load_vector_as(f, &a->from[n], x);
    color_vector r = vector_axpy((scalar)-alpha, load_vector_as(f, &a->q[n], x), before);
    r = store_vector_as(f, &a->r[n], x, r);
    s[0] = vector_norm2(r);
    s[1] = vector_dot(r, vector_axpy(-1, before, r)).re;
}

/* p_n <- r_n + beta_n from_n */
SITE_FN void batch_direction_as(vector_format f, const batch_direction_args *a, site x)
{
    KEEP_LOOP
    for (int n = 0; n < a->b.count; n++) {
        const krylov_system *s = &a->b.state->system[a->b.number[n]];
        if (!s->stepped || s->status != SYSTEM_GOING)
            continue;
        color_vector from = load_vector_as(f, &a->from[n], x);
        store_vector_as(f, &a->p[n], x, vector_axpy((scalar)s->beta, from, load_vector_as(f, &a->r[n], x)));
    }
}

/* q_n <- factor q_n + shift_n p_n */
SITE_FN void batch_shift_as(vector_format f, const batch_shift_args *a, site x)
{
    KEEP_LOOP
    for (int n = 0; n < a->b.count; n++) {
        const double shift = a->b.state->system[a->b.number[n]].shift;
        color_vector sum = vector_scale((scalar)shift, load_vector_as(f, &a->p[n], x));
        store_vector_as(f, &a->q[n], x, vector_axpy((scalar)a->factor, load_vector_as(f, &a->q[n], x), sum));
    }
}

/* y <- y + unit sum_j alpha_j v_j; products and sums are in double in any precision; the LANES sites of a call are
 * adjacent in y */
SITE_FN void gather_ring(vector_format f, const vector_view *y, bool y_is_other, double unit, const double *alpha,
                         const vector_view *v, site x)
{
    double sum[VECTOR_REALS][LANES];
    place_of o = find_in_slab(x, VECTOR_REALS);
    scalar *same = (scalar *)y->data + o.first[0];
    other *elsewhere = (other *)y->data + o.first[0];
    for (int i = 0; i < VECTOR_REALS; i++)
        for (int lane = 0; lane < LANES; lane++)
            sum[i][lane] = y_is_other ? (double)elsewhere[i * SITE_TILE + lane] : (double)same[i * SITE_TILE + lane];
    KEEP_LOOP
    for (int j = 0; j < KRYLOV_RING; j++) {
        color_vector p = load_vector_as(f, &v[j], x);
        const double c = unit * alpha[j];
        for (int i = 0; i < VECTOR_REALS; i++)
            for (int lane = 0; lane < LANES; lane++)
                sum[i][lane] += c * (double)lane_of(*component(&p, i), lane);
    }
    for (int i = 0; i < VECTOR_REALS; i++)
        for (int lane = 0; lane < LANES; lane++) {
            if (y_is_other)
                elsewhere[i * SITE_TILE + lane] = (other)sum[i][lane];
            else
                same[i * SITE_TILE + lane] = (scalar)sum[i][lane];
        }
}

SITE_FN void batch_gather_as(vector_format f, const batch_gather_args *a, site x)
{
    KEEP_LOOP
    for (int n = 0; n < a->b.count; n++) {
        const krylov_system *s = &a->b.state->system[a->b.number[n]];
        if (s->stepped && s->pending == KRYLOV_RING)
            gather_ring(f, &a->y[n], a->y_is_other, a->unit[n], s->ring_alpha, a->ring[n], x);
    }
}

/* x_k <- x_k + alpha_k p_k, then p_k <- zeta_k r + beta_k p_k if the system is going: r is read once for all k */
SITE_FN void shifts_update_as(vector_format f, const shifts_update_args *a, site x)
{
    const krylov_system *s = &a->state->system[a->number];
    const bool goes_on = s->status == SYSTEM_GOING;
    if (!s->stepped)
        return;
    color_vector r = load_vector_as(f, &a->r, x);
    KEEP_LOOP
    for (int k = 0; k < 1 + s->shifts; k++) {
        double rho = 1, zeta = 1;
        if (k > 0) {
            const krylov_shift *o = &s->other[k - 1];
            if (o->frozen_at >= 0 && o->frozen_at != s->steps)
                continue;
            rho = o->rho;
            zeta = o->zeta;
        }
        color_vector p = load_vector_as(f, &a->p[k], x), sum = load_vector_as(f, &a->x[k], x);
        store_vector_as(f, &a->x[k], x, vector_axpy((scalar)(rho * s->alpha), p, sum));
        if (goes_on) {
            color_vector along = vector_scale((scalar)zeta, r);
            store_vector_as(f, &a->p[k], x, vector_axpy((scalar)(rho * rho * s->beta), p, along));
        }
    }
}

/* y + c v, with the arithmetic of vector_combine */
SITE_FN color_vector added(color_vector y, double c, color_vector v)
{
    return vector_axpy((scalar)c, v, y);
}

/* The update of a step group (krylov_args.h): its residuals r_0, r_1, ... are read once for all shifts. */
SITE_FN void shifts_step_group_as(vector_format f, const shifts_step_group_args *a, site x)
{
    const krylov_system *s = &a->state->system[a->number];
    const int steps = s->steps_in_group;
    color_vector r[KRYLOV_RING];
    if (!a->always && !(s->stepped && steps == KRYLOV_RING))
        return;
    UNROLL_LOOP
    for (int j = 0; j < KRYLOV_RING; j++)
        r[j] = j < steps ? load_vector_as(f, &a->r[j], x) : vector_zero();
    KEEP_LOOP
    for (int k = 0; k < 1 + s->shifts; k++) {
        const krylov_step_group *w = &a->state->step_group[a->number][k];
        if (!krylov_shift_moves(s, k))
            continue;
        color_vector p = load_vector_as(f, &a->p[k], x), sum = load_vector_as(f, &a->x[k], x);
        sum = added(sum, w->x_p, p);
        p = vector_scale((scalar)w->p_p, p);
        UNROLL_LOOP
        for (int j = 0; j < KRYLOV_RING; j++)
            if (j < steps) {
                sum = added(sum, w->x_r[j], r[j]);
                p = added(p, w->p_r[j], r[j]);
            }
        store_vector_as(f, &a->x[k], x, sum);
        if (k > 0)
            store_vector_as(f, &a->p[k], x, p);
    }
}

#define BATCH_VERBS(format, suffix)                                                                                    \
    KRYLOV_EACH(vector_batch_residual##suffix, 2, batch_residual_args, a, n, x, s, krylov_has_stepped, norm_per_bound, \
                residual_finish)                                                                                       \
    {                                                                                                                  \
        batch_residual_as(format, a, n, x, s);                                                                         \
    }                                                                                                                  \
    SITE_MAP(vector_batch_direction##suffix, batch_direction_args, a, x) { batch_direction_as(format, a, x); }         \
    KRYLOV_MAP(vector_batch_shift##suffix, batch_shift_args, a, x) { batch_shift_as(format, a, x); }                   \
    SITE_MAP(vector_batch_gather##suffix, batch_gather_args, a, x) { batch_gather_as(format, a, x); }                  \
    SITE_MAP(vector_shifts_update##suffix, shifts_update_args, a, x) { shifts_update_as(format, a, x); }               \
    SITE_MAP(vector_shifts_step_group##suffix, shifts_step_group_args, a, x) { shifts_step_group_as(format, a, x); }

#endif
