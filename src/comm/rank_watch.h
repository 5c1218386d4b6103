/* rank_watch.h - notice that another rank stands still, has ended, or is in another call, while this rank waits.
 *
 * Every process has a row in memory that it shares with the others.  A thread of each process counts in the row as long
 * as the process lives and is not stopped, however long its main thread works; the main thread writes there in which
 * call it is.  A rank that waits looks at the rows, and ends the program with a sentence if it would wait for ever. */
#ifndef KILN_COMM_RANK_WATCH_H
#define KILN_COMM_RANK_WATCH_H

#include <stddef.h>
#include <stdint.h>

/* The root of a broadcast may be some calls ahead of the others: a row has the latest calls. */
enum { WATCH_HISTORY = 64 };

/* Zero at the start.  `calls`: how many this rank has begun; `waiting`: the number of the one in which it waits, or 0;
 * `told`: in row 0, whether a rank has begun to say why all must end. */
typedef struct { _Alignas(64) _Atomic uint64_t beats, calls, waiting, told, call[WATCH_HISTORY]; } rank_row;

typedef struct rank_watch rank_watch;

/* `row` has one row for each of the `size` ranks; a rank that never counts there is not watched.  `limit`: seconds
 * without a sign of life after which a rank is given up.  `first`: what messages add to the numbers of ranks, which
 * are those of a group in the whole. */
rank_watch *rank_watch_begin(rank_row *row, int rank, int size, int first, double limit);
void rank_watch_end(rank_watch *w);

/* The calls in which a rank may be. */
typedef enum { CALL_NONE, CALL_BARRIER, CALL_BROADCAST, CALL_GATHER_ALL, CALL_EXCHANGE, CALL_END } rank_call;

/* This rank begins its next call, with `amount` (bytes, shifts) the same on all ranks.  Where `w` is NULL this and the
 * functions below do nothing. */
void rank_watch_call(rank_watch *w, rank_call call, uint64_t amount);

/* Called again and again while this rank waits in its call; fatal where it would wait for ever. */
void rank_watch_poll(rank_watch *w);

/* The same while this rank waits in a call of another watch: fatal where a rank gives no sign of life. */
void rank_watch_poll_beats(rank_watch *w);

/* This rank's call is done; fatal if the next rank did another one. */
void rank_watch_done(rank_watch *w);

/* Fatal if a rank is in another call: why an error of MPI may have happened. */
void rank_watch_compare(const rank_watch *w);

#endif
