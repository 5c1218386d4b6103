/* comm_mpi.h - ranks that are processes, which mpirun or srun started. */
#ifndef KILN_COMM_COMM_MPI_H
#define KILN_COMM_COMM_MPI_H

#include "src/base/error.h"

#define COMM_LIMIT_SECONDS 40.0          /* without a sign of life of a rank, after which the others give it up */

/* Enter the world of the processes that a launcher started together with this one.  MPI is not touched where it started
 * this one alone.  False with the reason if they cannot work together; a program without MPI then does nothing rather
 * than do everything as often as there are processes.
 *
 * From now on a fatal error of one rank ends all.  A rank that waits for others ends all, with a sentence, once another
 * rank of its node has given no sign of life for `limit` seconds; on other nodes the launcher notices.  The start may
 * take ten times as long (start_watch.h). */
bool comm_mpi_begin(double limit, failure *f);

/* Leave it again, if it was entered.  Collective; returns the largest status of all ranks. */
int comm_mpi_end(int status);

/* "Open MPI v4.1.4": the MPI that this process has loaded, which may be another one than the program was built with;
 * "" in a program without MPI. */
const char *comm_mpi_library(void);

#endif
