/* dirac_vectors.h - the vectors of the solves of an action (dirac_solver.h), in the workspace, and the operators that
 * they use. */
#ifndef KILN_SOLVERS_DIRAC_VECTORS_H
#define KILN_SOLVERS_DIRAC_VECTORS_H

#include "src/operators/dirac_operator.h"
#include "src/solvers/solver_kind.h"

/* What a solver is created for, which determines its memory.  Shifts, scratch and spare vectors up to these numbers
 * have memory in the workspace (lattice/workspace.h); more are allocated when needed. */
enum { SOLVER_PRECISIONS_TOGETHER = 3 };
typedef struct {
    const solver_kind *kind;                  /* the method; NULL: conjugate gradients */
    solver_precision precision[SOLVER_PRECISIONS_TOGETHER];         /* that solves may request */
    bool also_double;                         /* solves may request SOLVER_DOUBLE, too */
    int systems;                              /* solved at once, at most BATCH_MAX_RHS */
    bool shifted;                             /* systems have many shifts */
    int shifts;                               /* of each system */
    int scratch, spare;                       /* numbers of scratch and of spare vectors */
    solver_settings settings;
} dirac_solver_spec;
dirac_solver_spec dirac_solver_spec_of(solver_precision in, int systems);     /* conjugate gradients, without shifts */

/* The largest number of scratch vectors, and of spare vectors. */
enum { DIRAC_SCRATCH = BATCH_MAX_RHS * SHIFTS_MAX };

/* Vectors for solves with C by a method for C^+C, and the reverse (dirac_square.c). */
enum { SQUARE_RESIDUAL, SQUARE_RIGHT, SQUARE_STEP, TWICE_RESIDUAL, TWICE_MIDDLE, TWICE_STEP, SQUARE_VECTORS };

/* The scratch vectors and the linops of the operator for one storage. */
typedef struct {
    int slots;                                /* 0: no solver has this storage */
    vec *work[BATCH_MAX_RHS][DIRAC_WORK_VECTORS];
    linop *normal, *square;                   /* of the latest solve */
} dirac_side;

typedef struct {
    dirac_operator *d;
    workspace *memory;                        /* has the vectors; borrowed */
    dirac_solver_spec spec;
    linear_solver *cg, *method;               /* method: of dirac_solver_spec.kind; may be cg itself */
    struct {                                  /* of the method */
        solver_links links;
        bool changed;                         /* since the last update */
        uint64_t version;                     /* of the links of the last update */
        int64_t done[STATE_UPDATES];          /* updates since the last report */
    } state;
    dirac_side side[SOLVER_STORAGES];         /* STORED_DOUBLE: in the operator's precision */
    vec *unused[DIRAC_SCRATCH];               /* for future scratch vectors */
    int unused_count;
    vec *scratch[2][DIRAC_SCRATCH], *spare[DIRAC_SCRATCH];         /* scratch: on even and on odd sites */
    vec *square[SQUARE_VECTORS];              /* for dirac_square.c; NULL until needed if the method uses C^+C */
    size_t between;                           /* position in the workspace after the spare vectors */
} dirac_solver;

/* Borrows d, and opens the storages of d that the methods need.  The vectors are in the workspace, and are lost when
 * another user of the workspace overwrites them.  dirac_solver_bytes: device memory, including the links. */
dirac_solver *dirac_solver_create(dirac_operator *d, dirac_solver_spec spec);
void dirac_solver_free(dirac_solver *w);
memory_need dirac_solver_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_spec spec);

/* Its parts: vectors in the workspace with the states of engines, state and tables of the method, and the links. */
typedef struct { memory_need vectors, method, links; } dirac_solver_memory;
dirac_solver_memory dirac_solver_memory_of(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_spec spec);

/* The numbers of vectors in the workspace; start vectors, solutions and right-hand sides belong to the caller and are
 * not counted.  The storages share the memory after the kept vectors: it is as large as the largest of them needs. */
typedef struct {
    int kept;                                 /* in the operator's precision, during a whole solve */
    int working[SOLVER_STORAGES];             /* in each storage, with the scratch of the operator */
    int own[SOLVER_STORAGES];                 /* the part of `working` that the method itself uses, without the
                                               * conjugate gradients that continue if it fails */
} dirac_solver_vectors;
dirac_solver_vectors dirac_solver_vectors_of(const dirac_plan *plan, dirac_solver_spec spec);

/* The position in the workspace after scratch and spare vectors; the memory after it is free between two solves.  The
 * function with a plan assumes that the solver begins at the start of the workspace. */
size_t dirac_solver_between(const dirac_solver *w);
size_t dirac_solver_between_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_spec spec);

/* Allocates memory for more shifts now; else solves allocate what they need. */
void dirac_solver_reserve(dirac_solver *w, int shifts);

/* Vectors in double precision, borrowed.  Scratch: vector i for the caller; solves do not change it.  Spare: on the
 * parity of the last call; solves overwrite it. */
vec *dirac_solver_scratch(dirac_solver *w, parity_set on, int i);
vec *dirac_solver_spare(dirac_solver *w, parity_set on, int i);

/* The state of the method (solver_kind.h).  links_changed: the owner has updated the operator for a step of a
 * trajectory.  For checkpoints: vectors, borrowed, and numbers of the state; state_bytes: their largest memory.
 * report: appends an object "method" to an open object, if the method has a state or a report.  warn: lines of warnings
 * about the solves since the last report. */
void dirac_solver_links_changed(dirac_solver *w, solver_links of);
vec *dirac_solver_state(dirac_solver *w, int index);
void dirac_solver_state_row(dirac_solver *w, number_row *row);
size_t dirac_solver_state_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_spec spec);
void dirac_solver_report(dirac_solver *w, json *j);
void dirac_solver_warn(dirac_solver *w, text *lines);

/* One of SQUARE_RESIDUAL .. TWICE_STEP, on home. */
vec *dirac_solver_square_vector(dirac_solver *w, int i);

/* out <- C in, or C^+ in */
void dirac_solver_apply(vec *out, dirac_solver *w, const dirac_matrix *m, bool dagger, const vec *in);

/* The storage of a stored_as. */
vec_storage dirac_solver_storage(const dirac_solver *w, int stored);

#endif
