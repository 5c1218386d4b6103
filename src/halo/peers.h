/* peers.h - ghosts and sums by stores into the memory of other GPUs, without the host (kernels/peer_args.h).  For ranks
 * on one machine, threads or processes, with one GPU each, if the GPUs reach each other's memory.
 *
 * A kernel that waits for another GPU must not delay work on which that GPU depends.  Therefore ranks synchronize on
 * the host before each exchange, and the driver frees no memory while there are peers (gpu/device_pool.h).  Ranks share
 * a GPU only if the user demands peers (connection.h): a waiting kernel then blocks the other ranks of the GPU until
 * the GPU switches to another process, if it does at all.  Each wait has a time limit. */
#ifndef KILN_HALO_PEERS_H
#define KILN_HALO_PEERS_H

#include "src/kernels/peer_args.h"
#include "src/lattice/field.h"

#include <stdint.h>

typedef struct peers peers;

/* The largest number of warps that pack in the launch of a hop: enough loads and stores in flight to keep NVLink busy,
 * but few enough to leave the multiprocessors to the interior. */
enum { PEERS_PACKING_WARPS = 288 };

/* For measurements of the time of exchanges: which part of each is made.  PEERS_ALL: the whole.  PEERS_OWN: ranks store
 * into their own ghosts, as if their block were periodic, and signal to each other.  PEERS_SIGNALS: they only signal.
 * PEERS_NONE: they do not wait for each other's ghosts either.  All but PEERS_ALL give wrong ghosts.  warps: in
 * place of PEERS_PACKING_WARPS; 0: as usual. */
typedef enum { PEERS_ALL, PEERS_OWN, PEERS_SIGNALS, PEERS_NONE } peers_part;
extern const char *const peers_part_names[];                /* "all", "own", ...; NULL at the end */
typedef struct { peers_part part; int warps; } peers_trial;

/* Sets the trial for peers that the calling thread creates later (initially { 0 }); it must be the same on all
 * ranks. */
void peers_try(peers_trial t);

/* The peers of a lattice, which is borrowed.  may_share: also if ranks share a GPU.  NULL with the reason if the
 * GPUs do not reach each other.  peers_create and peers_free are collective. */
peers *peers_create(lattice *l, bool may_share, failure *f);
void peers_free(peers *p);

/* addresses[rank * count + n] <- the address of field n on each neighbor, for kernels of this rank.  Collective, and a
 * barrier of the hosts; fatal if it fails. */
void peers_exchange_addresses(void **addresses, peers *p, const field *f, int count);

/* Fields of one kind whose ghosts are exchanged: the memory of field n is at addresses[stride * rank + n]. */
typedef struct { const field *f; int count; ghost_level level; void *const *addresses; int stride; } peer_fields;

/* For a kernel that does exchanges and sums itself (persistent.h): the ranks, and the arguments of one exchange.  NULL
 * if ranks share a GPU, because such kernels could keep each other from running. */
const peer_group *peers_group(const peers *p);
peer_pack_args peers_pack_args(const peers *p, const peer_fields *fields);

/* Launches a kernel that fills the ghosts of fields on other ranks, and one that waits for the ghosts of this rank. */
void peers_exchange(peers *p, const peer_fields *fields);

/* The same, in the launch of the hop that reads the ghosts.  Returns false and does nothing if the hop has no such
 * launch, or if GPUs differ: all ranks must have the same launches, because some send half spinors. */
bool peers_exchange_beside(peers *p, const peer_fields *fields, hop_beside_fn *beside, const peer_hop *hop);

/* The number of launches by peers_exchange_beside; a launch in a graph counts once. */
int64_t peers_hops_beside(const peers *p);

/* Adds the sums of a batch over all ranks, then computes its scalars. */
void peers_sum(peers *p, krylov_sum sum, const krylov_batch *b);

/* Waits for the GPU.  Fatal if a rank exceeded the time limit. */
void peers_check(const peers *p);

#endif
