/* run_summary.h - the record of a run (run.jsonl) in a few numbers. */
#ifndef KILN_CLI_RUN_SUMMARY_H
#define KILN_CLI_RUN_SUMMARY_H

#include "src/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* A mean over n values, and its error if they were independent; NaN where there are too few values. */
typedef struct { int64_t n; double value, error; } naive_mean;

/* A headline of a measurement ("flow.t0"): the mean without the warm-up, leaving out what is no number; the last value
 * (NaN: it was none), and how many there are. */
enum { MEASURED_MAX = 64 };
typedef struct { char title[80]; naive_mean mean; double last; int64_t count; } measured_value;

typedef struct {
    int64_t trajectories;          /* lines that could be read */
    int64_t last;                  /* number of the last trajectory; 0 without any */
    int64_t warm_up;               /* of them, made without Metropolis test: left out of the means but `seconds` */
    int64_t accepted;              /* of the tested ones */
    naive_mean acceptance, exp_minus_dh, dh, plaquette, seconds;
    int measured_count;            /* in the order in which they first occur; beyond MEASURED_MAX: left out */
    measured_value measured[MEASURED_MAX];
    bool torn;                     /* the last line is not complete: a writer was interrupted, or is writing */
    int64_t damaged, first_damaged;   /* other lines that are no record, and the number of the first of them */
} run_summary;

/* Read a record.  False, with the reason, if there is none. */
bool run_summary_read(run_summary *s, const char *path, failure *f);

#endif
