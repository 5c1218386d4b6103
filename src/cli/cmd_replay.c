/* cmd_replay.c - kiln replay: repeat the step at which a run failed. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/cli/subcommands.h"
#include "src/comm/comm.h"
#include "src/ensemble/failure_folder.h"
#include "src/options/device_choice.h"
#include "src/options/rank_options.h"
#include "src/options/run_options.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct {
    device_choice device;
    text_refs sets;
    bool json;
    rank_options ranks;
} replay_options;

static const usage replay_usage = {
    .name = "replay", .operands = "FOLDER", .least = 1, .most = 1,
    .about = "Repeats the step at which a run failed, from the folder failure.NNNNNN that the run left in its\n"
             "ensemble: with the same links, fields and random numbers, on this or another device, with the same\n"
             "or other parameters.  Prints whether the step succeeds now.\n"
             "Exit status 0 if the step succeeds, 1 if it fails again.",
    .options = (const option[]){ DEVICE_OPTIONS(replay_options, device), RANK_OPTIONS(replay_options, ranks, device),
                                 SET_OPTION(replay_options, sets), JSON_OPTION(replay_options, json), { 0 } },
};

/* The outcome of the repeated step. */
typedef struct {
    const char *folder;
    const failure_folder_facts *then;
    place where;
    bool succeeds;
    hmc_failure now;
    monomial *m;                     /* the monomial of the step */
} replay;

static void report_to_json(json *j, const char *key, const replay *r)
{
    json_open(j, key, '{');
    monomial_log_warnings(r->m, key);
    monomial_report(r->m, j);
    json_close(j);
}

static void print_json(const replay *r)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_text(&j, "folder", r->folder);
    json_int(&j, "trajectory", r->then->trajectory);
    json_text(&j, "step", hmc_step_names[r->then->step]);
    json_text(&j, "term", r->then->term);
    json_text(&j, "then", r->then->reason.why);
    json_text(&j, "device", place_name(r->where));
    json_bool(&j, "succeeds", r->succeeds);
    json_text(&j, "now", r->succeeds ? NULL : r->now.why.why);
    report_to_json(&j, "report", r);
    json_close(&j);
    fprintf(result_stream(), "%s\n", json_string(&j));
    json_free(&j);
}

static void print_text(const replay *r)
{
    json j = { 0 };
    report_to_json(&j, NULL, r);
    fprintf(result_stream(), "trajectory %" PRId64 ", %s of %s\n", r->then->trajectory,
            hmc_step_names[r->then->step], r->then->term);
    fprintf(result_stream(), "  %-8s failed: %s\n", "then", r->then->reason.why);
    fprintf(result_stream(), "  %-8s %s%s\n", place_name(r->where), r->succeeds ? "succeeds" : "fails: ",
            r->succeeds ? "" : r->now.why.why);
    fprintf(result_stream(), "  %-8s %s\n", "report", json_string(&j));
    json_free(&j);
}

static int repeat_step(const run_params *p, const failure_folder_facts *facts, const char *folder,
                       const replay_options *o)
{
    replay r = { .folder = folder, .then = facts };
    failure why;
    int term, status = EXIT_FAILED;
    if (!device_choice_open(&o->device, &r.where, &why)
        || !comm_agree(comm_world(), hmc_memory_fits(p, r.where, &why), &why)) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_FAILED;
    }
    const lattice_shape shape = run_shape(p);
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, r.where, PRECISION_DOUBLE);
    hmc *h = hmc_create(p, u);
    term = failure_folder_term(h, facts, folder, &why);
    if (term >= 0 && failure_folder_load(u, NULL, h, facts, folder, &why)) {
        r.m = hmc_terms(h)[term].m;
        r.succeeds = hmc_repeat(h, facts->step, term, u, facts->trajectory, &r.now);
        if (o->json)
            print_json(&r);
        else
            print_text(&r);
        status = r.succeeds ? EXIT_OK : EXIT_FAILED;
    } else
        log_line(LOG_ERROR, "%s", why.why);
    hmc_free(h);
    gauge_free(u);
    lattice_free(l);
    return status;
}

/* What each rank gets. */
typedef struct { const replay_options *options; const char *folder; } replay_task;

/* The input of the failed run.  False after a message; then there is nothing to free. */
static bool read_input(run_input *in, const replay_task *t)
{
    text parameters = path_in_folder(t->folder, "parameters.yaml");
    const bool readable = run_options_read_input(in, text_string(&parameters), &t->options->sets);
    text_free(&parameters);
    if (comm_agree(comm_world(), readable, NULL))
        return true;
    if (readable)
        run_input_free(in);
    return false;
}

static int replay_on_rank(void *of)
{
    const replay_task *t = of;
    failure_folder_facts facts;
    failure why;
    run_input in;
    if (!failure_folder_read(&facts, t->folder, &why)) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_FAILED;
    }
    if (!read_input(&in, t))
        return t->options->sets.count > 0 ? EXIT_USAGE : EXIT_FAILED;
    in.p.random.seed = (int64_t)facts.seed;          /* the refresh is that of the failing trajectory */
    in.p.random.stream = (int64_t)facts.stream;
    const int status = repeat_step(&in.p, &facts, t->folder, t->options);
    run_input_free(&in);
    return status;
}

int cmd_replay(int argc, char **argv)
{
    replay_options o = { 0 };
    operands files;
    const int status = rank_options_read(&replay_usage, argc, argv, &o, &o.ranks, &files);
    if (status != GO_ON)
        return status;
    replay_task task = { &o, files.item[0] };
    return rank_options_run(&o.ranks, replay_on_rank, &task);
}
