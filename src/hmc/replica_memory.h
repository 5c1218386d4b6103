/* replica_memory.h - the memory of the monomials between trajectories (monomial_get_memory), for each replica of
 * tempering: ranges of rational functions, which depend on the links of the replica.
 *
 * The terms have the memory of one replica at a time.  In a saved state, the memory of replica 0 is that of the terms;
 * each other replica has a list for each monomial: "replica.3.quarks.0" for the monomial with index 0 in replica 3. */
#ifndef KILN_HMC_REPLICA_MEMORY_H
#define KILN_HMC_REPLICA_MEMORY_H

#include "src/hmc/hmc_terms.h"

/* Borrows the terms.  All replicas begin with the current memory of the terms. */
typedef struct replica_memory replica_memory;
replica_memory *replica_memory_create(hmc_term_list *terms, int replicas);
void replica_memory_free(replica_memory *m);

/* save: memory of the replica <- memory of the terms.  load: memory of the terms <- memory of the replica.
 * save_to_all: memory of each replica <- memory of the terms. */
void replica_memory_save(replica_memory *m, int replica);
void replica_memory_load(replica_memory *m, int replica);
void replica_memory_save_to_all(replica_memory *m);

/* Replicas r and r + 1 exchange their memory. */
void replica_memory_exchange(replica_memory *m, int r);

/* The memory of all replicas as *bytes bytes, borrowed, to copy it to or from another rank with the same input.
 * replica_memory_bytes_of: that of one replica; replica r begins at r times its *bytes in the first. */
void *replica_memory_bytes(replica_memory *m, size_t *bytes);
void *replica_memory_bytes_of(replica_memory *m, int replica, size_t *bytes);

/* to_state adds the lists of replicas 1, 2, ... to a state; from_state reads them, and ends the program if one is
 * missing. */
void replica_memory_to_state(const replica_memory *m, state_memory *state);
void replica_memory_from_state(replica_memory *m, const state_memory *state);

/* An upper bound of the number of lists that tempering adds to a state of this run. */
int replica_memory_lists(const run_params *p);

#endif
