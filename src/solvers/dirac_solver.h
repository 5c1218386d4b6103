/* dirac_solver.h - the solves of an action, for any Dirac operator: A = C^+C of any of its matrices
 * (operators/dirac_operator.h), one shift or many, one system or a batch, in double or mixed precision.
 *
 * Precisions are those of solver_choice.h without SOLVER_ADAPTIVE.  If the precision for separate systems is not
 * sufficient, the precision of the common Krylov spaces is used, and then double. */
#ifndef KILN_SOLVERS_DIRAC_SOLVER_H
#define KILN_SOLVERS_DIRAC_SOLVER_H

#include "src/solvers/dirac_vectors.h"

/* The request for a solve, and its result. */
typedef struct {
    solver_precision precision;
    double residual;                        /* |r|/|b| to reach */
    int max_iterations;
    bool verify;                            /* shifts in double: compute and reach true residuals */
    const mixed_rule *rule;                 /* borrowed; NULL: mixed_rule_default */
} dirac_goal;
typedef struct {
    bool converged, spent;                  /* spent: not converged, and no iterations are left */
    int iterations, polish_iterations;
    double residual;
    mixed_record record;
    int restarts;                           /* of BiCGstab, after breakdowns */
    mixed_failure fallback;                 /* why conjugate gradients continued a solve by BiCGstab */
    int fallback_at;                        /* iterations until then */
} dirac_solved;

/* x <- A^-1 b; x is the start vector (zero it for a reversible force). */
dirac_solved dirac_solve(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal);

/* The same for many right-hand sides.  The bits of each are those of a separate solve. */
typedef struct { vec *x; const vec *b; dirac_solved solved; } dirac_task;
void dirac_solve_all(dirac_solver *w, const dirac_matrix *m, dirac_task *task, int tasks, const dirac_goal *goal);

/* Solves C x = b, or C^+ x = b, for a C from a parity to itself; x are start vectors.  By BiCGstab(l), l the order of
 * the solver, in the precisions of the kind: that of separate systems, then that of common Krylov spaces.  A system for
 * which this fails is solved by conjugate gradients with C^+C, from the best x; without an order all are.  residual:
 * |b - C x| / |b|. */
void dirac_solve_square_all(dirac_solver *w, const dirac_matrix *m, bool dagger, dirac_task *task, int tasks,
                            const dirac_goal *goal);
dirac_solved dirac_solve_square(dirac_solver *w, const dirac_matrix *m, bool dagger, dirac_task task,
                                const dirac_goal *goal);

/* x <- A^-1 b as dirac_solve, but by two solves: C^+ y = b and C x = y.  If the residual is not small enough then, the
 * solution is improved, and finally conjugate gradients continue. */
dirac_solved dirac_solve_twice(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal);

/* Solves (A + shift_k) x_k = b from zero, shifts >= 0, each to its own tolerance (goal->residual is not read); x_k are
 * vectors of the caller.  `tasks` right-hand sides are solved at once, at most dirac_solver_size.systems. */
typedef struct {
    vec *const *x;
    const shifted *system;
    int count;
    const vec *b;
    multishift_result result;
    mixed_record record;
} dirac_shifts_task;
void dirac_solve_shifts(dirac_solver *w, const dirac_matrix *m, dirac_shifts_task *task, int tasks,
                        const dirac_goal *goal);
dirac_solved dirac_shifts_solved(const dirac_shifts_task *task);           /* the largest residual; a NaN stays */

/* A itself, in the operator's precision; valid until the next call with this solver. */
const linop *dirac_solver_normal(dirac_solver *w, const dirac_matrix *m);

/* An upper bound of the largest eigenvalue of A, by the Lanczos method from `start`. */
double dirac_largest_eigenvalue(dirac_solver *w, const dirac_matrix *m, const vec *start, int steps);

#endif
