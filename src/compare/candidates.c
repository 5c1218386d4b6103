/* candidates.c - inputs of streams, made from an input by values of --set. */
#include "src/compare/candidates.h"

#include "integrators/schedule.h"
#include "src/base/log.h"
#include "src/config/number.h"
#include "src/config/yaml_quoted.h"
#include "src/ensemble/parameter_differences.h"
#include "src/measure/flow.h"
#include "src/tune/tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stream writes no configurations, and a state to continue from every 10 trajectories. */
#define NO_CONFIGURATIONS "output.configuration_every=4294967295"
#define CHECKPOINTS "output.checkpoint_every=10"

enum { STREAMS = 65536, SETS_MOST = TEXT_REFS_MAX + 16 };

/* Values of --set, each with its '\0', in one text. */
typedef struct { text all; int count; } set_list;

PRINTF_LIKE(2, 3) static void add_set(set_list *s, const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    text_add_bytes(&s->all, words, strlen(words) + 1);
    s->count++;
}

/* "KEY={..."PATH"}": a path with quotation marks. */
static void add_path(set_list *s, const char *before, const char *path, const char *after)
{
    text absolute = path_absolute(path, NULL);
    text_add(&s->all, "%s", before);
    yaml_quoted_add(&s->all, text_string(&absolute));
    text_add(&s->all, "%s", after);
    text_add_bytes(&s->all, "", 1);
    s->count++;
    text_free(&absolute);
}

static bool is_flow(const param_list *list, int index)
{
    return measurement_kinds[((const kind_item *)list->item)[index].kind] == &flow_measurement.input;
}

/* Whether a line "key: value" says that the key was not given (schema_list_fixed). */
static bool is_absent(const char *line, size_t length)
{
    static const char absent[] = ": not given";
    const size_t n = sizeof absent - 1;
    return length >= n && strncmp(line + length - n, absent, n) == 0;
}

/* Append "key: value, " for each parameter of a measurement but `every`. */
static void add_parameters(text *out, const param_list *list, int index)
{
    text lines = { 0 };
    measurement_list_parameters(&lines, list, index);
    for (const char *line = text_string(&lines); *line;) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, "every:", 6) != 0 && !is_absent(line, length)) {
            text_add_bytes(out, line, length);
            text_add(out, ", ");
        }
        line += length + (line[length] == '\n');
    }
    text_free(&lines);
}

/* The flows of the input, after every trajectory. */
static void add_measurements(set_list *s, const run_params *p)
{
    const param_list *list = &p->measurements;
    bool first = true;
    text_add(&s->all, "measurements=[");
    for (int i = 0; i < list->count; i++)
        if (is_flow(list, i)) {
            text_add(&s->all, "%s{ ", first ? "" : ", ");
            add_parameters(&s->all, list, i);
            text_add(&s->all, "name: ");
            yaml_quoted_add(&s->all, measurement_name(list, i));
            text_add(&s->all, ", every: 1 }");
            first = false;
        }
    text_add(&s->all, "]");
    text_add_bytes(&s->all, "", 1);
    s->count++;
}

/* Read the input with the given values and these. */
static bool read_input(candidate *c, const char *path, const text_refs *given, set_list *s, failure *f)
{
    char *sets[SETS_MOST];
    int count = 0;
    fault_list faults = { 0 };
    for (int i = 0; given && i < given->count; i++)
        sets[count++] = (char *)given->item[i];
    c->text = s->all.s;
    char *at = c->text;
    for (int i = 0; i < s->count && count < SETS_MOST; i++, at += strlen(at) + 1)
        sets[count++] = at;
    const bool read = run_input_read(&c->in, path, sets, count, &faults);
    if (!read) {
        fail(f, "%s: %s: %.400s", path, c->label, text_string(&faults.lines));
        candidate_free(c);
    }
    fault_list_free(&faults);
    return read;
}

void candidate_free(candidate *c)
{
    if (c->text)
        run_input_free(&c->in);
    free(c->text);
    c->text = NULL;
}

bool candidate_check(const run_params *p, failure *f)
{
    if (!tune_check(p, f))
        return false;
    if (run_is_smd(p))
        return fail(f, "stochastic molecular dynamics has no trajectory length to choose");
    for (int i = 0; i < p->measurements.count; i++)
        if (is_flow(&p->measurements, i))
            return true;
    return fail(f, "%s: the slow observables are those of the gradient flow: add a measurement of kind flow to the "
                   "input", p->file);
}

length_sets candidate_length_sets(const run_params *p, double length)
{
    length_sets sets;
    text number = { 0 };
    const level_params *outer = p->hmc.levels.item;
    const int64_t g = tune_granularity(outer);
    const double steps = (double)outer->steps * length / p->hmc.length / (double)g;
    number_add_real(&number, length);
    snprintf(sets.set[0], LENGTH_SET_BYTES, "hmc.trajectory_length=%s", text_string(&number));
    snprintf(sets.set[1], LENGTH_SET_BYTES, "hmc.levels.0.steps=%" PRId64,
             (int64_t)fmax(1, ceil(steps * (1 - 1e-9))) * g);
    text_free(&number);
    return sets;
}

int candidates_count(const comparison_request *r)
{
    return r->against ? 2 : 1 + r->lengths;
}

static void set_label(candidate *c, const comparison_request *r, double length, int index)
{
    text number = { 0 };
    number_add_real(&number, length);
    if (r->against)
        snprintf(c->label, sizeof c->label, index == 0 ? "input" : "against");
    else
        snprintf(c->label, sizeof c->label, "length_%.30s", text_string(&number));
    text_free(&number);
}

/* What every stream has in common. */
static void add_output(set_list *s, const comparison_request *r, const candidate *c)
{
    text folder = path_in_folder(r->directory, c->label);
    add_path(s, "output.directory=", text_string(&folder), "");
    add_set(s, "output.name=stream");
    add_set(s, "output.lfn=\"\"");
    add_set(s, NO_CONFIGURATIONS);
    add_set(s, CHECKPOINTS);
    text_free(&folder);
}

/* A difference of tau then need not be the effect of the algorithm.  Only a warning: monomials of other names, or
 * divided in another way, may be the same action. */
static void warn_of_action(const comparison_request *r, const run_params *p, const run_params *other)
{
    text differences = { 0 }, action = { 0 };
    if (other->boundary.time != p->boundary.time)
        text_add(&action, "boundary.time");
    parameter_differences_add(&differences, &action, p, other);
    if (action.length > 0)
        log_line(LOG_WARNING, "%s: its action may differ from that of %s: %s differs; if so, tau and the cost of an "
                              "independent configuration are those of two ensembles, and do not compare algorithms",
                 r->against, r->input, text_string(&action));
    text_free(&differences);
    text_free(&action);
}

bool candidate_make(candidate *c, const comparison_request *r, const run_params *p, int index, failure *f)
{
    set_list s = { .count = 0 };
    const bool other = r->against && index > 0, longer = !r->against && index > 0;
    run_input alone = { .tree = NULL };
    const run_params *own = p;
    *c = (candidate){ .text = NULL };
    if (other) {                                            /* its own measurements and length */
        fault_list faults = { 0 };
        const bool read = run_input_read(&alone, r->against, NULL, 0, &faults);
        if (!read)
            fail(f, "%s: %.400s", r->against, text_string(&faults.lines));
        fault_list_free(&faults);
        own = &alone.p;
        if (!read || !candidate_check(own, f)
            || (memcmp(own->extents, p->extents, sizeof p->extents) != 0
                && !fail(f, "%s: the lattice is %s, that of %s is %s", r->against, extents_to_text(own->extents).s,
                         r->input, extents_to_text(p->extents).s))) {
            run_input_free(&alone);
            return false;
        }
        warn_of_action(r, p, own);
    }
    const double length = longer ? r->length[index - 1] : own->hmc.length;
    set_label(c, r, length, index);
    c->trajectories = (int64_t)fmax(1, ceil(r->units / length - 1e-9));
    if (longer) {
        const length_sets sets = candidate_length_sets(p, length);
        for (int i = 0; i < LENGTH_SETS; i++)
            add_set(&s, "%s", sets.set[i]);
    }
    text start = path_in_folder(r->directory, "start.lime");
    add_path(&s, "start={from: file, file: ", text_string(&start), "}");
    text_free(&start);
    add_output(&s, r, c);
    add_set(&s, "hmc.trajectories=%" PRId64, c->trajectories);
    add_set(&s, "hmc.thermalization=0");
    add_set(&s, "random.stream=%" PRId64, (p->random.stream + 1 + index) % STREAMS);
    add_measurements(&s, own);
    const bool made = read_input(c, other ? r->against : r->input, other ? NULL : r->sets, &s, f);
    if (other)
        run_input_free(&alone);
    return made;
}

bool candidate_make_thermalization(candidate *c, const comparison_request *r, failure *f)
{
    set_list s = { .count = 0 };
    *c = (candidate){ .label = "thermalization", .trajectories = r->thermalization };
    add_output(&s, r, c);
    add_set(&s, "hmc.trajectories=%" PRId64, r->thermalization);
    add_set(&s, "hmc.thermalization=%" PRId64, r->thermalization);
    add_set(&s, "measurements=[]");
    return read_input(c, r->input, r->sets, &s, f);
}
