/* dirac_solver.h - the solves of an action, for any Dirac operator: A = C^+C of any of its matrices
 * (operators/dirac_operator.h), one shift or many, one system or a batch, in double or mixed precision.
 *
 * The kinds are those of solver_choice.h without SOLVER_ADAPTIVE.  If the precision for separate systems is not
 * sufficient, the precision of the common Krylov spaces is used, and then double. */
#ifndef KILN_SOLVERS_DIRAC_SOLVER_H
#define KILN_SOLVERS_DIRAC_SOLVER_H

#include "src/operators/dirac_operator.h"
#include "src/solvers/cg_mixed.h"
#include "src/solvers/solver_choice.h"

typedef struct dirac_solver dirac_solver;

/* What a solver has memory for.  kind: the kinds that solves may request; systems: the number solved at once, at most
 * BATCH_MAX_RHS; shifted: whether systems have many shifts; shifts, scratch, spare: number of shifts of each system, of
 * scratch vectors and of spare vectors that get memory in the workspace (lattice/workspace.h); more of them get their
 * own when they are needed. */
enum { SOLVER_KINDS_TOGETHER = 3 };
typedef struct {
    solver_kind kind[SOLVER_KINDS_TOGETHER];
    int systems;
    bool shifted;
    int shifts, scratch, spare;
} dirac_solver_size;
dirac_solver_size dirac_solver_size_of(solver_kind kind, int systems);                /* of one kind, without shifts */

/* Borrows d, and opens in d the storages that its kinds need.  Its vectors are in the workspace: all numbers are lost
 * when somebody else uses that.  dirac_solver_bytes: device memory, with that of the links. */
dirac_solver *dirac_solver_create(dirac_operator *d, dirac_solver_size size);
void dirac_solver_free(dirac_solver *w);
memory_need dirac_solver_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_size size);

/* The position in the workspace from which on its memory is free between two solves, while scratch and spare vectors
 * are in use; the same for a plan, if the solver was created at the start of the workspace. */
size_t dirac_solver_between(const dirac_solver *w);
size_t dirac_solver_between_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_size size);

/* Allocates memory for more shifts now; else solves allocate what they need. */
void dirac_solver_reserve(dirac_solver *w, int shifts);

/* Vectors in double precision, borrowed.  Scratch: vector i for the caller; solves do not change it.  Spare: free only
 * between two solves, which use the same memory; on the parity of the last call. */
enum { DIRAC_SCRATCH = BATCH_MAX_RHS * SHIFTS_MAX };
vec *dirac_solver_scratch(dirac_solver *w, parity_set on, int i);
vec *dirac_solver_spare(dirac_solver *w, parity_set on, int i);

/* out <- C in, or C^+ in */
void dirac_solver_apply(vec *out, dirac_solver *w, const dirac_matrix *m, bool dagger, const vec *in);

/* The request for a solve, and its result. */
typedef struct {
    solver_kind kind;
    double residual;                        /* |r|/|b| to reach */
    int max_iterations;
    bool verify;                            /* shifts in double: compute and reach true residuals */
} dirac_goal;
typedef struct {
    bool converged;
    int iterations, polish_iterations;
    double residual;
    mixed_record record;
} dirac_solved;

/* x <- A^-1 b; x is the start vector (zero it for a reversible force). */
dirac_solved dirac_solve(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal);

/* The same for many right-hand sides.  The bits of each are those of a separate solve. */
typedef struct { vec *x; const vec *b; dirac_solved solved; } dirac_task;
void dirac_solve_all(dirac_solver *w, const dirac_matrix *m, dirac_task *task, int tasks, const dirac_goal *goal);

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

/* An upper bound of the largest eigenvalue of A, by the Lanczos method from `start`. */
double dirac_largest_eigenvalue(dirac_solver *w, const dirac_matrix *m, const vec *start, int steps);

#endif
