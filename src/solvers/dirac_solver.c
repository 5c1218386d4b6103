/* dirac_solver.c - solves with A = C^+C, by the method of the solver. */
#include "src/solvers/dirac_solver.h"

#include "src/solvers/cg_solver.h"
#include "src/solvers/dirac_method.h"

#include <assert.h>
#include <math.h>

dirac_solved dirac_solve_by_cg(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal)
{
    dirac_task task = { .x = x, .b = b };
    dirac_solve_by(w, w->cg, SYSTEM_OF_NORMAL, m, &task, 1, goal);
    return task.solved;
}

/* Continues the tasks for which the method failed by conjugate gradients. */
static void continue_failed(dirac_solver *w, const dirac_matrix *m, dirac_task *task, int tasks,
                            const dirac_goal *goal)
{
    for (int n = 0; n < tasks; n++) {
        dirac_solved *all = &task[n].solved;
        if (!all->fallback)
            continue;
        dirac_goal rest = *goal;
        rest.max_iterations -= all->iterations;
        const dirac_solved last = dirac_solve_by_cg(w, m, task[n].x, task[n].b, &rest);
        dirac_solved_add(all, &last);
        all->converged = last.converged;
        all->spent = last.spent;
        all->residual = last.residual;
    }
}

void dirac_solve_all(dirac_solver *w, const dirac_matrix *m, dirac_task *task, int tasks, const dirac_goal *goal)
{
    if (w->method->kind->square) {
        for (int n = 0; n < tasks; n++) {
            assert(task[n].shift == 0);
            task[n].solved = dirac_solve_twice(w, m, task[n].x, task[n].b, goal);
        }
        return;
    }
    dirac_solve_by(w, w->method, SYSTEM_OF_NORMAL, m, task, tasks, goal);
    continue_failed(w, m, task, tasks, goal);
}

dirac_solved dirac_solve(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal)
{
    dirac_task task = { .x = x, .b = b };
    dirac_solve_all(w, m, &task, 1, goal);
    return task.solved;
}

dirac_solved dirac_solve_dagger(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, vec *middle,
                                const dirac_goal *goal)
{
    if (w->method->kind->square) {
        vec_zero(x);
        return dirac_solve_square(w, m, true, (dirac_task){ .x = x, .b = b }, goal);
    }
    vec_zero(middle);
    const dirac_solved solved = dirac_solve(w, m, middle, b, goal);
    dirac_solver_apply(x, w, m, false, middle);
    return solved;
}

/* Each shift by itself: the residuals of a common Krylov space differ by factors, but are parallel vectors. */
static void reach_uniform_norms(dirac_solver *w, linear_solver *s, const solver_operator *a, dirac_shifts_task *task,
                                const dirac_goal *goal)
{
    multishift_result *all = &task->result;
    for (int k = 0; k < task->count && all->converged; k++) {
        dirac_goal one = *goal;
        dirac_task alone = { .x = task->x[k], .b = task->b, .shift = task->system[k].shift,
                             .solved = { .converged = true, .residual = all->residual[k] } };
        one.residual = task->system[k].tolerance;
        residual_norm_reach_uniform(s, a, &alone, &one, dirac_residual_space(w));
        all->residual[k] = alone.solved.residual;
        all->polish_iterations += alone.solved.iterations;
        all->converged = alone.solved.converged;
        all->spent = alone.solved.spent;
        mixed_record_add(&task->record, &alone.solved.record);
    }
}

void dirac_solve_shifts(dirac_solver *w, const dirac_matrix *m, dirac_shifts_task *task, int tasks,
                        const dirac_goal *goal)
{
    linear_solver *s = w->method->kind->solve_shifts ? w->method : w->cg;
    const solver_operator a = dirac_system_for(w, s, SYSTEM_OF_NORMAL, m, goal->precision);
    s->kind->solve_shifts(s, &a, task, tasks, goal);
    for (int n = 0; goal->norm == RESIDUAL_NORM_UNIFORM && n < tasks; n++)
        reach_uniform_norms(w, s, &a, &task[n], goal);
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
    return dirac_system_in(w, SYSTEM_OF_NORMAL, STORED_DOUBLE, m);
}

double dirac_largest_eigenvalue(dirac_solver *w, const dirac_matrix *m, const vec *start, int steps)
{
    return lanczos_spectrum(dirac_solver_normal(w, m), start, steps, cg_solver_space(w->cg)).largest;
}

