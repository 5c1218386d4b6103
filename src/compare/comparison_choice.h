/* comparison_choice.h - which of several streams gives independent configurations at the least cost, if the series are
 * long enough to decide.
 *
 * Configurations are independent after 2 tau trajectories of the observable with the largest tau, so the cost of a
 * stream is that of its most expensive observable.  The cost is known if each series of the stream is at least
 * SERIES_TAUS autocorrelation times long.  The cheapest stream replaces the first one if both costs are known, the
 * ratio is below 0.95, and the difference exceeds two combined errors (the root of the sum of their squares).  Else the
 * first one stays. */
#ifndef KILN_COMPARE_COMPARISON_CHOICE_H
#define KILN_COMPARE_COMPARISON_CHOICE_H

#include "src/report/independent_cost.h"

enum { COMPARED_STREAMS = 12, COMPARED_OBSERVABLES = 16 };

/* An observable of a stream.  Times are in trajectories, costs in the unit of the price of a trajectory. */
typedef struct {
    char title[64];
    correlated_mean of;
    independent_cost cost;
} compared_observable;

typedef struct {
    double length;                         /* of a trajectory */
    int64_t trajectories;
    correlated_mean acceptance, price;     /* of a trajectory: seconds, or counted work */
    int observables;
    compared_observable observable[COMPARED_OBSERVABLES];
} compared_stream;

typedef enum {
    STREAM_GIVEN,                          /* the first one */
    STREAM_UNKNOWN,                        /* this stream or the first one is too short */
    STREAM_OVERLAPS,                       /* the difference is within errors, or below 5 % */
    STREAM_COSTS_MORE,                     /* beyond errors */
    STREAM_COSTS_LESS
} stream_verdict;
extern const char *const stream_verdict_names[];     /* "given", "unknown", "within errors", "more", "less" */

typedef struct {
    int chosen;                            /* 0: the first one stays */
    bool apart;                            /* the prices are in seconds of different devices: nothing is relative */
    stream_verdict verdict[COMPARED_STREAMS];
    double ratio[COMPARED_STREAMS], ratio_error[COMPARED_STREAMS];     /* of the cost to that of the first; NaN */
    char why[240];
} compared_choice;

compared_choice comparison_choose(const compared_stream *stream, int count);

/* The choice if the seconds are those of different devices, such as "CPU, 1 thread, 1 rank": the first one stays. */
compared_choice comparison_choose_none(int count, const char *device, const char *other);

/* The index of the most expensive observable; -1 if no observable has a cost. */
int compared_slowest(const compared_stream *s);

/* The index of an observable whose series is shorter than SERIES_TAUS tau; -1 if there is none. */
int compared_short(const compared_stream *s);

/* The cost of an accepted unit of molecular dynamics time, price / (acceptance * length), with its error. */
independent_cost compared_unit(const compared_stream *s);

/* The same relative to another stream: the ratio of their costs if tau in units of molecular dynamics time is the same,
 * as for integrators and solvers with trajectories of one length. */
independent_cost compared_unit_ratio(const compared_stream *s, const compared_stream *to);

#endif
