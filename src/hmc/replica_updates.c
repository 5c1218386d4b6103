/* replica_updates.c - update replicas one after the other: all, or those of this group of ranks. */
#include "src/hmc/replica_updates.h"

#include "actions/solve_report.h"
#include "src/base/log.h"

#include <inttypes.h>
#include <math.h>

/* Those of this group, the first replica last: the report of the terms is its. */
static int update_here(hmc_outcome *o, tempering *t, hmc *h, gauge *u, int64_t number, clock_tree *clock,
                       replica_update_links *update)
{
    for (int r = tempering_replicas(t) - 1; r >= 0; r--) {
        if (!tempering_is_here(t, r))
            continue;
        const int64_t before = solve_iterations_so_far();
        gauge *links = tempering_select(t, r, u);
        *o = update(h, links, number, clock, NULL);
        if (o->failure.step != STEP_NONE)
            return r;
        if (r > 0)
            hmc_terms_forget_reports(hmc_all_terms(h));
        tempering_note(t, r, links, (replica_update){ o->accepted, o->dh, solve_iterations_so_far() - before });
    }
    return -1;
}

hmc_outcome replica_updates_make(int *failed, tempering *t, hmc *h, gauge *u, int64_t number, clock_tree *clock,
                                 replica_update_links *update)
{
    hmc_outcome o = { .interrupted = false };
    tempering_begin(t, u, number);
    *failed = update_here(&o, t, h, u, number, clock, update);
    clock_begin(clock, "swaps");
    if (tempering_share(t, failed, &o.failure)) {
        for (int r = tempering_replicas(t) - 1; r >= 0; r--)
            if (!isfinite(tempering_dh(t, r)))
                log_line(LOG_WARNING, "trajectory %" PRId64 ": dH of replica %d is not finite: the molecular dynamics "
                                      "is unstable; reduce the step size", number, r);
        tempering_end(t, u, number, clock);
    }
    clock_end(clock);
    return o;
}
