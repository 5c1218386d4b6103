/* dirac_solver.h - the solves of an action, for any Dirac operator: A = C^+C of any of its matrices
 * (operators/dirac_operator.h), one shift or many, one system or a batch, in double or mixed precision.
 *
 * The kinds are those of solver_choice.h, here none of them SOLVER_ADAPTIVE.  Where the precision of single systems
 * does not suffice, that of the common Krylov spaces takes over, and then double. */
#ifndef KILN_SOLVERS_DIRAC_SOLVER_H
#define KILN_SOLVERS_DIRAC_SOLVER_H

#include "src/operators/dirac_operator.h"
#include "src/solvers/cg_mixed.h"
#include "src/solvers/solver_choice.h"

typedef struct dirac_solver dirac_solver;

/* What it is made for: the kinds that solves may ask for; `systems` at once, at most BATCH_MAX_RHS; whether they are
 * systems of many shifts, and for how many of each there is memory from the start.  spare: for plans, how many such
 * vectors are used. */
enum { SOLVER_KINDS_TOGETHER = 3 };
typedef struct {
    solver_kind kind[SOLVER_KINDS_TOGETHER];
    int systems;
    bool shifted;
    int shifts, spare;
} dirac_solver_size;
dirac_solver_size dirac_solver_size_of(solver_kind kind, int systems);                /* of one kind, without shifts */

/* Borrows d, and opens the storages of its kinds there.  bytes: device memory without scratch, but with the links. */
dirac_solver *dirac_solver_create(dirac_operator *d, dirac_solver_size size);
void dirac_solver_free(dirac_solver *w);
size_t dirac_solver_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_size size);

/* Memory for more shifts; solves make what they need. */
void dirac_solver_reserve(dirac_solver *w, int shifts);

/* Vectors in double, borrowed, made on first use.  Scratch: number i of the caller's, which solves do not touch; spare:
 * free between two solves (directions, where there are such in double), on the parity of the latest call. */
enum { DIRAC_SCRATCH = BATCH_MAX_RHS * SHIFTS_MAX };
vec *dirac_solver_scratch(dirac_solver *w, parity_set on, int i);
vec *dirac_solver_spare(dirac_solver *w, parity_set on, int i);

/* out <- C in, or C^+ in */
void dirac_solver_apply(vec *out, dirac_solver *w, const dirac_matrix *m, bool dagger, const vec *in);

/* What a solve is asked, and what came of it. */
typedef struct {
    solver_kind kind;
    double residual;                        /* |r|/|b| to reach */
    int max_iterations;
    bool verify;                            /* of shifts in double: every true residual is computed, and reached */
} dirac_goal;
typedef struct {
    bool converged;
    int iterations, polish_iterations;
    double residual;
    mixed_record record;
} dirac_solved;

/* x <- A^-1 b; x is the start vector (zero it for a reversible force). */
dirac_solved dirac_solve(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal);

/* The same of many right-hand sides; each gets the numbers that it would get alone. */
typedef struct { vec *x; const vec *b; dirac_solved solved; } dirac_task;
void dirac_solve_all(dirac_solver *w, const dirac_matrix *m, dirac_task *task, int tasks, const dirac_goal *goal);

/* (A + shift_k) x_k = b from zero, shifts >= 0, to the tolerance of each (goal->residual is not read); x_k are the
 * caller's vectors.  Of `tasks` right-hand sides at once, at most those of the size. */
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

/* Of A, by Lanczos from `start`: an upper bound of the largest eigenvalue. */
double dirac_largest_eigenvalue(dirac_solver *w, const dirac_matrix *m, const vec *start, int steps);

#endif
