/* mixed_rule.h - how a solve in mixed precision goes on, and the record of what happened. */
#ifndef KILN_SOLVERS_MIXED_RULE_H
#define KILN_SOLVERS_MIXED_RULE_H

#include <stdbool.h>

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

#endif
