/* peer_args.h - ghosts and sums by stores into the memory of other GPUs: the memory that ranks share, and the arguments
 * of gpu/peer.cu.
 *
 * All ranks count exchanges and sums in the same order, in 64 bits.  An exchange is of one or more fields.  In exchange
 * n, a rank first tells its neighbors that it has read the ghosts of exchange n - 1 (`ready` n).  It stores
 * its sites into the ghosts of each neighbor that has done the same, and then sets `arrived` n there.
 * Words of sums have two places, which is enough: each sum waits for all ranks, so no rank is two sums
 * ahead.  A word travels as two numbers, each with half of its bits and the number of the sum, so that a
 * reader sees from each number alone whether it has arrived. */
#ifndef KILN_KERNELS_PEER_ARGS_H
#define KILN_KERNELS_PEER_ARGS_H

#include "src/kernels/batch_words.h"

enum { PEERS_MAX = 16 };

/* half[i]: the low 32 bits are bits 32 i .. 32 i + 31 of a word, the high 32 bits 2^31 + the number of the sum modulo
 * 2^31, never 0.  Both halves travel in one access of 16 bytes. */
typedef struct { unsigned long long half[2]; } peer_word;

/* In the memory of each rank.  Other ranks write to it: a rank at the index that is its own number. */
typedef struct {
    unsigned long long greeting[PEERS_MAX], ready[PEERS_MAX], arrived[PEERS_MAX];
    peer_word words[2][PEERS_MAX][BATCH_WORDS];
} peer_mailbox;

/* The word that a rank stores to test whether its stores arrive. */
#define PEER_GREETING(from, to) ((unsigned long long)(0x4b1d0000 + (from) * PEERS_MAX + (to)))

/* The state of one rank.  packed: blocks that have packed; done: blocks that have packed or waited, in a launch that
 * does both; failed: 1 + the rank that was not ready within the limit, after which no block waits any more; else 0. */
typedef struct { unsigned long long exchanges, sums; unsigned int packed, done; int failed; } peer_state;

/* All ranks as seen from this rank. */
typedef struct {
    peer_state *state;
    peer_mailbox *mailbox[PEERS_MAX];
    int rank, ranks;
    int neighbors, neighbor[PEERS_MAX];          /* the ranks that this rank exchanges with */
    unsigned long long limit_ns;                 /* the longest wait */
    unsigned long long stress;                   /* the seed of random delays, for tests; 0: none */
} peer_group;

/* The unit of work of a warp that packs: consecutive tiles of ghosts of one box (lattice/ghosts.h). */
typedef struct {
    int receiver;                                /* the rank that gets the ghosts */
    int levels;                                  /* bit n: exchanges of level n fill them */
    int entry;                                   /* number of the first site among all sites that are sent */
    int tiles;
    int neighbor;                                /* 2 mu: the ghosts lie beyond the upper end of the receiver in mu;
                                                  * 2 mu + 1: below its lower end; -1: beyond an edge or a corner */
    int to[2];                                   /* for each parity, the index of the first ghost, */
    int from[2];                                 /* and of the first site that is copied, if the sites are consecutive
                                                  * whole tiles here too; else -1, and then tiles is 1 */
} peer_piece;

/* Fields of one kind.  A site has `records` records of `words` words of 32 bits (site/words.h) in each slab.  warps:
 * the largest number of warps that pack in the launch of a hop. */
typedef struct {
    peer_group group;
    const int *sites;                            /* sites[parity][parity_sites]: entry by entry */
    const peer_piece *piece;
    int pieces;                                  /* of a slab, a parity and a field */
    int level, parity_sites, first_parity, parities, slabs, slab_sites, records, words, fields, warps;
    const void *from[BATCH_MAX_RHS];             /* where site 0 would lie in slab 0, here and on the other ranks */
    void *to[BATCH_MAX_RHS][PEERS_MAX];
} peer_pack_args;

/* The sums of a batch over all ranks, then its scalars. */
typedef struct { peer_group group; krylov_batch b; krylov_sum sum; } peer_sum_args;

typedef void peer_greet_fn(const peer_group *g, void *stream);
typedef void peer_pack_fn(const peer_pack_args *a, void *stream);
typedef void peer_wait_fn(const peer_group *g, void *stream);
typedef void peer_sum_fn(const peer_sum_args *a, void *stream);

/* A hop on the sites of a parity and, in the same launch, the exchange of the ghosts that it reads, up to `reach` sites
 * away.  Returns false and does nothing if there is no such launch for this lattice. */
typedef struct { const void *args; site_range range; int reach; } peer_hop;
typedef bool hop_beside_fn(const peer_hop *hop, const peer_pack_args *exchange, void *stream);

#endif
