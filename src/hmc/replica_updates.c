/* replica_updates.c - update replicas one after the other: all, or those of this group of ranks. */
#include "src/hmc/replica_updates.h"

#include "actions/solve_report.h"
#include "src/base/log.h"

#include <inttypes.h>
#include <math.h>

/* Updates the replicas of this group of ranks.  Returns -1, or the replica that failed. */
static int update_here(tempering *t, gauge *u, int64_t number, clock_tree *clock, const replica_updater *updater,
                       hmc_failure *problem)
{
    for (int r = tempering_replicas(t) - 1; r >= 0; r--) {
        if (!tempering_is_here(t, r))
            continue;
        const int64_t before = solve_iterations_so_far();
        gauge *links = tempering_select(t, r, u);
        replica_update done;
        if (!updater->make(updater->of, links, number, clock, &done, problem))
            return r;
        done.iterations = solve_iterations_so_far() - before;
        tempering_note(t, r, links, done);
    }
    return -1;
}

int replica_updates_make(tempering *t, gauge *u, int64_t number, clock_tree *clock, const replica_updater *updater,
                         hmc_failure *problem)
{
    tempering_begin(t, u, number);
    int failed = update_here(t, u, number, clock, updater, problem);
    clock_begin(clock, "swaps");
    if (tempering_share(t, &failed, problem)) {
        for (int r = tempering_replicas(t) - 1; r >= 0; r--)
            if (!isfinite(tempering_dh(t, r)))
                log_line(LOG_WARNING, "trajectory %" PRId64 ": dH of replica %d is not finite: the molecular dynamics "
                                      "is unstable; reduce the step size", number, r);
        tempering_end(t, u, number);
    }
    clock_end(clock);
    return failed;
}
