/* peer_memory.h - memory on the GPUs of other ranks, as kernels of this rank reach it: ranks that are threads use one
 * address space; processes open each other's chunks of memory (gpu/device.h), each chunk once. */
#ifndef KILN_HALO_PEER_MEMORY_H
#define KILN_HALO_PEER_MEMORY_H

#include "src/comm/comm.h"

typedef struct peer_memory peer_memory;

/* Collective.  `ranks` is borrowed. */
peer_memory *peer_memory_begin(const comm *ranks);

/* After the last kernel that uses the addresses, before that memory is freed.  Collective. */
void peer_memory_end(peer_memory *m);

/* addresses[rank * count + i] <- mine[i] of every rank where reached[rank], seen from this one; those of other ranks
 * are of no use.  False with the reason if this rank cannot open memory of another.  Collective. */
typedef struct { int count; void *const *mine; const bool *reached; } peer_blocks;
bool peer_memory_exchange(peer_memory *m, void **addresses, peer_blocks b, failure *f);

#endif
