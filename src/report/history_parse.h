/* history_parse.h - a line of run.jsonl as numbers under titles. */
#ifndef KILN_REPORT_HISTORY_PARSE_H
#define KILN_REPORT_HISTORY_PARSE_H

#include "src/measure/measurement.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t trajectory;
    bool thermalization;                  /* accepts all */
    bool tested, accepted;         /* not thermalization, nor a sweep of heat bath: by Metropolis */
    double dh, exp_minus_dh, plaquette, polyakov;    /* polyakov: its absolute value; NaN where there is none */
    double kinetic;                /* energy of the momenta at the start; NaN if the line does not say */
    double seconds, wall;          /* record.h */
    int64_t target;                /* trajectories that the ensemble was to have then; 0 if the line does not say */
    int kept;                      /* a configuration after it: 1 yes, 0 no, -1 if the line does not say */
    bool on_device;                /* bytes went to or from a GPU */
    char time[24];                 /* when the line was written; "" if it does not say */
} history_line;

/* What a column tells of; and its title. */
typedef enum {
    COLUMN_MEASURED,               /* a headline of a measurement: "flow.charge" */
    COLUMN_FORCE_RMS,              /* of a term of the action: "quarks" */
    COLUMN_FORCE_MAX,
    COLUMN_ITERATIONS,             /* of a term's solves in a role, all fields together: "quarks action" */
    COLUMN_RESIDUAL,               /* the largest one of its fields in a role: "quarks action" */
    COLUMN_FILTERED,               /* links that the filter took care of: "quarks force filter", "quarks SVD" */
    COLUMN_LARGEST,                /* eigenvalue found: "quarks" */
    COLUMN_RANGE_END,              /* of the rational functions */
    COLUMN_CHANGES,                /* of method in mixed solves: "quarks switches" */
    COLUMN_REFRESH,                /* |S - |eta|^2| of new pseudofermions of a term: "quarks" */
    COLUMN_FAILED,                 /* a measurement that was made, by its name: 1 if it gave up, else 0 */
    COLUMN_SDC_CHECK,               /* how often two evaluations differed: "sdc_check" */
    COLUMN_TIME                    /* seconds of a timer without its children: "trajectory/dynamics/force" */
} column_kind;

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
