/* tune_result.h - the request and the results of a tuning. */
#ifndef KILN_TUNE_TUNE_RESULT_H
#define KILN_TUNE_TUNE_RESULT_H

#include "src/tune/left_out.h"
#include "src/tune/step_obstacle.h"

/* The relative cost below which other integrators, solvers or steps are worth a change. */
#define TUNE_GAIN 0.95

typedef struct {
    double target;                         /* acceptance */
    double seconds;                        /* approximate limit of the total time; 0: none */
    int64_t thermalization, learn, prove;  /* trajectories */
    bool lambdas, masses, solvers, schemes, residuals;
    const lab_times *times;                /* replace the measured times; NULL: measured */
    const double *kind_costs;              /* of each fixed kind of solver, relative to that of the input; NULL:
                                            * measured */
    const char *checkpoint;                /* folder from which the tuning continues; NULL: none */
    double kind_scatter;                   /* relative scatter of these costs when they are compared again */
} tune_request;

/* The origin of an input, so that it can be read again with other values of --set. */
enum { TUNE_SETS = 256, TUNE_SET_BYTES = 160 };
typedef struct { const char *path; int given; char *const *set; } tune_source;

/* A trial value of a mass and its results. */
typedef struct {
    char key[96];                          /* "monomials.1.determinants.0.hasenbusch.0.mass" */
    double value;                          /* trial value */
    double force, force_seconds;           /* sqrt of mean |F|^2 per link, of the monomial; time of one evaluation */
    double cost;                           /* of the best setting with it; NaN if it failed */
    bool chosen;
} mass_trial;
enum { MASS_TRIALS = 64 };

/* A trial of a solver kind (solvers/solver_choice.h) or method (solver_kinds.h) for a monomial. */
typedef struct {
    int term, kind, before;                /* index of the monomial; tried and present value */
    const char *key, *const *names;        /* "solver" or "method", and the names of its values */
    double force_seconds, refresh_seconds; /* of one force of the monomial; of the refresh of all monomials */
    double relative_cost;                  /* of the best setting, relative to that with the present kind */
    double error;                          /* of a repeated comparison; NaN: timed once */
    bool chosen;
} solver_trial;
enum { SOLVER_TRIALS = 64 };

/* A trial of a residual of the force of a monomial: the change of dH, rms over starts, from dH with a reference
 * residual that is much smaller. */
typedef struct {
    int term;
    double residual;
    double change, largest;                /* rms; the same plus two errors */
    double force_seconds;
    bool chosen;
} residual_trial;
enum { RESIDUAL_TRIALS = 4 * LAB_TERMS };

/* Why residuals of a monomial were not tried, or none was chosen. */
typedef struct { int term; char why[200]; } residual_note;

/* A trial of an integrator for an entry of hmc.levels: the cost of its best setting, and that of the setting before. */
typedef struct {
    int entry, integrator;
    int learned;                           /* trajectories; fewer than SERIES_LEAST are no reason to take it */
    tune_setting setting;
    double cost, error, before, before_error;               /* cost: NaN if it could not be used */
    bool chosen;
} scheme_trial;
enum { SCHEME_TRIALS = 32 };

/* Sums over the trajectories of a proof: of dH^2, dH^4, exp(-dH), exp(-2 dH), accepted ones and their seconds. */
typedef struct { double two, four, e, ee, accepted, seconds; } proof_sums;

/* Trajectories with one setting, compared with their prediction. */
typedef struct {
    int trajectories;
    proof_sums sums;
    double seconds;                        /* of a trajectory */
    tune_setting setting;
    tune_prediction predicted;
    double variance, variance_error;       /* measured <dH^2> */
    double accepted, exp_minus_dh, exp_error;
    bool variance_agrees, acceptance_agrees;   /* with the prediction, within two errors */
    bool exp_agrees;                       /* <exp(-dH)> is 1 within three errors, as for any steps */
    bool agrees;                           /* all three */
    bool enough;                           /* trajectories for a verdict: SERIES_LEAST, as for that of a record */
    bool precise;                          /* errors are small enough that agreement of <dH^2> says something */
} tune_proof;

/* <dH^2> with its error, and seconds of a trajectory, in the measurement. */
typedef struct { int trajectories; double variance, error, seconds; } tune_measurement;

/* A few trajectories with longer steps than before, because a setting that needs them may be cheaper. */
typedef struct { tune_setting setting; int trajectories; double variance, predicted; } longer_trial;
enum { LONGER_TRIALS = 4 };

/* The setting that would be the cheapest if steps had no bounds, and the bound that excludes it. */
typedef struct { tune_setting setting; tune_prediction predicted; step_obstacle why; char terms[64]; } tune_excluded;

/* The distance of <exp(-dH)> from 1 in errors. */
double tune_exp_distance(const tune_proof *p);

/* Set the numbers of a proof from its sums, and its verdicts. */
void tune_conclude_proof(tune_proof *p);

/* Set the verdicts of a proof from its numbers. */
void tune_judge(tune_proof *p);

/* Whether the acceptance from the measured <dH^2> minus its error is at least the target. */
bool tune_is_reached(const tune_proof *p, double target);

enum { TUNE_PROOFS = 12 };               /* a tuning that is continued may have more than one call makes */
typedef struct {
    int terms;
    char name[LAB_TERMS][48];
    tune_setting before, after;
    tune_prediction now, then;             /* for both settings, from all samples */
    tune_measurement measured;             /* with the setting before */
    force_size force[LAB_TERMS];           /* rms, and its scatter between trajectories (as `max`) */
    double omega[LAB_TERMS];               /* highest frequency, of each term */
    lab_times times;
    int thermalized, learned;
    double plaquette;                      /* at the end of thermalization */
    double order;                          /* of dH in the outermost step, from one start; NaN: not measured */
    int64_t order_steps[2];
    double order_dh[2];
    double slope, slope_error;             /* of measured dH over the second-order prediction, in `learn` */
    int trials_made, trials_reused;        /* measurements of this call, and of earlier ones (tune_trials.h) */
    int trials;
    mass_trial trial[MASS_TRIALS];
    int solver_trials;
    solver_trial solver_trial[SOLVER_TRIALS];
    int scheme_trials;
    scheme_trial scheme_trial[SCHEME_TRIALS];
    int residual_trials;
    residual_trial residual_trial[RESIDUAL_TRIALS];
    int residual_notes;                    /* at most one of each monomial */
    residual_note residual_note[LAB_TERMS];
    int sets;                              /* chosen masses, solvers, integrators, residuals, as values of --set */
    char set[MASS_TRIALS][TUNE_SET_BYTES];
    int longer_count;                      /* trials of longer steps */
    longer_trial longer[LONGER_TRIALS];
    tune_excluded excluded;                /* why.kind is OBSTACLE_NONE if no setting was excluded */
    int proofs;
    tune_proof proof[TUNE_PROOFS];
    double floor, floor_error;             /* part of <dH^2> that no steps reduce (tune_floor.h); 0: none found */
    bool reached;                          /* the target is reached by prediction and, if the setting was verified, by
                                            * measurement within errors */
    left_out_list left_out;                /* for lack of time */
    bool saved;                            /* there is a checkpoint of this tuning, also if tune_run fails */
    double took;
} tune_result;

/* Whether nothing was left out for lack of time. */
bool tune_in_time(const tune_result *r);

/* Set the order of dH from dH with two numbers of steps. */
void tune_conclude_order(tune_result *r);

/* Set the least-squares slope of measured dH over its second-order prediction in the trajectories of learning, and its
 * error from their scatter. */
void tune_conclude_slope(tune_result *r, const tune_model *m);

/* The error of <dH^2> from <dH^4>; a few trajectories underestimate their scatter: at least that of a normal dH. */
double tune_variance_error(double two, double four, double count);

/* The mean of the samples of a model with a setting; seconds: of those whose time is known.  If that of none is known:
 * no trajectories. */
tune_measurement tune_measurement_of(const tune_model *m, const tune_setting *s);

/* The cost of the tuned setting relative to that before, with its error from both acceptances. */
double tune_cost_ratio(const tune_result *r);
double tune_cost_ratio_error(const tune_result *r);

/* The proof of the cheapest setting whose measured <dH^2> is within errors of the least one; NULL: none has enough
 * trajectories. */
const tune_proof *tune_nearest_proof(const tune_result *r, const tune_model *m);

/* Replace a chosen setting by one that has a proof within the target and costs hardly more. */
void tune_prefer_proven(tune_setting *chosen, tune_prediction *found, const tune_result *r, const tune_model *m,
                        double target);

/* The last proof of the chosen setting; NULL: it was not verified. */
const tune_proof *tune_proof_of_choice(const tune_result *r);

#endif
