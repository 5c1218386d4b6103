/* tune.h - the integrator of an input, chosen by measurement: warm up, learn, choose, prove.
 *
 *     warm up   trajectories without Metropolis test, with steps that follow dH, where links are not thermalised
 *     learn     trajectories with brackets at both ends; one start again with other steps
 *     masses    Hasenbusch masses moved one at a time: forces, second derivatives and seconds on the same links
 *     solvers   every fixed kind of solver of a monomial timed on the same links
 *     choose    the cheapest setting whose predicted acceptance reaches the target (tune_model.h)
 *     prove     trajectories with it, learnt from too; where they are not as predicted, choose and prove again
 *
 * Everything happens on links in memory. */
#ifndef KILN_TUNE_TUNE_H
#define KILN_TUNE_TUNE_H

#include "src/ensemble/links_at_hand.h"
#include "src/tune/tune_model.h"

typedef struct {
    double target;                         /* acceptance */
    double seconds;                        /* for all of it, about; 0: as long as it takes */
    int64_t warm_up, learn, prove;         /* trajectories */
    bool lambdas, masses, solvers;
    const lab_times *times;                /* instead of those measured; NULL: measured */
    const double *kind_costs;              /* of each fixed kind of solver, in units of that of the input; NULL:
                                            * measured */
} tune_wish;

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

/* A kind of solver (actions/solver_choice.h) of a monomial in the place of the one before. */
typedef struct {
    int term, kind, before;
    double force_seconds, heat_bath_seconds;   /* of one; of the heat bath of all monomials */
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

enum { TUNE_PROOFS = 3 };
typedef struct {
    int terms;
    char name[LAB_TERMS][48];
    tune_setting before, after;
    tune_prediction now, then;             /* of both, from all that was learnt */
    force_size force[LAB_TERMS];           /* rms and its scatter from trajectory to trajectory (as `max`) */
    lab_times times;
    int warmed_up, learnt;
    double plaquette;                      /* at the end of the warm-up */
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

/* Tune `in` (read from `source`) on the links u.  Progress is told as log_progress does.  False with the reason where
 * a term could not go on or `*stop` was set. */
bool tune_run(tune_result *r, const run_input *in, const tune_source *source, gauge *u, bool thermalised,
              const state_memory *memory, const tune_wish *w, const volatile sig_atomic_t *stop, failure *f);

/* Whether the acceptance that follows from the measured <dH^2>, less its error, is at least the target. */
bool tune_is_reached(const tune_proof *p, double target);

/* Whether an input can be tuned; if not, why. */
bool tune_check(const run_params *p, failure *f);

#endif
