/* dirac_solver.h - the solves of an action, for any Dirac operator: A = C^+C, or C, of any of its matrices
 * (operators/dirac_operator.h), one shift or many, one system or a batch, in double or mixed precision.
 *
 * The caller chooses the method (solver_kind.h) in dirac_solver_spec.  Every function works with every method: a method
 * for A also solves C x = b, and a method for C also solves A x = b (dirac_square.c).  If a method fails, conjugate
 * gradients with A continue.  If the precision for separate systems is not sufficient, the solver uses the precision of
 * the common Krylov spaces, and then double (solver_choice.h). */
#ifndef KILN_SOLVERS_DIRAC_SOLVER_H
#define KILN_SOLVERS_DIRAC_SOLVER_H

#include "src/solvers/dirac_vectors.h"

/* x <- A^-1 b.  x is also the start vector: zero it where a trajectory must be reversible. */
dirac_solved dirac_solve(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal);

/* Solves (A + shift) x = b for many right-hand sides; with a method for C, all shifts must be 0.  The bits of each
 * solution are those of a separate solve. */
void dirac_solve_all(dirac_solver *w, const dirac_matrix *m, dirac_task *task, int tasks, const dirac_goal *goal);

/* dirac_solve, but always by conjugate gradients. */
dirac_solved dirac_solve_by_cg(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal);

/* x <- (C^+)^-1 b, from zero, by one solve with C^+, or as C A^-1 b with the residual of A.  Overwrites `middle`, which
 * is on home. */
dirac_solved dirac_solve_dagger(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, vec *middle,
                                const dirac_goal *goal);

/* Solve C x = b, or C^+ x = b (dagger), where C maps a parity to itself.  task.x: start vector, then the solution.  The
 * residual of the result is |b - C x| / |b|, not that of A. */
void dirac_solve_square_all(dirac_solver *w, const dirac_matrix *m, bool dagger, dirac_task *task, int tasks,
                            const dirac_goal *goal);
dirac_solved dirac_solve_square(dirac_solver *w, const dirac_matrix *m, bool dagger, dirac_task task,
                                const dirac_goal *goal);

/* x <- A^-1 b by two solves: C^+ y = b and C x = y.  If the residual is too large, further solves improve the solution;
 * if they fail, conjugate gradients continue. */
dirac_solved dirac_solve_twice(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal);

/* Many shifts.  Solves `tasks` right-hand sides at once, at most dirac_solver_spec.systems; does not read
 * goal->residual and goal->rule. */
void dirac_solve_shifts(dirac_solver *w, const dirac_matrix *m, dirac_shifts_task *task, int tasks,
                        const dirac_goal *goal);
/* The results of all shifts of a task as one: its residual is the largest of theirs, or NaN if one of them is NaN. */
dirac_solved dirac_shifts_solved(const dirac_shifts_task *task);

/* A itself, in the operator's precision; valid until the next call with this solver. */
const linop *dirac_solver_normal(dirac_solver *w, const dirac_matrix *m);

/* An upper bound of the largest eigenvalue of A, by Lanczos steps from `start` (solver.h); NaN if one is not finite. */
double dirac_largest_eigenvalue(dirac_solver *w, const dirac_matrix *m, const vec *start, int steps);

#endif
