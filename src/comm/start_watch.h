/* start_watch.h - a time limit for the start of MPI and of groups, which waits for all processes, even for one that is
 * stopped. */
#ifndef KILN_COMM_START_WATCH_H
#define KILN_COMM_START_WATCH_H

typedef struct start_watch start_watch;

/* The time limit of the start, in units of the limit of a rank (comm_mpi.h). */
#define START_LIMITS 10.0

/* Ends this process with a message, upon which the launcher ends the others, if start_watch_end is not called within
 * `limit` seconds; time in which this process itself is stopped does not count.  start_watch_end frees the watch. */
start_watch *start_watch_begin(double limit);
void start_watch_end(start_watch *w);

#endif
