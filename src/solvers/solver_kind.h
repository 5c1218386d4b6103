/* solver_kind.h - a method of solving linear systems: a constant table of functions, a row of solver_kinds.h.
 *
 * A linear_solver is the data of a kind for one dirac_solver (dirac_solver.h), its owner.  It solves with A = C^+C, or
 * with C or C^+ if the kind is `square`.  The owner reduces all other systems to these (dirac_square.c).
 *
 * Vectors are in the workspace (lattice/workspace.h).  `kept` vectors keep their numbers during a solve.  The vectors
 * of each storage, created by `open`, share memory with other storages and other solvers: they keep their numbers only
 * while the solver itself works in this storage, not during solves of its preconditioner.
 *
 * State: numbers and vectors that a kind computes from the links for many solves (a deflation space, a multigrid
 * hierarchy).  It lives during one trajectory.  Mid-trajectory checkpoints have it, so that a stream that was stopped
 * continues with the same bits.  All decisions depend on the input and on numbers that are the same on all ranks and
 * devices. */
#ifndef KILN_SOLVERS_SOLVER_KIND_H
#define KILN_SOLVERS_SOLVER_KIND_H

#include "src/operators/dirac_operator.h"
#include "src/solvers/dirac_task.h"
#include "src/solvers/multigrid/multigrid_settings.h"

typedef struct solver_kind solver_kind;
typedef struct linear_solver linear_solver;

/* What a user chooses of methods; all zero: the defaults. */
typedef struct { multigrid_settings multigrid; } solver_settings;

/* The use of a solver. */
typedef struct {
    int systems, shifts;                    /* right-hand sides at once; shifts of each */
    int slots[SOLVER_STORAGES];             /* systems at once in each storage; 0: not used */
    bool is_krylov[SOLVER_STORAGES];        /* whether it is `inner` of a precision to be requested (solver_stores) */
    solver_settings settings;
} solver_plan;

/* The needs of a solver: numbers of vectors, and memory besides these. */
typedef struct {
    int kept;                               /* in the operator's precision, in the workspace */
    int working[SOLVER_STORAGES];           /* in a storage, in the workspace */
    int state;                              /* of its state, in the operator's precision */
    memory_need other;
} solver_needs;

/* The operator of a solve, in double and in the storages that the solver and its preconditioner use.  It is built from
 * C of `m`, which methods may read too; dagger: C^+. */
typedef struct {
    const linop *in[SOLVER_STORAGES];
    const dirac_operator *d;
    const dirac_matrix *m;
    bool dagger;
} solver_operator;

/* A preconditioner: a solver, whose approximate solution of A z = v is M^-1 v. */
typedef struct { const solver_kind *kind; solver_precision precision; stop_rule stop; } solver_preconditioner;

/* The use of the links of a solve, and the result of an update of the state. */
typedef enum { LINKS_OF_REFRESH, LINKS_OF_ACTION, LINKS_OF_FORCE } solver_links;
typedef enum { STATE_KEPT, STATE_REFINED, STATE_REBUILT, STATE_UPDATES } state_update;

/* The struct of each kind begins with this one. */
struct linear_solver {
    const solver_kind *kind;
    solver_plan plan;
    linear_solver *cg;                      /* conjugate gradients of the same owner; borrowed; NULL in these */
    linear_solver *inner;                   /* of the preconditioner; NULL: none */
};

struct solver_kind {
    const char *name;                       /* in the input */
    int parameter;                          /* of the kind: l of BiCGstab(l) */
    bool square;                            /* solves with C or C^+, not with C^+C */
    bool batches_double;                    /* solves plan.systems at once in double too, not one by one */
    const solver_preconditioner *preconditioner;          /* of the same operator; NULL: none */

    /* The needs, without the needs of the preconditioner. */
    solver_needs (*bytes)(const solver_kind *kind, const solver_plan *plan);

    /* Further memory on a lattice, besides the needs; NULL: none. */
    memory_need (*lattice_bytes)(const solver_kind *kind, const solver_settings *settings, const lattice_shape *shape);

    /* Whether it can solve with an operator on a lattice; NULL: always.  False with the reason. */
    bool (*is_possible)(const solver_settings *settings, const dirac_plan *plan, const lattice_shape *shape,
                        failure *f);

    /* Creates a solver with its kept vectors, like the native vector `like` in the operator's precision. */
    linear_solver *(*create)(const solver_kind *kind, const solver_plan *plan, const vec *like, linear_solver *cg);

    /* Creates the vectors of a storage with slots, like `like`; STORED_DOUBLE means the operator's precision. */
    void (*open)(linear_solver *s, stored_as in, const vec *like);
    void (*free)(linear_solver *s);

    /* Called before the first solve with new links, with the operator of this solve: keeps, refines or rebuilds the
     * state.  For LINKS_OF_REFRESH, the first links of a trajectory, it always rebuilds.  Creates the vectors of the
     * state when they are first needed, as state_row does; the workspace is closed then.  NULL: there is no state. */
    state_update (*update)(linear_solver *s, const solver_operator *a, solver_links of);

    /* The state for checkpoints: vector `index` (NULL after the last existing one); and numbers, which are read first
     * and determine which vectors exist.  Both members are NULL without state. */
    vec *(*state)(linear_solver *s, int index);
    void (*state_row)(linear_solver *s, number_row *row);

    /* Solves all tasks from their start vectors; the bits of each are those of a separate solve.  Sets `fallback` of a
     * task that does not converge to the reason, if the owner shall continue by conjugate gradients. */
    void (*solve)(linear_solver *s, const solver_operator *a, dirac_task *task, int tasks, const dirac_goal *goal);

    /* Many shifts, at most plan.systems right-hand sides; does not read goal->residual and goal->rule.  NULL: conjugate
     * gradients are used. */
    void (*solve_shifts)(linear_solver *s, const solver_operator *a, dirac_shifts_task *task, int tasks,
                         const dirac_goal *goal);

    /* Appends members about the solves since the last report to an open object; NULL: there are none. */
    void (*report)(linear_solver *s, json *j);
    /* Warnings about the same solves, before the report: each a sentence and a line feed; NULL: there are none. */
    void (*warn)(linear_solver *s, text *lines);
};

/* Each calls the function of the kind and then that of its preconditioner, so the preconditioner's vectors come last.
 * A preconditioner solves one system at a time. */
solver_needs linear_solver_needs(const solver_kind *kind, const solver_plan *plan);
memory_need linear_solver_lattice_bytes(const solver_kind *kind, const solver_settings *settings,
                                        const lattice_shape *shape);
bool linear_solver_is_possible(const solver_kind *kind, const solver_settings *settings, const dirac_plan *plan,
                               const lattice_shape *shape, failure *f);
linear_solver *linear_solver_create(const solver_kind *kind, const solver_plan *plan, const vec *like,
                                    linear_solver *cg);
void linear_solver_open(linear_solver *s, stored_as in, const vec *like);
void linear_solver_free(linear_solver *s);

/* z <- M^-1 v by the preconditioner.  z is its start vector, which multigrid_cycle does not read. */
dirac_solved linear_solver_precondition(linear_solver *s, const solver_operator *a, vec *z, const vec *v);

#endif
