/* dirac_vectors.h - the vectors of the solves of an action (dirac_solver.h), in the workspace, and the operators that
 * they use. */
#ifndef KILN_SOLVERS_DIRAC_VECTORS_H
#define KILN_SOLVERS_DIRAC_VECTORS_H

#include "src/operators/dirac_operator.h"
#include "src/solvers/bicg_mixed.h"
#include "src/solvers/solver_choice.h"

/* What a solver has memory for.  precision: those that solves may request; also_double: and SOLVER_DOUBLE;
 * square: whether it solves with C itself (dirac_solve_square_all), by BiCGstab(order), or if order is 0 by conjugate
 * gradients; systems: the number solved at once, at most BATCH_MAX_RHS; shifted: whether systems have many shifts;
 * shifts, scratch, spare: number of shifts of each system, of scratch vectors and of spare vectors that get memory in
 * the workspace (lattice/workspace.h); more of them get their own when they are needed. */
enum { SOLVER_PRECISIONS_TOGETHER = 3 };
typedef struct {
    solver_precision precision[SOLVER_PRECISIONS_TOGETHER];
    bool also_double;
    bool square;
    int order, systems;
    bool shifted;
    int shifts, scratch, spare;
} dirac_solver_size;
dirac_solver_size dirac_solver_size_of(solver_precision in, int systems);         /* of one, without shifts */

/* DIRAC_SCRATCH: the largest number of scratch vectors, and of spare ones. */
enum { DIRAC_SCRATCH = BATCH_MAX_RHS * SHIFTS_MAX };

/* Vectors of solves with C itself (dirac_square.c): for conjugate gradients in place of BiCGstab; for two solves. */
enum { SQUARE_RESIDUAL, SQUARE_RIGHT, SQUARE_STEP, TWICE_RESIDUAL, TWICE_MIDDLE, TWICE_STEP, SQUARE_VECTORS };

/* The operators and the vectors of one storage. */
typedef struct {
    int slots;                                /* 0: no kind has this storage */
    vec *room[BATCH_MAX_RHS][DIRAC_ROOMS];
    mixed_space *space;                       /* NULL in full precision */
    linop *op, *square;                       /* of the latest solve */
    bool has_krylov;                          /* it is used for common Krylov spaces: then each system has */
    vec *x[BATCH_MAX_RHS][SHIFTS_MAX], *p[BATCH_MAX_RHS][SHIFTS_MAX];     /* these; in full precision no x */
    bicg_space *bicg;                         /* in the memory of the vectors after `room`; NULL: not needed */
} dirac_side;

typedef struct {
    dirac_operator *d;
    workspace *memory;                        /* where its vectors lie; borrowed */
    dirac_solver_size size;
    cg_space *space;
    dirac_side side[SOLVER_STORAGES];         /* STORED_DOUBLE: in the operator's precision */
    vec *unused[DIRAC_SCRATCH];               /* created for scratch vectors, and not yet asked for */
    int unused_count;
    vec *scratch[2][DIRAC_SCRATCH], *spare[DIRAC_SCRATCH];         /* scratch on even, on odd sites */
    vec *square[SQUARE_VECTORS];
    size_t between;                           /* position in the workspace after the spare vectors */
} dirac_solver;

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
vec *dirac_solver_scratch(dirac_solver *w, parity_set on, int i);
vec *dirac_solver_spare(dirac_solver *w, parity_set on, int i);

/* out <- C in, or C^+ in */
void dirac_solver_apply(vec *out, dirac_solver *w, const dirac_matrix *m, bool dagger, const vec *in);

/* The storage of a stored_as. */
vec_storage dirac_solver_storage(const dirac_solver *w, int stored);

#endif
