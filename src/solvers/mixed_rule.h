/* mixed_rule.h - the parameters of a solve in mixed precision, and its record. */
#ifndef KILN_SOLVERS_MIXED_RULE_H
#define KILN_SOLVERS_MIXED_RULE_H

#include <stdbool.h>

/* The methods, in the order in which they are tried: if one fails, the next one continues. */
typedef enum { BY_RELIABLE_UPDATES, BY_DEFECT_CORRECTION, BY_HIGH_PRECISION, MIXED_METHODS } mixed_method;
extern const char *const mixed_method_names[MIXED_METHODS];

/* Changes of the algorithm that keep the iteration in low precision close to one in high precision. */
typedef enum {
    MIXED_NAIVE = 0,                 /* reliable updates alone */
    MIXED_HIGH_SOLUTION = 1,         /* the solution is summed in high precision, from the stored directions */
    MIXED_REPROJECTION = 2,          /* a direction is made orthogonal to a residual that has been replaced */
    MIXED_POLAK_RIBIERE = 4,         /* beta for consecutive r that are not exactly orthogonal */
    MIXED_STABILIZED = 7
} mixed_refinements;

/* |r| / |b| of a solve, step by step: the iterated residuals, and also the true ones at the steps that computed
 * them. */
typedef struct { int iteration; double residual; bool is_true; } residual_seen;
typedef struct { int capacity, count; residual_seen *seen; } residual_history;

typedef struct {
    double delta;                    /* the true residual is computed when |r| has fallen by this factor */
    bool estimate;                   /* for one shift: instead of delta, the estimate of rounding errors decides
                                      * (kernels/krylov_steps.h) */
    double inner;                    /* tolerance of a cycle of defect correction */
    int refinements;
    int increases;                   /* failure if |r| increases in more successive updates than this */
    int fruitless;                   /* failure if |r| has not halved in more updates than this */
    int patience;                    /* an update is made after this many steps without one */
    mixed_method first;              /* BY_RELIABLE_UPDATES, except in studies */
    residual_history *history;       /* residuals are added to it; borrowed; NULL: none; for one system only */
} mixed_rule;
mixed_rule mixed_rule_default(void);

typedef enum {
    NO_FAILURE,
    FAILED_RESIDUAL,                 /* the true residual grows, or does not fall */
    FAILED_CURVATURE,                /* <p, A p> is not positive */
    FAILED_NUMBERS,                  /* NaN or infinity */
    FAILED_BREAKDOWN,                /* BiCGstab: a divisor is zero within rounding, also after restarts */
    MIXED_FAILURES
} mixed_failure;
extern const char *const mixed_failure_names[MIXED_FAILURES];

/* Counts and failures of a solve.  The record of many solves has the sums of their counts. */
typedef struct {
    int low_iterations, high_iterations;
    int residuals;                   /* residuals computed in high precision */
    int updates, reprojections;      /* residuals replaced by true ones; directions made orthogonal to them */
    int cycles;                      /* of defect correction */
    int switches;                    /* from one method to the next */
    int escalations;                 /* to a higher low precision */
    int fallbacks;                   /* solves by BiCGstab that conjugate gradients continued (dirac_solver.h) */
    mixed_method last;               /* the method at the end */
    mixed_failure why[MIXED_METHODS];           /* what ended each method */
    int switched_at[MIXED_METHODS];             /* iterations until then */
} mixed_record;

/* sum <- sum + one.  Keeps the first failure of each method; `last` becomes the later of the two methods. */
void mixed_record_add(mixed_record *sum, const mixed_record *one);

#endif
