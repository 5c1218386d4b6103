/* comm.h - the processes that hold one lattice together, called ranks, and their communication on the host.
 *
 * A rank is a process (MPI) or a thread of one process (comm_threads).  All ranks run the same program with the same
 * input.  All ranks must call functions marked "collective", in the same order; such a call returns when this rank may
 * go on.
 *
 * Every rank has one world, which it enters at its start; a thread that has entered none is a world of one rank
 * (comm_alone).  A run may split its ranks into groups, each with separate lattices: then the world of a rank is its
 * group. */
#ifndef KILN_COMM_COMM_H
#define KILN_COMM_COMM_H

#include "src/base/error.h"
#include "src/base/rank.h"

#include <stddef.h>
#include <stdint.h>

typedef struct comm comm;

/* The world of the calling thread; borrowed.  Threads that OpenMP starts do not inherit it. */
const comm *comm_world(void);
void comm_enter(const comm *world);                  /* NULL: alone */
const comm *comm_alone(void);                        /* the world of one rank */

/* comm_split divides the ranks of the world into `groups` groups of equal size, each of consecutive ranks; fatal if the
 * number of ranks is not a multiple of `groups`.  Until comm_join, the world of the calling thread is its group.  Both
 * are collective; with one group they do nothing.  Messages name a rank by its number among all ranks of the run, and
 * its group (comm_rank_name). */
void comm_split(int groups);
void comm_join(void);
const comm *comm_whole(void);                        /* all ranks of the run: the world, unless it was split */
int comm_groups(void);                               /* the number of groups; 1 if the world was not split */
int comm_group(void);                                /* the group of the calling thread, from 0 on */

int comm_rank(const comm *c);                        /* 0 .. size - 1 */
int comm_size(const comm *c);
rank_text comm_rank_name(const comm *c, int rank);   /* of a rank of c, for messages: "rank 3 (group 1)" */
bool comm_is_root(const comm *c);                    /* rank 0: it alone writes files and log lines */
int comm_local_rank(const comm *c);                  /* number among the ranks of its node, in all groups */
int comm_local_size(const comm *c);                  /* ranks of its node, in all groups */
int comm_node(const comm *c);                        /* its node, named by the first rank there, in the whole run */
const char *comm_kind(const comm *c);                /* "single", "threads", "mpi" */

/* ---- collective */

void comm_barrier(const comm *c);

/* data[bytes] of rank 0 -> data[bytes] of all ranks */
void comm_broadcast(const comm *c, void *data, size_t bytes);

/* all[rank][bytes] <- mine[bytes] of every rank */
void comm_gather_all(const comm *c, void *all, const void *mine, size_t bytes);

/* One shift of data: `out` goes to rank `to`, and `in` comes from rank `from`, whose shift with the same number in the
 * list goes to this rank and has in_bytes.  Either both of `to` and `from` are this rank, or none. */
typedef struct { int to, from; const void *out; void *in; size_t out_bytes, in_bytes; } comm_shift;

/* All shifts of a list.  All ranks give lists of the same length. */
void comm_exchange(const comm *c, const comm_shift *shift, int count);

/* ---- collective, composed of the functions above */

/* Whether `ok` is true on all ranks.  If not, `f` of every rank (may be NULL) gets the failure of the first rank
 * where it is false; the sentence begins with "rank N: " (comm_rank_name), unless that is rank 0 of the run. */
bool comm_agree(const comm *c, bool ok, failure *f);

/* Whether `data` is the same on all ranks.  If not, `f` of every rank (may be NULL) names the first rank that differs
 * from rank 0; `what` begins the sentence: "the input", "the version of Kiln". */
bool comm_same(const comm *c, const void *data, size_t bytes, const char *what, failure *f);

/* The value of rank 0, on all ranks: for decisions that depend on the clock, on signals or on files. */
bool comm_decide(const comm *c, bool of_root);

/* Whether `mine` is true on any rank: a signal may reach one rank only. */
bool comm_any(const comm *c, bool mine);

/* The number of rank 0, on all ranks: results of libm may differ between processors. */
double comm_number(const comm *c, double of_root);

/* ---- worlds */

/* Starts `ranks` threads that are the ranks of one new world; each calls body(context), on a stack of 8 MiB.  Returns
 * the largest of their results when all have returned. */
int comm_run_threads(int ranks, int (*body)(void *context), void *context);

#endif
