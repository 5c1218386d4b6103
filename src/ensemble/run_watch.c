/* run_watch.c - the callback between the steps of a trajectory, and what it decides. */
#include "src/ensemble/run_watch.h"

#include "src/base/log.h"
#include "src/comm/comm.h"
#include "src/ensemble/ensemble_inside.h"
#include "src/ensemble/midtrajectory.h"
#include "src/ensemble/write_remedy.h"

#include <inttypes.h>

static void warn_of_loss(const char *directory, int64_t trajectory, const failure *why)
{
    text remedy = { 0 };
    write_remedy_add(&remedy, directory, why);
    log_line(LOG_WARNING, "trajectory %" PRId64 ": no mid-trajectory checkpoint was written: %s; a stop now loses the "
                          "steps since the last checkpoint: %s", trajectory, why->why, text_string(&remedy));
    text_free(&remedy);
}

/* Write a mid-trajectory checkpoint, and before it the state from which the trajectory began.  The trajectory goes on
 * if the disk refuses them. */
static void keep_midtrajectory(run_watch *w)
{
    ensemble *e = w->e;
    failure why;
    const double now = clock_now();
    const midtrajectory_label label = { e->trajectory + 1, e->digest, now - w->began,
                                        energy_meter_joules(&w->energy) };
    bool kept = (e->written == e->trajectory
                 || ensemble_write_state(e, FILE_CHECKPOINT, hmc_start_links(e->h), hmc_start_memory(e->h), &why))
                && midtrajectory_write(e->params, &label, e->h, e->u, w->clock, &why);
    if (!kept)
        warn_of_loss(e->params->output.directory, label.trajectory, &why);
    e->advanced |= kept;
    if (kept)
        ensemble_emit_state(e, evolver_step(hmc_dynamics(e->h)));
    w->kept = clock_now();
    walltime_wrote(w->time, w->kept - now);
}

/* The check for silent data corruption (SDC): false if a second evaluation gives different bits. */
static bool is_confirmed(run_watch *w)
{
    ensemble *e = w->e;
    const sdc_check_task task = { .choice = &w->choice, .trajectory = e->trajectory + 1, .hook = w->limits->hook };
    clock_begin(w->clock, "sdc_check");
    sdc_check_verdict verdict = sdc_check_compare(e->params, e->h, e->u, &task, &w->said);
    clock_end(w->clock);
    if (verdict == SDC_CHECK_SAME)
        e->confirmed = e->trajectory;
    return verdict != SDC_CHECK_DIFFERS;
}

bool run_watch_go_back(run_watch *w, failure *f)
{
    ensemble *e = w->e;
    const int64_t number = e->trajectory + 1;
    const bool again = e->suspect == number || sdc_check_mismatches(e->params->output.directory, number) > 1;
    e->suspect = number;
    log_line(LOG_WARNING, "%s", w->said.why);
    hmc_terms_forget_reports(hmc_all_terms(e->h));           /* of a trajectory that gets no line in the record */
    if (!ensemble_roll_back(e, f))
        return false;
    if (again)
        return fail(f, "%s; this is the second mismatch in this trajectory.  The ensemble is back at trajectory %"
                       PRId64 " and can continue on another machine", w->said.why, e->trajectory);
    *w->clock = (clock_tree){ 0 };
    w->mismatch = false;
    return true;
}

/* Whether the run must stop here, before a stretch of this kind: a signal has reached any rank, or the clock of rank 0
 * does not allow the stretch. */
static bool must_stop(const run_watch *w, walltime_stretch next)
{
    const comm *world = comm_world();
    return w->e->signal != 0
           || comm_any(world, *w->limits->stop || (comm_is_root(world) && !walltime_allows(w->time, next)));
}

/* Whether a mid-trajectory checkpoint is due, by the clock of rank 0. */
static bool is_due(const run_watch *w)
{
    const double every = w->limits->midtrajectory_every;
    return every >= 0 && comm_decide(comm_world(), clock_now() - w->kept >= every);
}

/* Called between two steps of the dynamics; true ends the trajectory here.  After a mismatch, the run then returns to
 * an earlier state and continues; otherwise it stops. */
static bool leave(void *of)
{
    run_watch *w = of;
    if (evolver_step(hmc_dynamics(w->e->h)) == w->choice.step && !is_confirmed(w)) {
        w->mismatch = true;
        return true;
    }
    const bool last = evolver_is_near_end(hmc_dynamics(w->e->h));
    walltime_passed(w->time, w->within ? STRETCH_STEP : STRETCH_BEGIN);
    w->within = true;
    const bool stop = must_stop(w, last ? STRETCH_END : STRETCH_STEP);
    if (stop || is_due(w))
        keep_midtrajectory(w);
    return stop;
}

bool run_watch_may_begin(const run_watch *w)
{
    return !must_stop(w, STRETCH_BEGIN);
}

hmc_outcome run_watch_trajectory(run_watch *w, bool resumed, clock_tree *clock)
{
    const evolve_watch watch = { leave, w };
    ensemble *e = w->e;
    const int64_t number = e->trajectory + 1;
    w->kept = clock_now();
    w->within = resumed;
    w->choice = sdc_check_choose(e->params, e->h, number);
    hmc_outcome o = resumed ? hmc_go_on(e->h, e->u, number, clock, &watch)
                            : hmc_trajectory(e->h, e->u, number, clock, &watch);
    if (comm_groups() > 1)
        e->signal = run_limits_signal(w->limits->stop);
    if (o.swept && w->choice.step >= 0 && !is_confirmed(w))
        w->mismatch = o.interrupted = true;
    return o;
}
