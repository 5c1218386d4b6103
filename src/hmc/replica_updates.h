/* replica_updates.h - a trajectory of tempering: the update of each replica, then the swaps. */
#ifndef KILN_HMC_REPLICA_UPDATES_H
#define KILN_HMC_REPLICA_UPDATES_H

#include "src/hmc/tempering.h"

/* make(of, ...) updates the links of one replica, and sets *done except its iterations.  False with the failure of a
 * step. */
typedef struct {
    void *of;
    bool (*make)(void *of, gauge *links, int64_t number, clock_tree *clock, replica_update *done, hmc_failure *problem);
} replica_updater;

/* Updates the replicas, replica 0 last, and then swaps.  A stop of the run waits for the end of this function, because
 * replicas have no mid-trajectory checkpoint.  Returns -1; or the replica whose update failed, without swaps.  That
 * replica stays selected in its group of ranks, and all groups have the failure in `problem`. */
int replica_updates_make(tempering *t, gauge *u, int64_t number, clock_tree *clock, const replica_updater *updater,
                         hmc_failure *problem);

#endif
