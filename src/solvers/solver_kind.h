/* solver_kind.h - a method of solving linear systems: a constant table of functions, a row of solver_kinds.h.
 *
 * A solver is what a kind has for one dirac_solver (dirac_solver.h): vectors, in every storage that its solves use.  It
 * solves with A = C^+C, or if the kind is `square` with C or C^+; the owner makes the other systems from these.  For
 * given input, what a solver does depends on numbers alone that all ranks have alike.
 *
 * Vectors lie in the workspace (lattice/workspace.h).  `kept` ones keep their numbers during a solve.  The vectors of
 * each storage, created by `open`, share memory with those of other storages, and with those of the other solvers of
 * the owner: they keep them only while the solver works in this storage. */
#ifndef KILN_SOLVERS_SOLVER_KIND_H
#define KILN_SOLVERS_SOLVER_KIND_H

#include "src/operators/dirac_operator.h"
#include "src/solvers/dirac_task.h"

typedef struct solver_kind solver_kind;
typedef struct linear_solver linear_solver;

/* What a solver is for: systems at once, and shifts of each; for each storage the number of systems at once (0: not
 * used), and whether it is the first precision of solves with many shifts, or their only one. */
typedef struct {
    int systems, shifts;
    int slots[SOLVER_STORAGES];
    bool is_krylov[SOLVER_STORAGES];
} solver_plan;

/* What a solver needs.  Numbers of vectors in the workspace, in the operator's precision or in a storage; and other
 * memory at the place of the vectors. */
typedef struct {
    int kept, working[SOLVER_STORAGES];
    memory_need other;
} solver_needs;

/* The operator of a solve, in double and in the storages of its precision.  It is made from C of `m`, which methods may
 * read as well; dagger: C^+. */
typedef struct {
    const linop *in[SOLVER_STORAGES];
    const dirac_operator *d;
    const dirac_matrix *m;
    bool dagger;
} solver_operator;

/* The struct of each kind begins with this one. */
struct linear_solver {
    const solver_kind *kind;
    solver_plan plan;
    linear_solver *cg;                             /* conjugate gradients of the same owner; borrowed; NULL in these */
};

struct solver_kind {
    const char *name;                       /* of input */
    int parameter;                          /* the kind's own: l of BiCGstab(l) */
    bool square;                            /* solves with C or C^+, not with C^+C */
    bool batches_double;                    /* solves plan.systems at once in double as well, not one by one */

    solver_needs (*bytes)(const solver_kind *kind, const solver_plan *plan);

    /* With its kept vectors, like the native vector `like` in the operator's precision. */
    linear_solver *(*create)(const solver_kind *kind, const solver_plan *plan, const vec *like, linear_solver *cg);

    /* The vectors of a storage with slots, like `like`; STORED_DOUBLE means the operator's precision. */
    void    (*open)(linear_solver *s, stored_as in, const vec *like);
    void    (*free)(linear_solver *s);

    /* Solves all tasks from their start vectors; the bits of each are those of a separate solve.  A task that does not
     * converge gets `fallback`, the reason, if the owner is to continue by conjugate gradients. */
    void    (*solve)(linear_solver *s, const solver_operator *a, dirac_task *task, int tasks, const dirac_goal *goal);

    /* Many shifts, at most plan.systems right-hand sides; goal->residual is not read.  NULL: conjugate gradients do
     * it. */
    void    (*solve_shifts)(linear_solver *s, const solver_operator *a, dirac_shifts_task *task, int tasks,
                            const dirac_goal *goal);
};

#endif
