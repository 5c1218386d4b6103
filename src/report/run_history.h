/* run_history.h - the record of a run (run.jsonl) as columns of numbers, read as it grows.
 *
 * A line is a trajectory; a column is a number with a title, which some lines may lack.
 *
 * Results of a measurement with one name and the same settings (measurement_settings) are a set.  Of each name, columns
 * and curves show the set of the newest result; those of the other sets are set aside until their settings return. */
#ifndef KILN_REPORT_RUN_HISTORY_H
#define KILN_REPORT_RUN_HISTORY_H

#include "src/base/error.h"
#include "src/base/text.h"
#include "src/report/history_parse.h"

#include <sys/types.h>

typedef struct {
    column_kind kind;
    char *title;
    double *value;                 /* value[line]; NaN: absent, or not a number */
    int64_t reported;              /* lines that have it, as a number or null */
    double last;                   /* the last value */
    int owner;                     /* COLUMN_MEASURED: the index of its measurement's COLUMN_FAILED; else -1 */
    int64_t first, end;            /* the first line that has it, and one after the last */
    int set;                       /* of its measurement; -1: it is no number of a measurement */
} history_column;

/* A curve of a measurement, for each line with the measurement: without points if it gave no curve. */
typedef struct { int64_t line; int count; double *x, *y; } history_points;
typedef struct {
    char *name, *label;            /* of the measurement; "(0.05)" of an item of a list, else "" */
    const measured_curve *of;
    int set;
    int64_t count, capacity;
    history_points *item;          /* by ascending lines; `x` may be shared with the item before */
} history_curve;

/* Results of a measurement with the same settings; trajectories of the first and last of them. */
typedef struct { char *name, *settings; bool shown; int64_t results, first, last; } history_set;

text history_curve_title(const history_curve *c, const char *key);     /* of a number of it: "flow.t0" */

typedef struct {
    int64_t count, capacity;
    history_line *line;
    int columns, column_capacity;
    history_column *column;        /* in the order in which they first occur */
    int curves, curves_with_others;
    history_curve *curve;          /* `curves` of them, then those that are set aside */
    int sets;
    history_set *set;
    bool torn;                     /* the last line is not complete: a writer was interrupted, or is writing */
    int64_t damaged, first_damaged;   /* other unreadable lines, and the number of the first */
    int64_t gaps;                  /* trajectories without a line between the first line and the last one */
    int64_t changed, first_changed;   /* lines changed after they were written, by their digests; the first one */
    bool sealed;                   /* lines have digests, from some line on */
    /* Where reading continues, and the last line read, which shows whether the record was rewritten. */
    off_t end;
    int64_t lines_read;
    text last;
} run_history;

/* Read the lines added since the last call (begin with { 0 }).  A record that was cut or rewritten is read from its
 * beginning.  False with the reason if there is no record; then the history is empty. */
bool run_history_update(run_history *h, const char *path, failure *f);
void run_history_free(run_history *h);

/* NULL if there is none. */
const history_column *history_find(const run_history *h, column_kind kind, const char *title);

/* The number of values that a column would have in the lines from `from` on if none were missing: lines with a value
 * plus lines whose measurement failed.  Lines in which the number was not requested do not count: those before the
 * first value, and those after the last value except failures that follow it directly. */
int64_t history_times_made(const run_history *h, int64_t from, const history_column *c);

/* The requested number of trajectories in the newest line; `otherwise` if the line does not say. */
int64_t history_target(const run_history *h, int64_t otherwise);

/* The number of trajectories without a line, from `start` + 1 to the last line. */
int64_t history_missing(const run_history *h, int64_t start);

/* The first line of a trajectory numbered `trajectory` or later; `count` if there is none. */
int64_t history_line_from(const run_history *h, int64_t trajectory);

/* A value of every line as a series, from line `from` on.  If most neighbours are the same number `every` of
 * trajectories apart, the series has equal steps and NaN in the gaps.  Otherwise, as after a change of `every` of a
 * measurement, it has the values one after the other, and `every` is their mean distance: the error of the mean needs
 * the sum of the autocovariances of neighbours, whatever their distances are. */
typedef struct { int64_t length; double every; double *value; int64_t *trajectory; } history_series;
typedef double history_value(const run_history *h, int64_t line, const void *context);
history_series history_series_make(const run_history *h, int64_t from, history_value *value, const void *context);
void history_series_free(history_series *s);

/* Values for a series.  The first ones are NaN without a Metropolis test; history_column_value takes the column as its
 * context. */
history_value history_dh, history_exp_minus_dh, history_accepted;
history_value history_plaquette, history_seconds, history_column_value;

#endif
