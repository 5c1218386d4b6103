/* tune_result.h - what a tuning is asked for, and what it found. */
#ifndef KILN_TUNE_TUNE_RESULT_H
#define KILN_TUNE_TUNE_RESULT_H

#include "src/tune/tune_model.h"

typedef struct {
    double target;                         /* acceptance */
    double seconds;                        /* for all of it, about; 0: as long as it takes */
    int64_t thermalization, learn, prove;         /* trajectories */
    bool lambdas, masses, solvers;
    const lab_times *times;                /* instead of those measured; NULL: measured */
    const double *kind_costs;              /* of each fixed kind of solver, in units of that of the input; NULL:
                                            * measured */
} tune_request;

/* Where an input comes from, so that it can be read again with other values: sets of --set. */
enum { TUNE_SETS = 256, TUNE_SET_BYTES = 160 };
typedef struct { const char *path; int given; char *const *set; } tune_source;

/* A value moved and what it came to. */
typedef struct {
    char key[96];                          /* "monomials.1.determinants.0.hasenbusch.0.mass" */
    double value;                          /* tried */
    double force, force_seconds;           /* sqrt of the mean of |F|^2 a link, of the monomial; of one evaluation */
    double cost;                           /* of the best setting with it; NaN where its links could not go on */
    bool taken;
} mass_trial;
enum { MASS_TRIALS = 64 };

/* A kind of solver (solvers/solver_choice.h) of a monomial in the place of the one before. */
typedef struct {
    int term, kind, before;
    double force_seconds, refresh_seconds;   /* of one; of the refresh of all monomials */
    double relative_cost;                  /* of the best setting, in units of that with the kind before */
    bool taken;
} solver_trial;
enum { SOLVER_TRIALS = 64 };

/* A stretch of trajectories with one setting, held against what was predicted for it. */
typedef struct {
    int trajectories;
    tune_setting setting;
    tune_prediction predicted;
    double variance, variance_error;       /* <dH^2> as measured */
    double accepted, exp_minus_dh, exp_error;
    bool variance_agrees, acceptance_agrees;   /* with what was predicted, within two errors */
    bool exp_agrees;                       /* <exp(-dH)> is 1 within three errors, which holds for any steps */
    bool agrees;                           /* all of these */
} tune_proof;

/* How many errors <exp(-dH)> is away from 1. */
double tune_exp_distance(const tune_proof *p);

/* The verdicts of a proof, from its numbers. */
void tune_judge(tune_proof *p);

/* Whether the acceptance that follows from the measured <dH^2>, less its error, is at least the target. */
bool tune_is_reached(const tune_proof *p, double target);

enum { TUNE_PROOFS = 3 };
typedef struct {
    int terms;
    char name[LAB_TERMS][48];
    tune_setting before, after;
    tune_prediction now, then;             /* of both, from all that was learnt */
    force_size force[LAB_TERMS];           /* rms and its scatter from trajectory to trajectory (as `max`) */
    lab_times times;
    int warmed_up, learnt;
    double plaquette;                      /* at the end of thermalization */
    double order;                          /* of dH in the outermost step, of one start; NaN: not measured */
    int64_t order_steps[2];
    double order_dh[2];
    double slope, slope_error;             /* of measured dH over the prediction of second order, in `learn` */
    int trials;
    mass_trial trial[MASS_TRIALS];
    int solver_trials;
    solver_trial solver_trial[SOLVER_TRIALS];
    int sets;                              /* masses and solvers that were taken, as --set takes them */
    char set[MASS_TRIALS][TUNE_SET_BYTES];
    int proofs;
    tune_proof proof[TUNE_PROOFS];
    bool reached;                          /* the target is reached, as predicted and within errors as measured */
    bool in_time;                          /* nothing was left out for lack of time */
    double took;
} tune_result;

#endif
