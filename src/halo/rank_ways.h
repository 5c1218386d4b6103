/* rank_ways.h - the way in which ghosts and sums travel between the GPUs of the ranks of a lattice (transport.h).
 *
 * It is chosen by trying, once for a lattice: peer memory; NCCL where ranks with a GPU each do not reach each other's
 * memory, as on several machines; else the host.  The log says which, and why. */
#ifndef KILN_HALO_RANK_WAYS_H
#define KILN_HALO_RANK_WAYS_H

#include "src/halo/nccl_ranks.h"
#include "src/halo/peers.h"

/* One of these, or both NULL: by way of the host. */
typedef struct { peers *peers; nccl_ranks *nccl; } rank_ways;

/* Those of a lattice, made at the first call and freed with the lattice; borrowed.  Collective.  Fatal if the user
 * wants a way that cannot work. */
const rank_ways *rank_ways_of(lattice *l);

#endif
