/* shared_rows.h - memory that the processes of one node share, for rank_watch.h. */
#ifndef KILN_COMM_SHARED_ROWS_H
#define KILN_COMM_SHARED_ROWS_H

#include "src/comm/rank_watch.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct { rank_row *row; size_t bytes; } shared_rows;

/* Rows for `ranks` ranks, zeroed and shared by the processes of `node`; rows of ranks on other nodes stay zero.
 * shared_rows_close releases them.  Collective on the node.  If the node has no shared memory (/dev/shm): logs a
 * warning and returns false on all its ranks. */
bool shared_rows_open(shared_rows *s, int ranks, MPI_Comm node);
void shared_rows_close(shared_rows *s);

#endif
