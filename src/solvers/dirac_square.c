/* dirac_square.c - solves with C or C^+, by a method for C, else through C^+C.
 *
 * With C^+C: C^+ x = b has the solution x = C y with C^+C y = b, and the same residual.  C x = b is solved through
 * C^+C x = C^+ b, which controls the residual C^+ r instead of r.  Therefore further solves for the remaining residual
 * improve x, until |r| is small enough. */
#include "src/solvers/dirac_solver.h"

#include "src/lattice/vec_mixed.h"
#include "src/solvers/dirac_method.h"

#include <math.h>

/* The residual requested from a solve with C^+C is this factor times (requested / current residual), but at least
 * SMALLEST_RESIDUAL; ROUNDS: largest number of such solves. */
#define PART_OF_MISSING 0.1
#define SMALLEST_RESIDUAL 1e-15
enum { ROUNDS = 10 };

/* ---- through C^+C */

typedef struct {
    dirac_solver *w;
    const dirac_matrix *m;
    bool dagger;
    const dirac_goal *goal;
    vector_sizes b;
} square_system;

/* SQUARE_RESIDUAL <- b - C x; its size in the norm of the goal, relative to b */
static double residual_of(const square_system *s, const vec *x, const vec *b)
{
    vec *r = dirac_solver_square_vector(s->w, SQUARE_RESIDUAL);
    dirac_solver_apply(r, s->w, s->m, s->dagger, x);
    vec_xpay(r, b, -1);
    return residual_norm_relative(residual_norm_sizes(r, s->goal->norm), s->b);
}

/* A^-1 b, by the method if it solves with A; else by conjugate gradients, because the method has failed. */
static dirac_solved solve_normal(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal)
{
    return w->method->kind->square ? dirac_solve_by_cg(w, m, x, b, goal) : dirac_solve(w, m, x, b, goal);
}

/* SQUARE_STEP <- C^-1 SQUARE_RESIDUAL, approximately */
static dirac_solved solve_step(const square_system *s, double residual, int iterations)
{
    dirac_solver *w = s->w;
    vec *r = dirac_solver_square_vector(w, SQUARE_RESIDUAL), *right = dirac_solver_square_vector(w, SQUARE_RIGHT);
    vec *step = dirac_solver_square_vector(w, SQUARE_STEP);
    dirac_goal goal = *s->goal;
    goal.residual = fmax(residual, SMALLEST_RESIDUAL);
    goal.norm = RESIDUAL_NORM_TWO;
    goal.max_iterations = iterations;
    vec_zero(step);
    if (!s->dagger) {
        dirac_solver_apply(right, w, s->m, true, r);
        return solve_normal(w, s->m, step, right, &goal);
    }
    vec_zero(right);
    const dirac_solved solved = solve_normal(w, s->m, right, r, &goal);
    dirac_solver_apply(step, w, s->m, false, right);
    return solved;
}

static void solve_through_normal(const square_system *s, dirac_task *task)
{
    dirac_solved *all = &task->solved;
    const int most = s->goal->max_iterations;
    bool fine = true;
    all->residual = residual_of(s, task->x, task->b);
    for (int i = 0; i < ROUNDS && fine && all->residual > s->goal->residual && all->iterations < most; i++) {
        const double wanted = PART_OF_MISSING * s->goal->residual / all->residual;
        const dirac_solved one = solve_step(s, wanted, most - all->iterations);
        vec_axpy(task->x, 1, dirac_solver_square_vector(s->w, SQUARE_STEP));
        all->iterations += one.iterations;
        mixed_record_add(&all->record, &one.record);
        const double before = all->residual;
        all->residual = residual_of(s, task->x, task->b);
        fine = all->residual < before;                       /* even if the solve did not converge */
    }
    all->converged = all->residual <= s->goal->residual;
    all->spent = !all->converged && all->iterations >= most;
}

/* ---- by the method */

void dirac_solve_square_all(dirac_solver *w, const dirac_matrix *m, bool dagger, dirac_task *task, int tasks,
                            const dirac_goal *goal)
{
    const bool square = w->method->kind->square;
    if (square)
        dirac_solve_by(w, w->method, dagger ? SYSTEM_OF_DAGGER : SYSTEM_OF_C, m, task, tasks, goal);
    for (int n = 0; n < tasks; n++) {
        if (square && !task[n].solved.fallback)
            continue;
        const square_system s = { w, m, dagger, goal, residual_norm_sizes(task[n].b, goal->norm) };
        const double bb = s.b.two;
        if (!square)
            task[n].solved = (dirac_solved){ .converged = bb == 0, .residual = bb };
        if (bb > 0 && isfinite(bb))
            solve_through_normal(&s, &task[n]);
        else if (bb == 0)
            vec_zero(task[n].x);
    }
}

/* ---- C^+C by two solves */

/* TWICE_RESIDUAL <- b - C^+C x; its size in the norm of the goal, relative to b */
static double normal_residual(const square_system *s, const vec *x, const vec *b)
{
    dirac_solver *w = s->w;
    vec *r = dirac_solver_square_vector(w, TWICE_RESIDUAL), *image = dirac_solver_square_vector(w, TWICE_MIDDLE);
    dirac_solver_apply(image, w, s->m, false, x);
    dirac_solver_apply(r, w, s->m, true, image);
    vec_xpay(r, b, -1);
    return residual_norm_relative(residual_norm_sizes(r, s->goal->norm), s->b);
}

/* An estimate of the norm of C, from a vector with components along all eigenvectors. */
#define NORM_MARGIN 3

static double norm_of(dirac_solver *w, const dirac_matrix *m, const vec *b, double bb)
{
    vec *image = dirac_solver_square_vector(w, TWICE_MIDDLE);
    dirac_solver_apply(image, w, m, false, b);
    return NORM_MARGIN * sqrt(vec_norm2(image) / bb);
}

/* TWICE_STEP <- C^-1 (C^+)^-1 TWICE_RESIDUAL.  missing: the residual to reach, relative to TWICE_RESIDUAL.  Each of the
 * two solves may contribute half of it; that of the second one is multiplied by C^+, hence by up to `norm`. */
static bool step_twice(dirac_solver *w, const dirac_matrix *m, double missing, double norm, dirac_solved *sum,
                       const dirac_goal *goal)
{
    vec *residual = dirac_solver_square_vector(w, TWICE_RESIDUAL);
    vec *middle = dirac_solver_square_vector(w, TWICE_MIDDLE), *step = dirac_solver_square_vector(w, TWICE_STEP);
    const double size = sqrt(vec_norm2(residual));
    dirac_goal part = *goal;
    part.norm = RESIDUAL_NORM_TWO;
    part.residual = fmax(fmin(missing / 2, 1), SMALLEST_RESIDUAL);
    part.max_iterations = goal->max_iterations - sum->iterations;
    vec_zero(middle);
    const dirac_solved first = dirac_solve_square(w, m, true, (dirac_task){ .x = middle, .b = residual }, &part);
    dirac_solved_add(sum, &first);
    part.residual = fmin(missing / 2 * size / (norm * sqrt(vec_norm2(middle))), 1);
    part.residual = fmax(part.residual, SMALLEST_RESIDUAL);
    part.max_iterations = goal->max_iterations - sum->iterations;
    vec_zero(step);
    if (!first.converged || part.max_iterations <= 0)
        return false;
    const dirac_solved second = dirac_solve_square(w, m, false, (dirac_task){ .x = step, .b = middle }, &part);
    dirac_solved_add(sum, &second);
    return second.converged;
}

/* For the uniform norm, solves aim at this fraction of the residual that is just needed, because they test the 2-norm
 * alone. */
#define PART_FOR_UNIFORM 0.5
enum { IMPROVEMENTS = 3 };

dirac_solved dirac_solve_twice(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal)
{
    const square_system s = { w, m, false, goal, residual_norm_sizes(b, goal->norm) };
    const double bb = s.b.two, part = goal->norm == RESIDUAL_NORM_UNIFORM ? PART_FOR_UNIFORM : 1;
    dirac_solved all = { .residual = bb };
    if (!(bb > 0 && isfinite(bb)))
        return dirac_solve_by_cg(w, m, x, b, goal);
    const double norm = norm_of(w, m, b, bb);
    bool fine = true;
    all.residual = normal_residual(&s, x, b);
    for (int i = 0; i < IMPROVEMENTS && fine && all.residual > goal->residual; i++) {
        fine = step_twice(w, m, part * goal->residual / all.residual, norm, &all, goal);
        if (fine) {
            vec_axpy(x, 1, dirac_solver_square_vector(w, TWICE_STEP));
            all.residual = normal_residual(&s, x, b);
        }
    }
    all.converged = all.residual <= goal->residual;
    all.spent = !all.converged && all.iterations >= goal->max_iterations;
    if (all.converged || all.iterations >= goal->max_iterations)
        return all;
    dirac_goal rest = *goal;
    rest.max_iterations -= all.iterations;
    const dirac_solved last = dirac_solve_by_cg(w, m, x, b, &rest);
    dirac_solved_add(&all, &last);
    all.converged = last.converged;
    all.spent = last.spent;
    all.residual = last.residual;
    return all;
}

dirac_solved dirac_solve_square(dirac_solver *w, const dirac_matrix *m, bool dagger, dirac_task task,
                                const dirac_goal *goal)
{
    dirac_solve_square_all(w, m, dagger, &task, 1, goal);
    return task.solved;
}
