/* multishift_mixed.c - conjugate gradients for many shifts in mixed precision.
 *
 * The Krylov space of the smallest shift in low precision, its residual replaced by the true one now and then, and all
 * directions made orthogonal to it (B. Jegerlehner, hep-lat/9612014; M. A. Clark et al., Lattice 2022).  That repairs
 * the base system alone: r_k = zeta_k r holds to the rounding of low precision, so a shift is frozen at the tolerance
 * or at the mean of it and that rounding, whichever is larger, and goes on from there by itself. */
#include "src/solvers/cg_space.h"
#include "src/solvers/mixed_space.h"
#include "src/solvers/shifted_systems.h"

#include <math.h>

/* The common Krylov space; x of the systems in it are those of the caller in low precision, since the last update. */
typedef struct {
    mixed_system base;
    shifted_systems systems;
    const mixed_rule *rule;
    vec *const *x;                        /* in high precision, in the caller's order */
    int max_iterations;
    multishift_mixed_result *result;
} krylov_space;

/* x in high precision gets what x in low precision is. */
static void flush(const krylov_space *s, const shifted_system *k)
{
    double unit = 1 / s->base.scale;
    vec_gather(s->x[k->number], &unit, &k->x, 1);
    vec_zero(k->x);
}

/* The base system's residual anew, and directions of all that go with it; `before` is |r|^2 before this step.
 * Returns |r|^2. */
static double replace_residual(krylov_space *s, double before)
{
    const vec *r = s->base.w->r;
    for (int i = 0; i < s->systems.count; i++)
        flush(s, &s->systems.of[i]);
    mixed_true_residual(&s->base, &s->result->record);
    s->result->krylov_updates++;
    double rr = s->base.rr;
    for (int i = 0; i < s->systems.count && isfinite(rr) && rr > 0; i++) {
        const shifted_system *k = &s->systems.of[i];
        mixed_direction(k->p, k->zeta, r, rr, k->rho * k->rho * rr / before, k->p, s->rule, &s->result->record);
    }
    return rr;
}

/* Until the base is alone; what ended it before. */
static mixed_failure iterate(krylov_space *s, const shifted *system)
{
    const linop *low = s->base.low;
    vec *r = s->base.w->r, *q = s->base.w->q;
    double rr = s->base.rr, bb = s->base.bb, alpha = 1, former = 0;
    multishift_result *told = &s->result->solve;
    mixed_progress progress = mixed_progress_from(rr);
    shifted_systems_freeze(&s->systems, told, system, 1);
    while (s->systems.count > 1 && told->iterations < s->max_iterations) {
        double curvature = low->apply_dot(low, q, s->base.shift, s->systems.of[0].p, rr / alpha);
        if (!(curvature > 0 && isfinite(curvature)))
            return isfinite(curvature) ? FAILED_CURVATURE : FAILED_NUMBERS;
        alpha = rr / curvature;
        double before = rr;
        residual_sums next = vec_residual_update(r, -alpha, q, rr);
        if (!isfinite(next.norm2))
            return FAILED_NUMBERS;
        rr = next.norm2;
        told->iterations++;
        shifted_systems_step(&s->systems, alpha, former);
        double beta;
        if (mixed_is_time(&progress, s->rule, rr)) {
            shifted_systems_update_solutions(&s->systems, r, alpha);
            rr = replace_residual(s, before);
            mixed_failure wrong = mixed_progress_seen(&progress, s->rule, rr);
            if (wrong)
                return wrong;
            beta = rr / before;
        } else {
            bool polak = s->rule->refinements & MIXED_POLAK_RIBIERE && next.change >= 0;
            beta = (polak ? next.change : rr) / before;
            shifted_systems_update(&s->systems, r, alpha, beta);
        }
        former = beta / alpha;
        shifted_systems_freeze(&s->systems, told, system, sqrt(rr / bb));
    }
    return NO_FAILURE;
}

static void take(multishift_mixed_result *result, int number, const mixed_result *one)
{
    result->solve.residual[number] = one->solve.residual;
    result->solve.converged &= one->solve.converged;
    mixed_record_add(&result->record, &one->record);
}

/* Each system by itself, from where it is; the base goes on from its direction p, if there is one. */
static void refine(krylov_space *s, low_system refining, const shifted *system, int count, int base, const vec *p)
{
    multishift_mixed_result *result = s->result;
    const mixed_system *common = &s->base;
    result->solve.converged = true;
    if (p) {
        stop_rule stop = { system[base].tolerance, s->max_iterations - result->solve.iterations };
        mixed_result one = cg_continue_mixed(common->high, common->low, s->x[base], common->shift, common->b, stop,
                                             s->rule, common->w, p);
        take(result, base, &one);
        result->solve.iterations += one.solve.iterations;
        result->solve.frozen_at[base] = result->solve.iterations;
    }
    for (int k = 0; k < count; k++) {
        if (p && k == base)
            continue;
        stop_rule stop = { system[k].tolerance, s->max_iterations };
        mixed_result one = cg_solve_mixed(common->high, refining.op, s->x[k], system[k].shift, common->b, stop, s->rule,
                                          refining.space);
        take(result, k, &one);
        result->solve.polish_iterations += one.solve.iterations;
        result->refined += one.solve.iterations > 0;
    }
}

/* Where a shift is frozen in low precision: a little below its tolerance, for what rounding adds to the true one. */
#define FREEZE_MARGIN 0.98

static void frozen_early(shifted *early, const shifted *system, int count, double rounding)
{
    for (int k = 0; k < count; k++)
        early[k] = (shifted){ system[k].shift, fmax(FREEZE_MARGIN * system[k].tolerance,
                                                   sqrt(system[k].tolerance * rounding)) };
}

multishift_mixed_result multishift_solve_mixed(const linop *high, low_system inner, low_system refining, vec *const *x,
                                               vec *const *x_low, vec *const *p_low, const shifted *system, int count,
                                               const vec *b, int max_iterations, const mixed_rule *rule)
{
    multishift_mixed_result result = { 0 };
    double bb = vec_norm2(b);
    for (int k = 0; k < count; k++) {
        vec_zero(x[k]);
        result.solve.residual[k] = bb > 0 ? 1 : bb;                     /* 0, or not a number */
    }
    if (!(bb > 0 && isfinite(bb))) {
        result.solve.converged = bb == 0;
        return result;
    }
    krylov_space s = { .systems = shifted_systems_all(x_low, p_low, system, count), .rule = rule, .x = x,
                       .max_iterations = max_iterations, .result = &result };
    int base = s.systems.of[0].number;
    double scale = mixed_scale(b, bb);
    s.base = (mixed_system){ high, inner.op, x[base], system[base].shift, b, scale, bb * scale * scale, 0,
                             inner.space };
    mixed_true_residual(&s.base, &result.record);
    for (int k = 0; k < count; k++) {
        vec_zero(x_low[k]);
        vec_copy(p_low[k], inner.space->r);
    }
    shifted early[SHIFTS_MAX];
    frozen_early(early, system, count, vec_rounding(p_low[0]));
    result.krylov_failure = iterate(&s, early);
    shifted_systems all = shifted_systems_all(x_low, p_low, system, count);
    for (int i = 0; i < count; i++)
        flush(&s, &all.of[i]);
    if (result.krylov_failure) {
        for (int k = 0; k < count; k++)
            vec_zero(x[k]);
        refine(&s, refining, system, count, base, NULL);
    } else if (s.systems.count == 1)
        refine(&s, refining, system, count, base, p_low[base]);
    return result;
}
