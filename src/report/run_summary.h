/* run_summary.h - the record of a run in a few numbers: means with the errors that autocorrelation leaves them, where
 * equilibrium begins, what a trajectory costs, and where the time goes.
 *
 * Means are of the trajectories from `from` on, without thermalization; times in trajectories. */
#ifndef KILN_REPORT_RUN_SUMMARY_H
#define KILN_REPORT_RUN_SUMMARY_H

#include "src/report/mean_curves.h"
#include "src/report/run_phases.h"
#include "src/measure/autocorrelation.h"

/* A number that lines have: `of` as in autocorrelation.h, but times in trajectories, of which only each `every`th one
 * has a value.  If one dH or exp(-dH) is not finite, their means are NaN.  Means of measurements are of the values
 * that exist, `of.count` of `made`; run_warnings.h warns where some are missing. */
typedef struct {
    const char *title;             /* "plaquette", "flow.t0": borrowed */
    correlated_mean of;
    double every;                  /* their mean distance where distances differ (run_history.h) */
    double last;                   /* NaN: it was none */
    int64_t count;                 /* values, with those of thermalization */
    int64_t made;                  /* how many values there would be if none was missing */
    const history_column *column;  /* of a measurement: its values by line */
    const mean_scale *scale;       /* not NULL: read off the mean of a curve; values are linearised about it */
} quantity;

enum { EQUILIBRIUM_LEAST = 20 };       /* trajectories, before anything can be said of it */
#define EQUILIBRIUM_SIGMAS 3

/* Equilibrium: the later one of what equilibrium_begin says of the plaquette and of the slowest measurement, from the
 * first trajectory on.  It is `found` if from there on both have means of their first and second halves that agree
 * within EQUILIBRIUM_SIGMAS errors of their difference.  It is `late` if what the means have of the time before it has
 * another mean by more than so many errors, with the deviation and the tau from there on: else it is noise that has
 * been left out. */
typedef struct { bool found, late; int64_t trajectory; const char *slowest; double apart; } equilibrium;

typedef struct {
    int64_t trajectories;          /* lines that could be read */
    int64_t last;                  /* number of the last trajectory; 0 without any */
    int64_t thermalization;               /* of them, made without Metropolis test */
    int64_t from;                  /* the first trajectory of the means */
    int64_t used;                  /* trajectories from there on */
    int64_t tested, accepted;      /* of them, by Metropolis: none in an ensemble by heat bath */
    quantity acceptance, exp_minus_dh, dh, plaquette, seconds;
    double expected_acceptance;    /* erfc(sqrt(<dH>) / 2); NaN where <dH> < 0 */
    double exp_sigmas;             /* (<exp(-dH)> - 1) / error; NaN where there is no error */
    int measured;
    quantity *measurement;         /* headlines, in the order in which they first occur; then numbers of mean curves */
    int scales;
    mean_scale *scale;
    equilibrium start;
    double wall_seconds;           /* of all trajectories */
    double accepted_seconds;       /* wall seconds of tested trajectories for each accepted one, from `from` on */
    double slowest_tau;            /* the largest tau of a measurement or the plaquette; NaN if there is none */
    const char *slowest;
    int phases;
    phase *phase;
} run_summary;

/* `from` <= 0: all but thermalization.  `extents` of the lattice; NULL: not known.  `h` outlives `s`. */
void run_summary_make(run_summary *s, const run_history *h, int64_t from, const int *extents);
void run_summary_free(run_summary *s);

/* "consistent with 1", "not consistent with 1", "too few trajectories to tell" */
enum { CONSISTENT_SIGMAS = 3 };
const char *run_summary_verdict(const run_summary *s);

#endif
