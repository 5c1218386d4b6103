/* run_history.h - the record of a run (run.jsonl) as columns of numbers, read as it grows.
 *
 * A line is a trajectory; a column is a number that lines have or have not, under a title. */
#ifndef KILN_REPORT_RUN_HISTORY_H
#define KILN_REPORT_RUN_HISTORY_H

#include "src/base/error.h"
#include "src/base/text.h"
#include "src/report/history_parse.h"

#include <sys/types.h>

typedef struct {
    column_kind kind;
    char *title;
    double *value;                 /* value[line]; NaN: not there, or no number */
    int64_t reported;                  /* lines that have it, as a number or null */
    double last;                   /* of them the last one */
    int owner;                     /* COLUMN_MEASURED: the index of its measurement's COLUMN_FAILED; else -1 */
    int64_t first, end;            /* the first line that has it, and the one behind the last */
} history_column;

/* A curve of a measurement, for each line in which that was made: without points where there was none. */
typedef struct { int64_t line; int count; double *x, *y; } history_points;
typedef struct {
    char *name;                    /* of the measurement */
    const measured_curve *of;
    int64_t count, capacity;
    history_points *item;          /* by ascending lines; `x` may be that of the item before */
} history_curve;

typedef struct {
    int64_t count, capacity;
    history_line *line;
    int columns, column_capacity;
    history_column *column;        /* in the order in which they first occur */
    int curves;
    history_curve *curve;
    bool torn;                     /* the last line is not complete: a writer was interrupted, or is writing */
    int64_t damaged, first_damaged;   /* other lines that are no record, and the number of the first of them */
    int64_t missing;               /* trajectories up to the last one without a line */
    int64_t changed, first_changed;   /* lines that are not what was written, by their digests; the first of them */
    bool sealed;                   /* lines have digests, from one of them on */
    /* Where reading goes on, and the last line read, by which a record that was written anew is told. */
    off_t end;
    int64_t lines_read;
    text last;
} run_history;

/* Read what is new since the last call (begin with { 0 }).  A record that was cut or written anew is read from its
 * beginning.  False with the reason if there is none; then the history is empty. */
bool run_history_update(run_history *h, const char *path, failure *f);
void run_history_free(run_history *h);

/* NULL if there is none. */
const history_column *history_find(const run_history *h, column_kind kind, const char *title);

/* How many values a column would have in the lines from `from` on if none were missing: lines with a value, or without
 * one since the measurement failed.  A measurement that is asked for a number later on, or no more, misses none: lines
 * before the first value do not count, and of those after the last one only failures that follow it directly. */
int64_t history_times_made(const run_history *h, int64_t from, const history_column *c);

/* How many trajectories the ensemble is to have, by the newest line; `otherwise` if that does not say. */
int64_t history_target(const run_history *h, int64_t otherwise);

/* The first line of a trajectory numbered `trajectory` or later; `count` if there is none. */
int64_t history_line_from(const run_history *h, int64_t trajectory);

/* A value of every line as a series, from line `from` on.  Where most neighbours are the same number `every` of
 * trajectories apart, steps are equal, and NaN stands in the gaps.  Where they are not, as after a change of `every` of
 * a measurement, the series is that of the values one behind the other and `every` their mean distance: the sum of the
 * autocovariances of neighbours is what the error of the mean needs, whatever the distances are. */
typedef struct { int64_t length; double every; double *value; int64_t *trajectory; } history_series;
typedef double history_value(const run_history *h, int64_t line, const void *context);
history_series history_series_make(const run_history *h, int64_t from, history_value *value, const void *context);
void history_series_free(history_series *s);

/* Values for it: these ignore lines without Metropolis test; that of a column takes the column as its context. */
history_value history_dh, history_exp_minus_dh, history_accepted;
history_value history_plaquette, history_seconds, history_column_value;

#endif
