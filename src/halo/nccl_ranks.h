/* nccl_ranks.h - ghosts and sums by NCCL (gpu/nccl.h), for ranks with one GPU each, also on several machines.
 *
 * The host or a graph starts each exchange and each sum on the device's stream.  Every wait of the host checks the
 * communicator (gpu/device_waits.h): if another rank exceeds the time limit, this one ends the program. */
#ifndef KILN_HALO_NCCL_RANKS_H
#define KILN_HALO_NCCL_RANKS_H

#include "src/kernels/krylov_args.h"
#include "src/lattice/lattice.h"

typedef struct nccl_ranks nccl_ranks;

/* For the ranks of a lattice, which is borrowed.  may_share: try NCCL even if ranks share a GPU, which NVIDIA's library
 * refuses.  NULL on all ranks, with the reason, if a rank cannot use NCCL.  nccl_ranks_create and nccl_ranks_free are
 * collective.  Errors in the other functions are fatal. */
nccl_ranks *nccl_ranks_create(lattice *l, bool may_share, failure *f);
void nccl_ranks_free(nccl_ranks *n);
const char *nccl_ranks_version(void);                /* "2.28.9" */

/* Call it before exchanges, because the time limit begins when the first rank starts the exchange.  Collective. */
void nccl_ranks_barrier(const nccl_ranks *n);

/* Whether exchanges and sums may become part of a graph that the ranks run equally often (gpu/device_loop.h).  While a
 * graph runs, between _begin and _end, each wait of the host for the GPU has the time limit of an exchange. */
bool nccl_ranks_go_into_graphs(void);
void nccl_ranks_graph_begin(nccl_ranks *n);
void nccl_ranks_graph_end(nccl_ranks *n);

/* Sends and receives the messages of a list, between memory of GPUs. */
void nccl_ranks_exchange(nccl_ranks *n, const comm_shift *shift, int count);

/* Adds the sums of a batch over all ranks, then computes its scalars.  Collective. */
void nccl_ranks_sum(nccl_ranks *n, krylov_sum sum, const krylov_batch *b);

#endif
