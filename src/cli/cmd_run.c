/* cmd_run.c - kiln run: start or continue the ensemble that an input describes. */
#include "src/base/log.h"
#include "src/cli/run_end.h"
#include "src/cli/run_failure.h"
#include "src/cli/run_restarts.h"
#include "src/cli/start_limits.h"
#include "src/cli/stop_signals.h"
#include "src/cli/subcommands.h"
#include "src/comm/comm.h"
#include "src/comm/launcher.h"
#include "src/ensemble/ensemble.h"
#include "src/ensemble/ensemble_check.h"
#include "src/ensemble/ensemble_serve.h"
#include "src/hmc/replica_groups.h"
#include "src/hmc/run_advice.h"
#include "src/hmc/start_advice.h"
#include "src/options/device_choice.h"
#include "src/options/rank_options.h"
#include "src/options/run_options.h"
#include "src/report/run_warnings.h"
#include "src/tune/rank_speed.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>

typedef struct {
    device_choice device;
    text_refs sets;
    rank_options ranks;
    int64_t trajectories, restarts;            /* -1: not given */
    double walltime;                           /* seconds; NAN: from the batch system */
    double checkpoint_minutes;                 /* < 0: none */
    bool quiet, json, new_segment;
    const char *reason;
} run_options;

static const usage run_usage = {
    .name = "run",
    .operands = "INPUT.yaml",
    .least = 0,
    .most = 1,
    .about = "Starts the ensemble that INPUT.yaml describes, or continues it from its newest valid state.\n"
             "To continue a stream that was stopped or killed, give the same command again: the results are the\n"
             "same, bit for bit, as without the interruption.  No configuration is ever overwritten.\n"
             "SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU and the end of the walltime stop the run: the\n"
             "current trajectory continues to its next integrator step, where Kiln writes a mid-trajectory checkpoint\n"
             "(DIRECTORY/midtrajectory.NNNNNN.STEP), from which the same command continues.  The exit status is\n"
             "then 1: trajectories are missing.  With --checkpoint-minutes Kiln also writes such checkpoints at\n"
             "intervals, so that a killed run loses little.",
    .options = (const option[]){ DEVICE_OPTIONS(run_options, device),
        RANK_OPTIONS(run_options, ranks, device),
        REPLICA_GROUPS_OPTION(run_options, ranks),
        SET_OPTION(run_options, sets),
        { .name = "trajectories", .value = "N",
          .doc = "make N more trajectories now (default: up to hmc.trajectories\nof the input)",
          .type = OPTION_INT, .offset = offsetof(run_options, trajectories),
          .max = 4294967295.0 },
        { .name = "walltime", .value = "TIME",
          .doc = "stop, with a checkpoint, before TIME is over: 11:55:00,\n"
          "1-12:00:00, 90m, 11.5h, 5400s; a plain number is minutes,\n"
          "MM:SS is minutes and seconds (default: the end of the job:\n"
          "SLURM_JOB_END_TIME, else PBS_WALLTIME from the start of\n"
          "the command; without these no limit)", .type = OPTION_READ,
          .offset = offsetof(run_options, walltime), .read = run_options_read_walltime },
        { .name = "checkpoint-minutes", .value = "M",
          .doc = "checkpoint the current trajectory every M minutes (0: at\n"
          "every step; default: only when the run is stopped)", .type = OPTION_REAL,
          .offset = offsetof(run_options, checkpoint_minutes), .max = 1e6 },
        { .name = "restarts", .value = "N",
          .doc = "if a signal such as SIGKILL kills the process of the run, start\nit again from its newest state, "
          "unless that has happened N times\nin a row without a new state, or a fault such as SIGSEGV N times\nin all "
          "(default: 3 with --replica-groups, else 0; not under\nmpirun or srun)", .type = OPTION_INT,
          .offset = offsetof(run_options, restarts), .max = 1e6 },
        { .name = "json",
          .doc = "at the end print a JSON object: how and why the run ended,\nafter which "
          "trajectory, whether more is on disk than\nbefore, and how often the run was started again",
          .type = OPTION_FLAG, .offset = offsetof(run_options, json) },
        { .name = "new-segment",
          .doc = "continue with other parameters than the ensemble has so far,\n"
          "from the next trajectory on; segments.jsonl records them", .type = OPTION_FLAG,
          .offset = offsetof(run_options, new_segment) },
        { .name = "reason", .value = "TEXT",
          .doc = "why a new segment begins; recorded with it", .type = OPTION_TEXT,
          .offset = offsetof(run_options, reason) },
        { .name = "quiet", .doc = "no progress, only warnings, errors and the line of a\n"
          "signal, which says when the run stops",
          .type = OPTION_FLAG, .offset = offsetof(run_options, quiet) },
        { 0 } },
};

/* A closed terminal must not end a trajectory; neither must a file size limit, which the failing write reports. */
static void ignore_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static const char *verdict_of(const hmc_outcome *o)
{
    if (o->swept)
        return "swept";
    return !o->tested && o->accepted ? "thermalizing" : o->accepted ? "accepted" : "rejected";
}

/* Seconds that a mean iteration of a solve should take; NAN: unknown, or a warning has been printed. */
static _Thread_local double iteration_seconds = NAN;

/* Warn once if solves are much slower than they should be. */
static void warn_if_slow(const ensemble_progress *p)
{
    const int gpus = comm_size(comm_world());
    if (!rank_speed_is_missed(p->solve_seconds, p->iterations, iteration_seconds))
        return;
    log_line(LOG_WARNING, "trajectory %" PRId64 ": %" PRId64 " iterations of solves took %.3g s, where about %.2g s "
             "are expected of %s: look for other programs on %s, or busy processors (this warning appears once)",
             p->number, p->iterations, p->solve_seconds, (double)p->iterations * iteration_seconds,
             count_to_text(gpus, "GPU").s, gpus > 1 ? "these GPUs" : "this GPU");
    iteration_seconds = NAN;
}

static void log_trajectory(const ensemble_progress *p)
{
    const hmc_outcome *o = p->outcome;
    char dh[32] = "";
    if (!o->swept)                                             /* sweeps have no Metropolis test */
        snprintf(dh, sizeof dh, "dH %+.3e  ", o->dh);
    log_line(LOG_INFO, "trajectory %" PRId64 "/%" PRId64 "  %-12s  %splaquette %.8f  polyakov %.4f  %.2f s",
             p->number, p->until, verdict_of(o), dh, p->observables->plaquette.average,
             hypot(p->observables->polyakov.re, p->observables->polyakov.im), p->seconds);
    if (!isfinite(o->dh))
        log_line(LOG_WARNING, "trajectory %" PRId64 ": dH is not finite; rejected; reduce the step size", p->number);
    else if (!o->tested && run_warnings_dh_is_absurd(o->dh, o->before.kinetic))
        log_line(LOG_WARNING, "trajectory %" PRId64 ": dH %+.3g in thermalization, where the kinetic energy is %.3g: "
                 "the integrator is unstable; reduce the step size", p->number, o->dh, o->before.kinetic);
    warn_if_slow(p);
}

/* What stopped the run: a signal to any rank, or else the walltime.  Collective. */
static const char *stopper(const ensemble *e)
{
    const char *here = stop_signal_name(), *name = here || !e ? here : stop_signal_name_of(ensemble_signal(e));
    return name ? name : BY_WALLTIME;
}

/* What a rank of the run needs. */
typedef struct {
    const run_options *options;
    const char *input;
    const volatile sig_atomic_t *stop;
    walltime time;
    run_restarts *restarts;
} run_request;

/* e is NULL for a run that was stopped before its first checkpoint; `by` is what stopped the run, or NULL. */
static void print_end(const run_request *q, const ensemble *e, const run_params *p, int64_t until, ensemble_end end,
                      const char *by, const failure *why)
{
    static const char *const ends[] = { [ENSEMBLE_DONE] = "complete", [ENSEMBLE_STOPPED] = "stopped",
                                        [ENSEMBLE_FAILED] = "failed" };
    if (!q->options->json || !comm_is_root(comm_world()))
        return;
    run_end_print(&(run_end){ .directory = p->output.directory, .end = ends[end], .by = by,
                              .reason = end == ENSEMBLE_FAILED ? why->why : NULL,
                              .trajectory = e ? ensemble_trajectory(e) : p->start.trajectory, .until = until,
                              .advanced = q->restarts->advanced || (e && ensemble_advanced(e)),
                              .restarts = q->restarts->number });
}

/* Report why ensemble_open returned no ensemble: a failure, or a stop during the sweeps over the start links. */
static int report_no_ensemble(const run_input *in, const run_request *q, bool stopped, const failure *why)
{
    const run_options *o = q->options;
    if (!stopped) {
        run_failure_log_opening(in->p.output.directory, ensemble_is_fresh(&in->p), why);
        return EXIT_FAILED;
    }
    const int64_t until = o->trajectories >= 0 ? in->p.start.trajectory + o->trajectories : run_last_trajectory(&in->p);
    const char *by = stopper(NULL);
    log_line(LOG_WARNING, "%s (by %s)", why->why, by);
    print_end(q, NULL, &in->p, until, ENSEMBLE_STOPPED, by, why);
    return EXIT_FAILED;
}

/* Open the device, and compare the memory that is free with what the run needs. */
static bool open_device(place *where, const run_input *in, const run_options *o, failure *f)
{
    return device_choice_open(&o->device, where, f)
           && comm_agree(comm_whole(), ensemble_memory_fits(&in->p, *where, f), f);
}

/* Warn where fewer GPUs would be faster. */
static void warn_of_speed(const run_params *p, place where)
{
    const int ranks = comm_size(comm_world());
    text advice = { 0 };
    iteration_seconds = where == PLACE_GPU ? rank_speed_iteration(p, ranks, transport_here()) : NAN;
    if (where == PLACE_CPU || ranks == 1)
        return;
    const rank_speed s = rank_speed_find(p, ranks, 0, transport_here());
    if (!rank_speed_is_low(&s))
        return;
    rank_speed_add_advice(&advice, &s);
    log_line(LOG_WARNING, "%s", text_string(&advice));
    text_free(&advice);
}

static void log_done(const ensemble *e, const run_params *p, int64_t until)
{
    const int64_t start = p->start.trajectory;
    text number = { 0 };
    if (start > 0)
        text_add(&number, ", up to number %" PRId64, ensemble_trajectory(e));
    const int64_t complete = ensemble_trajectory(e) - start, requested = until - start;
    if (complete > requested)
        log_line(LOG_INFO, "%s: %s complete%s, more than the %" PRId64 " of hmc.trajectories: "
                 "nothing to do; kiln status %s shows more",
                 p->output.directory, nouns_to_text(complete, "trajectory", "trajectories").s, text_string(&number),
                 requested, p->output.directory);
    else {
        if (until != run_last_trajectory(p))
            text_add(&number, " (--trajectories; hmc.trajectories is %" PRId64 ")", run_last_trajectory(p) - start);
        log_line(LOG_INFO, "%s: %" PRId64 "/%" PRId64 " trajectories complete%s; kiln status %s shows more",
                 p->output.directory, complete, requested, text_string(&number), p->output.directory);
    }
    text_free(&number);
}

/* Open the ensemble; a new segment that an earlier process of this command began is not begun again. */
static ensemble *open_ensemble(const run_input *in, const run_request *q, place where, const run_limits *limits,
                               failure *f)
{
    const run_options *o = q->options;
    return o->new_segment && !q->restarts->opened ? ensemble_open_segment(&in->p, where, o->reason, f)
                                                     : ensemble_open(&in->p, where, limits, f);
}

static int run_ensemble(const run_input *in, const run_request *q, place where, run_limits limits)
{
    const run_options *o = q->options;
    run_restarts *restarts = q->restarts;
    const int64_t requested = restarts->until;
    const bool fresh = ensemble_is_fresh(&in->p);
    bool ended_start = false;
    failure why;
    limits.stopped = &ended_start;
    if (comm_is_root(comm_world()))
        run_restarts_set_directory(restarts, in->p.output.directory);
    ensemble *e = open_ensemble(in, q, where, &limits, &why);
    if (!e)
        return report_no_ensemble(in, q, ended_start, &why);
    int64_t until = o->trajectories >= 0 ? ensemble_trajectory(e) + o->trajectories : run_last_trajectory(&in->p);
    until = requested >= 0 ? requested : until;
    if (comm_is_root(comm_world()))
        run_restarts_set_open(restarts, e, until);
    if (comm_groups() > 1)
        log_line(LOG_INFO, "%s", replica_groups_to_text(&in->p, (int)o->ranks.count).s);
    run_advice_warn(&in->p);
    if (fresh)
        start_advice_warn(&in->p);
    warn_of_speed(&in->p, where);
    int status = EXIT_OK;
    const ensemble_end end = ensemble_run(e, until, &limits, log_trajectory, &why);
    const char *by = end == ENSEMBLE_STOPPED ? stopper(e) : NULL;
    text within = run_restarts_step_words(restarts);
    switch (end) {
    case ENSEMBLE_DONE:
        log_done(e, &in->p, until);
        break;
    case ENSEMBLE_STOPPED:
        log_line(LOG_WARNING, "stopped by %s after trajectory %" PRId64 "%s; the same command continues the run",
                 by, ensemble_trajectory(e), text_string(&within));
        status = EXIT_FAILED;
        break;
    case ENSEMBLE_FAILED:
        run_failure_log(&(run_failure){
            .directory = in->p.output.directory, .has_state = ensemble_state_is_there(e),
            .newest = restarts->newest.trajectory < 0 ? ensemble_trajectory(e) : restarts->newest.trajectory,
            .within = text_string(&within), .reached = ensemble_trajectory(e) }, &why);
        status = EXIT_FAILED;
        break;
    }
    text_free(&within);
    print_end(q, e, &in->p, until, end, by, &why);
    ensemble_close(e);
    return status;
}

/* Group 0 of the ranks runs the ensemble; with tempering, others may serve it. */
static int run_group(const run_input *in, const run_request *q)
{
    const run_options *o = q->options;
    const run_limits limits = { .stop = q->stop, .time = q->time, .midtrajectory_every = 60 * o->checkpoint_minutes };
    int status = EXIT_OK;
    place where;
    failure why;
    if (!open_device(&where, in, o, &why)) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_FAILED;
    }
    if (comm_group() > 0)
        ensemble_serve(&in->p, where, q->stop);
    else
        status = run_ensemble(in, q, where, limits);
    if (comm_group() == 0)
        replica_groups_end();
    return status;
}

/* Whether all ranks have this input, with the same absolute paths. */
static bool is_same_input(const run_params *p, failure *f)
{
    text echo = { 0 };
    schema_echo(&echo, run_param_specs, p, false);
    const bool same = comm_same(comm_whole(), text_string(&echo), echo.length, "the input", f);
    text_free(&echo);
    return same;
}

static int run_input_of_rank(const run_input *in, const run_request *r)
{
    failure why;
    if (!is_same_input(&in->p, &why)) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_FAILED;
    }
    if (!replica_groups_check(&in->p, &why)) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_USAGE;
    }
    const bool acceptable = comm_group() > 0 || !ensemble_is_fresh(&in->p) || run_options_start_input(in, r->input);
    return comm_agree(comm_whole(), acceptable, NULL) ? run_group(in, r) : EXIT_USAGE;
}

static int run_rank(void *of)
{
    const run_request *r = of;
    run_input in;
    log_set_quiet(r->options->quiet);
    const bool readable = run_options_read_input(&in, r->input, &r->options->sets);
    int status = EXIT_USAGE;
    if (comm_agree(comm_whole(), readable, NULL))
        status = run_input_of_rank(&in, r);
    if (readable)
        run_input_free(&in);
    return status;
}

/* The first steps of a user without an input. */
static int print_first_steps(void)
{
    fputs("kiln run: INPUT.yaml is missing.  An input is a YAML file that describes an ensemble.\n"
          "    kiln new                          asks for an action and a target, and writes an input\n"
          "    kiln run input/quickstart.yaml    runs an example of the source tree: minutes on two cores\n"
          "    ./quickstart run                  does so in a fresh source tree, after building Kiln\n"
          "docs/start.md leads to an ensemble of your own in 15 minutes; kiln run --help lists the options.\n",
          log_stream());
    return EXIT_USAGE;
}

/* Restarts of a killed process without progress. */
static int restart_limit(const run_options *o)
{
    enum { WITH_GROUPS = 3 };
    if (o->restarts >= 0)
        return (int)o->restarts;
    return o->ranks.groups > 1 && comm_size(comm_world()) == 1 ? WITH_GROUPS : 0;
}

#define WHEN_A_RUN_STOPS "the run stops at the next step, or after the measurements of this trajectory"

int cmd_run(int argc, char **argv)
{
    run_options o = { .trajectories = -1, .restarts = -1, .walltime = NAN, .checkpoint_minutes = -1 };
    operands files;
    launch by;
    int status = rank_options_read(&run_usage, argc, argv, &o, &o.ranks, &files);
    if (status != GO_ON)
        return status;
    if (files.count == 0)
        return print_first_steps();
    if (o.reason && !o.new_segment)
        return usage_error(&run_usage, "--reason needs --new-segment");
    if (o.restarts > 0 && comm_size(comm_world()) > 1)
        return usage_error(&run_usage, "--restarts %" PRId64 ": %s ends all processes when one is killed, so that Kiln "
                           "cannot start them again; leave out --restarts", o.restarts,
                           launcher_started(&by) ? by.name : "MPI");
    run_request request = { .options = &o, .input = files.item[0], .stop = stop_signals_catch(WHEN_A_RUN_STOPS),
                            .restarts = run_restarts_create(restart_limit(&o), (int)o.ranks.groups, o.json) };
    ignore_signals();
    log_set_quiet(o.quiet);                    /* of this thread; run_rank: of those of ranks */
    request.time = time_limit_begin(o.walltime, "--walltime");
    if (run_restarts_watch(request.restarts, &status))
        return status;
    return rank_options_run(&o.ranks, run_rank, &request);
}
