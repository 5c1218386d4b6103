/* audit_inside.h - the state of an audit, and how its parts report faults and notes. */
#ifndef KILN_AUDIT_AUDIT_INSIDE_H
#define KILN_AUDIT_AUDIT_INSIDE_H

#include "src/ensemble/ensemble_files.h"
#include "src/ensemble/record_check.h"
#include "src/hmc/run_input.h"

typedef struct {
    const char *directory;
    run_params params;                  /* of the newest segment; borrowed from `input` */
    run_input input;
    segments segments;
    int64_t *thermalization;            /* hmc.thermalization of each segment */
    record_check record;                /* the valid lines up to the newest state; a fault may be after it */
    state_files files;                  /* newest first */
    int64_t newest;                     /* trajectory of the newest state; -1 without any */
    int64_t configurations, checkpoints;          /* valid ones */
    bool known, faulty;                 /* seed and stream could be read; there is a fault */
    bool gaps;                          /* a missing configuration is a note, not a fault */
    bool short_record;                  /* a fault of the record ends its valid lines before the newest state */
    stream_fault fault;                 /* the first one */
    int others;                         /* further faults */
    stream_fault *other;                /* of these the first AUDIT_OTHERS_MAX */
    text notes;                         /* one line each: remarks that are not faults */
} audit;

/* What lines and states must agree with; after audit_parameters. */
record_rules audit_rules(const audit *a);

/* Records a fault and returns false.  After the first fault and AUDIT_OTHERS_MAX others, faults are only counted. */
enum { AUDIT_OTHERS_MAX = 49 };
bool audit_found(audit *a, const char *where, const char *what, const char *expected, const char *found,
                 const char *advice);
/* A recorded fault, 0 <= index < audit_faults(a), and their number. */
const stream_fault *audit_fault(const audit *a, int index);
int audit_faults(const audit *a);
void audit_note(audit *a, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
