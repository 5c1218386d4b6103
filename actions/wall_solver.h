/* wall_solver.h - the solves of a monomial of domain-wall quarks: A = C^+C of any of its masses
 * (operators/domain_wall.h), one shift or many, in double or mixed precision, with links and vectors that all of its
 * factors share.
 *
 * The kinds are those of solver_choice.h; here none of them is SOLVER_ADAPTIVE. */
#ifndef KILN_ACTIONS_WALL_SOLVER_H
#define KILN_ACTIONS_WALL_SOLVER_H

#include "actions/monomial.h"
#include "actions/solver_choice.h"
#include "src/operators/domain_wall.h"
#include "src/solvers/cg_mixed.h"

typedef struct wall_solver wall_solver;
wall_solver *wall_solver_create(const gauge *u, int slices, double boundary, solver_kind kind);

/* With memory for `together` systems of one matrix at a time, at most BATCH_TOGETHER; double alone solves one. */
wall_solver *wall_solver_create_batch(const gauge *u, int slices, double boundary, solver_kind kind, int together);
void wall_solver_free(wall_solver *w);
size_t wall_solver_bytes(const lattice_shape *shape, int slices, solver_kind kind, int shifts);
size_t wall_solver_batch_bytes(const lattice_shape *shape, int slices, solver_kind kind, int shifts, int together);

/* Copies of the links; false where they are not SU(3) matrices. */
bool wall_solver_update(wall_solver *w, const gauge *u, failure *why);
const wall_links *wall_solver_links(const wall_solver *w);            /* in double */

/* Scratch vectors in double, borrowed, made on first use: number i of the caller's (solves do not touch them). */
enum { WALL_SCRATCH = 64 };
vec *wall_solver_scratch(wall_solver *w, parity_set on, int i);

/* What a solve is asked, and what came of it. */
typedef struct {
    double residual;                        /* |r|/|b| to reach */
    int max_iterations;
    bool verify;                            /* of shifts: every true residual is computed, and reached */
} wall_goal;
typedef struct { bool converged; int iterations, polish_iterations; double residual; mixed_record record; } wall_solved;

/* x <- A^-1 b for the matrix m; x is the start vector (zero it for a reversible force). */
wall_solved wall_solve(wall_solver *w, const wall_matrix *m, vec *x, const vec *b, const wall_goal *goal);

/* The same of many right-hand sides, `together` at a time; each gets the numbers that it would get alone. */
typedef struct { vec *x; const vec *b; wall_solved solved; } wall_task;
void wall_solve_all(wall_solver *w, const wall_matrix *m, wall_task *task, int tasks, const wall_goal *goal);

/* (A + shift_k) x_k = b from zero, shifts >= 0: x_k are the caller's vectors. */
wall_solved wall_solve_shifts(wall_solver *w, const wall_matrix *m, vec *const *x, const shifted *system, int count,
                              const vec *b, const wall_goal *goal);

/* Of A, by Lanczos from `start`: an upper bound of the largest eigenvalue. */
double wall_largest_eigenvalue(wall_solver *w, const wall_matrix *m, const vec *start, int steps);

#endif
