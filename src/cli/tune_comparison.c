/* tune_comparison.c - kiln tune --lengths and --against: the cost of an independent configuration of several inputs. */
#include "src/cli/tune_comparison.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/start_limits.h"
#include "src/comm/comm.h"
#include "src/compare/comparison.h"
#include "src/compare/comparison_report.h"
#include "src/config/number.h"
#include "src/hmc/hmc.h"
#include "src/tune/tune_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { THERMALIZATION_LEAST = 10 };

const char *const tune_cost_names[] = { "seconds", "work", NULL };

int64_t tune_thermalization(const tune_options *o, const run_params *p)
{
    if (o->thermalization >= 0)
        return o->thermalization;
    return p->hmc.thermalization > THERMALIZATION_LEAST ? p->hmc.thermalization : THERMALIZATION_LEAST;
}

bool tune_compares(const tune_options *o)
{
    return o->lengths || o->against;
}

/* The items of a list with commas, each into a buffer of `size` bytes; their number, or -1 if there are too many or one
 * is too long. */
static int split_list(char *items, size_t size, int most, const char *list)
{
    int count = 0;
    for (const char *at = list; *at;) {
        const size_t length = strcspn(at, ",");
        if (count == most || length >= size)
            return -1;
        memcpy(items + (size_t)count * size, at, length);
        items[(size_t)count++ * size + length] = '\0';
        at += length + (at[length] == ',');
    }
    return count;
}

/* The lengths but that of the input. */
static bool read_lengths(comparison_request *r, const char *list, double given, failure *f)
{
    enum { BYTES = 32 };
    char items[COMPARED_STREAMS][BYTES];
    const int count = split_list(items[0], BYTES, COMPARED_STREAMS, list);
    if (count < 0)
        return fail(f, "--lengths: expected at most %d numbers of at most %d characters, with commas",
                    COMPARED_STREAMS, BYTES - 1);
    for (int i = 0; i < count; i++) {
        text hint = { 0 };
        double length;
        const bool is_length = number_read_real(items[i], &length, &hint) && length > 0;
        text_free(&hint);
        if (!is_length)
            return fail(f, "--lengths: \"%s\" is not a number above 0", items[i]);
        bool known = length == given;
        for (int k = 0; k < r->lengths; k++)
            known = known || r->length[k] == length;
        if (known)
            continue;
        if (r->lengths == COMPARED_STREAMS - 1)
            return fail(f, "--lengths: at most %d lengths besides that of the input", COMPARED_STREAMS - 1);
        r->length[r->lengths++] = length;
    }
    return (count > 0 && r->lengths > 0)
           || fail(f, "--lengths: expected numbers with commas, such as 0.5,1,1.4142,2, at least one other than the "
                      "input's %g", given);
}

static bool make_request(comparison_request *r, const tune_options *o, const run_params *p, failure *f)
{
    if (o->lengths && !read_lengths(r, o->lengths, p->hmc.length, f))
        return false;
    r->observables = o->observables ? split_list(r->observable[0], sizeof r->observable[0], COMPARED_OBSERVABLES,
                                                 o->observables) : 0;
    if (r->observables < 0)
        return fail(f, "--observables: expected at most %d names with commas", COMPARED_OBSERVABLES);
    return true;
}

static bool may_compare(const run_input *in, const tune_options *o, const char *path, failure *f)
{
    const tune_file file = { .input = path, .output = o->output, .sets = &o->sets };
    return (!o->output || tune_file_may_write(&file, &in->p, f)) && candidate_check(&in->p, f)
           && (!o->output || tune_file_check(&file, f));
}

static void report_comparison(const comparison *c, const comparison_request *r, const tune_options *o)
{
    if (o->json) {
        json j = { 0 };
        json_open(&j, NULL, '{');
        comparison_to_json(&j, c, r);
        json_text(&j, "output", o->output);
        json_close(&j);
        puts(json_string(&j));
        json_free(&j);
        return;
    }
    text words = { 0 };
    comparison_to_text(&words, c, r, "");
    fputs(text_string(&words), stdout);
    if (o->output)
        printf("written: %s\n", o->output);
    text_free(&words);
}

/* The input with the chosen length; with its own one, if no other was chosen. */
static bool write_input(const comparison *c, const comparison_request *r, const tune_options *o, const run_params *p,
                        failure *f)
{
    const length_sets sets = candidate_length_sets(p, c->stream[c->choice.chosen].length);
    const char *const set[LENGTH_SETS] = { sets.set[0], sets.set[1] };
    text evidence = { 0 }, note = { 0 }, links = path_in_folder(r->directory, "start.lime");
    text directory = path_absolute(o->directory ? o->directory : "", NULL);
    const tune_file file = { r->input, o->output, o->directory ? text_string(&directory) : NULL, text_string(&links),
                             &o->sets, false };
    comparison_to_text(&evidence, c, r, "# ");
    text_add(&note, "trajectory length %s: %s", c->choice.chosen > 0 ? "chosen" : "kept", c->choice.why);
    const bool done = tune_file_write_values(&file, p, &(tune_file_values){ LENGTH_SETS, set, text_string(&note),
                                                                            text_string(&evidence) }, f);
    text_free(&evidence);
    text_free(&note);
    text_free(&links);
    text_free(&directory);
    return done;
}

int tune_compare(const run_input *in, const tune_options *o, const char *path, const volatile sig_atomic_t *stop)
{
    failure why = { .why = "" };
    place where = PLACE_CPU;
    start_limits limits;
    start_limits_begin(&limits, stop, o->minutes > 0 ? 60 * o->minutes : NAN, "--minutes");
    comparison_request r = { .input = path, .sets = &o->sets, .against = o->against, .directory = o->streams,
                             .from = o->from, .units = o->units,
                             .thermalization = tune_thermalization(o, &in->p), .work = o->cost == TUNE_COST_WORK,
                             .quiet = o->quiet, .limits = &limits.limits };
    comparison *c = memory_alloc(sizeof *c, "a comparison of inputs");
    *c = (comparison){ .count = 0 };
    bool done = comm_agree(comm_world(), may_compare(in, o, path, &why) && make_request(&r, o, &in->p, &why), &why)
                && device_choice_open(&o->device, &where, &why)
                && comm_agree(comm_world(), hmc_memory_fits(&in->p, where, &why), &why);
    done = done && comparison_run(c, &r, &in->p, where, &why) && (!o->output || write_input(c, &r, o, &in->p, &why));
    if (done && comm_is_root(comm_world()))
        report_comparison(c, &r, o);
    else if (!done && !start_limits_report(&limits, why.why, o->json))
        log_line(LOG_ERROR, "%s", why.why);
    comparison_free(c);
    memory_free(c);
    return done ? EXIT_OK : EXIT_FAILED;
}
