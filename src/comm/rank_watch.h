/* rank_watch.h - detects, while this rank waits, that another rank is stopped, has ended, or is in a different call.
 *
 * Every process has a row in memory that it shares with the other processes of its node.  A thread of the process
 * increments a counter in the row (the heartbeat) as long as the process lives and is not stopped; the main thread
 * writes into the row in which call it is.  A rank that waits reads the rows, and ends the program with a message if it
 * would wait for ever. */
#ifndef KILN_COMM_RANK_WATCH_H
#define KILN_COMM_RANK_WATCH_H

#include <stddef.h>
#include <stdint.h>

/* The root of a broadcast may be some calls ahead of the others, so a row has the latest WATCH_HISTORY calls. */
enum { WATCH_HISTORY = 64 };

/* Zero at the start.  `beats`: the heartbeat; `calls`: how many calls this rank has begun; `waiting`: the number of the
 * call in which it waits, or 0; `reported`: in row 0, whether a rank has begun to report why all must end. */
typedef struct { _Alignas(64) _Atomic uint64_t beats, calls, waiting, reported, call[WATCH_HISTORY]; } rank_row;

typedef struct rank_watch rank_watch;

/* row[size]: the rows of all ranks, borrowed; ranks without a heartbeat there (on other nodes) are not watched.
 * `limit`: seconds without a heartbeat after which a rank counts as lost.  `first`: the number of rank 0 of this
 * world among all ranks of the run, for messages. */
rank_watch *rank_watch_begin(rank_row *row, int rank, int size, int first, double limit);
void rank_watch_end(rank_watch *w);

/* The kinds of calls. */
typedef enum { CALL_NONE, CALL_BARRIER, CALL_BROADCAST, CALL_GATHER_ALL, CALL_EXCHANGE, CALL_END } rank_call;

/* This rank begins its next call; `amount` (bytes or shifts) must be the same on all ranks.  This function and those
 * below do nothing if `w` is NULL. */
void rank_watch_call(rank_watch *w, rank_call call, uint64_t amount);

/* To be called repeatedly while this rank waits in its call; fatal if it would wait for ever. */
void rank_watch_poll(rank_watch *w);

/* The same while this rank waits in a call of another watch: fatal if a rank has no heartbeat for `limit` seconds. */
void rank_watch_poll_beats(rank_watch *w);

/* The call of this rank is complete; fatal if the next rank made a different call. */
void rank_watch_done(rank_watch *w);

/* Fatal if a rank is in a different call, which may be the cause of an error of MPI. */
void rank_watch_compare(const rank_watch *w);

#endif
