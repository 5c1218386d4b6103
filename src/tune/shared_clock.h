/* shared_clock.h - times, and whether to stop, on which all ranks agree: what they do next depends on them.
 *
 * Each function is collective in the world of the calling thread (comm/comm.h). */
#ifndef KILN_TUNE_SHARED_CLOCK_H
#define KILN_TUNE_SHARED_CLOCK_H

#include <signal.h>
#include <stdbool.h>

/* Seconds on the clock of rank 0, when the work of its device is done. */
double shared_clock_now(void);

/* A time that each rank took: that of rank 0. */
double shared_clock_seconds(double mine);

/* Whether the flag of any rank is set; `stop` may be NULL. */
bool shared_clock_stop(const volatile sig_atomic_t *stop);

#endif
