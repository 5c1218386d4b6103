/* cg_multishift.c - conjugate gradients for many shifts at the price of one (B. Jegerlehner, hep-lat/9612014).
 *
 * The base system is that of the smallest shift; the others live in its Krylov space, with residuals r_k = zeta_k r.
 * With rho_k the ratio of one zeta_k to the one before, d_k the distance of the shifts, and the alpha and beta of the
 * base system,
 *     1 / rho_k = 1 + d_k alpha + (alpha / alpha_before) beta_before (1 - rho_k before),
 *     alpha_k = rho_k alpha,  beta_k = rho_k^2 beta:
 * sums of positive numbers, so nothing cancels and every rho_k lies between 0 and 1. */
#include "src/solvers/cg_space.h"

#include <assert.h>
#include <math.h>

typedef struct {
    int number;                           /* in the caller's order */
    vec *x, *p;
    double distance, rho, zeta;
    bool done;                            /* met its tolerance; the base goes on for the others */
} shifted_system;

/* The systems that are not frozen, the base first: what one launch updates. */
typedef struct { int count; shifted_system of[SHIFTS_MAX]; } active_systems;

static active_systems all_systems(vec *const *x, vec *const *p, const shifted *system, int count)
{
    active_systems s = { .count = count };
    int base = 0;
    for (int k = 1; k < count; k++)
        if (system[k].shift < system[base].shift)
            base = k;
    for (int i = 0; i < count; i++) {
        int k = i == 0 ? base : i <= base ? i - 1 : i;
        s.of[i] = (shifted_system){ .number = k, .x = x[k], .p = p[k], .rho = 1, .zeta = 1,
                                    .distance = system[k].shift - system[base].shift };
    }
    return s;
}

/* One step of all: the coefficients of the shifted systems from those of the base, and the launch.
 * `former` is beta / alpha of the step before. */
static void update(active_systems *s, const vec *r, double alpha, double beta, double former)
{
    vec *x[SHIFTS_MAX], *p[SHIFTS_MAX];
    double a[SHIFTS_MAX], b[SHIFTS_MAX], z[SHIFTS_MAX];
    for (int i = 0; i < s->count; i++) {
        shifted_system *k = &s->of[i];
        k->rho = 1 / (1 + k->distance * alpha + alpha * former * (1 - k->rho));
        k->zeta *= k->rho;
        x[i] = k->x;
        p[i] = k->p;
        a[i] = k->rho * alpha;
        b[i] = k->rho * k->rho * beta;
        z[i] = k->zeta;
    }
    vec_multishift_update(x, p, r, a, b, z, s->count);
}

/* Note the systems whose residual is small enough, and drop them from the list; `relative` is |r| / |b|. */
static void freeze(active_systems *s, multishift_result *result, const shifted *system, double relative)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        shifted_system *k = &s->of[i];
        result->residual[k->number] = k->zeta * relative;
        if (!k->done && k->zeta * relative <= system[k->number].tolerance) {
            k->done = true;
            result->frozen_at[k->number] = result->iterations;
        }
        if (!k->done || i == 0)
            s->of[kept++] = *k;
    }
    s->count = kept;
}

static bool all_done(const active_systems *s)
{
    return s->count == 1 && s->of[0].done;
}

/* True residuals, and plain conjugate gradients from where each system is if its own is too large. */
static void polish(multishift_result *result, const linop *a, vec *const *x, const shifted *system, int count,
                   const vec *b, int max_iterations, cg_space *w)
{
    for (int k = 0; k < count; k++) {
        stop_rule stop = { system[k].tolerance, max_iterations };
        solve_result one = cg_solve(a, x[k], system[k].shift, b, stop, w);
        result->residual[k] = one.residual;
        result->polish_iterations += one.iterations;
        result->converged &= one.converged;
    }
}

multishift_result multishift_solve(const linop *a, vec *const *x, vec *const *p, const shifted *system, int count,
                                   const vec *b, int max_iterations, bool verify, cg_space *w)
{
    multishift_result result = { 0 };
    vec *r = w->v[0], *q = w->v[2];
    double bb = vec_norm2(b), rr = bb, alpha = 1, former = 0;
    assert(count > 0 && count <= SHIFTS_MAX);
    for (int k = 0; k < count; k++) {
        vec_zero(x[k]);
        vec_copy(p[k], b);
        result.residual[k] = bb > 0 ? 1 : bb;                       /* 0, or not a number */
    }
    if (!(bb > 0 && isfinite(bb))) {
        result.converged = bb == 0;
        return result;
    }
    active_systems s = all_systems(x, p, system, count);
    double shift = system[s.of[0].number].shift;
    vec_copy(r, b);
    freeze(&s, &result, system, 1);
    while (!all_done(&s) && result.iterations < max_iterations) {
        double curvature = a->apply_dot(a, q, shift, s.of[0].p, rr / alpha);
        if (!(curvature > 0 && isfinite(curvature)))
            return result;
        alpha = rr / curvature;
        double next = vec_axpy_norm2(r, -alpha, q, rr);
        if (!isfinite(next))
            return result;
        update(&s, r, alpha, next / rr, former);
        former = next / rr / alpha;
        rr = next;
        result.iterations++;
        freeze(&s, &result, system, sqrt(rr / bb));
    }
    result.converged = all_done(&s);
    if (result.converged && verify)
        polish(&result, a, x, system, count, b, max_iterations, w);
    return result;
}
