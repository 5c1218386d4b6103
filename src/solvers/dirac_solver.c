/* dirac_solver.c - select the solver for the solves of an action. */
#include "src/solvers/dirac_solver.h"

#include "src/base/memory.h"

#include <assert.h>
#include <math.h>

/* C^+C in a storage; valid until the next call. */
static const linop *normal_in(dirac_solver *w, int stored, const dirac_matrix *m)
{
    dirac_side *s = &w->side[stored];
    assert(s->slots > 0);
    memory_free(s->op);
    s->op = w->d->kind->normal(w->d, dirac_solver_storage(w, stored), m, (vec *const (*)[DIRAC_ROOMS])s->room,
                               s->slots);
    return s->op;
}

/* The operators of a kind in mixed precision: `single` may be `common`. */
typedef struct { low_system common, single; } low_pair;

static void make_pair(low_pair *pair, dirac_solver *w, solver_precision in, const dirac_matrix *m)
{
    const solver_stores *s = &solver_precisions[in];
    pair->common = (low_system){ normal_in(w, s->inner, m), w->side[s->inner].space, NULL };
    pair->single = pair->common;
    if (s->refine != s->inner)
        pair->single = (low_system){ normal_in(w, s->refine, m), w->side[s->refine].space, &pair->common };
}

static bool is_mixed(solver_precision in)
{
    return solver_precisions[in].inner != STORED_DOUBLE;
}

void dirac_solve_all(dirac_solver *w, const dirac_matrix *m, dirac_task *task, int tasks, const dirac_goal *goal)
{
    const stop_rule stop = { goal->residual, goal->max_iterations };
    const linop *high = normal_in(w, STORED_DOUBLE, m);
    if (!is_mixed(goal->precision)) {
        for (int n = 0; n < tasks; n++) {
            solve_result s = cg_solve(high, task[n].x, 0, task[n].b, stop, w->space);
            task[n].solved = (dirac_solved){ .converged = s.converged, .spent = s.spent, .iterations = s.iterations,
                                             .residual = s.residual };
        }
        return;
    }
    const mixed_rule rule = goal->rule ? *goal->rule : mixed_rule_default();
    mixed_task *mixed = memory_alloc((size_t)tasks * sizeof *mixed, "solves");
    low_pair low;
    make_pair(&low, w, goal->precision, m);
    for (int n = 0; n < tasks; n++)
        mixed[n] = (mixed_task){ .x = task[n].x, .b = task[n].b, .stop = stop };
    cg_solve_mixed_batch(high, &low.single, mixed, tasks, &rule);
    for (int n = 0; n < tasks; n++) {
        const mixed_result *r = &mixed[n].result;
        task[n].solved = (dirac_solved){ .converged = r->solve.converged, .spent = r->solve.spent,
                                         .iterations = r->solve.iterations, .residual = r->solve.residual,
                                         .record = r->record };
    }
    memory_free(mixed);
}

dirac_solved dirac_solve(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal)
{
    dirac_task task = { .x = x, .b = b };
    dirac_solve_all(w, m, &task, 1, goal);
    return task.solved;
}

void dirac_solve_shifts(dirac_solver *w, const dirac_matrix *m, dirac_shifts_task *task, int tasks,
                        const dirac_goal *goal)
{
    multishift_task each[BATCH_MAX_RHS];
    assert(tasks <= w->size.systems);
    for (int n = 0; n < tasks; n++)
        dirac_solver_reserve(w, task[n].count);
    dirac_side *inner = &w->side[solver_precisions[goal->precision].inner];
    assert(inner->has_krylov);
    for (int n = 0; n < tasks; n++) {
        for (int k = 0; k < task[n].count; k++)
            vec_move_to(inner->p[n][k], w->d->kind->home);
        each[n] = (multishift_task){ .b = task[n].b, .system = task[n].system, .count = task[n].count, .x = task[n].x,
                                     .x_low = inner->x[n], .p_low = inner->p[n] };
    }
    const linop *high = normal_in(w, STORED_DOUBLE, m);
    if (is_mixed(goal->precision)) {
        const mixed_rule rule = mixed_rule_default();
        low_pair low;
        make_pair(&low, w, goal->precision, m);
        const multishift_method by = { .high = high, .inner = &low.common, .refine = &low.single, .rule = &rule,
                                       .max_iterations = goal->max_iterations };
        multishift_solve_mixed_batch(&by, each, tasks);
    } else
        multishift_solve_batch(high, each, tasks, goal->max_iterations, goal->verify, w->space);
    for (int n = 0; n < tasks; n++) {
        task[n].result = each[n].result.solve;
        task[n].record = each[n].result.record;
    }
}

dirac_solved dirac_shifts_solved(const dirac_shifts_task *task)
{
    const multishift_result *r = &task->result;
    dirac_solved s = { .converged = r->converged, .spent = r->spent, .iterations = r->iterations,
                       .polish_iterations = r->polish_iterations, .record = task->record };
    for (int k = 0; k < task->count; k++)
        s.residual = r->residual[k] <= s.residual || isnan(s.residual) ? s.residual : r->residual[k];
    return s;
}

const linop *dirac_solver_normal(dirac_solver *w, const dirac_matrix *m)
{
    return normal_in(w, STORED_DOUBLE, m);
}

double dirac_largest_eigenvalue(dirac_solver *w, const dirac_matrix *m, const vec *start, int steps)
{
    return lanczos_spectrum(normal_in(w, STORED_DOUBLE, m), start, steps, w->space).largest;
}

