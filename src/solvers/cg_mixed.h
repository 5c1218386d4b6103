/* cg_mixed.h - conjugate gradients for (A + shift) x = b: iterations in low precision, results as accurate as in high
 * precision.
 *
 * M. A. Clark et al., arXiv:2302.09224: cg_mixed.c has the algorithm.  The caller gives the operator twice, in high and
 * in low precision (or format).  Reported residuals are |b - (A + shift) x| / |b| with the operator in high precision;
 * convergence is tested with them.  As everywhere in Kiln, a solve that did not converge is a result, not an error.
 * For a given tolerance and rule, all decisions during a solve depend on A, shift, b and the start vector alone, not on
 * the other systems of a batch. */
#ifndef KILN_SOLVERS_CG_MIXED_H
#define KILN_SOLVERS_CG_MIXED_H

#include "src/solvers/mixed_space.h"
#include "src/solvers/solver.h"

typedef struct {
    solve_result solve;
    mixed_record record;
    double start;                    /* the true residual of the start vector */
} mixed_result;

/* An operator in low precision.  If this precision is not sufficient, `next` is used (NULL: high precision). */
typedef struct low_system low_system;
struct low_system { const linop *op; mixed_space *space; const low_system *next; };

/* One system (A + shift) x = b; vectors are borrowed, x is written. */
typedef struct {
    vec *x;                          /* in: start vector; out: the solution, or the x with the smallest true residual */
    double shift;
    const vec *b;
    stop_rule stop;                  /* for the true residual; max_iterations limits the sum over all methods */
    const vec *direction;            /* the first search direction, in the format of `low`; NULL: the residual */
    mixed_result result;
} mixed_task;
mixed_result cg_solve_mixed(const linop *high, const low_system *low, mixed_task task, const mixed_rule *rule);

/* Solves many tasks, at most low->space->slots of them at once.  The bits of each solution are those of a separate
 * solve. */
void cg_solve_mixed_batch(const linop *high, const low_system *low, mixed_task *task, int tasks,
                          const mixed_rule *rule);

/* The result for many shifts.  All systems start from zero in a common Krylov space in low precision, until all
 * shifts but the smallest have converged there.  The system of the smallest shift continues alone, with its last
 * direction.  Then each other system whose true residual is too large continues from its current solution. */
typedef struct {
    multishift_result solve;         /* polish_iterations: sum over all systems, after the common Krylov space */
    int refined;                     /* number of systems that needed polish iterations */
    int krylov_updates;              /* replacements of the residual in the common Krylov space */
    mixed_failure krylov_failure;    /* why the common Krylov space ended early, before separate solves */
    double krylov_residual[SHIFTS_MAX];         /* true residuals after the common Krylov space */
    int refine_iterations[SHIFTS_MAX];
    mixed_record record;             /* sum over the separate solves; `last`: the latest mixed_method that any of
                                      * them reached */
} multishift_mixed_result;

/* One right-hand side.  x, x_low and p_low are arrays of `count` vectors of the caller, and are overwritten.  x_low and
 * p_low have the format of `inner`. */
typedef struct {
    const vec *b;
    const shifted *system;
    int count;
    vec *const *x, *const *x_low, *const *p_low;
    multishift_mixed_result result;
} multishift_task;

/* The method; all pointers are borrowed.  `inner`: the low precision of the common Krylov spaces; its number of slots
 * is the number of right-hand sides solved at once.  `refine`: the low precision of the separate solves.  They may be
 * the same object. */
typedef struct {
    const linop *high;
    const low_system *inner, *refine;
    const mixed_rule *rule;
    int max_iterations;              /* of the common Krylov space, and of each solve after it */
} multishift_method;
void multishift_solve_mixed_batch(const multishift_method *by, multishift_task *task, int tasks);

/* Solves the tasks in high precision alone, like multishift_solve (solver.h).  task.x_low is not used; task.p_low are
 * vectors in high precision here, overwritten with the directions. */
void multishift_solve_batch(const linop *a, multishift_task *task, int tasks, int max_iterations, bool verify,
                            cg_space *w);

/* multishift_solve_mixed_batch for one right-hand side. */
multishift_mixed_result multishift_solve_mixed(const multishift_method *by, multishift_task task);

#endif
