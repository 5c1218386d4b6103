/* run_limits.c - a signal to any rank counts for all, and so does the clock of rank 0. */
#include "src/ensemble/run_limits.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"

bool run_limits_reached(const run_limits *l)
{
    const comm *world = comm_world();
    return comm_any(world, *l->stop || (comm_is_root(world) && !walltime_allows(&l->time, STRETCH_BEGIN)));
}

bool run_limits_fail(const run_limits *l, failure *f, const char *why)
{
    if (l && l->stopped)
        *l->stopped = true;
    return fail(f, "%s", why);
}

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
