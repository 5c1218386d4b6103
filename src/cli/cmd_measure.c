/* cmd_measure.c - kiln measure: observables of configurations in files. */
#include "src/base/json_read.h"
#include "src/base/log.h"
#include "src/cli/configuration_files.h"
#include "src/cli/measure_request.h"
#include "src/cli/measure_results.h"
#include "src/cli/measure_text.h"
#include "src/cli/stop_signals.h"
#include "src/cli/subcommands.h"
#include "src/comm/comm.h"
#include "src/hmc/run_advice.h"
#include "src/measure/observable.h"
#include "src/options/device_choice.h"
#include "src/options/rank_options.h"
#include "src/options/run_options.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *what, *input, *results;
    text_refs sets;
    bool json, quiet;
    device_choice device;
    rank_options ranks;
} measure_options;

#define ABOUT                                                                                                        \
    "Measures observables on configurations in any format that kiln convert reads.\n"                                \
    CONFIGURATION_FILES_DOC "\n"                                                                                     \
    "If a file fails the checks of kiln verify, stderr says why, the other files are measured, and the exit status\n"\
    "is 1.  It is also 1 if a measurement fails: its result then has \"converged\": false and \"why\".\n"             \
    "With --json, one file gives one object and several files give an array of objects; the object of a file\n"      \
    "that failed has the keys \"file\" and \"error\".\n"                                                             \
    "With --input, Kiln also makes all measurements of that input, with the random numbers that the run would\n"     \
    "have used: a file of a run has its seed, stream and trajectory.  For a file of another code they depend on\n"   \
    "the seed and the stream of the input and on the links, so that every configuration has its own noise and a\n"   \
    "copy has the same; the member \"random\" of the results then has \"links\", the digest of the links.  As kiln\n"  \
    "check does, Kiln warns of measured quarks that differ from those of the action of the input.\n"                 \
    "With --results, every configuration is on disk as soon as it is measured.  The same command continues after\n"  \
    "an interruption; no measurement is made twice with the same name and parameters on the same links.  A result\n"  \
    "of a measurement that failed is not written, and the same command measures again.  With --json, the output\n"   \
    "then is the numbers of configurations measured, skipped and failed.\n\n"                                        \
    "Observables:\n"

static void list_observables(text *words)
{
    for (const observable *o = observables; o->name; o++)
        text_add(words, "%s%s", o == observables ? "" : " ", o->name);
}

static const option measure_option_table[] = {
    { .name = "what", .value = "NAMES", .doc = "observables, separated by commas (default: all)",
      .type = OPTION_TEXT, .offset = offsetof(measure_options, what), .list = list_observables },
    { .name = "input", .value = "INPUT.yaml", .doc = "make the measurements of this input of kiln run",
      .type = OPTION_TEXT, .path = PATH_READ, .offset = offsetof(measure_options, input) },
    SET_OPTION(measure_options, sets),
    { .name = "results", .value = "FILE.jsonl",
      .doc = "append the results to FILE.jsonl, a line per configuration;\nskip what the file has already",
      .type = OPTION_TEXT, .path = PATH_WRITE, .offset = offsetof(measure_options, results) },
    { .name = "quiet", .doc = "with --results: no progress, only warnings, errors and\n"
      "the line of a signal, which says when the command stops", .type = OPTION_FLAG,
      .offset = offsetof(measure_options, quiet) },
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

/* False if a measurement failed. */
static bool measure_to_json(json *j, const char *path, const configuration_facts *facts, const measure_request *request,
                            const gauge *u)
{
    bool ok = true;
    json_open(j, NULL, '{');
    json_text(j, "file", path);
    measure_links_to_json(j, request, &facts->info);
    observables_to_json(j, &request->set, u);
    if (request->input) {
        input_results measured = measure_input(request, path, facts, NULL, u);
        measure_random_to_json(j, request, facts);
        json_insert(j, "measurements", &measured.results);
        json_free(&measured.results);
        ok = measured.failures == 0;
    }
    json_close(j);
    return ok;
}

static void error_to_json(json *j, const char *path, const failure *f)
{
    json_open(j, NULL, '{');
    json_text(j, "file", path);
    json_text(j, "error", f->why);
    json_close(j);
}

/* False if a measurement failed. */
static bool measure_to_text(text *out, const char *path, const configuration_facts *facts,
                            const measure_request *request, const gauge *u)
{
    const links_info *info = &facts->info;
    bool ok = true;
    text_add(out, "%s: %s, %s, %d bits\n", path, extents_to_text(info->extents).s, links_format_name(info->format),
             info->bits);
    observables_to_text(out, &request->set, u);
    if (request->input) {
        input_results measured = measure_input(request, path, facts, NULL, u);
        yyjson_doc *doc = json_read_string(json_string(&measured.results), path, NULL);
        yyjson_val *name, *result;
        size_t i, count;
        require(doc != NULL, "%s: results that are no JSON", path);
        yyjson_obj_foreach(yyjson_doc_get_root(doc), i, count, name, result)
            measurement_to_text(out, yyjson_get_str(name), result);
        yyjson_doc_free(doc);
        json_free(&measured.results);
        ok = measured.failures == 0;
    }
    return ok;
}

static int measure_all(const configuration_files *files, const measure_request *request, place where, bool as_json)
{
    int status = EXIT_OK;
    json j = { 0 };
    if (as_json && files->count > 1)
        json_open(&j, NULL, '[');
    for (int i = 0; i < files->count; i++) {
        failure f;
        configuration_facts facts;
        text out = { 0 };
        bool ok = false;
        gauge *u = measure_open(files->item[i], &facts, request, where, &f);
        if (!u) {
            log_line(LOG_ERROR, "%s", f.why);
            if (as_json)
                error_to_json(&j, files->item[i], &f);
        } else if (as_json) {
            ok = measure_to_json(&j, files->item[i], &facts, request, u);
        } else {
            ok = measure_to_text(&out, files->item[i], &facts, request, u);
            fputs(text_string(&out), result_stream());
        }
        status = ok ? status : EXIT_FAILED;
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
typedef struct {
    const measure_options *options;
    const observable_set *set;
    const operands *given;
    const volatile sig_atomic_t *stop;
} measure_task;

static int measure_files(const measure_task *t, const measure_request *request, place where)
{
    const measure_options *o = t->options;
    configuration_files files;
    failure f;
    int status = EXIT_FAILED;
    if (!configuration_files_find(&files, t->given, &f))
        log_line(LOG_ERROR, "%s", f.why);
    else if (o->results)
        status = measure_into_results(o->results, &files, request, where, t->stop, o->json);
    else
        status = measure_all(&files, request, where, o->json);
    configuration_files_free(&files);
    return status;
}

static int measure_on_rank(void *of)
{
    const measure_task *t = of;
    const measure_options *o = t->options;
    measure_request request = { *t->set, NULL };
    run_input in;
    place where;
    failure f;
    int status = EXIT_FAILED;
    log_set_quiet(o->quiet);
    const bool readable = !o->input || read_input(&in, o);
    if (comm_agree(comm_world(), readable, NULL)) {
        request.input = o->input ? &in.p : NULL;
        if (request.input)
            run_advice_warn_of_measurements(request.input);
        if (device_choice_open(&o->device, &where, &f))
            status = measure_files(t, &request, where);
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
    measure_task task = { &o, &set, &files, NULL };
    if (o.results)
        task.stop = stop_signals_catch("kiln measure stops after this configuration");
    return status == GO_ON ? rank_options_run(&o.ranks, measure_on_rank, &task) : status;
}
