/* start_limits.h - the limits of kiln plan and kiln tune, from the sweeps over start links on, and how they report a
 * stop: as kiln run does. */
#ifndef KILN_CLI_START_LIMITS_H
#define KILN_CLI_START_LIMITS_H

#include "src/ensemble/run_limits.h"

#define BY_WALLTIME "walltime"

typedef struct {
    run_limits limits;
    bool stopped;                       /* the limits have ended the work; the same on all ranks */
    const char *by;                     /* name of the time limit in reports */
} start_limits;

/* A time limit that begins now: `seconds` of an option (NAN: not given), else that of the batch system, else none.
 * Logs the limit. */
walltime time_limit_begin(double seconds, const char *option);

/* A signal that sets `*stop`, or the end of the time; `option` gives this name to the end of its time.  `s` has a
 * pointer to itself: do not copy it. */
void start_limits_begin(start_limits *s, const volatile sig_atomic_t *stop, double seconds, const char *option);

/* Whether s->stopped: not after a failure of another kind, even if a signal has come.  If so, logs a warning, "WHY (by
 * SIGTERM)", and with `json` rank 0 prints {"end": "stopped", "by": "SIGTERM", "reason": "WHY"}.  Collective
 * (comm/comm.h). */
bool start_limits_report(const start_limits *s, const char *why, bool json);

#endif
