/* replica_groups.h - replicas of tempering on groups of ranks (comm_split): what travels between the groups.
 *
 *     kiln run --ranks 8 --replica-groups 4        four groups of two ranks; each updates a quarter of the replicas
 *
 * A seat is memory for the links of one replica.  With G groups, seat s belongs to group s mod G, and seat s < G is the
 * gauge field `u` of the run in group s.  Seat 0, in group 0, always has the periodic replica, which group 0 measures
 * and saves.  In a swap of two other replicas, the replicas exchange their seats, and no links travel.
 *
 * Group 0 controls the run.  The others wait for its orders: to make a trajectory together; or to send (ORDER_GET) or
 * receive (ORDER_PUT) the links of a seat, when group 0 writes or reads a checkpoint.  Before a trajectory, group 0
 * sends the data of all replicas except links, so the other groups keep only links between trajectories.
 *
 * All groups have the same grid of ranks, so each rank sends links to the rank with the same block of the lattice. */
#ifndef KILN_HMC_REPLICA_GROUPS_H
#define KILN_HMC_REPLICA_GROUPS_H

#include "src/hmc/run_params.h"

typedef enum { ORDER_END, ORDER_TRAJECTORY, ORDER_GET, ORDER_PUT } replica_order_kind;
typedef struct { replica_order_kind kind; int seat; int64_t number; } replica_order;   /* number: of the trajectory */

/* Group 0 gives an order, other than ORDER_END, and does nothing if there is one group; the other groups wait for an
 * order.  These functions, replica_groups_end, _send and _gather are collective over all ranks of the run. */
void replica_groups_order(const replica_order *order);
replica_order replica_groups_wait(void);

/* Group 0 tells the other groups that the run has ended; no order may follow. */
void replica_groups_end(void);

/* The group of a seat, and whether it is that of the calling rank. */
int replica_groups_of(int seat);
bool replica_groups_here(int seat);

/* The number of replicas in the largest group if there are `replicas` in all; also for a run that grid_pretend
 * describes. */
int replica_groups_most(int replicas);

/* False with the reason if the replicas of a run cannot be on these groups (grid_groups_here). */
bool replica_groups_check(const run_params *p, failure *f);

/* "8 replicas in 4 groups of 2 ranks, 2 in each (group 0: ranks 0-1, ..., group 3: ranks 6-7)"; ranks: of all
 * groups. */
typedef struct { char s[256]; } replica_groups_text;
replica_groups_text replica_groups_to_text(const run_params *p, int ranks);

/* Exchange links between group 0 and `group`: this rank sends `from` and receives into `to`; NULL: nothing is sent or
 * received.  The two must not overlap.  If one group sends, the other must receive.  Ranks of other groups call it with
 * both NULL. */
void replica_groups_send(gauge *to, const gauge *from, int group);

/* Bytes of host memory of replica_groups_send for trajectories at `where`: copies of the links that a swap sends and of
 * those that it receives; 0 on the CPU.  Also for a run that grid_pretend describes. */
size_t replica_groups_host_bytes(place where, const lattice_shape *shape);

/* Returns all[group][bytes], with mine[bytes] of the first rank of each group; the caller frees it with memory_free.
 * Works for one group too. */
void *replica_groups_gather(const void *mine, size_t bytes);

#endif
