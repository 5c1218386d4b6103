/* dirac_task.h - requests and results of the solves of a Dirac operator. */
#ifndef KILN_SOLVERS_DIRAC_TASK_H
#define KILN_SOLVERS_DIRAC_TASK_H

#include "src/solvers/mixed_rule.h"
#include "src/solvers/solver.h"
#include "src/solvers/solver_choice.h"

/* The norm of the stopping rule (residual_norm.h). */
typedef enum { RESIDUAL_NORM_TWO, RESIDUAL_NORM_UNIFORM } residual_norm;
extern const char *const residual_norm_names[];             /* "two", "uniform", NULL */

/* The target of all solves of a call. */
typedef struct {
    solver_precision precision;             /* not SOLVER_ADAPTIVE */
    double residual;                        /* |r|/|b| to reach */
    residual_norm norm;                     /* of the residual; solver_kinds use the 2-norm alone */
    int max_iterations;
    bool verify;                            /* many shifts in double: also reach the true residuals */
    const mixed_rule *rule;                 /* of one shift; borrowed; NULL: mixed_rule_default, as always with many
                                             * shifts */
} dirac_goal;

typedef struct {
    bool converged, spent;                  /* spent: not converged, and no iterations are left */
    int iterations, polish_iterations;      /* polish: of separate solves after a common Krylov space */
    double residual;                        /* |r|/|b| of the solution */
    mixed_record record;
    int restarts;                           /* of BiCGstab, after breakdowns */
    mixed_failure fallback;                 /* why the method failed: conjugate gradients then continued from its x */
    int fallback_at;                        /* iterations of the method before that */
} dirac_solved;

/* One system; x: start vector, then the solution; shift: of (A + shift) x = b, 0 for methods that solve with C. */
typedef struct { vec *x; const vec *b; dirac_solved solved; double shift; } dirac_task;

/* (A + shift_k) x_k = b from zero, shifts >= 0, a tolerance for each; x_k are vectors of the caller. */
typedef struct {
    vec *const *x;
    const shifted *system;
    int count;
    const vec *b;
    multishift_result result;
    mixed_record record;
} dirac_shifts_task;

/* The result of one solve from the result of its solver. */
dirac_solved dirac_solved_of(const solve_result *solve, const mixed_record *record);

/* sum <- sum + one, for consecutive solves; does not change convergence and residual of `sum`. */
void dirac_solved_add(dirac_solved *sum, const dirac_solved *one);

#endif
