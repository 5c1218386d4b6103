/* cg_mixed.h - conjugate gradients for (A + shift) x = b that do their work in a low precision, to the accuracy of a
 * high one.
 *
 * M. A. Clark et al., Maximizing the Bang Per Bit (Lattice 2022): cg_mixed.c has the algorithm.  The operator is given
 * twice, on vectors of either precision or format; wherever it matters, the one in high precision decides: residuals
 * that are told are |b - (A + shift) x| / |b| of it, and convergence is one of them.  As everywhere, a solve that did
 * not converge is a result.  What is decided on the way depends on A, shift, b and x alone. */
#ifndef KILN_SOLVERS_CG_MIXED_H
#define KILN_SOLVERS_CG_MIXED_H

#include "src/solvers/solver.h"

/* What makes the iteration in low precision follow the one in high precision. */
typedef enum {
    MIXED_NAIVE = 0,                 /* reliable updates alone */
    MIXED_HIGH_SOLUTION = 1,         /* the solution is summed in high precision, from directions as they are stored */
    MIXED_REPROJECTION = 2,          /* a direction is made orthogonal to a residual that has been replaced */
    MIXED_POLAK_RIBIERE = 4,         /* beta knows that r and r before are not quite orthogonal */
    MIXED_STABILISED = 7
} mixed_refinements;

typedef struct {
    double delta;                    /* the residual is computed anew when it has fallen by so much */
    double inner;                    /* tolerance of a cycle of defect correction */
    int refinements;
    int increases;                   /* updates in a row that find a larger residual: more are a failure */
    int fruitless;                   /* updates in a row that do not halve the smallest residual: the same */
    int patience;                    /* steps without an update, after which there is one */
} mixed_rule;
mixed_rule mixed_rule_default(void);

/* The methods, in the order in which one takes over where another fails. */
typedef enum { BY_RELIABLE_UPDATES, BY_DEFECT_CORRECTION, BY_HIGH_PRECISION, MIXED_METHODS } mixed_method;
extern const char *const mixed_method_names[MIXED_METHODS];

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
    mixed_method last;               /* the method at the end */
    mixed_failure why[MIXED_METHODS];           /* what ended each method */
    int switched_at[MIXED_METHODS];             /* iterations until then */
} mixed_record;

/* sum <- sum + one; the first failure of a method stays, `last` is the latest of both. */
void mixed_record_add(mixed_record *sum, const mixed_record *one);

typedef struct { solve_result solve; mixed_record record; } mixed_result;

/* Vectors to work with: `high` is borrowed; two vectors and a ring of MIXED_RING directions like `low` are made. */
enum { MIXED_RING = 8 };
typedef struct mixed_space mixed_space;
mixed_space *mixed_space_create(cg_space *high, const vec *low);
void mixed_space_free(mixed_space *w);

/* x is the start vector, and the solution: of smallest true residual, if it did not converge.  Stops where the true
 * residual is at most stop.tolerance; stop.max_iterations is for all methods together. */
mixed_result cg_solve_mixed(const linop *high, const linop *low, vec *x, double shift, const vec *b, stop_rule stop,
                            const mixed_rule *rule, mixed_space *w);

/* Many shifts: from zero, in low precision until only the smallest shift is left, whose system goes on with its
 * direction; then each of the others from where it is, where its true residual is too large. */
typedef struct { const linop *op; mixed_space *space; } low_system;
typedef struct {
    multishift_result solve;         /* polish_iterations: of all systems after the common Krylov space */
    int refined;                     /* systems that needed such iterations */
    int krylov_updates;              /* of the residual in the common Krylov space */
    mixed_failure krylov_failure;    /* what ended it early: all systems are then solved one by one */
    mixed_record record;             /* of the solves one by one, summed; `last`: the latest method of any */
} multishift_mixed_result;

/* `inner` carries the common Krylov space, `refine` the solves one by one: they may be the same.  x_low and p_low:
 * `count` vectors of the caller like those of `inner`, overwritten.  max_iterations is for the Krylov space, and again
 * for each of the others. */
multishift_mixed_result multishift_solve_mixed(const linop *high, low_system inner, low_system refine, vec *const *x,
                                               vec *const *x_low, vec *const *p_low, const shifted *system, int count,
                                               const vec *b, int max_iterations, const mixed_rule *rule);

#endif
