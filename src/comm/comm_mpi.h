/* comm_mpi.h - ranks that are processes, which mpirun or srun started. */
#ifndef KILN_COMM_COMM_MPI_H
#define KILN_COMM_COMM_MPI_H

#include "src/base/error.h"

#define COMM_LIMIT_SECONDS 40.0          /* default of `limit` below */

/* Enters the world of the processes that a launcher started together with this one.  Does nothing, without a call of
 * MPI, if no launcher started several processes.  False with the reason if the processes cannot work together; so too
 * in a program without MPI, where otherwise each process would make the whole run.
 *
 * From now on a fatal error of one rank ends all ranks.  A rank that waits ends all ranks with a message if another
 * rank of its node has given no sign of life for `limit` seconds; the launcher notices failures on other nodes.  The
 * start may take START_LIMITS times as long (start_watch.h). */
bool comm_mpi_begin(double limit, failure *f);

/* Leaves the world, if it was entered.  Collective; returns the largest `status` of all ranks. */
int comm_mpi_end(int status);

/* "Open MPI v4.1.4": the MPI that this process has loaded, which may differ from the one that the program was built
 * with; "" in a program without MPI.  Valid until the next call of this thread. */
const char *comm_mpi_library(void);

#endif
