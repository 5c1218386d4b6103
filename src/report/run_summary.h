/* run_summary.h - the record of a run in a few numbers: means with errors that include autocorrelation, the beginning
 * of equilibrium, the cost of a trajectory, and the time by phase.
 *
 * Means begin with trajectory `from`, after thermalization; autocorrelation times are in trajectories. */
#ifndef KILN_REPORT_RUN_SUMMARY_H
#define KILN_REPORT_RUN_SUMMARY_H

#include "src/report/independent_cost.h"
#include "src/report/mean_curves.h"
#include "src/report/run_phases.h"
#include "src/measure/autocorrelation.h"
#include "src/measure/result_unit.h"

/* A number of the lines: `of` as in autocorrelation.h, but with times in trajectories; every `every`th trajectory has a
 * value.  If a dH or exp(-dH) is not finite, their means are NaN.  Means of measurements use the existing values,
 * `of.count` of `made`; run_warnings.h warns if some are missing. */
typedef struct {
    const char *title;             /* "plaquette", "flow.t0": borrowed */
    correlated_mean of;
    double every;                  /* the mean distance if distances differ (run_history.h) */
    double last;                   /* NaN: the last value is not a number */
    int64_t count;                 /* values, including those of thermalization */
    int64_t made;                  /* the number of values if none were missing */
    const history_column *column;  /* of a measurement: its values by line */
    const history_set *set;        /* of a measurement: its results */
    const mean_scale *scale;       /* not NULL: read off the mean of a curve; values are linearized about it */
    independent_cost cost;         /* seconds of 2 tau trajectories */
    bool beyond;                   /* the lattice is too small for it (lattice_reach.h) */
} quantity;

/* The unit of a number of a measurement, for the lattice of its results; "" if it has none. */
unit_text quantity_unit(const quantity *q);
/* mean / error of a number of a measurement whose mean is 0 in every ensemble in equilibrium; NaN for other numbers,
 * without an error, and for fewer than SERIES_LEAST values. */
double quantity_errors_from_0(const quantity *q);

enum { EQUILIBRIUM_LEAST = 20 };       /* smallest number of trajectories for a search */
#define EQUILIBRIUM_SIGMAS 3

/* Equilibrium begins at the later result of equilibrium_begin for the plaquette and for the slowest measurement, from
 * the first trajectory on.  `found`: from there on, the means of the first and second halves of both quantities agree
 * within EQUILIBRIUM_SIGMAS errors of their difference.  `late`: the means include earlier trajectories whose mean
 * differs by more than this number of errors, with the deviation and the tau from there on. */
typedef struct { bool found, late; int64_t trajectory; const char *slowest; double apart; } equilibrium;

typedef struct {
    int64_t trajectories;          /* readable lines */
    int64_t last;                  /* number of the last trajectory; without one, the number of the start */
    int64_t thermalization;        /* thermalizing trajectories */
    int64_t from;                  /* the first trajectory of the means */
    int64_t used;                  /* trajectories from there on */
    int64_t tested, accepted;      /* in the Metropolis test, from `from` on; 0 in an ensemble from heat bath */
    quantity acceptance, exp_minus_dh, dh, plaquette, seconds, joules;
    correlated_mean seconds_used, joules_used;  /* of a trajectory, from `from` on */
    double expected_acceptance;    /* erfc(sqrt(<dH>) / 2); NaN if <dH> < 0 */
    double exp_sigmas;             /* (<exp(-dH)> - 1) / error; NaN without an error */
    int measured, listed;          /* the first `listed` ones are for lists of numbers */
    quantity *measurement;         /* headlines, in the order in which they first occur; then numbers of mean curves;
                                    * then of tables with `many` (measurement.h) */
    int scales;
    mean_scale *scale;
    equilibrium start;
    double wall_seconds;           /* of all trajectories */
    double all_joules;             /* of all trajectories that have joules, `joules.of.count` of them; NaN: none has */
    double tested_seconds;         /* wall seconds of tested trajectories, from `from` on */
    double slowest_tau;            /* the largest tau of a measurement or the plaquette; NaN if there is none */
    const char *slowest;
    independent_cost slowest_cost;    /* seconds of 2 slowest_tau trajectories */
    independent_cost slowest_joules;  /* and joules; NaN if fewer than half of the trajectories of the means have any */
    int phases;
    phase *phase;
} run_summary;

/* `start`: the number before the first trajectory.  `from` <= 0: all but thermalization.  `extents` of the lattice;
 * NULL: unknown.  `h` outlives `s`. */
void run_summary_make(run_summary *s, const run_history *h, int64_t start, int64_t from, const int *extents);
void run_summary_free(run_summary *s);

/* "consistent with 1", "not consistent with 1", "too few trajectories for a test" */
enum { CONSISTENT_SIGMAS = 3 };
const char *run_summary_verdict(const run_summary *s);

#endif
