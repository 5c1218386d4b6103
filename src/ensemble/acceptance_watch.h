/* acceptance_watch.h - warnings about rejected trajectories: the steps are too large, or the start is far from
 * equilibrium. */
#ifndef KILN_ENSEMBLE_ACCEPTANCE_WATCH_H
#define KILN_ENSEMBLE_ACCEPTANCE_WATCH_H

#include "src/hmc/hmc.h"

/* Counts of the trajectories of this process.  Begins as { 0 }. */
typedef struct {
    int row;                            /* rejections since the last acceptance */
    bool row_reported;                  /* many in a row were reported: once in a process */
    int64_t tested, accepted;           /* after thermalization */
    int64_t reported_at;                /* `tested` at the last report of the acceptance */
    int64_t unstable;                   /* trajectories with |dH| above UNSTABLE_DH (acceptance_watch.c) */
} acceptance_watch;

/* After each trajectory: logs what is new.  A low acceptance and a large dH are reported again each time their number
 * has doubled. */
void acceptance_watch_add(acceptance_watch *w, int64_t trajectory, const hmc_outcome *o);

#endif
