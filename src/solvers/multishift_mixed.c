/* multishift_mixed.c - conjugate gradients for many shifts in mixed precision, and for many right-hand sides at once.
 *
 * The Krylov space of the smallest shift is iterated in low precision; from time to time the true residual replaces its
 * residual, and all directions are made orthogonal to it (B. Jegerlehner, hep-lat/9612014; Clark et al.,
 * arXiv:2302.09224).  This corrects only the base system: r_k = zeta_k r holds up to the rounding of low precision.  A
 * shift is therefore frozen at its tolerance, or at the geometric mean of the tolerance and this rounding, whichever is
 * larger.  Afterwards it continues alone (cg_mixed.h). */
#include "src/solvers/cg_mixed.h"
#include "src/solvers/shifted_systems.h"

#include "src/base/memory.h"

#include <assert.h>
#include <math.h>

/* A shift is frozen in low precision slightly below its tolerance, because rounding increases the true residual. */
#define FREEZE_MARGIN 0.98

/* A right-hand side in a slot, with its common Krylov space.  x_low: the change of each x since the last update. */
typedef struct {
    multishift_task *task;
    mixed_system base;
    shifted_systems systems;
    mixed_progress progress;
    bool alone;                           /* all shifts but the base are frozen */
} worker;

static krylov_system *state_of(const multishift_method *by, const worker *s)
{
    return krylov_system_of(by->inner->space->engine, s->base.slot);
}

/* Add x_low to x. */
static void flush_shifts(const worker *s, int i)
{
    double unit = 1 / s->base.scale;
    vec_gather(s->task->x[s->systems.number[i]], &unit, &s->systems.x[i], 1);
    vec_zero(s->systems.x[i]);
}

/* False if there is nothing to solve. */
static bool begin_task(const multishift_method *by, worker *s, multishift_task *task, int slot)
{
    multishift_mixed_result *result = &task->result;
    mixed_space *w = by->inner->space;
    shifted early[SHIFTS_MAX];
    double bb = vec_norm2(task->b);
    *result = (multishift_mixed_result){ 0 };
    *s = (worker){ .task = task };
    for (int k = 0; k < task->count; k++) {
        vec_zero(task->x[k]);
        result->solve.residual[k] = bb > 0 ? 1 : bb;                    /* 0 or NaN */
    }
    if (!(bb > 0 && isfinite(bb))) {
        result->solve.converged = bb == 0;
        return false;
    }
    s->systems = shifted_systems_of(task->x_low, task->p_low, task->system, task->count);
    int base = s->systems.number[0];
    s->base = mixed_system_of(slot, task->x[base], task->system[base].shift, task->b, bb);
    mixed_true_residual(w, by->high, &s->base);
    result->record.residuals++;
    for (int k = 0; k < task->count; k++) {
        vec_zero(task->x_low[k]);
        vec_copy(task->p_low[k], w->r[slot]);
        early[k] = (shifted){ task->system[k].shift,
                              fmax(FREEZE_MARGIN * task->system[k].tolerance,
                                   sqrt(task->system[k].tolerance * vec_rounding(task->x_low[k]))) };
    }
    krylov_system *state = shifted_systems_begin(w->engine, slot, &s->systems, early, s->base.bb, s->base.rr);
    state->delta2 = by->rule->delta * by->rule->delta;
    state->patience = by->rule->patience;
    state->polak_ribiere = (by->rule->refinements & MIXED_POLAK_RIBIERE) != 0;
    state->most = by->max_iterations;
    state->alone = 1;
    s->progress = mixed_progress_from(s->base.rr);
    s->alone = shifted_systems_left(state) == 0;
    shifted_systems_report(&result->solve, &s->systems, state);
    return !s->alone && by->max_iterations > 0;
}

/* Computes the true residual of the base system, and updates the directions of all systems that are not frozen.
 * Returns whether the space continues. */
static bool replace_residual(const multishift_method *by, worker *s)
{
    krylov_system *state = state_of(by, s);
    mixed_space *w = by->inner->space;
    mixed_direction d[SHIFTS_MAX];
    const double before = state->before;
    int count = 0;
    for (int i = 0; i < s->systems.count; i++) {
        const krylov_shift *o = i > 0 ? &state->other[i - 1] : NULL;
        if (o && o->frozen_at >= 0)
            continue;
        flush_shifts(s, i);
        d[count++] = (mixed_direction){ .p = s->systems.p[i], .z = o ? o->zeta : 1, .beta = o ? o->rho * o->rho : 1 };
    }
    mixed_true_residual(w, by->high, &s->base);
    s->task->result.record.residuals++;
    s->task->result.krylov_updates++;
    const double rr = s->base.rr;
    mixed_failure wrong = mixed_progress_seen(&s->progress, by->rule, rr);
    s->task->result.krylov_failure = wrong;
    if (wrong || !(rr > 0))
        return false;
    for (int k = 0; k < count; k++)
        d[k].beta *= rr / before;
    mixed_directions(d, count, w->r[s->base.slot], rr, by->rule, &s->task->result.record);
    krylov_replaced(state, rr);
    state->beta = rr / before;
    state->former = state->beta / state->alpha;
    for (int k = 0; k < state->shifts; k++) {
        krylov_shift *o = &state->other[k];
        if (o->frozen_at >= 0)
            continue;
        o->residual = o->zeta * sqrt(rr / state->bb);
        if (o->residual <= o->tolerance)
            o->frozen_at = state->steps;
    }
    s->alone = shifted_systems_left(state) == 0;
    if (!s->alone && state->steps >= state->most)
        state->status = SYSTEM_SPENT;
    return !s->alone && state->status == SYSTEM_GOING;
}

/* Handles a space that stopped on the device.  Returns whether it continues. */
static bool handle_stopped_system(const multishift_method *by, worker *s)
{
    krylov_system *state = state_of(by, s);
    bool going = false;
    if (state->status == SYSTEM_UPDATE)
        going = replace_residual(by, s);
    else {
        s->task->result.krylov_failure = mixed_failure_of(state->status);
        s->alone = state->status == SYSTEM_DONE;
    }
    shifted_systems_report(&s->task->result.solve, &s->systems, state);
    return going;
}

/* Iterate the common Krylov spaces of as many right-hand sides as there are slots. */
static void solve_batch(const multishift_method *by, worker *slot, multishift_task *task, int tasks)
{
    mixed_space *w = by->inner->space;
    int number[BATCH_MAX_RHS], count = 0;
    for (int n = 0; n < tasks; n++)
        if (begin_task(by, &slot[n], &task[n], n))
            number[count++] = n;
    while (count > 0) {
        krylov_vectors v[BATCH_MAX_RHS];
        int left = 0;
        for (int i = 0; i < count; i++) {
            const worker *s = &slot[number[i]];
            v[i] = (krylov_vectors){ .r = w->r[number[i]], .q = w->q[number[i]], .count = s->systems.count,
                                     .x = s->systems.x, .p = s->systems.p, .residuals = w->residuals[number[i]],
                                     .alternate = w->alternate[number[i]] };
        }
        krylov_run(w->engine, by->inner->op, number, v, count);
        for (int i = 0; i < count; i++) {
            worker *s = &slot[number[i]];
            if (state_of(by, s)->status != SYSTEM_GOING) {
                krylov_finish_groups(w->engine, number[i], &v[i]);
                if (!handle_stopped_system(by, s))
                    continue;
            }
            number[left++] = number[i];
        }
        count = left;
    }
}

/* ---- each system alone, from its current solution */

/* The right-hand side and the system of an item of a list of solves. */
typedef struct { multishift_task *task; int system; } origin;

static void copy_solutions(const mixed_task *list, const origin *from, int count, bool is_base)
{
    for (int i = 0; i < count; i++) {
        multishift_mixed_result *result = &from[i].task->result;
        const mixed_result *one = &list[i].result;
        const int k = from[i].system;
        result->solve.residual[k] = one->solve.residual;
        result->solve.converged &= one->solve.converged;
        result->solve.spent |= one->solve.spent;
        result->refine_iterations[k] = one->solve.iterations;
        result->krylov_residual[k] = one->start;
        mixed_record_add(&result->record, &one->record);
        if (is_base) {
            result->solve.iterations += one->solve.iterations;
            result->solve.frozen_at[k] = result->solve.iterations;
        } else {
            result->solve.polish_iterations += one->solve.iterations;
            result->refined += one->solve.iterations > 0;
        }
    }
}

static void refine_system(const multishift_method *by, worker *slot, int tasks)
{
    mixed_task *list = memory_alloc((size_t)tasks * SHIFTS_MAX * sizeof *list, "systems to be solved");
    origin *from = memory_alloc((size_t)tasks * SHIFTS_MAX * sizeof *from, "systems to be solved");
    int count = 0;
    for (int n = 0; n < tasks; n++) {                        /* bases continue with their directions */
        worker *s = &slot[n];
        multishift_task *t = s->task;
        if (!s->alone)
            continue;
        int k = s->systems.number[0];
        list[count] = (mixed_task){ .x = t->x[k], .shift = s->base.shift, .b = t->b, .direction = s->systems.p[0],
                                    .stop = { t->system[k].tolerance,
                                              by->max_iterations - t->result.solve.iterations } };
        from[count++] = (origin){ t, k };
    }
    cg_solve_mixed_batch(by->high, by->inner, list, count, by->rule);
    copy_solutions(list, from, count, true);
    count = 0;
    for (int n = 0; n < tasks; n++) {
        const worker *s = &slot[n];
        multishift_task *t = s->task;
        for (int k = 0; k < t->count && (s->alone || t->result.krylov_failure); k++) {
            if (s->alone && k == s->systems.number[0])
                continue;
            list[count] = (mixed_task){ .x = t->x[k], .shift = t->system[k].shift, .b = t->b,
                                        .stop = { t->system[k].tolerance, by->max_iterations } };
            from[count++] = (origin){ t, k };
        }
    }
    cg_solve_mixed_batch(by->high, by->refine, list, count, by->rule);
    copy_solutions(list, from, count, false);
    memory_free(from);
    memory_free(list);
}

/* Completes all x of a Krylov space that has ended; sets them to zero if it has failed. */
static void settle_task(worker *s)
{
    multishift_task *t = s->task;
    if (s->systems.count == 0)
        return;                                              /* nothing to solve */
    for (int i = 0; i < s->systems.count; i++)
        flush_shifts(s, i);
    for (int k = 0; k < t->count && t->result.krylov_failure; k++)
        vec_zero(t->x[k]);
    s->alone &= !t->result.krylov_failure;
    t->result.solve.converged = s->alone || t->result.krylov_failure;
    t->result.solve.spent = !t->result.solve.converged;
}

void multishift_solve_mixed_batch(const multishift_method *by, multishift_task *task, int tasks)
{
    const int slots = by->inner->space->slots;
    for (int first = 0; first < tasks; first += slots) {
        worker slot[BATCH_MAX_RHS];
        int count = tasks - first < slots ? tasks - first : slots;
        solve_batch(by, slot, task + first, count);
        for (int n = 0; n < count; n++)
            settle_task(&slot[n]);
        refine_system(by, slot, count);
    }
}

multishift_mixed_result multishift_solve_mixed(const multishift_method *by, multishift_task task)
{
    multishift_solve_mixed_batch(by, &task, 1);
    return task.result;
}
