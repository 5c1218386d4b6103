/* history_table.h - the columns and curves of a record of a run.
 *
 * Results of a measurement with one name and the same settings (measurement_settings) are a set.  Columns and curves
 * show the set of the newest result of each name; other sets are set aside until their settings return. */
#ifndef KILN_REPORT_HISTORY_TABLE_H
#define KILN_REPORT_HISTORY_TABLE_H

#include "src/base/text.h"
#include "src/ensemble/record_continuity.h"
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
    int set;                       /* of its measurement; -1 if it belongs to none */
} history_column;

/* A curve of a measurement, for each line with the measurement: without points if it gave no curve. */
typedef struct { int64_t line; int count; double *x, *y; } history_points;
typedef struct {
    char *name, *label;            /* of the measurement; "(0.05)" of an item of a list, else "" */
    const result_member *of;
    int set;
    int64_t count, capacity;
    history_points *item;          /* by ascending lines; `x` may be shared with the item before */
} history_curve;

/* Results of a measurement with the same settings; trajectories of the first and last of them.  `of`: their table, NULL
 * for an unknown kind; xi: a_s/a_t that they give, else 1; anisotropic: of such a lattice (measure/result_unit.h). */
typedef struct {
    char *name, *settings;
    bool shown, anisotropic;
    int64_t results, first, last;
    const result_group *of;
    double xi;
} history_set;

typedef struct {
    int64_t count, capacity;
    history_line *line;
    int columns, column_capacity;
    history_column *column;        /* in the order in which they first occur */
    int curves, curves_with_others;
    history_curve *curve;          /* `curves` shown ones, then the ones set aside */
    int sets;
    history_set *set;
    bool torn;                     /* the last line is not complete: a writer was interrupted, or is writing */
    int64_t damaged, first_damaged;   /* other unreadable lines, and the line number of the first */
    int64_t gaps;                  /* trajectories without a line between the first line and the last one */
    int64_t changed, first_changed;   /* lines that are left out: their digests show a later change; the first one */
    int64_t passed_over;           /* changed lines since the last one that counts */
    bool checksummed;              /* lines have digests, from some line on */
    /* Lines that do not continue the lines before them are left out: for each verdict their number and the first one;
     * the newest segment that was known then. */
    struct { int64_t count, first; } left_out[LINE_VERDICTS];
    record_continuity continuity;
    uint64_t judged_by;
    /* Where reading continues, and the last line read, which shows whether the record was rewritten. */
    off_t end;
    int64_t lines_read;
    text last;
} run_history;

#endif
