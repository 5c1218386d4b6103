/* residual_norm.h - the norm of the stopping rule of a solve.
 *
 *     two      |r| / |b|
 *     uniform  the larger one of |r| / |b| and |r|_oo / |b|_oo, |r|_oo = the largest norm of r at a site
 *
 * A. Francis, P. Fritzsch, M. Luescher, A. Rago, arXiv:1911.04533: on large lattices the 2-norm says little about
 * single sites, since a large residual of a small region hardly contributes to it.  A maximum does not depend on order,
 * so neither norm depends on processes and devices. */
#ifndef KILN_SOLVERS_RESIDUAL_NORM_H
#define KILN_SOLVERS_RESIDUAL_NORM_H

#include "src/solvers/krylov.h"
#include "src/solvers/solver_kind.h"

/* The squares of both norms of a vector; uniform: 0 where the norm of the rule is RESIDUAL_NORM_TWO. */
typedef struct { double two, uniform; } vector_sizes;
vector_sizes residual_norm_sizes(const vec *v, residual_norm norm);

/* The residual in the norm for which both sizes were computed: r over b; NaN if either is NaN. */
double residual_norm_relative(vector_sizes r, vector_sizes b);

/* The working memory of a check: the engine of a solver in the operator's precision, and a vector on home. */
typedef struct { krylov *engine; vec *r; } residual_space;

/* After a solve of (A + task->shift) x = b by s, which has reached goal->residual in the 2-norm: computes the true
 * residual.  While it is too large in the uniform norm, the solve goes on from x with a smaller residual in the 2-norm.
 * Sets the residual of both norms.  Changes nothing if b is zero. */
void residual_norm_reach_uniform(linear_solver *s, const solver_operator *a, dirac_task *task, const dirac_goal *goal,
                                 residual_space space);

#endif
