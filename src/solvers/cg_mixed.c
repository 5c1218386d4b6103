/* cg_mixed.c - conjugate gradients in mixed precision (M. A. Clark et al., arXiv:2302.09224).
 *
 * In low precision,
 *     alpha_j = |r|^2 / <p_j, A p_j>,  r' = r - alpha_j A p_j,  p_j+1 = r' + beta p_j,
 *     beta = Re <r', r' - r> / |r|^2   (Polak and Ribiere; |r'|^2 / |r|^2 if r' and r are orthogonal).
 * x is in high precision.  A ring buffer keeps the last few p_j; when it is full or the iteration stops,
 * sum alpha_j p_j is added to x.  A rounded p is as good as the exact one, as long as A p and x use the same p.
 *
 * Reliable update: when |r'| has fallen to delta times its largest value, or to the tolerance, the true residual
 * b - A x in high precision replaces r.  The old directions remain in use: p is made orthogonal to the new r
 * (p <- p - <r, p> / |r|^2 r), and beta is |true r|^2 / |r before|^2.
 *
 * If the true residual stops falling, defect correction continues from the best x: |r| falls by the factor `inner`,
 * then r is computed again, and p = r.  If this fails too, the next low precision is used, and in the end plain
 * conjugate gradients in high precision.
 *
 * Many systems share launches (krylov.h), as many as there are slots.  When one ends, the next one gets its slot. */
#include "src/solvers/cg_mixed.h"

#include "src/base/memory.h"

#include <math.h>

/* A cycle of defect correction has failed if it does not reduce |r| at least by this factor. */
#define CYCLE_GAIN 0.999

/* A system in a slot. */
typedef struct {
    mixed_task *task;                /* NULL: the slot is empty */
    mixed_system system;
    mixed_method method;
    mixed_progress progress;
    double target;                   /* the |r|^2 at which to stop */
    double best;                     /* |r|^2 of the best x */
    int before;                      /* iterations of this system that the current krylov_system does not count */
    int noted;                       /* iterations of the current krylov_system that the history already has */
    krylov_vectors v;
} worker;

typedef struct {
    const linop *high;
    const low_system *low;
    const mixed_rule *rule;
    mixed_task *task;
    int tasks, next;                 /* next: index of the task to start next */
    mixed_task **failed;             /* tasks that failed in this low precision */
    int failures;
    worker slot[BATCH_MAX_RHS];
} batch;

static bool in_high(const batch *m)
{
    return m->rule->refinements & MIXED_HIGH_SOLUTION;
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

/* The direction after an update: p <- r + beta from, where `from` is first made orthogonal to r. */
static void set_direction(batch *m, worker *s, double beta, const vec *from)
{
    mixed_space *w = m->low->space;
    vec *p = w->ring[s->system.slot][0];
    const mixed_direction d = { .p = p, .z = 1, .beta = beta };
    if (p != from)
        vec_copy(p, from);
    mixed_directions(&d, 1, w->r[s->system.slot], s->system.rr, m->rule, record_of(s));
}

/* Starts `method` with the true residual of x.  `from`: the direction to continue with; NULL: the residual. */
static void begin_task(batch *m, worker *s, mixed_method method, const vec *from)
{
    mixed_space *w = m->low->space;
    const mixed_rule *rule = m->rule;
    vec *const *ring = w->ring[s->system.slot];
    krylov_system *state = krylov_begin(w->engine, s->system.slot, s->system.shift, s->system.bb, s->system.rr,
                                        s->target);
    s->method = record_of(s)->last = method;
    s->progress = mixed_progress_from(s->system.rr);
    s->before = record_of(s)->low_iterations;
    s->noted = 0;
    mixed_set_updates(state, rule, method, w->r[s->system.slot]);
    state->most = s->task->stop.max_iterations - s->before;
    state->polak_ribiere = (rule->refinements & MIXED_POLAK_RIBIERE) != 0;
    state->in_ring = in_high(m);
    if (rule->history)
        krylov_note_history(w->engine, s->system.slot, rule->history->capacity);
    if (!in_high(m))
        vec_zero(ring[1]);                                   /* the solution in low precision */
    if (from)
        set_direction(m, s, 1, from);
    else
        vec_copy(ring[0], w->r[s->system.slot]);
}

/* ---- the end of a task */

static void finish_task(worker *s)
{
    mixed_result *r = &s->task->result;
    r->solve = mixed_result_of(&s->system, s->target, r->record.low_iterations, s->task->stop.max_iterations);
    s->task = NULL;
}

/* Restores the best x, if the current one is worse. */
static void return_to_best(batch *m, worker *s)
{
    if (s->system.rr <= s->best)
        return;
    vec_copy(s->system.x, m->low->space->high->more[s->system.slot]);
    mixed_true_residual(m->low->space, m->high, &s->system);
    record_of(s)->residuals++;
}

/* Starts the next method in this precision; if there is none, adds the task to `failed`. */
static void method_failed(batch *m, worker *s, mixed_failure wrong)
{
    mixed_record *record = record_of(s);
    return_to_best(m, s);
    if (!record->why[s->method]) {
        record->why[s->method] = wrong;
        record->switched_at[s->method] = record->low_iterations;
    }
    record->switches++;
    if (s->method + 1 < BY_HIGH_PRECISION) {
        record->last = s->method + 1;
        if (is_done(s))
            finish_task(s);
        else
            begin_task(m, s, s->method + 1, NULL);
    } else if (is_done(s)) {
        finish_task(s);
    } else {
        m->failed[m->failures++] = s->task;
        s->task = NULL;
    }
}

/* ---- during the iteration */

/* Computes the true residual of the current x, and keeps the best x. */
static void update_residual(batch *m, worker *s)
{
    mixed_true_residual(m->low->space, m->high, &s->system);
    record_of(s)->residuals++;
    mixed_note_residual(m->rule->history, &s->system, s->system.rr, true, record_of(s)->low_iterations);
    if (s->system.rr < s->best && s->system.rr > s->target) {
        vec_copy(m->low->space->high->more[s->system.slot], s->system.x);
        s->best = s->system.rr;
    }
}

/* Handles a system that stopped on the device: converged, update due, or failed.  ring[last]: its latest direction. */
static void handle_stopped_system(batch *m, worker *s, int last)
{
    mixed_space *w = m->low->space;
    vec *const *ring = w->ring[s->system.slot];
    krylov_system *state = state_of(m, s);
    mixed_record *record = record_of(s);
    const double start = s->progress.start;
    mixed_failure wrong = mixed_failure_of(state->status);
    record->low_iterations = s->before + state->steps;
    mixed_note_iterated(m->rule->history, &s->system, w->engine, s->before, &s->noted);
    update_residual(m, s);
    if (wrong) {
        if (s->system.rr <= s->target)
            finish_task(s);
        else
            method_failed(m, s, wrong);
        return;
    }
    record->updates++;
    record->cycles += s->method == BY_DEFECT_CORRECTION;
    wrong = mixed_progress_seen(&s->progress, m->rule, s->system.rr);
    if (is_done(s)) {
        if (s->system.rr > s->target)
            return_to_best(m, s);
        finish_task(s);
        return;
    }
    if (s->method == BY_DEFECT_CORRECTION && !wrong && s->system.rr > CYCLE_GAIN * CYCLE_GAIN * start)
        wrong = FAILED_RESIDUAL;
    if (wrong) {
        method_failed(m, s, wrong);
        return;
    }
    if (s->method == BY_DEFECT_CORRECTION)
        vec_copy(ring[0], w->r[s->system.slot]);
    else
        set_direction(m, s, s->system.rr / state->before, ring[last]);
    krylov_replaced(state, s->system.rr);
}

/* Gives tasks to empty slots, and computes their true residuals together. */
static void start_tasks(batch *m)
{
    mixed_space *w = m->low->space;
    mixed_system *taken[BATCH_MAX_RHS];
    worker *workers[BATCH_MAX_RHS];
    const vec *b = NULL;                                     /* consecutive tasks often have the same b */
    double bb = 0;
    int count = 0;
    for (int n = 0; n < w->slots && m->next < m->tasks; n++) {
        worker *s = &m->slot[n];
        while (!s->task && m->next < m->tasks) {
            mixed_task *task = &m->task[m->next++];
            bb = task->b == b ? bb : vec_norm2(task->b);
            b = task->b;
            if (!mixed_has_source(&task->result.solve, task->x, bb))
                continue;
            s->task = task;
            s->system = mixed_system_of(n, task->x, task->shift, task->b, bb);
            s->target = task->stop.tolerance * task->stop.tolerance * s->system.bb;
            s->v = (krylov_vectors){ .r = w->r[n], .q = w->q[n], .y = task->x, .unit = 1 / s->system.scale,
                                     .count = 1, .x = &w->ring[n][1], .p = &w->ring[n][0] };
            s->v.ring = in_high(m) ? w->ring[n] : NULL;
            workers[count] = s;
            taken[count++] = &s->system;
        }
    }
    if (count > 0)
        mixed_true_residuals(w, m->high, taken, count);
    for (int i = 0; i < count; i++) {
        worker *s = workers[i];
        record_of(s)->residuals++;
        s->best = s->system.rr;
        if (record_of(s)->residuals == 1)
            s->task->result.start = sqrt(s->system.rr / s->system.bb);
        if (is_done(s) || !isfinite(s->system.rr)) {
            finish_task(s);
            continue;
        }
        vec_copy(w->high->more[s->system.slot], s->system.x);
        begin_task(m, s, m->rule->first, m->rule->first == BY_RELIABLE_UPDATES ? s->task->direction : NULL);
    }
}

/* Iterates all running systems, until one of them stops on the device. */
static bool work_together(batch *m)
{
    mixed_space *w = m->low->space;
    krylov_vectors v[BATCH_MAX_RHS];
    int number[BATCH_MAX_RHS], count = 0, last = 0;
    for (int n = 0; n < w->slots; n++)
        if (m->slot[n].task) {
            v[count] = m->slot[n].v;
            number[count++] = n;
        }
    if (count == 0)
        return false;
    krylov_run(w->engine, m->low->op, number, v, count);
    for (int i = 0; i < count; i++) {
        worker *s = &m->slot[number[i]];
        if (state_of(m, s)->status == SYSTEM_GOING)
            continue;
        if (in_high(m))
            last = krylov_settle(w->engine, number[i], &v[i]);
        else {
            vec_gather(s->system.x, &v[i].unit, v[i].x, 1);
            vec_zero(v[i].x[0]);
        }
        handle_stopped_system(m, s, last);
    }
    return true;
}

/* Continues the failed tasks in the next low precision, or in high precision. */
static void escalate_system(batch *m)
{
    if (m->failures == 0)
        return;
    mixed_task *again = memory_alloc((size_t)m->failures * sizeof *again, "systems to be solved");
    for (int i = 0; i < m->failures; i++) {
        again[i] = *m->failed[i];
        again[i].direction = NULL;
    }
    if (m->low->next) {
        for (int i = 0; i < m->failures; i++)
            again[i].result.record.escalations++;
        cg_solve_mixed_batch(m->high, m->low->next, again, m->failures, m->rule);
    } else
        for (int i = 0; i < m->failures; i++) {
            mixed_task *t = &again[i];
            mixed_record *record = &t->result.record;
            stop_rule stop = { t->stop.tolerance, t->stop.max_iterations - record->low_iterations };
            t->result.solve = cg_solve(m->high, t->x, t->shift, t->b, stop, m->low->space->high);
            record->last = BY_HIGH_PRECISION;
            record->high_iterations = t->result.solve.iterations;
            t->result.solve.iterations += record->low_iterations;
        }
    for (int i = 0; i < m->failures; i++)
        m->failed[i]->result = again[i].result;
    memory_free(again);
}

void cg_solve_mixed_batch(const linop *high, const low_system *low, mixed_task *task, int tasks,
                          const mixed_rule *rule)
{
    batch m = { .high = high, .low = low, .rule = rule, .task = task, .tasks = tasks };
    if (tasks == 0)
        return;
    m.failed = memory_alloc((size_t)tasks * sizeof(mixed_task *), "systems to be solved");
    do
        start_tasks(&m);
    while (work_together(&m) || m.next < m.tasks);
    escalate_system(&m);
    memory_free(m.failed);
}

mixed_result cg_solve_mixed(const linop *high, const low_system *low, mixed_task task, const mixed_rule *rule)
{
    cg_solve_mixed_batch(high, low, &task, 1, rule);
    return task.result;
}
