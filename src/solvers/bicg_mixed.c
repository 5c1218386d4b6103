/* bicg_mixed.c - BiCGstab(l) with reliable updates (M. A. Clark et al., arXiv:0911.3191; arXiv:2302.09224).
 *
 * The cycles of bicg.h are in low precision, x is in high precision (for half see bicg_terms_create).
 *
 * Reliable update: when |r_0| has fallen to delta times its largest value, or to the tolerance, the true residual
 * b - A x in high precision replaces r_0.  Direction u_0, shadow residual s and the scalars remain in use; only
 * (s, r_0) is computed again.  Defect correction, for rules that begin with it: when |r_0| has fallen by the factor
 * `inner`, the iteration begins again from the true residual.
 *
 * If a divisor is zero within rounding, the iteration begins again from the true residual, which also becomes the new
 * s.  If that does not help, or if the true residual stops falling, the next low precision continues from the best x.
 * If there is none, the caller continues by conjugate gradients (dirac_solver.h). */
#include "src/solvers/bicg_mixed.h"

#include "src/base/memory.h"
#include "src/solvers/residuals.h"

#include <assert.h>
#include <math.h>

/* The method fails after this number of restarts in a row that do not halve the residual. */
enum { FRUITLESS_RESTARTS = 2 };

/* A system in a slot. */
typedef struct {
    mixed_task *task;                /* NULL: the slot is empty */
    mixed_system system;
    mixed_progress progress;
    double target;                   /* the |r|^2 at which to stop */
    double best;                     /* |r|^2 of the best x */
    double restarted;                /* |r|^2 at the latest restart that helped */
    int fruitless;                   /* restarts since then */
    int before;                      /* iterations of this system that the current krylov_system does not count */
    int noted;                       /* iterations of the current krylov_system that the history already has */
    bicg_vectors v;
} worker;

typedef struct {
    const linop *high;
    const bicg_low *low;
    const mixed_rule *rule;
    mixed_task *task;
    int tasks, next;                 /* next: index of the task to start next */
    mixed_task **failed;             /* tasks that failed in this low precision */
    int failures;
    worker slot[BATCH_MAX_RHS];
} batch;

/* ---- the space */

/* In half, the terms of x take the memory of one and a half vectors, rounded up to two. */
int bicg_space_vectors(int order, vector_format f)
{
    return 1 + 2 * (order + 1) + (f == VECTOR_HALF ? 2 : 0);
}

vec *bicg_terms_create(const vec *low)
{
    return low->format == VECTOR_HALF ? vec_create_native(low, PRECISION_SINGLE) : NULL;
}

bicg_space *bicg_space_create(cg_space *high, const vec *low, int order, int slots)
{
    bicg_space *w = memory_alloc(sizeof *w, "the vectors of a solver");
    assert(order > 0 && order <= BICG_ORDER_MAX && slots > 0 && slots <= high->slots);
    w->high = high;
    w->order = order;
    w->slots = slots;
    w->engine = krylov_create(low->f.lattice, low->f.where, FINISH_IN_KERNEL);
    for (int n = 0; n < slots; n++) {
        w->shadow[n] = vec_create_like(low);
        for (int j = 0; j <= order; j++) {
            w->r[n][j] = vec_create_like(low);
            w->u[n][j] = vec_create_like(low);
        }
        w->terms[n] = bicg_terms_create(low);
    }
    return w;
}

void bicg_space_free(bicg_space *w)
{
    if (!w)
        return;
    for (int n = 0; n < w->slots; n++) {
        vec_free(w->x[n]);
        vec_free(w->terms[n]);
        vec_free(w->shadow[n]);
        for (int j = 0; j <= w->order; j++) {
            vec_free(w->r[n][j]);
            vec_free(w->u[n][j]);
        }
    }
    krylov_free(w->engine);
    memory_free(w);
}

/* ---- systems */

static bool in_high(const batch *m)
{
    return m->rule->refinements & MIXED_HIGH_SOLUTION;
}

/* The vector that sums terms of x between true residuals; NULL: x itself. */
static vec *terms_of(const batch *m, int slot)
{
    const bicg_space *w = m->low->space;
    return in_high(m) ? w->terms[slot] : w->x[slot];
}

static mixed_record *record_of(worker *s)
{
    return &s->task->result.record;
}

static krylov_system *state_of(const batch *m, const worker *s)
{
    return krylov_system_of(m->low->space->engine, s->system.slot);
}

static bool is_done(worker *s)
{
    return s->system.rr <= s->target || record_of(s)->low_iterations >= s->task->stop.max_iterations;
}

/* r_0 <- b - (A + shift) x of several systems, computed in high precision. */
static void compute_residuals(batch *m, worker *const *s, int count)
{
    bicg_space *w = m->low->space;
    true_residual of[BATCH_MAX_RHS];
    for (int i = 0; i < count; i++) {
        const mixed_system *y = &s[i]->system;
        of[i] = (true_residual){ w->high->r[y->slot], y->b, y->x, y->shift, y->scale, y->rr, 0 };
    }
    residuals_compute(w->high->engine, m->high, of, count);
    for (int i = 0; i < count; i++) {
        s[i]->system.rr = of[i].norm2;
        vec_convert(w->r[s[i]->system.slot][0], of[i].r);
        record_of(s[i])->residuals++;
    }
}

/* Begins the iteration; r_0 must be the true residual. */
static void begin_iteration(batch *m, worker *s)
{
    bicg_space *w = m->low->space;
    const int n = s->system.slot;
    krylov_system *state = krylov_begin(w->engine, n, s->system.shift, s->system.bb, s->system.rr, s->target);
    mixed_set_updates(state, m->rule, m->rule->first, w->r[n][0]);
    state->most = s->task->stop.max_iterations - record_of(s)->low_iterations;
    bicg_begin(w->engine, n, w->order);
    if (m->rule->history)
        krylov_note_history(w->engine, n, m->rule->history->capacity);
    vec_copy(w->shadow[n], w->r[n][0]);
    for (int j = 0; j <= w->order; j++)
        vec_zero(w->u[n][j]);
    s->before = record_of(s)->low_iterations;
    s->noted = 0;
}

static void finish_task(worker *s)
{
    mixed_result *r = &s->task->result;
    const int restarts = r->solve.restarts;
    r->solve = mixed_result_of(&s->system, s->target, r->record.low_iterations, s->task->stop.max_iterations);
    r->solve.restarts = restarts;
    s->task = NULL;
}

/* Restores the best x, if the current one is worse. */
static void return_to_best(batch *m, worker *s)
{
    if (s->system.rr <= s->best)
        return;
    vec_copy(s->system.x, m->low->space->high->more[s->system.slot]);
    compute_residuals(m, &s, 1);
}

static void method_failed(batch *m, worker *s, mixed_failure wrong)
{
    mixed_record *record = record_of(s);
    mixed_task *task = s->task;
    return_to_best(m, s);
    if (!record->why[m->rule->first]) {
        record->why[m->rule->first] = wrong;
        record->switched_at[m->rule->first] = record->low_iterations;
    }
    record->switches++;
    const bool done = is_done(s);
    finish_task(s);
    if (!done)
        m->failed[m->failures++] = task;
}

/* Begins again with a new shadow residual; the method fails if earlier restarts did not help. */
static void restart(batch *m, worker *s, mixed_failure wrong)
{
    if (s->system.rr <= s->restarted / 4) {
        s->restarted = s->system.rr;
        s->fruitless = 0;
    }
    if (++s->fruitless > FRUITLESS_RESTARTS) {
        method_failed(m, s, wrong);
        return;
    }
    s->task->result.solve.restarts++;
    begin_iteration(m, s);
}

/* Handles a system that stopped on the device: computes the true residual, and decides how to continue. */
static void handle_stopped_system(batch *m, worker *s)
{
    bicg_space *w = m->low->space;
    const int n = s->system.slot;
    krylov_system *state = state_of(m, s);
    mixed_failure wrong = mixed_failure_of(state->status);
    record_of(s)->low_iterations = s->before + state->steps;
    vec *terms = terms_of(m, n);
    if (terms) {
        vec_gather(s->system.x, &s->v.unit, &terms, 1);
        vec_zero(terms);
    }
    compute_residuals(m, &s, 1);
    mixed_note_iterated(m->rule->history, &s->system, w->engine, s->before, &s->noted);
    mixed_note_residual(m->rule->history, &s->system, s->system.rr, true, record_of(s)->low_iterations);
    if (s->system.rr < s->best && s->system.rr > s->target) {
        vec_copy(w->high->more[n], s->system.x);
        s->best = s->system.rr;
    }
    if (is_done(s)) {
        if (s->system.rr > s->target)
            return_to_best(m, s);
        finish_task(s);
        return;
    }
    record_of(s)->updates++;
    record_of(s)->cycles += m->rule->first == BY_DEFECT_CORRECTION;
    if (wrong) {
        if (isfinite(s->system.rr))
            restart(m, s, wrong);
        else
            method_failed(m, s, wrong);
        return;
    }
    wrong = mixed_progress_seen(&s->progress, m->rule, s->system.rr);
    if (wrong)
        method_failed(m, s, wrong);
    else if (m->rule->first == BY_DEFECT_CORRECTION)
        begin_iteration(m, s);
    else if (!bicg_replaced(w->engine, n, s->system.rr, vec_dot(w->shadow[n], w->r[n][0])))
        restart(m, s, FAILED_BREAKDOWN);
}

/* Sets up a worker for a task; false if there is nothing to solve. */
static bool start_task(batch *m, worker *s, int n, mixed_task *task)
{
    bicg_space *w = m->low->space;
    const double bb = vec_norm2(task->b);
    if (!mixed_has_source(&task->result.solve, task->x, bb))
        return false;
    *s = (worker){ .task = task, .system = mixed_system_of(n, task->x, task->shift, task->b, bb) };
    s->target = task->stop.tolerance * task->stop.tolerance * s->system.bb;
    s->v = (bicg_vectors){ .x = task->x, .unit = 1 / s->system.scale, .shadow = w->shadow[n] };
    for (int j = 0; j <= w->order; j++) {
        s->v.r[j] = w->r[n][j];
        s->v.u[j] = w->u[n][j];
    }
    if (!in_high(m) && !w->x[n])
        w->x[n] = vec_create_like(w->r[n][0]);
    if (terms_of(m, n))
        vec_zero(terms_of(m, n));
    return true;
}

/* Gives tasks to empty slots, and computes their true residuals together. */
static void start_tasks(batch *m)
{
    bicg_space *w = m->low->space;
    worker *taken[BATCH_MAX_RHS];
    int count = 0;
    for (int n = 0; n < w->slots; n++)
        while (!m->slot[n].task && m->next < m->tasks)
            if (start_task(m, &m->slot[n], n, &m->task[m->next++]))
                taken[count++] = &m->slot[n];
    if (count > 0)
        compute_residuals(m, taken, count);
    for (int i = 0; i < count; i++) {
        worker *s = taken[i];
        s->best = s->restarted = s->system.rr;
        s->progress = mixed_progress_from(s->system.rr);
        if (record_of(s)->residuals == 1)
            s->task->result.start = sqrt(s->system.rr / s->system.bb);
        if (is_done(s) || !isfinite(s->system.rr)) {
            finish_task(s);
            continue;
        }
        vec_copy(w->high->more[s->system.slot], s->system.x);
        begin_iteration(m, s);
    }
}

/* Iterates all running systems, until one of them stops on the device. */
static bool work_together(batch *m)
{
    bicg_space *w = m->low->space;
    bicg_vectors v[BATCH_MAX_RHS];
    int number[BATCH_MAX_RHS], count = 0;
    for (int n = 0; n < w->slots; n++)
        if (m->slot[n].task) {
            v[count] = m->slot[n].v;
            if (terms_of(m, n)) {
                v[count].x = terms_of(m, n);
                v[count].unit = 1;
            }
            number[count++] = n;
        }
    if (count == 0)
        return false;
    bicg_run(w->engine, m->low->op, w->order, number, v, count);
    for (int i = 0; i < count; i++)
        if (krylov_system_of(w->engine, number[i])->status != SYSTEM_GOING)
            handle_stopped_system(m, &m->slot[number[i]]);
    return true;
}

/* Continues the failed tasks in the next low precision. */
static void escalate(batch *m)
{
    if (m->failures == 0 || !m->low->next)
        return;
    mixed_task *again = memory_alloc((size_t)m->failures * sizeof *again, "systems to be solved");
    for (int i = 0; i < m->failures; i++) {
        again[i] = *m->failed[i];
        again[i].result.record.escalations++;
    }
    bicg_solve_batch(m->high, m->low->next, again, m->failures, m->rule);
    for (int i = 0; i < m->failures; i++)
        m->failed[i]->result = again[i].result;
    memory_free(again);
}

void bicg_solve_batch(const linop *high, const bicg_low *low, mixed_task *task, int tasks, const mixed_rule *rule)
{
    batch m = { .high = high, .low = low, .rule = rule, .task = task, .tasks = tasks };
    if (tasks == 0)
        return;
    m.failed = memory_alloc((size_t)tasks * sizeof(mixed_task *), "systems to be solved");
    do
        start_tasks(&m);
    while (work_together(&m) || m.next < m.tasks);
    escalate(&m);
    memory_free(m.failed);
}
