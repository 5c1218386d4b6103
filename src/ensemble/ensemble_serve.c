/* ensemble_serve.c - make the trajectories of the replicas of this group, as group 0 orders. */
#include "src/ensemble/ensemble_serve.h"

#include "src/comm/comm.h"
#include "src/ensemble/failure_report.h"
#include "src/ensemble/run_limits.h"
#include "src/hmc/hmc.h"

void ensemble_serve(const run_params *p, place where, const volatile sig_atomic_t *stop)
{
    const lattice_shape shape = run_shape(p);
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    hmc *h = hmc_create(p, u);
    int64_t number;
    while (hmc_serve(h, u, &number)) {
        clock_tree clock = { 0 };
        const hmc_outcome o = hmc_trajectory(h, u, number, &clock, NULL);
        run_limits_signal(stop);                       /* run_watch_trajectory is its other side */
        if (o.failure.step != STEP_NONE)
            failure_report_make(&(failure_scene){ .params = p, .h = h, .u = hmc_links(h, u), .trajectory = number,
                                                  .failure = &o.failure });
    }
    hmc_free(h);
    gauge_free(u);
    lattice_free(l);
}
