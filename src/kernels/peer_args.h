/* peer_args.h - ghosts and sums by stores into the memory of other GPUs: what ranks show each other, and the arguments
 * of gpu/peer.cu.
 *
 * Exchanges and sums are counted, each in 64 bits, by all ranks alike.  An exchange is of one or more fields.  In
 * exchange number n a rank first tells its
 * neighbours that it has read the ghosts of the exchange before (`ready` n); it stores its sites into the ghosts of a
 * neighbour that has said so; then it raises `arrived` there.  Words of sums have two places: a rank cannot be two sums
 * ahead, since each sum waits for all. */
#ifndef KILN_KERNELS_PEER_ARGS_H
#define KILN_KERNELS_PEER_ARGS_H

#include "src/kernels/krylov_args.h"

enum { PEERS_MAX = 16, PEER_WORDS = 4 * BATCH_SUMS * BATCH_MAX_RHS };

/* In the memory of a rank; written by others, by the number of the writer. */
typedef struct {
    unsigned long long greeting[PEERS_MAX], ready[PEERS_MAX], arrived[PEERS_MAX], summed[PEERS_MAX];
    long long words[2][PEERS_MAX][PEER_WORDS];
} peer_mailbox;

/* The word by which ranks find out whether stores arrive. */
#define PEER_GREETING(from, to) ((unsigned long long)(0x4b1d0000 + (from) * PEERS_MAX + (to)))

/* A rank's own.  packed: the blocks that have packed; done: those that have packed or waited, of a launch that does
 * both; failed: 1 + the rank that did not come within the limit; then nobody waits any more. */
typedef struct { unsigned long long exchanges, sums; unsigned int packed, done; int failed; } peer_state;

/* All ranks as this one sees them. */
typedef struct {
    peer_state *state;
    peer_mailbox *mailbox[PEERS_MAX];
    int rank, ranks;
    int neighbours, neighbour[PEERS_MAX];        /* those that this rank exchanges with */
    unsigned long long limit_ns;                 /* of a wait */
    unsigned long long stress;                   /* the seed of random delays, for tests; 0: none */
} peer_group;

/* The unit of work of a warp that packs: consecutive tiles of ghosts of one box (lattice/ghosts.h).  receiver: the rank
 * that they are for; bit n of levels: exchanges of level n fill them; entry: the number of the first of their sites
 * among all that are sent; to: the index of its ghost, for each parity; from: the index here of the site that it takes,
 * if the sites of the piece are whole tiles that follow each other here too, else -1, and then there is one tile. */
typedef struct { int receiver, levels, entry, tiles, to[2], from[2]; } peer_piece;

/* Fields of one kind.  A site has `records` records of `words` words of 32 bits (site/words.h) in each slab. */
typedef struct {
    peer_group group;
    const int *sites;                            /* sites[parity][parity_sites]: entry by entry */
    const peer_piece *piece;
    int pieces;                                  /* of a slab, a parity and a field */
    int level, parity_sites, first_parity, parities, slabs, slab_sites, records, words, fields;
    const void *from[BATCH_MAX_RHS];             /* where site 0 would lie in slab 0, here and on the other ranks */
    void *to[BATCH_MAX_RHS][PEERS_MAX];
} peer_pack_args;

/* The sums of a batch over all ranks, then its scalars. */
typedef struct { peer_group group; krylov_batch b; krylov_sum sum; } peer_sum_args;

typedef void peer_greet_fn(const peer_group *g, void *stream);
typedef void peer_pack_fn(const peer_pack_args *a, void *stream);
typedef void peer_wait_fn(const peer_group *g, void *stream);
typedef void peer_sum_fn(const peer_sum_args *a, void *stream);

/* A hop on the sites of a parity and, in the same launch, the exchange of the ghosts that it reads, up to `reach` time
 * slices away; only t is split.  False, and nothing is done, if there is no such launch for this lattice. */
typedef struct { const void *args; site_range range; int reach; } peer_hop;
typedef bool hop_beside_fn(const peer_hop *hop, const peer_pack_args *exchange, void *stream);

#endif
