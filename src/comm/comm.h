/* comm.h - the processes that hold one lattice together: ranks, and what they tell each other on the host.
 *
 * A rank is a process (MPI) or a thread of one process (comm_threads).  All ranks run the same program with the same
 * input.  A function marked "collective" is called by all ranks, in the same order; it returns when the rank may go on.
 *
 * Every rank has one world, which it enters at its start; a thread that has entered none is alone (comm_single).  A run
 * may split its ranks into groups, each of which holds lattices of its own: then the world of a rank is its group. */
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

/* Split the ranks of the world into `groups` groups of as many neighboring ranks; their number is a multiple.  From
 * then on the world of the calling thread is its group, until comm_join.  Both are collective; with one group they do
 * nothing.  Messages name a rank by its number in the whole, and its group (comm_rank_name). */
void comm_split(int groups);
void comm_join(void);
const comm *comm_whole(void);                        /* all ranks of the run: the world, unless it was split */
int comm_groups(void);                               /* how many there are, and that of the calling thread */
int comm_group(void);

int comm_rank(const comm *c);                        /* 0 .. size - 1 */
int comm_size(const comm *c);
rank_text comm_rank_name(const comm *c, int rank);   /* of a rank of c, for messages: "rank 3 (group 1)" */
bool comm_is_root(const comm *c);                    /* rank 0: it alone writes files and log lines */
int comm_local_rank(const comm *c);                  /* among those of its node: the GPU to take */
int comm_local_size(const comm *c);
int comm_node(const comm *c);                        /* its node: the first rank there */
const char *comm_kind(const comm *c);                /* "single", "threads", "mpi" */

/* ---- collective */

void comm_barrier(const comm *c);

/* The bytes of rank 0, to all. */
void comm_broadcast(const comm *c, void *data, size_t bytes);

/* all[rank][bytes] <- mine[bytes] of every rank */
void comm_gather_all(const comm *c, void *all, const void *mine, size_t bytes);

/* One shift of data: `out` goes to rank `to`, and `in` comes from rank `from`, whose shift with the same number in the
 * list goes to this rank and has in_bytes.  `to` and `from` may be this rank. */
typedef struct { int to, from; const void *out; void *in; size_t out_bytes, in_bytes; } comm_shift;

/* All shifts of a list.  All ranks give lists of the same length. */
void comm_exchange(const comm *c, const comm_shift *shift, int count);

/* ---- collective, made of those above */

/* Whether all ranks say `ok`.  If not, `f` of every rank (may be NULL) has the sentence of the first rank that does
 * not, which begins with "rank N: " (comm_rank_name) unless that is rank 0 of the run. */
bool comm_agree(const comm *c, bool ok, failure *f);

/* Whether `data` is the same on all ranks.  If not, `f` of every rank (may be NULL) names the first that differs from
 * rank 0; `what` begins the sentence: "the input", "the version of Kiln". */
bool comm_same(const comm *c, const void *data, size_t bytes, const char *what, failure *f);

/* A decision of rank 0 for all: about the clock, signals, files. */
bool comm_decide(const comm *c, bool of_root);

/* Whether any rank says so: signals may reach one rank only. */
bool comm_any(const comm *c, bool mine);

/* The number of rank 0: results of libm may differ between processors. */
double comm_number(const comm *c, double of_root);

/* ---- worlds */

/* `ranks` threads, which call body(context) each in its own world, on a stack of the size of the main thread's; returns
 * when all have returned, with the largest of their results. */
int comm_run_threads(int ranks, int (*body)(void *context), void *context);

#endif
