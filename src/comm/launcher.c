/* launcher.c - the variables that launchers set for the processes they start. */
#include "src/comm/launcher.h"

#include <stdlib.h>
#include <string.h>

/* SLURM_STEP_NUM_TASKS is set only for processes that srun starts; SLURM_NTASKS also for batch scripts. */
static const struct { const char *name, *size, *rank; } launchers[] = {
    { "mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
    { "mpiexec", "PMI_SIZE", "PMI_RANK" },
    { "mpiexec", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK" },
    { "flux run", "FLUX_JOB_SIZE", "FLUX_TASK_RANK" },
    { "srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID" },
};
enum { LAUNCHERS = sizeof launchers / sizeof *launchers };

static int number_of(const char *variable)
{
    const char *value = getenv(variable);
    return value ? atoi(value) : 0;
}

bool launcher_started(launch *l)
{
    const char *alone = getenv("KILN_ALONE");
    if (alone && strcmp(alone, "1") == 0)
        return false;
    for (int i = 0; i < LAUNCHERS; i++) {
        *l = (launch){ launchers[i].name, number_of(launchers[i].rank), number_of(launchers[i].size) };
        if (l->size > 1)
            return true;
    }
    return false;
}
