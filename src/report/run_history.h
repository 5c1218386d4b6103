/* run_history.h - the record of a run (run.jsonl) as columns of numbers, read as it grows.
 *
 * A line is a trajectory; a column is a number with a title, which some lines may lack. */
#ifndef KILN_REPORT_RUN_HISTORY_H
#define KILN_REPORT_RUN_HISTORY_H

#include "src/base/error.h"
#include "src/base/text.h"
#include "src/ensemble/record_lines.h"
#include "src/report/history_table.h"

text history_curve_title(const history_curve *c, const char *key);     /* of a number of the curve: "flow.t0" */

/* Read the lines added since the last call (begin with { 0 }).  A record that was cut or rewritten is read from its
 * beginning.  Lines that do not continue the record by these rules are left out; a new segment reads a record with such
 * lines from its beginning.  False with the reason if there is no record; the history is then empty.  A call that reads
 * from the beginning also adds the lines to `lines`, unless it is NULL, for checks of the record. */
bool run_history_update(run_history *h, const continuity_rules *rules, record_lines *lines, const char *path,
                        failure *f);
/* The whole record of the ensemble in output.directory, by the segments there. */
bool run_history_read(run_history *h, const run_params *p, failure *f);
void run_history_free(run_history *h);

/* The column with this kind and title; NULL if there is none. */
const history_column *history_find(const run_history *h, column_kind kind, const char *title);

/* The number of values that a column would have in the lines from `from` on if none were missing: lines with a value
 * plus lines whose measurement failed.  Lines in which the number was not requested do not count: those before the
 * first value, and those after the last value except failures that follow it directly. */
int64_t history_times_made(const run_history *h, int64_t from, const history_column *c);

/* The requested number of trajectories in the newest line; `otherwise` if the line lacks it. */
int64_t history_target(const run_history *h, int64_t otherwise);

/* The number of lines that were left out. */
int64_t history_left_out(const run_history *h);

/* The number of trajectories without a line, from `start` + 1 to the last line. */
int64_t history_missing(const run_history *h, int64_t start);

/* The first line of a trajectory numbered `trajectory` or later; `count` if there is none. */
int64_t history_line_from(const run_history *h, int64_t trajectory);

/* The first line after all thermalizing trajectories of the lines from `line` on; `line` if there are none.  A segment
 * with a larger hmc.thermalization may thermalize again. */
int64_t history_line_after_thermalization(const run_history *h, int64_t line);

/* A value of every line as a series, from line `from` on.  If most neighbors are the same number `every` of
 * trajectories apart, the series has equal steps and NaN in the gaps.  Otherwise, as after a change of `every` of a
 * measurement, it has all values without gaps, and `every` is their mean distance: the error of the mean needs only the
 * sum of the autocovariances of neighbors, at any distance. */
typedef struct { int64_t length; double every; double *value; int64_t *trajectory; } history_series;
typedef double history_value(const run_history *h, int64_t line, const void *context);
history_series history_series_make(const run_history *h, int64_t from, history_value *value, const void *context);
void history_series_free(history_series *s);

/* Values for a series.  history_dh, history_exp_minus_dh and history_accepted are NaN without a Metropolis test;
 * history_column_value needs the column as its context. */
history_value history_dh, history_exp_minus_dh, history_accepted;
history_value history_plaquette, history_seconds, history_joules, history_column_value;

#endif
