/* peers.h - ghosts and sums by stores into the memory of other GPUs, without the host (kernels/peer_args.h): the way of
 * ranks on one machine, threads or processes, with a GPU each that reach each other's memory.
 *
 * A kernel that waits for another GPU must not stand before work which that GPU's rank needs: ranks meet on the host
 * before each exchange, and while there are peers the driver frees no memory (gpu/device_pool.h).  Ranks may share a
 * GPU only if the user wants peers (connection.h): a kernel that waits then keeps others from their work until
 * the GPU turns to another process, or for ever; but each wait has a limit. */
#ifndef KILN_HALO_PEERS_H
#define KILN_HALO_PEERS_H

#include "src/kernels/peer_args.h"
#include "src/lattice/field.h"

typedef struct peers peers;

/* Those of the ranks of a lattice.  may_share: also where ranks share a GPU.  NULL with the reason where they cannot
 * work.  Collective, as is peers_free. */
peers *peers_create(lattice *l, bool may_share, failure *f);
void peers_free(peers *p);

/* Where the memory of fields is on each neighbour, seen from this rank: addresses[rank][field].  Collective: ranks
 * meet. */
void peers_exchange_addresses(void **addresses, peers *p, const field *f, int count);

/* Fields of one kind whose ghosts are exchanged: the memory of field n is at addresses[stride * rank + n]. */
typedef struct { const field *f; int count; ghost_level level; void *const *addresses; int stride; } peer_fields;

/* For a kernel that makes exchanges and sums itself (persistent.h): the ranks, NULL if they share a GPU, because such
 * kernels could keep each other from running; and the arguments of one exchange. */
const peer_group *peers_group(const peers *p);
peer_pack_args peers_pack_args(const peers *p, const peer_fields *fields);

/* The launch that fills the ghosts of fields on other ranks, and the one that waits for this rank's own ghosts. */
void peers_exchange(peers *p, const peer_fields *fields);

/* The same in the launch of the hop that reads the ghosts.  False, and nothing is done, if there is none. */
bool peers_exchange_beside(peers *p, const peer_fields *fields, hop_beside_fn *beside, const peer_hop *hop);

/* The sums of a batch over all ranks, and its scalars. */
void peers_sum(peers *p, krylov_sum sum, const krylov_batch *b);

/* Fatal if a rank did not come within the limit.  Waits for the GPU. */
void peers_check(const peers *p);

#endif
