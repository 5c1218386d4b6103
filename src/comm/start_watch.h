/* start_watch.h - an end to the start of MPI, which waits for all processes, also for one that is stopped. */
#ifndef KILN_COMM_START_WATCH_H
#define KILN_COMM_START_WATCH_H

typedef struct start_watch start_watch;

/* The start takes at most so many times the limit of a rank (comm_mpi.h). */
#define START_LIMITS 10.0

/* End this process with a sentence, and so the others, if start_watch_end does not follow within `limit` seconds in
 * which this process itself is not stopped. */
start_watch *start_watch_begin(double limit);
void start_watch_end(start_watch *w);

#endif
