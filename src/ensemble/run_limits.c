/* run_limits.c - a signal to any rank counts for all. */
#include "src/ensemble/run_limits.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"

int run_limits_signal(const volatile sig_atomic_t *stop)
{
    const comm *whole = comm_whole();
    const int ranks = comm_size(whole), mine = *stop;
    int *all = memory_alloc((size_t)ranks * sizeof *all, "the signals of ranks"), found = 0;
    comm_gather_all(whole, all, &mine, sizeof mine);
    for (int r = 0; r < ranks && found == 0; r++)
        found = all[r];
    memory_free(all);
    return found;
}
