/* cmd_measure.c - kiln measure: observables of configurations in files. */
#include "src/base/log.h"
#include "src/cli/device_choice.h"
#include "src/cli/rank_options.h"
#include "src/cli/run_options.h"
#include "src/cli/subcommands.h"
#include "src/comm/comm.h"
#include "src/io/configuration.h"
#include "src/io/file_json.h"
#include "src/lattice/grid.h"
#include "src/measure/observable.h"
#include "src/report/headlines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What kiln measures on every file; `input` is NULL without --input. */
typedef struct { observable_set set; const run_params *input; } measure_request;

typedef struct {
    const char *what, *input;
    text_refs sets;
    bool json;
    device_choice device;
    rank_options ranks;
} measure_options;

#define ABOUT                                                                                                     \
    "Measures observables on configurations in any format (ILDG, SciDAC, NERSC archive, MILC v5).  If a file\n"   \
    "fails the checks of kiln verify, stderr says why, the other files are measured, and the exit status is 1.\n" \
    "With --json, one file gives one object and several files give an array of objects; the object of a file\n"   \
    "that failed has the keys \"file\" and \"error\".\n"                                                          \
    "With --input, Kiln also makes all measurements of that input, with the random numbers that the run would\n"  \
    "have used: those of the trajectory number in the file (0 if Kiln did not write the file).\n\n"               \
    "Observables:\n"

static const option measure_option_table[] = {
    { .name = "what", .value = "NAMES", .doc = "observables, separated by commas (default: all)",
      .type = OPTION_TEXT, .offset = offsetof(measure_options, what) },
    { .name = "input", .value = "INPUT.yaml", .doc = "make the measurements of this input of kiln run",
      .type = OPTION_TEXT, .offset = offsetof(measure_options, input) },
    SET_OPTION(measure_options, sets),
    JSON_OPTION(measure_options, json),
    DEVICE_OPTIONS(measure_options, device),
    RANK_OPTIONS(measure_options, ranks, device),
    { 0 }
};

static void describe(text *about)
{
    text_add(about, ABOUT);
    for (const observable *o = observables; o->name; o++)
        text_add(about, "  %-20s %s\n", o->name, o->doc);
    about->s[--about->length] = '\0';
}

/* The measurements of an input as one object, as the record of the run would have them. */
static json measure_input(const run_params *p, const configuration_facts *facts, const gauge *u)
{
    json j = { 0 };
    clock_tree clock = { 0 };
    const run_state *state = &facts->info.state;
    measurement_point point = { (uint64_t)p->random.seed, (uint32_t)p->random.stream, 0 };
    if (facts->info.has_state)
        point = (measurement_point){ state->seed, state->stream, state->trajectory };
    measurements *m = measurements_create(&p->measurements, u);
    json_open(&j, NULL, '{');
    measurements_run(m, true, u, &point, &j, &clock);
    json_close(&j);
    measurements_free(m);
    return j;
}

static void measure_to_json(json *j, const char *path, const configuration_facts *facts, const measure_request *request,
                            const gauge *u)
{
    json_open(j, NULL, '{');
    file_to_json(j, path, &facts->info);
    observables_to_json(j, &request->set, u);
    if (request->input) {
        json results = measure_input(request->input, facts, u);
        json_insert(j, "measurements", &results);
        json_free(&results);
    }
    json_close(j);
}

static void error_to_json(json *j, const char *path, const failure *f)
{
    json_open(j, NULL, '{');
    json_text(j, "file", path);
    json_text(j, "error", f->why);
    json_close(j);
}

static void headline_to_text(void *out, const char *title, double value)
{
    if (isfinite(value))
        text_add(out, "  %-26s %.15g\n", title, value);
    else
        text_add(out, "  %-26s none\n", title);
}

static void measure_to_text(text *out, const char *path, const configuration_facts *facts,
                            const measure_request *request,
                            const gauge *u)
{
    const links_info *info = &facts->info;
    text_add(out, "%s: %s, %s, %d bits\n", path, extents_to_text(info->extents).s, links_format_name(info->format),
             info->bits);
    observables_to_text(out, &request->set, u);
    if (request->input) {
        json results = measure_input(request->input, facts, u);
        yaml_node *tree = yaml_read_string(json_string(&results), path, NULL);
        for (int i = 0; tree && tree->type == YAML_MAPPING && i < tree->count; i++) {
            headlines_report(tree->key[i]->scalar, tree->item[i], headline_to_text, out);
            headlines_tell_scales(tree->key[i]->scalar, tree->item[i], headline_to_text, out);
        }
        yaml_tree_free(tree);
        json_free(&results);
    }
}

/* How far the kernels of all measurements reach. */
static int hops_of(const measure_request *request)
{
    int hops = GRID_HOPS_LEAST;
    for (int i = 0; request->input && i < request->input->measurements.count; i++) {
        const int next = measurement_hops(&request->input->measurements, i);
        hops = next > hops ? next : hops;
    }
    return hops;
}

/* The links of a file; NULL with the reason, also if its lattice is not that of the input. */
static gauge *open_file(const char *path, configuration_facts *facts, const measure_request *request, place where,
                        failure *f)
{
    gauge *u = configuration_open_for(where, hops_of(request), facts, path, f);
    if (u && request->input && memcmp(facts->info.extents, request->input->extents, sizeof facts->info.extents) != 0) {
        fail(f, "%s: the lattice is %s, but that of the input is %s; change the input with --set lattice=[...]", path,
             extents_to_text(facts->info.extents).s, extents_to_text(request->input->extents).s);
        configuration_close(u);
        u = NULL;
    }
    return u;
}

static int measure_all(const operands *files, const measure_request *request, place where, bool as_json)
{
    int status = EXIT_OK;
    json j = { 0 };
    if (as_json && files->count > 1)
        json_open(&j, NULL, '[');
    for (int i = 0; i < files->count; i++) {
        failure f;
        configuration_facts facts;
        text out = { 0 };
        gauge *u = open_file(files->item[i], &facts, request, where, &f);
        if (!u) {
            log_line(LOG_ERROR, "%s", f.why);
            status = EXIT_FAILED;
            if (as_json)
                error_to_json(&j, files->item[i], &f);
        } else if (as_json) {
            measure_to_json(&j, files->item[i], &facts, request, u);
        } else {
            measure_to_text(&out, files->item[i], &facts, request, u);
            fputs(text_string(&out), result_stream());
        }
        text_free(&out);
        configuration_close(u);
    }
    if (as_json && files->count > 1)
        json_close(&j);
    if (as_json)
        fprintf(result_stream(), "%s\n", json_string(&j));
    json_free(&j);
    return status;
}

/* The input of --input: read and checked, with at least one measurement. */
static bool read_input(run_input *in, const measure_options *o)
{
    if (!run_options_read_input(in, o->input, &o->sets))
        return false;
    if (in->p.measurements.count > 0)
        return true;
    log_line(LOG_ERROR, "%s: the input has no measurements", o->input);
    run_input_free(in);
    return false;
}

/* What each rank gets. */
typedef struct { const measure_options *options; const observable_set *set; const operands *files; } measure_task;

static int measure_on_rank(void *of)
{
    const measure_task *t = of;
    const measure_options *o = t->options;
    measure_request request = { *t->set, NULL };
    run_input in;
    place where;
    failure f;
    int status = EXIT_FAILED;
    const bool readable = !o->input || read_input(&in, o);
    if (comm_agree(comm_world(), readable, NULL)) {
        request.input = o->input ? &in.p : NULL;
        if (device_choice_open(&o->device, &where, &f))
            status = measure_all(t->files, &request, where, o->json);
        else
            log_line(LOG_ERROR, "%s", f.why);
    } else {
        status = EXIT_USAGE;
    }
    if (o->input && readable)
        run_input_free(&in);
    return status;
}

int cmd_measure(int argc, char **argv)
{
    text about = { 0 };
    describe(&about);
    usage u = { "measure", "CONFIG...", 1, -1, text_string(&about), measure_option_table };
    measure_options o = { 0 };
    observable_set set;
    operands files;
    failure f;
    int status = rank_options_read(&u, argc, argv, &o, &o.ranks, &files);
    if (status == GO_ON && !observables_select(&set, o.what, &f))
        status = usage_error(&u, "--what: %s", f.why);
    if (status == GO_ON && o.sets.count > 0 && !o.input)
        status = usage_error(&u, "--set needs --input");
    text_free(&about);
    measure_task task = { &o, &set, &files };
    return status == GO_ON ? rank_options_run(&o.ranks, measure_on_rank, &task) : status;
}
