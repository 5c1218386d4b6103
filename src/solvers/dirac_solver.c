/* dirac_solver.c - solves with A = C^+C, by the method of the solver. */
#include "src/solvers/dirac_solver.h"

#include "src/base/memory.h"
#include "src/solvers/cg_solver.h"

#include <assert.h>
#include <math.h>

/* C^+C in a storage; valid until the next call. */
static const linop *normal_in(dirac_solver *w, stored_as in, const dirac_matrix *m)
{
    dirac_side *s = &w->side[in];
    assert(s->slots > 0);
    memory_free(s->normal);
    s->normal = w->d->kind->normal(w->d, dirac_solver_storage(w, in), m, (vec *const (*)[DIRAC_ROOMS])s->room,
                                   s->slots);
    return s->normal;
}

static solver_operator normal_of(dirac_solver *w, const dirac_matrix *m, solver_precision in)
{
    const solver_stores *s = &solver_precisions[in];
    const stored_as stores[] = { STORED_DOUBLE, s->inner, s->refine };
    solver_operator a = { .d = w->d, .m = m };
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        if (!a.in[stores[i]])
            a.in[stores[i]] = normal_in(w, stores[i], m);
    return a;
}

static void solve_by_cg(dirac_solver *w, const dirac_matrix *m, dirac_task *task, int tasks, const dirac_goal *goal)
{
    const solver_operator a = normal_of(w, m, goal->precision);
    w->cg->kind->solve(w->cg, &a, task, tasks, goal);
}

dirac_solved dirac_solve_by_cg(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal)
{
    dirac_task task = { .x = x, .b = b };
    solve_by_cg(w, m, &task, 1, goal);
    return task.solved;
}

/* Conjugate gradients continue the tasks for which the method has failed. */
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
    const solver_kind *kind = w->method->kind;
    if (kind->square) {
        for (int n = 0; n < tasks; n++)
            task[n].solved = dirac_solve_twice(w, m, task[n].x, task[n].b, goal);
        return;
    }
    const solver_operator a = normal_of(w, m, goal->precision);
    kind->solve(w->method, &a, task, tasks, goal);
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

void dirac_solve_shifts(dirac_solver *w, const dirac_matrix *m, dirac_shifts_task *task, int tasks,
                        const dirac_goal *goal)
{
    const solver_operator a = normal_of(w, m, goal->precision);
    linear_solver *s = w->method->kind->solve_shifts ? w->method : w->cg;
    s->kind->solve_shifts(s, &a, task, tasks, goal);
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
    return lanczos_spectrum(normal_in(w, STORED_DOUBLE, m), start, steps, cg_solver_space(w->cg)).largest;
}

