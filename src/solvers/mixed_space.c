/* mixed_space.c - common functions of solvers in mixed precision. */
#include "src/solvers/mixed_space.h"

#include "src/base/memory.h"
#include "src/solvers/residuals.h"

#include <assert.h>
#include <math.h>

mixed_space *mixed_space_create_batch(cg_space *high, const vec *low, int slots)
{
    mixed_space *w = memory_alloc(sizeof *w, "the vectors of a solver");
    assert(slots > 0 && slots <= high->slots);
    w->high = high;
    w->slots = slots;
    w->engine = krylov_create(low->f.lattice, low->f.where, FINISH_IN_KERNEL);
    for (int n = 0; n < slots; n++) {
        w->r[n] = vec_create_like(low);
        w->q[n] = vec_create_like(low);
        for (int i = 0; i < KRYLOV_RING; i++)
            w->residuals[n][i] = w->ring[n][i] = vec_create_like(low);
        w->alternate[n][0] = w->ring[n][KRYLOV_RING - 1];
        w->alternate[n][1] = vec_create_like(low);
        w->residuals[n][KRYLOV_RING - 1] = w->r[n];
    }
    return w;
}

mixed_space *mixed_space_create(cg_space *high, const vec *low)
{
    return mixed_space_create_batch(high, low, 1);
}

void mixed_space_free(mixed_space *w)
{
    if (!w)
        return;
    for (int n = 0; n < w->slots; n++) {
        for (int i = 0; i < KRYLOV_RING; i++)
            vec_free(w->ring[n][i]);
        vec_free(w->alternate[n][1]);
        vec_free(w->q[n]);
        vec_free(w->r[n]);
    }
    krylov_free(w->engine);
    memory_free(w);
}

mixed_system mixed_system_of(int slot, vec *x, double shift, const vec *b, double bb)
{
    int exponent;
    frexp(sqrt(bb / vec_global_count(b)), &exponent);
    double scale = ldexp(1, 1 - exponent), scaled = bb * scale * scale;
    return (mixed_system){ slot, x, shift, b, scale, scaled, scaled };
}

void mixed_true_residuals(mixed_space *w, const linop *high, mixed_system *const *s, int count)
{
    true_residual of[BATCH_MAX_RHS];
    for (int i = 0; i < count; i++)
        of[i] = (true_residual){ w->high->r[s[i]->slot], s[i]->b, s[i]->x, s[i]->shift, s[i]->scale, s[i]->rr, 0 };
    residuals_compute(w->high->engine, high, of, count);
    for (int i = 0; i < count; i++) {
        s[i]->rr = of[i].norm2;
        vec_convert(w->r[s[i]->slot], of[i].r);
    }
}

void mixed_true_residual(mixed_space *w, const linop *high, mixed_system *s)
{
    mixed_true_residuals(w, high, &s, 1);
}

bool mixed_has_source(solve_result *result, vec *x, double bb)
{
    if (bb > 0 && isfinite(bb))
        return true;
    if (bb == 0)
        vec_zero(x);
    *result = (solve_result){ .converged = bb == 0, .residual = bb };        /* 0 or NaN */
    return false;
}

solve_result mixed_result_of(const mixed_system *s, double target, int iterations, int max_iterations)
{
    const bool converged = s->rr <= target;
    return (solve_result){ .converged = converged, .iterations = iterations, .residual = sqrt(s->rr / s->bb),
                           .spent = !converged && iterations >= max_iterations };
}

void mixed_note_residual(residual_history *h, const mixed_system *s, double rr, bool is_true, int iteration)
{
    if (h && h->count < h->capacity)
        h->seen[h->count++] = (residual_seen){ iteration, sqrt(rr / s->bb), is_true };
}

void mixed_note_iterated(residual_history *h, const mixed_system *s, krylov *k, int before, int *noted)
{
    const krylov_system *state = krylov_system_of(k, s->slot);
    if (!h || !state->history)
        return;
    const int upto = state->steps < state->history_capacity ? state->steps : state->history_capacity;
    double *rr = memory_alloc((size_t)(upto + 1) * sizeof *rr, "the history of a residual");
    krylov_history(k, s->slot, *noted, upto, rr);
    for (int i = *noted; i < upto; i++)
        mixed_note_residual(h, s, rr[i - *noted], false, before + i + 1);
    *noted = upto;
    memory_free(rr);
}

mixed_progress mixed_progress_from(double rr)
{
    return (mixed_progress){ .start = rr, .halved = rr };
}

mixed_failure mixed_progress_seen(mixed_progress *p, const mixed_rule *rule, double rr)
{
    if (!isfinite(rr))
        return FAILED_NUMBERS;
    p->increases = rr > p->start ? p->increases + 1 : 0;
    p->fruitless++;
    if (rr <= p->halved / 4) {
        p->halved = rr;
        p->fruitless = 0;
    }
    p->start = rr;
    return p->increases > rule->increases || p->fruitless > rule->fruitless ? FAILED_RESIDUAL : NO_FAILURE;
}

void mixed_directions(const mixed_direction *d, int count, const vec *r, double rr, const mixed_rule *rule,
                      mixed_record *record)
{
    complex_number c[SHIFTS_MAX] = { { 0, 0 } };
    vec *p[SHIFTS_MAX];
    bool reproject = rule->refinements & MIXED_REPROJECTION;
    for (int k = 0; k < count; k++)
        p[k] = d[k].p;
    if (reproject) {                                              /* p^+ r, the conjugate of r^+ p */
        vec_dots(c, p, r, rr, count);
        record->reprojections += count;
    }
    for (int k = 0; k < count; k++) {
        const double z = d[k].z, beta = d[k].beta;
        complex_number u = { z - beta * c[k].re / rr, beta * c[k].im / rr };
        vec_direction(p[k], u, r, beta, p[k]);
    }
}

mixed_failure mixed_failure_of(int status)
{
    switch (status) {
    case SYSTEM_NEGATIVE: return FAILED_CURVATURE;
    case SYSTEM_NOT_FINITE: return FAILED_NUMBERS;
    case SYSTEM_BROKEN: return FAILED_BREAKDOWN;
    default: return NO_FAILURE;
    }
}

void mixed_set_updates(krylov_system *state, const mixed_rule *rule, mixed_method method, const vec *low)
{
    const double fall = method == BY_DEFECT_CORRECTION ? rule->inner : rule->delta;
    const bool estimate = rule->estimate && method == BY_RELIABLE_UPDATES;
    state->delta2 = estimate ? 0 : fall * fall;
    state->rounding = estimate ? vec_rounding(low) : 0;
    state->patience = rule->patience;
}
