/* cmd_run.c - kiln run: start or continue the ensemble that an input describes. */
#include "src/base/log.h"
#include "src/cli/device_choice.h"
#include "src/cli/run_options.h"
#include "src/cli/subcommands.h"
#include "src/hmc/ensemble.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    device_choice device;
    option_texts sets;
    int64_t trajectories;
    bool quiet;
} run_options;

static const usage run_usage = {
    .name = "run",
    .operands = "INPUT.yaml",
    .least = 1,
    .most = 1,
    .about = "Starts the ensemble that INPUT.yaml describes, or continues it from its newest valid state.\n"
             "The same command again goes on where the last one ended: a stream that was stopped or killed\n"
             "continues bit for bit as if it had not been.  No configuration is ever overwritten.\n"
             "SIGINT, SIGTERM, SIGHUP and SIGUSR1 end the run with a valid state and status 1: not all that was asked\n"
             "for is there.  The trajectory that they interrupt is made anew by the same command.",
    .options = (const option[]){ DEVICE_OPTIONS(run_options, device),
                                 SET_OPTION(run_options, sets),
                                 { "trajectories", "N",
                                   "make N more trajectories now (default: up to hmc.trajectories\nof the input)",
                                   OPTION_INT, offsetof(run_options, trajectories), false, 0, 4294967295.0, NULL,
                                   NULL },
                                 { "quiet", NULL, "no progress, only warnings and errors", OPTION_FLAG,
                                   offsetof(run_options, quiet), false, 0, 0, NULL, NULL },
                                 { 0 } },
};

static volatile sig_atomic_t stop_signal;

static void take_signal(int number)
{
    stop_signal = number;
}

static void catch_signals(void)
{
    struct sigaction action = { .sa_handler = take_signal, .sa_flags = SA_RESTART };
    struct sigaction hangup;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);   /* what batch systems send before the time is up */
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);    /* under nohup the run goes on */
    signal(SIGPIPE, SIG_IGN);            /* a closed terminal is no reason to lose a trajectory */
    signal(SIGXFSZ, SIG_IGN);            /* a file-size limit is told by the write that meets it */
}

static void tell_trajectory(const ensemble_progress *p)
{
    const hmc_outcome *o = p->outcome;
    log_progress("trajectory %" PRId64 "/%" PRId64 "  %s  dH %+.3e  plaquette %.8f  polyakov %.4f  %.2f s", p->number,
                 p->until,
                 o->swept ? "swept   " : o->accepted ? o->tested ? "accepted" : "taken   " : "rejected", o->dh,
                 p->observables->plaquette.average, hypot(p->observables->polyakov.re, p->observables->polyakov.im),
                 p->seconds);
    if (!isfinite(o->dh))
        log_line(LOG_WARNING, "trajectory %" PRId64 ": dH is not a number; rejected (steps too long?)", p->number);
}

static int run(const run_input *in, const run_options *o)
{
    place where;
    failure why;
    if (!device_choice_open(&o->device, &where, &why) || !hmc_memory_fits(&in->p, where, &why)) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_FAILED;
    }
    ensemble *e = ensemble_open(&in->p, where, &why);
    if (!e) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_FAILED;
    }
    int64_t until = o->trajectories >= 0 ? ensemble_trajectory(e) + o->trajectories : in->p.hmc.trajectories;
    int status = EXIT_OK;
    switch (ensemble_run(e, until, &stop_signal, tell_trajectory, &why)) {
    case ENSEMBLE_DONE:
        log_line(LOG_INFO,
                 "%s: %" PRId64 " trajectories are there, %" PRId64 " were asked for; kiln status %s shows more",
                 in->p.output.directory, ensemble_trajectory(e), until, in->p.output.directory);
        break;
    case ENSEMBLE_STOPPED:
        log_line(LOG_WARNING, "stopped by %s after trajectory %" PRId64 "; the same command continues",
                 strsignal(stop_signal), ensemble_trajectory(e));
        status = EXIT_FAILED;
        break;
    case ENSEMBLE_FAILED:
        log_line(LOG_ERROR, "%s", why.why);
        log_line(LOG_ERROR, "stopped after trajectory %" PRId64 "; the newest valid state is untouched: when the cause "
                            "is mended, the same command continues from it", ensemble_trajectory(e));
        status = EXIT_FAILED;
        break;
    }
    ensemble_close(e);
    return status;
}

int cmd_run(int argc, char **argv)
{
    run_options o = { .trajectories = -1 };
    operands files;
    run_input in;
    int status = options_read(&run_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    catch_signals();
    log_set_quiet(o.quiet);
    if (!input_read_or_tell(&in, files.item[0], &o.sets))
        return EXIT_USAGE;
    bool acceptable = !ensemble_is_fresh(&in.p) || input_start_or_tell(&in, files.item[0]);
    status = acceptable ? run(&in, &o) : EXIT_USAGE;
    run_input_free(&in);
    return status;
}
