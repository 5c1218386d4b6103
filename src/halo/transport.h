/* transport.h - the ways in which ghosts and sums travel between ranks: one row of functions for each.
 *
 * A new transport is a file transport_NAME.c with its row, and a line in TRANSPORTS.  A row's functions get the state
 * that its `connect` has made for the ranks of a lattice (connection.h). */
#ifndef KILN_HALO_TRANSPORT_H
#define KILN_HALO_TRANSPORT_H

#include "src/halo/hop_launch.h"
#include "src/kernels/peer_args.h"
#include "src/lattice/lattice.h"

/* The sums of a batch at `where`, over `ranks`. */
typedef struct { place where; krylov_sum sum; const krylov_batch *batch; const comm *ranks; } rank_sum;

typedef struct transport transport;
struct transport {
    /* For messages: "ghosts and sums travel between GPUs BY VERSION (WORKS)".  `cannot` and `lacks` stand before the
     * reason of a failure: where the user has demanded this transport, and where the next one is tried. */
    const char *by, *works, *cannot, *lacks;
    const char *(*version)(void);        /* of a library; NULL: none */
    bool is_for_gpus;                    /* ranks on CPUs cannot use it */
    double iteration_seconds;            /* of a solve by two ranks, less the time of its bytes (tune/rank_speed.h) */

    /* False on all ranks, with the reason, if they cannot use it.  is_demanded: by the user, also where it is slow.
     * Collective, as is disconnect. */
    bool (*connect)(void **state, lattice *l, bool is_demanded, failure *f);
    void (*disconnect)(void *state);

    /* Fills the ghosts of a field up to a level.  Collective. */
    void (*exchange)(void *state, const field *f, ghost_level level);

    /* Ranks meet before hops that exchange these fields.  places[count * ranks] <- the addresses that launches of the
     * hops will contain; at first they are NULL. */
    void (*prepare)(void *state, void **places, const field *f, int count);

    /* Exchanges the fields of a hop and runs its kernel. */
    void (*hop)(void *state, const hop_launch *h);

    /* Adds the sums over all ranks, then computes the scalars of the batch. */
    void (*sum)(void *state, const rank_sum *s);

    /* After a loop: fatal if another rank did not come.  NULL: the functions above notice it. */
    void (*check)(void *state);

    /* Of loops on GPUs as graphs (gpu/device_loop.h).  can_repeat: whether hops and sums may be part of a graph; NULL:
     * never.  host_repeats: the host starts each pass.  The host calls graph_begin before it runs one and graph_end
     * after it; NULL: nothing to do. */
    bool (*can_repeat)(void);
    bool host_repeats;
    void (*graph_begin)(void *state), (*graph_end)(void *state);

    /* Of loops in one persistent kernel, which makes exchanges and sums itself (persistent.h): the ranks, NULL if it
     * cannot here; and the exchange of a hop.  group NULL: never. */
    const peer_group *(*group)(void *state);
    void (*exchange_inside)(void *state, const hop_launch *h, peer_pack_args *exchange);
};

/* All transports, those that are tried first before the others: row, name. */
#define TRANSPORTS(ROW)                                                                                                \
    ROW(transport_peer, "peer")                                                                                        \
    ROW(transport_nccl, "nccl")                                                                                        \
    ROW(transport_host, "host")

#define TRANSPORT_DECLARED(row, name) extern const transport row;
TRANSPORTS(TRANSPORT_DECLARED)
extern const transport *const transports[];         /* NULL at the end */
extern const char *const transport_names[];         /* in the same order; NULL at the end */

const char *transport_name(const transport *t);     /* "the best" for NULL */
int transport_number(const transport *t);           /* from 1 on; 0 for NULL */

/* A name into a `const transport *`: an option's `read`. */
bool transport_read(const char *given, void *transport, failure *f);

/* The one that the environment variable KILN_TRANSPORT demands; NULL, the best that works, where it is not set. */
bool transport_from_environment(const transport **t, failure *f);

/* The one that an option demands for the calling thread; NULL, as at the start: none. */
void transport_want(const transport *t);
const transport *transport_wanted(void);

/* What holds for the calling thread: the option, else the environment.  Fatal where that has no transport's name. */
const transport *transport_here(void);

#endif
