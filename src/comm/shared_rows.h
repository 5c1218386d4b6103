/* shared_rows.h - memory that the processes of one node share, for rank_watch.h. */
#ifndef KILN_COMM_SHARED_ROWS_H
#define KILN_COMM_SHARED_ROWS_H

#include "src/comm/rank_watch.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct { rank_row *row; size_t bytes; } shared_rows;

/* Rows for `ranks` ranks, shared by the processes of `node`; those of other nodes stay zero.  Collective.  False on all
 * ranks of a node that has no shared memory (/dev/shm), after a warning. */
bool shared_rows_open(shared_rows *s, int ranks, MPI_Comm node);
void shared_rows_close(shared_rows *s);

#endif
