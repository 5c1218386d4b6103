/* cg_mixed.h - conjugate gradients for (A + shift) x = b that do their work in a low precision, to the accuracy of a
 * high one.
 *
 * M. A. Clark et al., arXiv:2302.09224: cg_mixed.c has the algorithm.  The operator is given
 * twice, on vectors of either precision or format; wherever it matters, the one in high precision decides: residuals
 * that are told are |b - (A + shift) x| / |b| of it, and convergence is one of them.  As everywhere, a solve that did
 * not converge is a result.  What is decided on the way depends on A, shift, b and x alone. */
#ifndef KILN_SOLVERS_CG_MIXED_H
#define KILN_SOLVERS_CG_MIXED_H

#include "src/solvers/mixed_space.h"
#include "src/solvers/solver.h"

typedef struct {
    solve_result solve;
    mixed_record record;
    double start;                    /* the true residual of the start vector */
} mixed_result;

/* An operator in low precision; where its numbers do not do, `next` takes over (NULL: high precision). */
typedef struct low_system low_system;
struct low_system { const linop *op; mixed_space *space; const low_system *next; };

/* One system (A + shift) x = b; vectors are borrowed, x is written. */
typedef struct {
    vec *x;                          /* the start, and the solution: of smallest true residual, if not converged */
    double shift;
    const vec *b;
    stop_rule stop;                  /* by the true residual; max_iterations of all methods together */
    const vec *direction;            /* to begin with, like `low`; NULL: the residual */
    mixed_result result;
} mixed_task;
mixed_result cg_solve_mixed(const linop *high, const low_system *low, mixed_task task, const mixed_rule *rule);

/* Many of them, as many together as there are slots; each gets the numbers that it would get alone. */
void cg_solve_mixed_batch(const linop *high, const low_system *low, mixed_task *task, int tasks,
                          const mixed_rule *rule);

/* Many shifts: from zero, in low precision until only the smallest shift is left, whose system goes on with its
 * direction; then each of the others from where it is, where its true residual is too large. */
typedef struct {
    multishift_result solve;         /* polish_iterations: of all systems after the common Krylov space */
    int refined;                     /* systems that needed such iterations */
    int krylov_updates;              /* of the residual in the common Krylov space */
    mixed_failure krylov_failure;    /* what ended it early: all systems are then solved one by one */
    double krylov_residual[SHIFTS_MAX];         /* the true ones after it */
    int refine_iterations[SHIFTS_MAX];
    mixed_record record;             /* of the solves one by one, summed; `last`: the latest method of any */
} multishift_mixed_result;

/* Of one right-hand side; x, and like the vectors of `inner` x_low and p_low: `count` vectors of the caller each,
 * overwritten. */
typedef struct {
    const vec *b;
    const shifted *system;
    int count;
    vec *const *x, *const *x_low, *const *p_low;
    multishift_mixed_result result;
} multishift_task;

/* How: all borrowed.  `inner` carries the common Krylov spaces, of as many right-hand sides together
 * as it has slots, `refine` the solves one by one: they may be the same. */
typedef struct {
    const linop *high;
    const low_system *inner, *refine;
    const mixed_rule *rule;
    int max_iterations;              /* of the Krylov space, and again of each of the others */
} multishift_method;
void multishift_solve_mixed_batch(const multishift_method *by, multishift_task *task, int tasks);

/* The same in high precision alone, as multishift_solve does it (solver.h): x_low is not used, p_low are directions
 * like x. */
void multishift_solve_batch(const linop *a, multishift_task *task, int tasks, int max_iterations, bool verify,
                            cg_space *w);

/* One right-hand side. */
multishift_mixed_result multishift_solve_mixed(const multishift_method *by, multishift_task task);

#endif
