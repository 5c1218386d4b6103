/* peer_memory.h - addresses of memory on the GPUs of other ranks, for kernels of this rank.  Ranks that are threads
 * share one address space; processes open each other's chunks of memory (gpu/device.h), each chunk once. */
#ifndef KILN_HALO_PEER_MEMORY_H
#define KILN_HALO_PEER_MEMORY_H

#include "src/comm/comm.h"

typedef struct peer_memory peer_memory;

/* Collective.  `ranks` is borrowed. */
peer_memory *peer_memory_begin(const comm *ranks);

/* Call it after the last kernel that uses the addresses, and before any rank frees the memory.  Collective. */
void peer_memory_end(peer_memory *m);

/* addresses[rank * count + i] <- the address of mine[i] of that rank, for kernels of this rank; valid only where
 * reached[rank].  mine[count]: memory of this rank; reached[ranks].  False with the reason if this rank cannot open
 * memory of another rank.  Collective. */
typedef struct { int count; void *const *mine; const bool *reached; } peer_blocks;
bool peer_memory_exchange(peer_memory *m, void **addresses, peer_blocks b, failure *f);

#endif
