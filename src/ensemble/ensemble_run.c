/* ensemble_run.c - generate trajectories; the order of writes keeps the files valid at every instant.
 *
 * After a trajectory Kiln first writes its line in the record, then (when due) the state.  A crash between the two
 * leaves lines without their state: the next run cuts them off, continues from the older state and generates the same
 * trajectories again.  Within a trajectory Kiln first writes the state from which the trajectory began, then the
 * mid-trajectory checkpoint. */
#include "src/ensemble/ensemble.h"

#include "actions/energy_error.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/ensemble/acceptance_watch.h"
#include "src/ensemble/ensemble_inside.h"
#include "src/ensemble/midtrajectory.h"
#include "src/ensemble/failure_folder.h"
#include "src/ensemble/progress_line.h"
#include "src/io/disk.h"
#include "src/lattice/rng.h"

#include <inttypes.h>
#include <math.h>

static bool is_there(const ensemble *e, state_file_kind kind, int64_t trajectory)
{
    text path = state_file_path(e->params, kind, trajectory);
    bool there = disk_has(text_string(&path));
    text_free(&path);
    return there;
}

/* Whether a configuration is due, or its file exists already.  If the record has lost its last lines, files may exist
 * that were written with another configuration_every. */
static bool configuration_is_kept(const ensemble *e)
{
    return e->trajectory > e->params->start.trajectory
           && (e->trajectory % e->params->output.configuration_every == 0
               || is_there(e, FILE_CONFIGURATION, e->trajectory));
}

/* The record entry of the trajectory just made.  Also adds the trajectory to the chain of digests of the stream. */
static record_entry entry_of(ensemble *e, const hmc_outcome *o, const record_observables *m)
{
    chain_link link = record_chain_link(e->params, e->digest, e->trajectory, o, m);
    if (e->chain.begun)
        e->chain.value = chain_next(e->chain.value, &link);
    return (record_entry){ .trajectory = e->trajectory, .h = e->h, .outcome = o, .observables = m,
                           .input_digest = e->digest, .chain = e->chain, .configuration = configuration_is_kept(e),
                           .target = e->params->hmc.trajectories };
}

/* Write the files that are due after this trajectory.  If `last` is true, write its checkpoint even if it is not due,
 * unless it is written already.  Compare files that exist already, due or not. */
static bool write_due(ensemble *e, bool last, failure *f)
{
    const run_params *p = e->params;
    if (configuration_is_kept(e) && !ensemble_write_state_now(e, FILE_CONFIGURATION, f))
        return false;
    const bool due = e->written < e->trajectory && (last || e->trajectory % p->output.checkpoint_every == 0);
    return !(due || is_there(e, FILE_CHECKPOINT, e->trajectory)) || ensemble_write_state_now(e, FILE_CHECKPOINT, f);
}

/* Where an integration is unstable: the kinetic energy is so many times the mean of drawn momenta, whose relative
 * deviation is 1 / sqrt(16 volume); or links are further off SU(3) than rounding takes them in a trajectory. */
#define UNSTABLE 10.0
#define OFF_SU3 1e-6

/* The terms whose inaccurate refresh of pseudofermions this run has already reported: it reports each term once. */
typedef struct { bool reported[HMC_TERMS]; } refresh_watch;

static void watch_refresh(refresh_watch *w, const hmc *h, int64_t trajectory, const hmc_outcome *o)
{
    for (int t = 0; t < hmc_term_count(h); t++) {
        if (w->reported[t] || fabs(o->refresh_error[t]) <= ENERGY_ERROR_MAX)
            continue;
        w->reported[t] = true;
        log_line(LOG_WARNING, "trajectory %" PRId64 ", %s: the action of new pseudofermions differs from |eta|^2 of "
                              "their random numbers by %+.3g, more than %g: trajectories do not sample exp(-S).  "
                              "Reduce residuals.refresh and residuals.action, or errors of the rational functions",
                 trajectory, hmc_terms(h)[t].name, o->refresh_error[t], ENERGY_ERROR_MAX);
    }
}

/* Make the measurements that are due, as one object in `j`; false if there are none. */
static bool measure_due(ensemble *e, json *j, clock_tree *clock)
{
    const run_params *p = e->params;
    if (!measurements_due(e->measurements, e->trajectory))
        return false;
    json_open(j, NULL, '{');
    measurements_run(e->measurements, false, e->u,
                     &(measurement_point){ (uint64_t)p->random.seed, (uint32_t)p->random.stream, e->trajectory }, j,
                     clock);
    json_close(j);
    return true;
}

/* Why a step failed that has nothing to do with the step, if so: an integration whose step is too large heats the
 * momenta up, until the links are no matrices of SU(3) any more. */
static text cause_of(const ensemble *e, const hmc_failure *t)
{
    const momentum *p = hmc_momenta(e->h);
    const double drawn = 16 * (double)lattice_volume(e->u->links.lattice);     /* 1/2 for each of 4 * 8 numbers */
    const double kinetic = p ? momentum_kinetic(p) : drawn, off = gauge_link_quality(e->u).unitarity;
    text words = { 0 };
    if ((t->step == STEP_FORCE || t->step == STEP_ACTION) && !(kinetic <= UNSTABLE * drawn && off <= OFF_SU3))
        text_add(&words, "the integration became unstable: the kinetic energy is %.3g, at the start of a trajectory "
                         "about %.3g, and links are off SU(3) by %.2g; reduce the step size: raise steps in hmc.levels "
                         "or lower hmc.trajectory_length; what failed first: ", kinetic, drawn, off);
    return words;
}

/* Write a failure folder, from which kiln replay can repeat the step, and the state from which the trajectory began. */
static ensemble_end end_in_failure(ensemble *e, const hmc_failure *t, failure *f)
{
    text folder;
    failure why;
    int64_t number = e->trajectory + 1;
    const failure_scene scene = { .params = e->params, .h = e->h, .u = e->u, .trajectory = number, .failure = t };
    const char *step = hmc_step_names[t->step], *term = hmc_terms(e->h)[t->term].name;
    text cause = cause_of(e, t);
    if (failure_folder_write(&folder, &scene, &why))
        fail(f, "trajectory %" PRId64 ", %s of %s: %s%s; saved in %s; \"kiln replay %s\" repeats this step", number,
             step, term, text_string(&cause), t->why.why, text_string(&folder), text_string(&folder));
    else
        fail(f, "trajectory %" PRId64 ", %s of %s: %s%s; could not be saved for a replay: %s", number, step, term,
             text_string(&cause), t->why.why, why.why);
    text_free(&cause);
    text_free(&folder);
    hmc_restore(e->h, e->u);
    if (e->written < e->trajectory && !ensemble_write_state_now(e, FILE_CHECKPOINT, &why))
        log_line(LOG_WARNING, "%s", why.why);
    return ENSEMBLE_FAILED;
}

/* What the callback between the steps of a trajectory needs to know about the run. */
typedef struct {
    ensemble *e;
    const run_limits *limits;
    walltime *time;
    clock_tree *clock;
    sdc_check_choice look;
    bool mismatch;                     /* the SDC check has found a mismatch in this trajectory */
    failure said;                      /* the message of this mismatch */
    double began;                      /* start of the trajectory, moved back by the time that earlier processes took */
    double kept;                       /* time of the last mid-trajectory checkpoint, else of the start */
    bool within;                       /* the callback was called in this trajectory already */
} run_watch;

/* Write a mid-trajectory checkpoint, and before it the state from which the trajectory began.  The trajectory goes on
 * if the disk refuses them. */
static void keep_midtrajectory(run_watch *w)
{
    ensemble *e = w->e;
    failure why;
    const double now = clock_now();
    const midtrajectory_label label = { e->trajectory + 1, e->digest, now - w->began };
    bool kept = (e->written == e->trajectory
                 || ensemble_write_state(e, FILE_CHECKPOINT, hmc_start_links(e->h), hmc_start_memory(e->h), &why))
                && midtrajectory_write(e->params, &label, e->h, e->u, w->clock, &why);
    if (!kept)
        log_line(LOG_WARNING, "trajectory %" PRId64 ": no mid-trajectory checkpoint was written: %s", label.trajectory,
                 why.why);
    e->advanced |= kept;
    w->kept = clock_now();
    walltime_wrote(w->time, w->kept - now);
}

/* The check for silent data corruption (SDC): false if a second evaluation gives different bits. */
static bool is_confirmed(run_watch *w)
{
    ensemble *e = w->e;
    const sdc_check_task task = { .choice = &w->look, .trajectory = e->trajectory + 1, .hook = w->limits->hook };
    clock_begin(w->clock, "sdc_check");
    sdc_check_verdict verdict = sdc_check_compare(e->params, e->h, e->u, &task, &w->said);
    clock_end(w->clock);
    if (verdict == SDC_CHECK_SAME)
        e->confirmed = e->trajectory;
    return verdict != SDC_CHECK_DIFFERS;
}

/* Discard what the terms have collected for the record line of a trajectory that gets no line. */
static void forget_reports(const hmc *h)
{
    json nowhere = { 0 };
    json_open(&nowhere, NULL, '{');
    for (int t = 0; t < hmc_term_count(h); t++)
        monomial_report(hmc_terms(h)[t].m, &nowhere);
    json_free(&nowhere);
}

/* After a mismatch, return to the newest confirmed state.  False after a second mismatch in the same trajectory, or
 * where that is not possible. */
static bool go_back(run_watch *w, failure *f)
{
    ensemble *e = w->e;
    const int64_t number = e->trajectory + 1;
    const bool again = e->suspect == number || sdc_check_mismatches(e->params->output.directory, number) > 1;
    e->suspect = number;
    log_line(LOG_WARNING, "%s", w->said.why);
    forget_reports(e->h);
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
    return comm_any(world, *w->limits->stop || (comm_is_root(world) && !walltime_allows(w->time, next)));
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
    if (evolver_step(hmc_dynamics(w->e->h)) == w->look.step && !is_confirmed(w)) {
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

static bool may_begin(const run_watch *w)
{
    return !must_stop(w, STRETCH_BEGIN);
}

/* Generate the next trajectory; `resumed`: from its mid-trajectory checkpoint. */
static hmc_outcome make_trajectory(run_watch *w, bool resumed, clock_tree *clock)
{
    const evolve_watch watch = { leave, w };
    ensemble *e = w->e;
    const int64_t number = e->trajectory + 1;
    w->kept = clock_now();
    w->within = resumed;
    w->look = sdc_check_choose(e->params, e->h, number);
    hmc_outcome o = resumed ? hmc_go_on(e->h, e->u, number, clock, &watch)
                            : hmc_trajectory(e->h, e->u, number, clock, &watch);
    if (o.swept && w->look.step >= 0 && !is_confirmed(w))
        w->mismatch = o.interrupted = true;
    return o;
}

/* The last trajectory before a segment with other parameters of the trajectories. */
static int64_t last_with_these_parameters(const ensemble *e)
{
    int index = segments_at(&e->segments, e->trajectory + 1);
    while (index + 1 < e->segments.count && e->segments.item[index + 1].input_digest == e->digest)
        index++;
    return segments_last(&e->segments, index);
}

static ensemble_end generate(ensemble *e, int64_t until, const run_limits *limits,
                             void (*tell)(const ensemble_progress *progress), failure *f)
{
    if (until > RNG_TRAJECTORIES) {
        fail(f, "trajectory %" PRId64 " is beyond %" PRId64 ", the largest number of a trajectory", until,
             (int64_t)RNG_TRAJECTORIES);
        return ENSEMBLE_FAILED;
    }
    clock_tree clock = { 0 };
    acceptance_watch acceptance = { 0 };
    refresh_watch refreshes = { 0 };
    walltime time = limits->time;
    run_watch watch = { .e = e, .limits = limits, .time = &time, .clock = &clock };
    midtrajectory_label label = { .trajectory = e->trajectory + 1, .input_digest = e->digest };
    walltime_set_out(&time);
    const int64_t last = last_with_these_parameters(e), wanted = until;
    until = until < last ? until : last;
    bool resumed = e->trajectory < until && may_begin(&watch)
        && midtrajectory_resume(e->params, &label, e->h, e->u, &clock);
    watch.began = clock_now() - label.seconds;
    progress_line line = { .e = e, .clock = &clock, .began = &watch.began, .until = until };
    progress_line_begin(&line);
    while (e->trajectory < until && (resumed || may_begin(&watch))) {
        ensemble_begin_chain(e);
        clock_begin(&clock, "trajectory");
        hmc_outcome outcome = make_trajectory(&watch, resumed, &clock);
        resumed = false;
        if (outcome.failure.step != STEP_NONE)
            return end_in_failure(e, &outcome.failure, f);
        if (outcome.interrupted && watch.mismatch) {
            if (!go_back(&watch, f))
                return ENSEMBLE_FAILED;
            continue;
        }
        if (outcome.interrupted)
            break;
        e->trajectory++;
        clock_begin(&clock, "measure");
        record_observables measured = record_measure(e->u);
        json results = { 0 };
        bool due = measure_due(e, &results, &clock);
        clock_end(&clock);
        clock_end(&clock);

        clock_tree next = { 0 };                   /* times after this line of the record belong to the next line */
        double now = clock_now(), wall = now - watch.began;
        watch.began = now;
        line.expected = wall;
        clock_begin(&next, "record");
        record_entry entry = entry_of(e, &outcome, &measured);
        entry.clock = &clock;
        entry.wall_seconds = wall;
        if (due)
            entry.measurements = &results;
        json looked = { 0 };
        if (watch.look.step >= 0) {
            sdc_check_to_json(&looked, e->params, e->h, &watch.look, e->trajectory);
            entry.sdc_check = &looked;
        }
        bool written = record_append(e->r, &entry, f);
        json_free(&results);
        json_free(&looked);
        if (written)
            tell(&(ensemble_progress){ e->trajectory, until, &outcome, &measured,
                                       clock_seconds(&clock, "trajectory") });
        acceptance_watch_add(&acceptance, e->trajectory, &outcome);
        watch_refresh(&refreshes, e->h, e->trajectory, &outcome);
        clock_end(&next);
        clock_begin(&next, "files");
        written = written && write_due(e, e->trajectory == until, f);
        clock_end(&next);
        if (!written)
            return ENSEMBLE_FAILED;
        e->advanced = true;
        walltime_passed(&time, STRETCH_END);
        clock = next;
    }
    if (e->trajectory < until) {
        if (e->written < e->trajectory && !ensemble_write_state_now(e, FILE_CHECKPOINT, f))
            return ENSEMBLE_FAILED;
        return ENSEMBLE_STOPPED;
    }
    if (until < wanted) {
        fail(f, "%s: trajectories from %" PRId64 " on belong to the next segment, which has other parameters; to "
                "generate these trajectories, use the parameters of that segment as the input",
             e->params->output.directory, until + 1);
        return ENSEMBLE_FAILED;
    }
    return ENSEMBLE_DONE;
}

ensemble_end ensemble_run(ensemble *e, int64_t until, const run_limits *limits,
                          void (*tell)(const ensemble_progress *progress), failure *f)
{
    const ensemble_end end = generate(e, until, limits, tell, f);
    progress_line_end();
    return end;
}

bool ensemble_advanced(const ensemble *e)
{
    return e->advanced;
}

bool ensemble_state_is_there(const ensemble *e)
{
    return is_there(e, FILE_CONFIGURATION, e->written) || is_there(e, FILE_CHECKPOINT, e->written);
}
