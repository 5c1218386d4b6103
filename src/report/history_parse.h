/* history_parse.h - a line of run.jsonl as numbers under titles. */
#ifndef KILN_REPORT_HISTORY_PARSE_H
#define KILN_REPORT_HISTORY_PARSE_H

#include "src/report/run_history.h"

/* Callbacks for the contents of a line.  Of a measurement first COLUMN_FAILED with its name, then its headlines and
 * curves. */
typedef struct {
    void (*number)(void *out, column_kind kind, const char *title, double value);
    void (*curve)(void *out, const char *name, const measured_curve *of, curve_points points);
    void *out;
} history_listener;

/* Parse a line of a record: set `line`, and call `listener` for every other number and curve in it.  False if `text` is
 * not such a line; then nothing is called. */
bool history_parse(history_line *line, const char *text, const history_listener *listener);

#endif
