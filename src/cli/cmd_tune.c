/* cmd_tune.c - kiln tune: choose steps, nesting, lambda and Hasenbusch masses of an input by measurement, or compare
 * inputs (tune_comparison.h). */
#include "src/base/log.h"
#include "src/cli/start_limits.h"
#include "src/cli/stop_signals.h"
#include "src/cli/subcommands.h"
#include "src/cli/tune_comparison.h"
#include "src/comm/comm.h"
#include "src/compare/recorded_tau.h"
#include "src/ensemble/ensemble_check.h"
#include "src/ensemble/write_remedy.h"
#include "src/options/run_options.h"
#include "src/tune/checkpoint_folder.h"
#include "src/tune/shared_clock.h"
#include "src/tune/tune.h"
#include "src/tune/tune_checkpoint.h"
#include "src/tune/tune_file.h"
#include "src/tune/tune_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const usage tune_usage = {
    .name = "tune", .operands = "INPUT.yaml", .least = 1, .most = 1,
    .about = "Chooses the integrator of INPUT.yaml by measurement: schemes, steps, nesting, lambda, the masses,\n"
             "kappas and twists of its Hasenbusch lists, numbers of pseudofermions, and the solvers of its quarks\n"
             "if another kind is clearly faster on this machine.\n"
             "Kiln measures forces and the Poisson brackets of the shadow Hamiltonian on a few trajectories.  They\n"
             "predict the variance of dH and the acceptance of any other setting.  Kiln chooses the setting with the\n"
             "fewest seconds per accepted unit of molecular dynamics and verifies it with trajectories.  Steps much\n"
             "longer than measured ones are measured before they are chosen, and the report says which bound\n"
             "excludes a cheaper setting: stability, growth of a step, or dH beyond second order.  If the target\n"
             "is not reached, Kiln keeps the verified setting that comes nearest and reports what limits the\n"
             "acceptance.  --output writes a new input: yours, with its comments, the new values and the\n"
             "evidence for them.\n"
             "With --lengths or --against, Kiln compares the cost of an independent configuration instead: seconds of\n"
             "2 tau trajectories, from short streams in the folder of --streams.  The same command continues streams\n"
             "that were stopped.  Another length is chosen only if all series are 50 tau long and the costs differ\n"
             "beyond errors; --output then has it.\n"
             "--minutes divides the time among the trajectories: learning leaves time for the verification, and\n"
             "other trials get the rest.  A signal stops the command.  --minutes or the end of the time of a batch\n"
             "job stops the sweeps over start links, and the streams of --lengths and --against, which are then\n"
             "compared as they are.  With --json a command that was stopped without a result prints\n"
             "{\"end\": \"stopped\", \"by\": \"SIGTERM\", \"reason\": \"...\"}.\n"
             "With --checkpoint DIR a tuning that was stopped or had too little time continues with the same command.\n"
             "The ensemble is not changed.  If it has production trajectories, --directory is required.\n"
             "Exit status 1: the target was not reached, or the tuning failed.",
    .options = (const option[]){
        DEVICE_OPTIONS(tune_options, device),
        SET_OPTION(tune_options, sets),
        { .name = "target", .value = "A", .doc = "target acceptance (default 0.8)", .type = OPTION_REAL,
          .offset = offsetof(tune_options, target), .min = 0.05, .max = 0.99 },
        { .name = "output", .value = "TUNED.yaml", .doc = "write the new input to a new file", .type = OPTION_TEXT,
          .path = PATH_WRITE, .offset = offsetof(tune_options, output) },
        { .name = "directory", .value = "DIR", .doc = "output.directory of the new input, as an absolute path",
          .type = OPTION_TEXT, .offset = offsetof(tune_options, directory) },
        { .name = "from", .value = "FILE",
          .doc = "start links (default: newest state of the ensemble,\nelse its start, then thermalization)",
          .type = OPTION_TEXT, .path = PATH_READ, .offset = offsetof(tune_options, from) },
        { .name = "minutes", .value = "M", .doc = "approximate limit of the total time (default: none)",
          .type = OPTION_REAL, .offset = offsetof(tune_options, minutes), .min = 0.01, .max = 1e6 },
        { .name = "checkpoint", .value = "DIR", .doc = "save what is learned in this folder after each\n"
          "trajectory; the same command continues from there", .type = OPTION_TEXT, .path = PATH_WRITE,
          .offset = offsetof(tune_options, checkpoint) },
        { .name = "thermalization", .value = "N", .doc = "thermalizing trajectories before learning, if the\n"
          "links are not thermalized (default: hmc.thermalization,\nat least 10)", .type = OPTION_INT,
          .offset = offsetof(tune_options, thermalization), .max = 1e6 },
        { .name = "learn", .value = "N", .doc = "trajectories to learn from (default 12; at least\n"
          "10 to choose another integrator)", .type = OPTION_INT,
          .offset = offsetof(tune_options, learn), .min = 2, .max = 200 },
        { .name = "prove", .value = "N", .doc = "trajectories that verify the chosen setting\n"
          "(default 12; 0: none)",
          .type = OPTION_INT, .offset = offsetof(tune_options, prove), .max = 1000 },
        { .name = "keep-lambda", .doc = "do not change lambda", .type = OPTION_FLAG,
          .offset = offsetof(tune_options, keep_lambda) },
        { .name = "keep-masses", .doc = "do not change Hasenbusch lists and `fields`", .type = OPTION_FLAG,
          .offset = offsetof(tune_options, keep_masses) },
        { .name = "keep-solver", .doc = "do not change the solvers", .type = OPTION_FLAG,
          .offset = offsetof(tune_options, keep_solver) },
        { .name = "keep-integrator", .doc = "do not change the integrators of the levels", .type = OPTION_FLAG,
          .offset = offsetof(tune_options, keep_integrator) },
        { .name = "residuals", .doc = "also choose the residuals of forces, by the change of dH\n"
          "that they cause (many more trajectories)", .type = OPTION_FLAG,
          .offset = offsetof(tune_options, residuals) },
        { .name = "lengths", .value = "L,...",
          .doc = "compare these trajectory lengths with that of the input, by the\n"
          "cost of an independent configuration", .type = OPTION_TEXT, .offset = offsetof(tune_options, lengths) },
        { .name = "against", .value = "OTHER.yaml", .doc = "compare another input with INPUT.yaml by this cost",
          .type = OPTION_TEXT, .path = PATH_READ, .offset = offsetof(tune_options, against) },
        { .name = "streams", .value = "DIR", .doc = "folder of the streams of --lengths and --against",
          .type = OPTION_TEXT, .offset = offsetof(tune_options, streams) },
        { .name = "units", .value = "T", .doc = "molecular dynamics time of each stream (default 200)",
          .type = OPTION_REAL, .offset = offsetof(tune_options, units), .min = 0.01, .max = 1e7 },
        { .name = "observables", .value = "NAME,...",
          .doc = "whose tau counts, as in kiln status (default: plaquette,\n"
          "and t0, charge, charge_inside, susceptibility of flows)", .type = OPTION_TEXT,
          .offset = offsetof(tune_options, observables) },
        { .name = "cost", .value = "UNIT", .doc = "price of a trajectory: seconds, or work: iterations of solves\n"
          "plus evaluations of forces (default seconds)", .type = OPTION_CHOICE,
          .offset = offsetof(tune_options, cost), .choices = tune_cost_names },
        { .name = "quiet", .doc = "no progress, only warnings, errors and the line of a\n"
          "signal, which says when the command stops", .type = OPTION_FLAG,
          .offset = offsetof(tune_options, quiet) },
        JSON_OPTION(tune_options, json),
        RANK_OPTIONS(tune_options, ranks, device),
        { 0 } },
};

enum { LEARN = 12, PROVE = 12 };
#define LEAST_SECONDS 1e-3             /* of --minutes after the sweeps over start links */
#define UNITS 200

/* Whether an ensemble in production keeps its integrator: `directory` is --directory as an absolute path. */
static bool may_tune_for(const run_input *in, const tune_options *o, const char *directory, failure *f)
{
    const int64_t made = latest_links_trajectories(&in->p);
    const bool elsewhere = o->directory && strcmp(directory, in->p.output.directory) != 0;
    if (*directory && *directory != '/')
        return fail(f, "--directory %s is relative to the working directory, which was removed; change into a folder "
                       "that exists, or give an absolute path", o->directory);
    if (made > in->p.hmc.thermalization && !elsewhere)
        return fail(f, "%s already has %s after thermalization; use --directory DIR to tune the input of a new "
                       "ensemble", in->p.output.directory,
                    nouns_to_text(made - in->p.hmc.thermalization, "trajectory", "trajectories").s);
    return true;
}

/* The checks that need no computation. */
static bool may_tune(const run_input *in, const tune_options *o, const char *path, failure *f)
{
    text directory = path_absolute(o->directory ? o->directory : "", NULL);
    const tune_file file = { .input = path, .output = o->output, .sets = &o->sets, .renew = o->checkpoint != NULL,
                             .directory = o->directory ? text_string(&directory) : NULL };
    const bool may = may_tune_for(in, o, text_string(&directory), f)
                     && (!o->output || tune_file_may_write(&file, &in->p, f)) && tune_check(&in->p, f)
                     && (!o->output || tune_file_check(&file, f));
    text_free(&directory);
    return may;
}

static bool check_memory(const run_params *p, place where, failure *f)
{
    const lattice_shape shape = run_shape(p);
    const size_t links = field_bytes(&shape, PRECISION_DOUBLE, GAUGE_REALS);
    const size_t needed = 2 * links + lab_bytes(p);          /* trials return to a copy of the links */
    const size_t available = hmc_memory_available(where);
    const bytes_text all = bytes_to_text((double)needed);
    const bool fits = available == 0 || needed <= available
                      || fail(f, "tuning needs %s of memory (more than a run), but only %s are free", all.s,
                              bytes_to_text((double)available).s);
    return comm_agree(comm_world(), fits, f);
}

/* `output`: the file that was written; may be NULL. */
static void report_result(const char *output, bool as_json, const run_input *in, const latest_links *at,
                          const tune_result *r, const tune_request *w)
{
    const recorded_tau tau = recorded_tau_read(&in->p);       /* collective */
    if (!comm_is_root(comm_world()))
        return;
    if (as_json) {
        json j = { 0 };
        json_open(&j, NULL, '{');
        json_text(&j, "links", text_string(&at->origin));
        tune_to_json(&j, r, w);
        recorded_tau_to_json(&j, "independent_configuration", &tau, r->now.seconds, r->then.seconds);
        json_text(&j, "output", output);
        json_close(&j);
        puts(json_string(&j));
        json_free(&j);
        return;
    }
    text words = { 0 };
    tune_to_text(&words, r, w, "");
    recorded_tau_to_text(&words, &tau, r->now.seconds, r->then.seconds);
    printf("lattice %s, links: %s, tuned in %s\n%s", extents_to_text(in->p.extents).s, text_string(&at->origin),
           duration_to_text(r->took).s, text_string(&words));
    if (output)
        printf("written: %s\n", output);
    text_free(&words);
}

/* The first links: those of the checkpoint if it exists, else the start links.  Locks the folder of the checkpoint. */
static bool load_links(latest_links *at, gauge *u, int *lock, const run_params *p, const tune_options *o,
                       const run_limits *limits, failure *f)
{
    bool found = false;
    text directory = path_absolute(o->directory ? o->directory : p->output.directory, NULL);
    const bool done = !o->checkpoint
                      || (checkpoint_folder_lock(lock, o->checkpoint, text_string(&directory), f)
                          && tune_checkpoint_load_links(&found, at, u, p, o->checkpoint, f));
    text_free(&directory);
    if (found && o->from && strcmp(o->from, text_string(&at->origin)) != 0)
        log_line(LOG_WARNING, "--from %s is ignored: %s has links of %s; choose another folder for other links",
                 o->from, o->checkpoint, text_string(&at->origin));
    return done && (found || latest_links_load(at, u, p, o->from, limits, f));
}

/* The reason of a stop, which also says how to continue where there is a checkpoint.  False if the limits have not
 * stopped the tuning. */
static bool report_stop(const start_limits *limits, const tune_options *o, bool kept, const failure *why)
{
    text reason = { 0 };
    text_add(&reason, "%s", why->why);
    if (kept)
        text_add(&reason, "; %s keeps what was learned: the same command continues", o->checkpoint);
    const bool stopped = start_limits_report(limits, text_string(&reason), o->json);
    text_free(&reason);
    return stopped;
}

/* What is kept after a failure, and what to do about a disk that refused a file in the folder of the checkpoint. */
static void report_kept(const tune_options *o, const tune_result *r, const failure *why)
{
    text remedy = { 0 };
    const bool known = o->checkpoint && write_remedy_add(&remedy, o->checkpoint, why);
    if (known && r->saved)
        log_line(LOG_ERROR, "%s keeps what was learned before: %s, then the same command continues", o->checkpoint,
                 text_string(&remedy));
    else if (known)
        log_line(LOG_ERROR, "%s has no checkpoint yet: %s, then the same command begins again", o->checkpoint,
                 text_string(&remedy));
    else if (r->saved)
        log_line(LOG_INFO, "%s keeps what was learned: the same command continues", o->checkpoint);
    text_free(&remedy);
}

/* What to do about a disk that refused the tuned input. */
static void report_output(const tune_options *o, const failure *why)
{
    text folder = path_absolute(".", o->output), remedy = { 0 };
    if (write_remedy_add(&remedy, text_string(&folder), why))
        log_line(LOG_ERROR, "the chosen values are in the report: %s, then the same command %s", text_string(&remedy),
                 o->checkpoint ? "continues, and writes them" : "tunes again");
    text_free(&folder);
    text_free(&remedy);
}

static int tune_input(const run_input *in, const tune_options *o, const char *path, const volatile sig_atomic_t *stop)
{
    failure why = { .why = "" };
    place where;
    if (!comm_agree(comm_world(), may_tune(in, o, path, &why), &why) || !device_choice_open(&o->device, &where, &why)
        || !check_memory(&in->p, where, &why)) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_FAILED;
    }
    start_limits limits;
    start_limits_begin(&limits, stop, o->minutes > 0 ? 60 * o->minutes : NAN, "--minutes");
    const double began = shared_clock_now();
    tune_request w = { .target = o->target, .seconds = 60 * o->minutes,
                       .thermalization = tune_thermalization(o, &in->p), .learn = o->learn, .prove = o->prove,
                       .lambdas = !o->keep_lambda, .masses = !o->keep_masses, .solvers = !o->keep_solver,
                       .schemes = !o->keep_integrator, .residuals = o->residuals, .checkpoint = o->checkpoint };
    const tune_source source = { path, o->sets.count, (char *const *)o->sets.item };
    latest_links at = { .trajectory = 0 };
    tune_result r;
    r.saved = false;
    const lattice_shape shape = run_shape(&in->p);
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    int lock = -1;
    bool begun = false, done = load_links(&at, u, &lock, &in->p, o, &limits.limits, &why);
    if (done)
        log_line(LOG_INFO, "links: %s, plaquette %.6f", text_string(&at.origin), gauge_plaquette(u).average);
    if (w.seconds > 0)                               /* 0: no limit */
        w.seconds = fmax(w.seconds - (shared_clock_now() - began), LEAST_SECONDS);
    const tune_task task = { .in = in, .source = &source, .u = u, .origin = text_string(&at.origin),
                             .thermalized = at.thermalized, .memory = &at.memory, .request = &w,
                             .limits = &limits.limits };
    begun = done;
    done = done && tune_run(&r, &task, &why);
    text directory = path_absolute(o->directory ? o->directory : "", NULL);
    const tune_file file = { path, o->output, o->directory ? text_string(&directory) : NULL, text_string(&at.origin),
                             &o->sets, o->checkpoint != NULL };
    const bool tuned = done;
    done = done && (!o->output || tune_file_write(&file, &in->p, &r, &w, &why));
    if (tuned)
        report_result(done ? o->output : NULL, o->json, in, &at, &r, &w);
    const bool stopped = !done && report_stop(&limits, o, begun && !tuned && r.saved, &why);
    if (!done && !stopped)
        log_line(LOG_ERROR, "%s; nothing written", why.why);
    if (begun && !tuned && !stopped)
        report_kept(o, &r, &why);
    if (tuned && !done)
        report_output(o, &why);
    checkpoint_folder_unlock(&lock);
    gauge_free(u);
    lattice_free(l);
    text_free(&at.origin);
    text_free(&directory);
    return done && r.reached ? EXIT_OK : EXIT_FAILED;
}

/* What a rank of the tuning needs. */
typedef struct { const tune_options *options; const char *input; const volatile sig_atomic_t *stop; } tune_of_rank;

static int tune_on_rank(void *of)
{
    const tune_of_rank *t = of;
    const tune_options *o = t->options;
    run_input in;
    int status = EXIT_USAGE;
    log_set_quiet(o->quiet);
    const bool readable = run_options_read_input(&in, t->input, &o->sets);
    if (comm_agree(comm_world(), readable, NULL)
        && (o->from || !ensemble_is_fresh(&in.p) || run_options_start_input(&in, t->input)))
        status = tune_compares(o) ? tune_compare(&in, o, t->input, t->stop) : tune_input(&in, o, t->input, t->stop);
    if (readable)
        run_input_free(&in);
    return status;
}

int cmd_tune(int argc, char **argv)
{
    tune_options o = { .target = 0.8, .thermalization = -1, .learn = LEARN, .prove = PROVE, .units = UNITS };
    operands files;
    const int status = rank_options_read(&tune_usage, argc, argv, &o, &o.ranks, &files);
    if (status != GO_ON)
        return status;
    if (o.directory && !*o.directory)
        return usage_error(&tune_usage, "--directory \"\": expected the name of a folder, found an empty one");
    if (o.streams && !*o.streams)
        return usage_error(&tune_usage, "--streams \"\": expected the name of a folder, found an empty one");
    if (o.lengths && o.against)
        return usage_error(&tune_usage, "give either --lengths or --against");
    if (tune_compares(&o) != (o.streams != NULL))
        return usage_error(&tune_usage, "--lengths and --against need --streams, which is for them alone");
    if (tune_compares(&o) && o.checkpoint)
        return usage_error(&tune_usage, "--streams continues by itself: omit --checkpoint");
    if (o.against && o.output)
        return usage_error(&tune_usage, "--against compares two inputs and writes none: omit --output");
    tune_of_rank task = { &o, files.item[0], stop_signals_catch("kiln tune stops as soon as it can") };
    return rank_options_run(&o.ranks, tune_on_rank, &task);
}
