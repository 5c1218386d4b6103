/* replica_memory.h - what the monomials keep between trajectories (monomial_get_memory), for each replica of tempering:
 * ranges of rational functions, which belong to its links.
 *
 * The terms have the memory of one replica at a time.  In a state, the memory of replica 0 is that of the terms, and
 * the others have lists of their own, "replica.3.quarks.0" for the monomial with index 0 in replica 3. */
#ifndef KILN_HMC_REPLICA_MEMORY_H
#define KILN_HMC_REPLICA_MEMORY_H

#include "src/hmc/hmc_terms.h"

/* Borrows the terms.  All replicas begin with the memory that the terms have now. */
typedef struct replica_memory replica_memory;
replica_memory *replica_memory_create(hmc_term_list *terms, int replicas);
void replica_memory_free(replica_memory *m);

/* keep: the memory of the replica <- that of the terms.  bring: the memory of the terms <- that of the replica.
 * spread: the memory of all replicas <- that of the terms. */
void replica_memory_keep(replica_memory *m, int replica);
void replica_memory_bring(replica_memory *m, int replica);
void replica_memory_spread(replica_memory *m);

/* Replicas r and r + 1 exchange their memory. */
void replica_memory_exchange(replica_memory *m, int r);

/* The memory of all replicas as bytes, borrowed, to copy it to or from another object for the same input. */
void *replica_memory_bytes(replica_memory *m, size_t *bytes);
/* The memory of one replica as bytes, borrowed. */
void *replica_memory_bytes_of(replica_memory *m, int replica, size_t *bytes);

/* Add the lists of replicas from 1 on to a state; read them.  The state must have them all. */
void replica_memory_to_state(const replica_memory *m, state_memory *state);
void replica_memory_from_state(replica_memory *m, const state_memory *state);

/* The largest number of lists of a state of this run; its monomials may need fewer. */
int replica_memory_lists(const run_params *p);

#endif
