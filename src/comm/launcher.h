/* launcher.h - what started this process: a launcher of many processes (mpirun, srun, ...), or something else. */
#ifndef KILN_COMM_LAUNCHER_H
#define KILN_COMM_LAUNCHER_H

#include <stdbool.h>

/* The launcher's name, and this process's number among the processes that it started together. */
typedef struct { const char *name; int rank, size; } launch;

/* Whether a launcher started several processes together, this one among them, for one run.  False with the environment
 * variable KILN_ALONE=1: each process is a run of its own. */
bool launcher_started(launch *l);

#endif
