/* run_limits.h - what ends a run early. */
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
    bool *ended_start;                  /* NULL, or set to true where the limits end the sweeps over the start links */
} run_limits;

/* The signal that a rank of any group of ranks (comm_whole) has got; 0: none.  Collective over them. */
int run_limits_signal(const volatile sig_atomic_t *stop);

#endif
