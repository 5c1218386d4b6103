/* replica_groups.h - replicas of tempering on groups of ranks (comm_split): what travels between the groups.
 *
 *     kiln run --ranks 8 --replica-groups 4        four groups of two ranks; each updates a quarter of the replicas
 *
 * A seat is memory for the links of one replica.  With G groups, seat s belongs to group s mod G, and seat s < G is the
 * gauge field `u` of the run in group s.  Seat 0, in group 0, always has the periodic replica, which group 0 measures
 * and saves.  In a swap of two other replicas, the replicas exchange their seats, and no links travel.
 *
 * Group 0 leads.  The others wait for its orders: a trajectory, which all groups make together; or links of a seat, for
 * a checkpoint.  Before a trajectory group 0 sends the numbers of all replicas, so other groups keep nothing but links.
 *
 * All groups have the same grid of ranks, so that links travel from each rank to the one with the same block. */
#ifndef KILN_HMC_REPLICA_GROUPS_H
#define KILN_HMC_REPLICA_GROUPS_H

#include "src/hmc/run_params.h"

typedef enum { ORDER_END, ORDER_TRAJECTORY, ORDER_GET, ORDER_PUT } replica_order_kind;
typedef struct { replica_order_kind kind; int seat; int64_t number; } replica_order;

/* Group 0 gives an order, other than ORDER_END; the other groups wait for one.  Like all functions below, they are
 * collective over all ranks of the run, and do nothing if there is one group. */
void replica_groups_order(const replica_order *order);
replica_order replica_groups_wait(void);

/* Group 0 tells the other groups that the run has ended; its last call. */
void replica_groups_end(void);

/* The group of a seat, and whether it is that of the calling rank. */
int replica_groups_of(int seat);
bool replica_groups_here(int seat);

/* The number of replicas in the largest group if there are `replicas` in all; also for a run that grid_pretend
 * describes. */
int replica_groups_most(int replicas);

/* False with the reason if the replicas of a run cannot be on these groups (grid_groups_here). */
bool replica_groups_check(const run_params *p, failure *f);

/* "8 replicas in 4 groups of 2 ranks, 2 in each (group 0: ranks 0-1, ..., group 3: ranks 6-7)" with so many ranks in
 * all. */
typedef struct { char s[256]; } replica_groups_text;
replica_groups_text replica_groups_words(const run_params *p, int ranks);

/* Send links between group 0 and `group`: this rank sends `from` and receives into `to`, which are different memory and
 * may be NULL; the other side has the reverse.  Ranks of other groups give NULL twice. */
void replica_groups_send(gauge *to, const gauge *from, int group);

/* Host memory of replica_groups_send for trajectories at `where`: copies of links that a swap sends and receives at the
 * same time.  Also for a run that grid_pretend describes. */
size_t replica_groups_host_bytes(place where, const lattice_shape *shape);

/* all[group][bytes] <- mine[bytes] of the first rank of each group; memory_free. */
void *replica_groups_gather(const void *mine, size_t bytes);

#endif
