/* run_watch.h - what a run does between the steps of a trajectory: mid-trajectory checkpoints, the check for silent
 * data corruption (SDC), and stops at a limit. */
#ifndef KILN_ENSEMBLE_RUN_WATCH_H
#define KILN_ENSEMBLE_RUN_WATCH_H

#include "src/comm/energy_meter.h"
#include "src/ensemble/ensemble.h"

/* What the callback between the steps of a trajectory needs to know about the run. */
typedef struct {
    ensemble *e;
    const run_limits *limits;
    walltime *time;
    clock_tree *clock;
    sdc_check_choice choice;
    bool mismatch;                     /* the SDC check has found a mismatch in this trajectory */
    failure said;                      /* the message of this mismatch */
    double began;                      /* start of the trajectory on clock_now, minus the time of earlier processes */
    energy_meter energy;               /* of the trajectory, including earlier processes */
    double kept;                       /* when a mid-trajectory checkpoint was written last, else began; clock_now */
    bool within;                       /* the callback was called in this trajectory already */
} run_watch;

/* Whether the limits of the run allow the next trajectory. */
bool run_watch_may_begin(const run_watch *w);

/* Generate the next trajectory; `resumed`: from its mid-trajectory checkpoint. */
hmc_outcome run_watch_trajectory(run_watch *w, bool resumed, clock_tree *clock);

/* After a mismatch, return to the newest confirmed state.  False after a second mismatch in the same trajectory, or
 * where that is not possible. */
bool run_watch_go_back(run_watch *w, failure *f);

#endif
