/* run_limits.h - signals and time limits that end a run early. */
#ifndef KILN_ENSEMBLE_RUN_LIMITS_H
#define KILN_ENSEMBLE_RUN_LIMITS_H

#include "src/ensemble/sdc_check.h"
#include "src/ensemble/walltime.h"

#include <signal.h>

/* What ends a run early, and how often it writes mid-trajectory checkpoints. */
typedef struct {
    const volatile sig_atomic_t *stop;  /* set by a signal */
    walltime time;                      /* counted from the start of the process */
    double midtrajectory_every;         /* seconds between two mid-trajectory checkpoints; < 0: only at a stop */
    const sdc_check_hook *hook;          /* NULL but in tests */
    bool *stopped;                      /* NULL, or set to true by a function that fails because of these limits
                                         * (run_limits_fail) */
} run_limits;

/* Whether a rank has received a signal, or the time is over.  Collective in comm_world. */
bool run_limits_reached(const run_limits *l);

/* For a function that ends because of the limits `l`: sets l->stopped, and returns false with the reason `why`. */
bool run_limits_fail(const run_limits *l, failure *f, const char *why);

/* The signal that a rank of any group of ranks (comm_whole) has got; 0: none.  Collective over them. */
int run_limits_signal(const volatile sig_atomic_t *stop);

#endif
