/* shared_clock.h - times, and whether to stop, on which all ranks agree: what they do next depends on them.
 *
 * Each function is collective in the world of the calling thread (comm/comm.h). */
#ifndef KILN_TUNE_SHARED_CLOCK_H
#define KILN_TUNE_SHARED_CLOCK_H

#include "src/ensemble/run_limits.h"

/* Seconds on the clock of rank 0, when the work of its device is done. */
double shared_clock_now(void);

/* A time that each rank took: that of rank 0. */
double shared_clock_seconds(double mine);

/* Whether any rank has got a signal; `limits` may be NULL. */
bool shared_clock_stop(const run_limits *limits);

/* True, or at a signal false with the reason `why`, as run_limits_fail. */
bool shared_clock_goes_on(const run_limits *limits, const char *why, failure *f);

#endif
