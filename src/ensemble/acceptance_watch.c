/* acceptance_watch.c - counts the results of Metropolis tests, and logs warnings. */
#include "src/ensemble/acceptance_watch.h"

#include "src/base/log.h"
#include "src/measure/autocorrelation.h"

#include <inttypes.h>
#include <math.h>

/* Fewer rejections in a row are chance; this many mean that the run makes no progress. */
enum { ROW_SUSPICIOUS = 5 };
/* Below, smaller steps cost less than rejected trajectories. */
#define LOW_ACCEPTANCE 0.5
/* exp(-100) is no chance to be accepted: the integrator is unstable, or passes a very small eigenvalue. */
#define UNSTABLE_DH 100

static void see_row(acceptance_watch *w, const hmc_outcome *o)
{
    w->row = o->accepted ? 0 : w->row + 1;
    if (w->row < ROW_SUSPICIOUS || w->row_reported)
        return;
    w->row_reported = true;
    log_line(LOG_WARNING, "%d trajectories rejected in a row (dH about %+.2g): reduce the step size, or raise "
                          "hmc.thermalization for a start far from equilibrium", w->row, o->dh);
}

static bool is_power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* Warns of a large |dH|.  kiln run itself reports a dH that is not finite (cli/cmd_run.c). */
static void see_dh(acceptance_watch *w, int64_t trajectory, const hmc_outcome *o)
{
    if (!isfinite(o->dh) || fabs(o->dh) <= UNSTABLE_DH || !is_power_of_two(++w->unstable))
        return;
    log_line(LOG_WARNING, "trajectory %" PRId64 ": dH %+.3g after thermalization (%s with |dH| above %d in this "
                          "run): the integrator is unstable, or the quarks have a very small eigenvalue; reduce the "
                          "step size (more steps; kiln tune chooses them)", trajectory, o->dh,
             nouns_to_text(w->unstable, "trajectory", "trajectories").s, UNSTABLE_DH);
}

static void see_acceptance(acceptance_watch *w)
{
    const double acceptance = (double)w->accepted / (double)w->tested;
    if (w->tested < SERIES_LEAST || w->tested < 2 * w->reported_at || !(acceptance < LOW_ACCEPTANCE))
        return;
    w->reported_at = w->tested;
    log_line(LOG_WARNING, "%" PRId64 " of %" PRId64 " trajectories of this run were accepted (%.0f%%): reduce the "
                          "step size (more steps; kiln tune chooses them); rejected trajectories cost more than "
                          "smaller steps would",
             w->accepted, w->tested, 100 * acceptance);
}

void acceptance_watch_add(acceptance_watch *w, int64_t trajectory, const hmc_outcome *o)
{
    see_row(w, o);
    if (!o->tested)
        return;
    w->tested++;
    w->accepted += o->accepted;
    see_dh(w, trajectory, o);
    see_acceptance(w);
}
