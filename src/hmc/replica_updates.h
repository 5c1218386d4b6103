/* replica_updates.h - a trajectory of tempering: the update of each replica, then the swaps. */
#ifndef KILN_HMC_REPLICA_UPDATES_H
#define KILN_HMC_REPLICA_UPDATES_H

#include "src/hmc/hmc.h"
#include "src/hmc/tempering.h"

/* How the links of one replica are updated. */
typedef hmc_outcome replica_update_links(hmc *h, gauge *u, int64_t number, clock_tree *clock,
                                         const evolve_watch *watch);

/* The outcome is that of replica 0.  Nothing interrupts a trajectory: a stop waits for all replicas, because they have
 * no mid-trajectory checkpoint.  A failure leaves its replica selected, in its group; the outcome has it in all groups,
 * and *failed is the replica (else -1). */
hmc_outcome replica_updates_make(int *failed, tempering *t, hmc *h, gauge *u, int64_t number, clock_tree *clock,
                                 replica_update_links *update);

#endif
