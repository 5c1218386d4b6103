/* launcher.h - whether a launcher of parallel programs (mpirun, srun, ...) started this process. */
#ifndef KILN_COMM_LAUNCHER_H
#define KILN_COMM_LAUNCHER_H

#include <stdbool.h>

/* The name of the launcher; the number of this process, and how many processes the launcher started together. */
typedef struct { const char *name; int rank, size; } launch;

/* Whether a launcher started several processes together for one run, this one among them; *l then describes it.  False
 * with the environment variable KILN_ALONE=1: each process is a separate run. */
bool launcher_started(launch *l);

#endif
