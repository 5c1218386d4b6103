/* residual_norm.c - the norm of the stopping rule of a solve.
 *
 * Solvers iterate |r|^2 as a global sum, which they need anyway.  The uniform norm is therefore checked after a solve,
 * on the true residual: where it is too large by a factor f, the solve goes on to the present 2-norm / (2 f). */
#include "src/solvers/residual_norm.h"

#include "src/solvers/residuals.h"

#include <math.h>

const char *const residual_norm_names[] = { "two", "uniform", NULL };

#define PART_OF_MISSING 0.5              /* the next solve aims at this fraction of the 2-norm that is just needed */
#define SMALLEST_RESIDUAL 1e-16          /* solves in double precision cannot reach less */
enum { ROUNDS = 10 };

vector_sizes residual_norm_sizes(const vec *v, residual_norm norm)
{
    return (vector_sizes){ vec_norm2(v), norm == RESIDUAL_NORM_UNIFORM ? vec_site_norm2(v) : 0 };
}

double residual_norm_relative(vector_sizes r, vector_sizes b)
{
    const double two = sqrt(r.two / b.two);
    if (b.uniform == 0 || isnan(two))
        return two;
    const double uniform = sqrt(r.uniform / b.uniform);
    return uniform <= two ? two : uniform;
}

static vector_sizes true_sizes(const solver_operator *a, const dirac_task *task, residual_space space)
{
    true_residual of = { space.r, task->b, task->x, task->shift, 1, 0, 0 };
    residuals_compute(space.engine, a->in[STORED_DOUBLE], &of, 1);
    return residual_norm_sizes(space.r, RESIDUAL_NORM_UNIFORM);
}

/* One more solve from x, to `residual` in the 2-norm; adds it to the result. */
static bool solve_on(linear_solver *s, const solver_operator *a, dirac_task *task, const dirac_goal *goal,
                     double residual)
{
    dirac_solved *all = &task->solved;
    dirac_goal more = *goal;
    dirac_task again = *task;
    more.norm = RESIDUAL_NORM_TWO;
    more.residual = residual;
    more.max_iterations -= all->iterations;
    if (more.max_iterations <= 0 || residual < SMALLEST_RESIDUAL)
        return false;
    s->kind->solve(s, a, &again, 1, &more);
    dirac_solved_add(all, &again.solved);
    return again.solved.converged;
}

void residual_norm_reach_uniform(linear_solver *s, const solver_operator *a, dirac_task *task, const dirac_goal *goal,
                                 residual_space space)
{
    dirac_solved *all = &task->solved;
    const vector_sizes b = residual_norm_sizes(task->b, RESIDUAL_NORM_UNIFORM);
    if (!(b.two > 0 && isfinite(b.two)))
        return;
    vector_sizes r = true_sizes(a, task, space);
    all->residual = residual_norm_relative(r, b);
    bool going = all->converged;
    for (int i = 0; i < ROUNDS && going && all->residual > goal->residual; i++) {
        const double missing = goal->residual / all->residual;
        going = solve_on(s, a, task, goal, PART_OF_MISSING * missing * sqrt(r.two / b.two));
        r = true_sizes(a, task, space);
        all->residual = residual_norm_relative(r, b);
    }
    if (!all->converged)
        return;
    all->converged = all->residual <= goal->residual;
    if (all->converged)
        all->fallback = NO_FAILURE;
    all->spent = !all->converged && all->iterations >= goal->max_iterations;
}
