/* comm_mpi_none.c - a program that was built without MPI. */
#include "src/comm/comm_mpi.h"

#include "src/base/rank.h"
#include "src/comm/launcher.h"

bool comm_mpi_begin(double limit, failure *f)
{
    launch l;
    (void)limit;
    if (!launcher_started(&l))
        return true;
    rank_of_process(l.rank);
    return fail(f, "%s started %d processes, but this program was built without MPI: configure Kiln with --with-mpi, "
                "or start one process; to make a separate run of each process, set KILN_ALONE=1", l.name, l.size);
}

int comm_mpi_end(int status)
{
    return status;
}

const char *comm_mpi_library(void)
{
    return "";
}
