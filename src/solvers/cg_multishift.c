/* cg_multishift.c - conjugate gradients for many shifts at the cost of one (B. Jegerlehner, hep-lat/9612014), and for
 * many right-hand sides at once.
 *
 * The base system has the smallest shift; the other systems use its Krylov space (shifted_systems.h). */
#include "src/solvers/cg_mixed.h"
#include "src/solvers/cg_space.h"
#include "src/solvers/residuals.h"
#include "src/solvers/shifted_systems.h"

#include <assert.h>
#include <math.h>

/* A right-hand side in a slot. */
typedef struct { multishift_task *task; shifted_systems systems; double bb; } worker;

/* Begin from zero; false if there is nothing to solve. */
static bool begin_task(worker *s, multishift_task *task, int slot, int max_iterations, cg_space *w)
{
    multishift_result *reported = &task->result.solve;
    task->result = (multishift_mixed_result){ 0 };
    *s = (worker){ .task = task, .bb = vec_norm2(task->b) };
    for (int k = 0; k < task->count; k++) {
        vec_zero(task->x[k]);
        vec_copy(task->p_low[k], task->b);
        reported->residual[k] = s->bb > 0 ? 1 : s->bb;                  /* 0 or NaN */
    }
    if (!(s->bb > 0 && isfinite(s->bb))) {
        reported->converged = s->bb == 0;
        return false;
    }
    s->systems = shifted_systems_of(task->x, task->p_low, task->system, task->count);
    vec_copy(w->r[slot], task->b);
    krylov_system *state = shifted_systems_begin(w->engine, slot, &s->systems, task->system, s->bb, s->bb);
    state->most = max_iterations;
    shifted_systems_report(reported, &s->systems, state);
    reported->converged = shifted_systems_left(state) == 0 && state->rr <= state->target;
    reported->spent = !reported->converged && max_iterations <= 0;
    return !reported->converged && max_iterations > 0;
}

/* Iterate the Krylov spaces of as many right-hand sides as there are slots. */
static void solve_batch(const linop *a, multishift_task *task, int tasks, int max_iterations, cg_space *w)
{
    worker slot[BATCH_MAX_RHS];
    int number[BATCH_MAX_RHS], count = 0;
    for (int n = 0; n < tasks; n++)
        if (begin_task(&slot[n], &task[n], n, max_iterations, w))
            number[count++] = n;
    while (count > 0) {
        krylov_vectors v[BATCH_MAX_RHS];
        int left = 0;
        for (int i = 0; i < count; i++) {
            const worker *s = &slot[number[i]];
            v[i] = (krylov_vectors){ .r = w->r[number[i]], .q = w->more[number[i]], .count = s->systems.count,
                                     .x = s->systems.x, .p = s->systems.p };
            if (w->wide) {
                v[i].residuals = w->residuals[number[i]];
                v[i].alternate = w->alternate[number[i]];
            }
        }
        krylov_run(w->engine, a, number, v, count);
        for (int i = 0; i < count; i++) {
            const krylov_system *state = krylov_system_of(w->engine, number[i]);
            worker *s = &slot[number[i]];
            shifted_systems_report(&s->task->result.solve, &s->systems, state);
            s->task->result.solve.converged = state->status == SYSTEM_DONE;
            s->task->result.solve.spent = state->status == SYSTEM_SPENT;
            if (state->status == SYSTEM_GOING)
                number[left++] = number[i];
            else if (w->wide)
                krylov_finish_groups(w->engine, number[i], &v[i]);
        }
        count = left;
    }
}

/* Compute true residuals; continue a system with plain conjugate gradients if its residual is too large. */
static void polish_solution(const linop *a, multishift_task *task, int max_iterations, cg_space *w)
{
    multishift_result *reported = &task->result.solve;
    const double bb = vec_norm2(task->b);
    for (int first = 0; first < task->count; first += w->slots) {
        true_residual of[BATCH_MAX_RHS];
        int count = task->count - first < w->slots ? task->count - first : w->slots;
        for (int i = 0; i < count; i++) {
            double expected = reported->residual[first + i];
            of[i] = (true_residual){ w->r[i], task->b, task->x[first + i], task->system[first + i].shift, 1,
                                     expected * expected * bb, 0 };
        }
        residuals_compute(w->engine, a, of, count);
        for (int i = 0; i < count; i++) {
            const shifted *system = &task->system[first + i];
            reported->residual[first + i] = bb > 0 ? sqrt(of[i].norm2 / bb) : 0;
            if (of[i].norm2 <= system->tolerance * system->tolerance * bb)
                continue;
            solve_result one = cg_solve(a, of[i].x, system->shift, task->b,
                                        (stop_rule){ system->tolerance, max_iterations }, w);
            reported->residual[first + i] = one.residual;
            reported->polish_iterations += one.iterations;
            reported->converged &= one.converged;
            reported->spent |= one.spent;
        }
    }
}

void multishift_solve_batch(const linop *a, multishift_task *task, int tasks, int max_iterations, bool verify,
                            cg_space *w)
{
    for (int first = 0; first < tasks; first += w->slots)
        solve_batch(a, task + first, tasks - first < w->slots ? tasks - first : w->slots, max_iterations, w);
    for (int n = 0; verify && n < tasks; n++)
        if (task[n].result.solve.converged)
            polish_solution(a, &task[n], max_iterations, w);
}

multishift_result multishift_solve(const linop *a, shifted_family s, int max_iterations, bool verify, cg_space *w)
{
    multishift_task task = { .b = s.b, .system = s.system, .count = s.count, .x = s.x, .p_low = s.p };
    multishift_solve_batch(a, &task, 1, max_iterations, verify, w);
    return task.result.solve;
}
