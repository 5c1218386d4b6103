/* cg_mixed.h - conjugate gradients for (A + shift) x = b that do their work in a low precision, to the accuracy of a
 * high one.
 *
 * M. A. Clark et al., arXiv:2302.09224: cg_mixed.c has the algorithm.  The operator is given
 * twice, on vectors of either precision or format; wherever it matters, the one in high precision decides: residuals
 * that are told are |b - (A + shift) x| / |b| of it, and convergence is one of them.  As everywhere, a solve that did
 * not converge is a result.  What is decided on the way depends on A, shift, b and x alone. */
#ifndef KILN_SOLVERS_CG_MIXED_H
#define KILN_SOLVERS_CG_MIXED_H

#include "src/solvers/solver.h"

/* The methods, in the order in which one takes over where another fails. */
typedef enum { BY_RELIABLE_UPDATES, BY_DEFECT_CORRECTION, BY_HIGH_PRECISION, MIXED_METHODS } mixed_method;
extern const char *const mixed_method_names[MIXED_METHODS];

/* What makes the iteration in low precision follow the one in high precision. */
typedef enum {
    MIXED_NAIVE = 0,                 /* reliable updates alone */
    MIXED_HIGH_SOLUTION = 1,         /* the solution is summed in high precision, from directions as they are stored */
    MIXED_REPROJECTION = 2,          /* a direction is made orthogonal to a residual that has been replaced */
    MIXED_POLAK_RIBIERE = 4,         /* beta knows that r and r before are not quite orthogonal */
    MIXED_STABILISED = 7
} mixed_refinements;

/* |r| / |b| of a solve, step by step: iterated ones, and beside them true ones where they were computed. */
typedef struct { int iteration; double residual; bool is_true; } residual_seen;
typedef struct { int room, count; residual_seen *seen; } residual_history;

typedef struct {
    double delta;                    /* the residual is computed anew when it has fallen by so much */
    double inner;                    /* tolerance of a cycle of defect correction */
    int refinements;
    int increases;                   /* updates in a row that find a larger residual: more are a failure */
    int fruitless;                   /* updates in a row that do not halve the smallest residual: the same */
    int patience;                    /* steps without an update, after which there is one */
    mixed_method first;              /* BY_RELIABLE_UPDATES, but for studies */
    residual_history *history;       /* to be added to; borrowed, NULL: not wanted; of one system alone */
} mixed_rule;
mixed_rule mixed_rule_default(void);

typedef enum {
    NO_FAILURE,
    FAILED_RESIDUAL,                 /* the true residual grows, or does not fall */
    FAILED_CURVATURE,                /* <p, A p> is not positive */
    FAILED_NUMBERS,                  /* not numbers */
    MIXED_FAILURES
} mixed_failure;
extern const char *const mixed_failure_names[MIXED_FAILURES];

/* What happened; sums over many solves are those of their numbers. */
typedef struct {
    int low_iterations, high_iterations;
    int residuals;                   /* computed in high precision */
    int updates, reprojections;      /* residuals replaced by true ones; directions made orthogonal to them */
    int cycles;                      /* of defect correction */
    int switches;                    /* from one method to the next */
    int escalations;                 /* to a higher low precision */
    mixed_method last;               /* the method at the end */
    mixed_failure why[MIXED_METHODS];           /* what ended each method */
    int switched_at[MIXED_METHODS];             /* iterations until then */
} mixed_record;

/* sum <- sum + one; the first failure of a method stays, `last` is the latest of both. */
void mixed_record_add(mixed_record *sum, const mixed_record *one);

typedef struct {
    solve_result solve;
    mixed_record record;
    double start;                    /* the true residual of the start vector */
} mixed_result;

/* Vectors to work with: `high` is borrowed; for each of `slots` systems at work together, at most those of `high`,
 * MIXED_VECTORS like `low` are made. */
enum { MIXED_VECTORS = KRYLOV_RING + 3 };
typedef struct mixed_space mixed_space;
mixed_space *mixed_space_create(cg_space *high, const vec *low);                 /* one slot */
mixed_space *mixed_space_create_batch(cg_space *high, const vec *low, int slots);
void mixed_space_free(mixed_space *w);

/* An operator in low precision; where its numbers do not do, `next` takes over (NULL: high precision). */
typedef struct low_system low_system;
struct low_system { const linop *op; mixed_space *space; const low_system *next; };

/* x is the start vector, and the solution: of smallest true residual, if it did not converge.  Stops where the true
 * residual is at most stop.tolerance; stop.max_iterations is for all methods together. */
mixed_result cg_solve_mixed(const linop *high, const linop *low, vec *x, double shift, const vec *b, stop_rule stop,
                            const mixed_rule *rule, mixed_space *w);

/* Many of them, as many together as there are slots; each gets the numbers that it would get alone. */
typedef struct {
    vec *x;
    double shift;
    const vec *b;
    stop_rule stop;
    const vec *direction;            /* to begin with, like `low`; NULL: the residual */
    mixed_result result;
} mixed_task;
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

/* `inner` carries the common Krylov spaces, of as many right-hand sides together as it has slots, `refine` the solves
 * one by one: they may be the same.  max_iterations is for the Krylov space, and again for each of the others. */
void multishift_solve_mixed_batch(const linop *high, const low_system *inner, const low_system *refine,
                                  multishift_task *task, int tasks, int max_iterations, const mixed_rule *rule);

/* The same in high precision alone, as multishift_solve does it (solver.h): x_low is not used, p_low are directions
 * like x. */
void multishift_solve_batch(const linop *a, multishift_task *task, int tasks, int max_iterations, bool verify,
                            cg_space *w);

/* One right-hand side. */
multishift_mixed_result multishift_solve_mixed(const linop *high, low_system inner, low_system refine, vec *const *x,
                                               vec *const *x_low, vec *const *p_low, const shifted *system, int count,
                                               const vec *b, int max_iterations, const mixed_rule *rule);

#endif
