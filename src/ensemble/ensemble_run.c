/* ensemble_run.c - generate trajectories; the order of writes keeps the files valid at every instant.
 *
 * After a trajectory Kiln first writes its line in the record, then (when due) the state.  A crash between the two
 * leaves lines without their state: the next run cuts them off, continues from the older state and generates the same
 * trajectories again.  Within a trajectory Kiln first writes the state from which the trajectory began, then the
 * mid-trajectory checkpoint. */
#include "actions/solve_report.h"
#include "src/ensemble/ensemble.h"

#include "actions/energy_error.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/ensemble/acceptance_watch.h"
#include "src/ensemble/ensemble_inside.h"
#include "src/ensemble/ensemble_measurements.h"
#include "src/ensemble/ensemble_settings.h"
#include "src/ensemble/failure_report.h"
#include "src/ensemble/midtrajectory.h"
#include "src/ensemble/progress_line.h"
#include "src/ensemble/run_watch.h"
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

/* Write a failure folder, from which kiln replay can repeat the step, and the state from which the trajectory began. */
static ensemble_end end_in_failure(ensemble *e, const hmc_failure *t, failure *f)
{
    failure why;
    const int64_t number = e->trajectory + 1;
    const failure_report r = failure_report_make(&(failure_scene){ .params = e->params, .h = e->h,
        .u = hmc_links(e->h, e->u), .trajectory = number, .failure = t });
    const char *step = hmc_step_names[t->step], *term = hmc_terms(e->h)[t->term].name;
    text of = { 0 };
    text_add(&of, "%s", term);
    if (run_is_tempered(e->params))
        text_add(&of, ", replica %d", r.replica);
    if (r.saved)
        fail(f, "trajectory %" PRId64 ", %s of %s: %s%s; saved in %s; \"kiln replay %s\" repeats this step", number,
             step, text_string(&of), r.cause, t->why.why, r.folder, r.folder);
    else
        fail(f, "trajectory %" PRId64 ", %s of %s: %s%s; could not be saved for a replay: %s", number, step,
             text_string(&of), r.cause, t->why.why, r.why.why);
    text_free(&of);
    if (run_is_tempered(e->params))                    /* other replicas have gone on: a checkpoint has the state */
        return ENSEMBLE_FAILED;
    hmc_restore(e->h, e->u);
    if (e->written < e->trajectory && !ensemble_write_state_now(e, FILE_CHECKPOINT, &why))
        log_line(LOG_WARNING, "%s", why.why);
    return ENSEMBLE_FAILED;
}

/* The trajectories up to `until`: clocks and limits of the run, and what it reports on the way. */
typedef struct {
    ensemble *e;
    int64_t until;
    walltime time;
    clock_tree clock;                  /* of the trajectory that is being generated */
    run_watch watch;
    progress_line line;
    acceptance_watch acceptance;
    refresh_watch refreshes;
    int segment;                       /* of the last trajectory; -1: none yet */
    bool is_whole;                     /* this trajectory began in this process */
    int64_t iterations_before;         /* iterations of solves in this process before this trajectory */
    double seconds;                    /* of the last trajectory; 0: none yet */
    void (*emit)(const ensemble_progress *progress);
} trajectory_loop;

/* `results`: of the measurements that are due; NULL if there are none.  `joules`: NaN if unknown. */
static bool append_to_record(const trajectory_loop *r, const hmc_outcome *outcome, const record_observables *measured,
                             const json *results, double wall_seconds, double joules, failure *f)
{
    ensemble *e = r->e;
    record_entry entry = entry_of(e, outcome, measured);
    json looked = { 0 };
    entry.clock = &r->clock;
    entry.wall_seconds = wall_seconds;
    entry.joules = joules;
    entry.measurements = results;
    if (r->watch.choice.step >= 0) {
        sdc_check_to_json(&looked, e->params, e->h, &r->watch.choice, e->trajectory);
        entry.sdc_check = &looked;
    }
    const bool written = record_append(e->r, &entry, f);
    json_free(&looked);
    return written;
}

/* The trajectory is in the links: measure, record, report and save it. */
static bool finish_trajectory(trajectory_loop *r, const hmc_outcome *outcome, failure *f)
{
    ensemble *e = r->e;
    e->trajectory++;
    const int64_t iterations = r->is_whole ? solve_iterations_so_far() - r->iterations_before : 0;
    const double solve_seconds = clock_sum(&r->clock, "solve");
    clock_begin(&r->clock, "measure");
    const record_observables measured = record_measure(e->u);
    json results = { 0 };
    const bool due = measure_due(e, &results, &r->clock);
    clock_end(&r->clock);
    const double joules = energy_meter_joules(&r->watch.energy);
    clock_end(&r->clock);
    r->seconds = clock_seconds(&r->clock, "trajectory");

    clock_tree next = { 0 };                       /* times after this line of the record belong to the next line */
    const double now = clock_now(), wall = now - r->watch.began;
    r->watch.began = now;
    r->line.expected = wall;
    clock_begin(&next, "record");
    bool written = append_to_record(r, outcome, &measured, due ? &results : NULL, wall, joules, f);
    json_free(&results);
    if (written)
        r->emit(&(ensemble_progress){ e->trajectory, r->until, outcome, &measured,
                                      r->seconds, iterations, solve_seconds });
    acceptance_watch_add(&r->acceptance, e->trajectory, outcome);
    watch_refresh(&r->refreshes, e->h, e->trajectory, outcome);
    clock_end(&next);
    clock_begin(&next, "files");
    written = written && write_due(e, e->trajectory == r->until, f);
    clock_end(&next);
    if (!written)
        return false;
    e->advanced = true;
    walltime_passed(&r->time, STRETCH_END);
    r->clock = next;
    return true;
}

/* The end of a run.  wanted: the last requested trajectory; until: the last one of them with these parameters. */
static ensemble_end end_at(ensemble *e, int64_t until, int64_t wanted, failure *f)
{
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

/* The next trajectory begins: in a segment that has its measurements and keys.  Otherwise another process continues
 * from the state before it. */
static bool settle_keys(trajectory_loop *r, failure *f)
{
    ensemble *e = r->e;
    const int64_t next = e->trajectory + 1;
    if (segments_at(&e->segments, next) == r->segment)
        return true;
    failure why;
    const bool ok = ensemble_measurements_settle(&e->segments, e->params, next, e->chain.value, f)
                    && ensemble_settings_settle(&e->segments, e->params, next, e->chain.value, f);
    if (!ok && e->written < e->trajectory && !ensemble_write_state_now(e, FILE_CHECKPOINT, &why))
        log_line(LOG_WARNING, "%s", why.why);
    r->segment = segments_at(&e->segments, next);
    return ok;
}

static ensemble_end generate(ensemble *e, int64_t wanted, const run_limits *limits,
                             void (*emit)(const ensemble_progress *progress), failure *f)
{
    if (wanted > RNG_TRAJECTORIES) {
        fail(f, "trajectory %" PRId64 " is beyond %" PRId64 ", the largest number of a trajectory", wanted,
             (int64_t)RNG_TRAJECTORIES);
        return ENSEMBLE_FAILED;
    }
    const int64_t last = segments_last_unchanged(&e->segments,
                                                  segments_at(&e->segments, e->trajectory + 1));
    trajectory_loop r = { .e = e, .until = wanted < last ? wanted : last, .time = limits->time, .segment = -1,
                          .emit = emit };
    r.watch = (run_watch){ .e = e, .limits = limits, .time = &r.time, .clock = &r.clock, .energy = e->energy };
    walltime_set_out(&r.time);
    midtrajectory_label label = { .trajectory = e->trajectory + 1, .input_digest = e->digest };
    bool resumed = e->trajectory < r.until && run_watch_may_begin(&r.watch)
        && midtrajectory_resume(e->params, &label, e->h, e->u, &r.clock);
    ensemble_emit_state(e, resumed ? evolver_step(hmc_dynamics(e->h)) : -1);
    r.watch.began = clock_now() - label.seconds;
    r.line = (progress_line){ .e = e, .clock = &r.clock, .began = &r.watch.began, .until = r.until };
    progress_line_begin(&r.line);
    while (e->trajectory < r.until && (resumed || run_watch_may_begin(&r.watch))) {
        ensemble_begin_chain(e);
        if (!settle_keys(&r, f))
            return ENSEMBLE_FAILED;
        text_free(&e->lost);
        r.is_whole = !resumed;
        r.iterations_before = solve_iterations_so_far();
        clock_begin(&r.clock, "trajectory");
        energy_meter_begin(&r.watch.energy, resumed ? label.joules : 0, r.seconds);
        const hmc_outcome outcome = run_watch_trajectory(&r.watch, resumed, &r.clock);
        resumed = false;
        if (outcome.failure.step != STEP_NONE)
            return end_in_failure(e, &outcome.failure, f);
        if (outcome.interrupted && !r.watch.mismatch)
            break;
        if (!(outcome.interrupted ? run_watch_go_back(&r.watch, f) : finish_trajectory(&r, &outcome, f)))
            return ENSEMBLE_FAILED;
    }
    return end_at(e, r.until, wanted, f);
}

ensemble_end ensemble_run(ensemble *e, int64_t until, const run_limits *limits,
                          void (*emit)(const ensemble_progress *progress), failure *f)
{
    const ensemble_end end = generate(e, until, limits, emit, f);
    progress_line_end();
    if (end == ENSEMBLE_DONE && e->cut.target > 0 && until - e->params->start.trajectory >= e->cut.target)
        text_free(&e->lost);                     /* the process before had nothing left to do */
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

int64_t ensemble_trajectory(const ensemble *e)
{
    return e->trajectory;
}

void ensemble_emit_states(ensemble *e, void (*emit)(void *to, stream_point newest), void *to)
{
    e->emit = emit;
    e->emit_to = to;
}

void ensemble_emit_state(const ensemble *e, int64_t step)
{
    if (e->emit)
        e->emit(e->emit_to, (stream_point){ e->trajectory, step });
}

int64_t ensemble_repeats(const ensemble *e)
{
    return e->cut.dropped - e->cut.torn;
}

int ensemble_signal(const ensemble *e)
{
    return e->signal;
}
