/* history_parse.h - a line of run.jsonl as numbers with titles. */
#ifndef KILN_REPORT_HISTORY_PARSE_H
#define KILN_REPORT_HISTORY_PARSE_H

#include "src/report/headlines.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t trajectory;
    bool thermalization;           /* accepted unconditionally */
    bool tested, accepted;         /* tested: with a Metropolis test (not in thermalization, not for heat bath) */
    double dh, exp_minus_dh, plaquette, polyakov;    /* polyakov: its absolute value; NaN if absent */
    double kinetic;                /* energy of the momenta at the start; NaN if the line lacks it */
    double seconds, wall;          /* record.h */
    double joules;                 /* NaN if the line lacks it */
    int64_t target;                /* requested number of trajectories at that time; 0 if the line lacks it */
    int kept;                      /* a configuration was stored: 1 yes, 0 no, -1 if the line lacks it */
    bool on_device;                /* bytes were copied to or from a GPU */
    char time[24];                 /* when the line was written; "" if the line lacks it */
} history_line;

/* The kinds of columns, with examples of titles. */
typedef enum {
    COLUMN_MEASURED,               /* a headline of a measurement: "flow.charge" */
    COLUMN_FORCE_RMS,              /* of a term of the action: "quarks" */
    COLUMN_FORCE_MAX,
    COLUMN_ITERATIONS,             /* iterations of a term in a role, summed over fields: "quarks action" */
    COLUMN_RESIDUAL,               /* largest residual of the fields of a term in a role: "quarks action" */
    COLUMN_FILTERED,               /* number of filtered links: "quarks force filter", "quarks SVD" */
    COLUMN_LARGEST,                /* eigenvalue found: "quarks" */
    COLUMN_RANGE_END,              /* of the rational functions */
    COLUMN_CHANGES,                /* of method in mixed solves: "quarks switches" */
    COLUMN_REFRESH,                /* |S - |eta|^2| of new pseudofermions of a term: "quarks" */
    COLUMN_FAILED,                 /* a measurement by its name: 1 if it failed, 0 if it succeeded */
    COLUMN_SDC_CHECK,              /* number of evaluations that differed: "sdc_check" */
    COLUMN_SWAP,                   /* of tempering, replicas r and r+1: 1 accepted, 0 rejected: "0" */
    COLUMN_UPDATE,                 /* of the update of a replica: 1 accepted, 0 rejected: "0" */
    COLUMN_ORIGIN,                 /* of tempering: the number of the links that a replica has: "0" */
    COLUMN_SET_ASIDE,              /* of a measurement with earlier settings (history_table.h) */
    COLUMN_TIME                    /* seconds of a timer without its children: "trajectory/dynamics/force" */
} column_kind;

/* What a result says of itself: `settings` are "" if the line lacks them, `results` NULL for an unknown kind; xi and
 * anisotropic as in result_unit.h. */
typedef struct { const char *settings; const result_group *results; double xi; bool anisotropic; } history_result;

/* Callbacks for the contents of a line.  For a measurement: first `result`, then COLUMN_FAILED with its name, then its
 * headlines and curves. */
typedef struct {
    void (*number)(void *out, column_kind kind, const char *title, double value);
    curve_listener *curve;
    void (*result)(void *out, const char *name, const history_result *of);
    void *out;
} history_listener;

/* Parse a line of a record: set `line`, and call the listener for every other number and curve in it.  False, without
 * calls, if the object (or NULL) is not such a line. */
bool history_parse(history_line *line, yyjson_val *object, const history_listener *listener);

#endif
