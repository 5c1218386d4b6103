/* transport.h - a transport moves ghosts and sums between ranks; it is one row of functions.
 *
 * A new transport is a file transport_NAME.c with its row, and a line in TRANSPORTS.  `connect` creates the state of
 * the transport for the ranks of a lattice (connection.h); the other functions get this state. */
#ifndef KILN_HALO_TRANSPORT_H
#define KILN_HALO_TRANSPORT_H

#include "src/halo/hop_launch.h"
#include "src/kernels/peer_args.h"
#include "src/lattice/lattice.h"

/* The sums of a batch at `where`, over `ranks`. */
typedef struct { place where; krylov_sum sum; const krylov_batch *batch; const comm *ranks; } rank_sum;

typedef struct transport transport;
struct transport {
    /* For messages: "ghosts and sums travel between GPUs BY VERSION (WORKS)".  A failure is reported as
     * `cannot` and the reason if the user demands this transport, else as `lacks` and the reason. */
    const char *by, *works, *cannot, *lacks;
    const char *(*version)(void);        /* of its library, borrowed; NULL if it has none */
    bool is_for_gpus;                    /* ranks on CPUs cannot use it */
    double iteration_seconds;            /* per iteration on two ranks: exchanges, sums, launches; not the bytes */

    /* False on all ranks, with the reason, if they cannot use the transport.  is_demanded: the user demands it, even if
     * it is slow.  connect and disconnect are collective. */
    bool (*connect)(void **state, lattice *l, bool is_demanded, failure *f);
    void (*disconnect)(void *state);

    /* Fills the ghosts of a field up to a level.  Collective. */
    void (*exchange)(void *state, const field *f, ghost_level level);

    /* Called before hops that exchange these fields.  places[ranks][count], initially NULL <- what the launches of
     * these hops need, such as addresses on other ranks (hop_launch.places).  Collective. */
    void (*prepare)(void *state, void **places, const field *f, int count);

    /* Exchanges the fields of a hop and runs its kernel. */
    void (*hop)(void *state, const hop_launch *h);

    /* Adds the sums over all ranks, then computes the scalars of the batch. */
    void (*sum)(void *state, const rank_sum *s);

    /* Called after a loop: fatal if another rank exceeded the time limit.  NULL if the functions above check this. */
    void (*check)(void *state);

    /* For loops on GPUs as graphs (gpu/device_loop.h).  can_repeat: whether hops and sums may be part of a graph;
     * NULL: never.  host_repeats: the host, not the device, starts each pass.  The host calls graph_begin before a
     * loop runs as a graph and graph_end after it, unless they are NULL. */
    bool (*can_repeat)(void);
    bool host_repeats;
    void (*graph_begin)(void *state), (*graph_end)(void *state);

    /* For loops in one persistent kernel, which does exchanges and sums itself (persistent.h).  group: the ranks, or
     * NULL if such a kernel cannot run on them; the member is NULL if it never can. */
    const peer_group *(*group)(void *state);
    void (*exchange_inside)(void *state, const hop_launch *h, peer_pack_args *exchange);
};

/* All transports, in the order in which they are tried: row, name. */
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

/* The `read` of an option: *(const transport **)transport <- the transport of this name. */
bool transport_read(const char *given, void *transport, failure *f);

/* *t <- the transport in the environment variable KILN_TRANSPORT; NULL, the best that works, if it is not set. */
bool transport_from_environment(const transport **t, failure *f);

/* Sets the choice of an option for the calling thread; NULL (initial value): no choice. */
void transport_want(const transport *t);
const transport *transport_wanted(void);

/* The choice for the calling thread: the option, else the environment.  Fatal if the variable has a wrong name. */
const transport *transport_here(void);

#endif
