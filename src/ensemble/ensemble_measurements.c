/* ensemble_measurements.c - compare the measurements of an input with those of the segments of a stream, by name. */
#include "src/ensemble/ensemble_measurements.h"

#include "src/base/log.h"
#include "src/ensemble/ensemble_parameters.h"

#include <inttypes.h>
#include <string.h>

static int index_of(const param_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(measurement_name(list, i), name) == 0)
            return i;
    return -1;
}

static void add_change(text *changes, const char *name, const char *what)
{
    text_add(changes, "\n  measurement %s: %s", name, what);
}

/* The lines of one text that the other one lacks, each as a change of the measurement. */
static void add_lines(text *changes, const char *name, const char *whose, const text *of, const text *other)
{
    for (const char *line = text_string(of); *line;) {
        const size_t length = strcspn(line, "\n");
        text one = { 0 }, change = { 0 };
        text_add(&one, "\n");
        text_add_bytes(&one, line, length);
        text_add(&one, "\n");
        text_add(&change, "%s %.*s", whose, (int)length, line);
        if (!strstr(text_string(other), text_string(&one)) && strncmp(text_string(other), one.s + 1, length + 1) != 0)
            add_change(changes, name, text_string(&change));
        text_free(&one);
        text_free(&change);
        line += length + (line[length] == '\n');
    }
}

static void add_differences(text *changes, const param_list *then, int before, const param_list *now, int index)
{
    const char *name = measurement_name(now, index);
    text old = { 0 }, new = { 0 };
    measurement_list_parameters(&old, then, before);
    measurement_list_parameters(&new, now, index);
    add_lines(changes, name, "ensemble:", &old, &new);
    add_lines(changes, name, "input:", &new, &old);
    text_free(&old);
    text_free(&new);
}

void measurements_compare(text *changes, const param_list *then, const param_list *now)
{
    for (int i = 0; i < then->count; i++)
        if (index_of(now, measurement_name(then, i)) < 0)
            add_change(changes, measurement_name(then, i), "removed");
    for (int i = 0; i < now->count; i++) {
        const char *name = measurement_name(now, i);
        const int before = index_of(then, name);
        if (before < 0)
            add_change(changes, name, "added");
        else
            add_differences(changes, then, before, now, i);
    }
}

static bool read_segment(parameters_file *file, const segments *s, int index, const char *directory, failure *f)
{
    text path = segments_parameters_path(s, directory, index);
    const bool ok = parameters_file_read(file, text_string(&path), f);
    text_free(&path);
    return ok;
}

/* Compare the settings of the names that are not known yet with those that they have in this segment. */
static void compare_settings(bool *known, text *differences, const param_list *then, const param_list *now)
{
    for (int i = 0; i < now->count; i++) {
        const char *name = measurement_name(now, i);
        const int before = index_of(then, name);
        if (known[i] || before < 0)
            continue;
        known[i] = true;
        if (measurement_settings(then, before) != measurement_settings(now, i))
            add_differences(differences, then, before, now, i);
    }
}

static bool settings_agree(text *changes, const segments *s, int index, const run_params *p, failure *f)
{
    const param_list *now = &p->measurements;
    bool known[MEASUREMENTS_MAX] = { false };            /* names that a segment has, the newest first */
    text differences = { 0 };
    bool ok = true;
    for (int k = index; ok && k >= 0; k--) {
        parameters_file then;
        failure why;
        const bool readable = read_segment(&then, s, k, p->output.directory, &why);
        if (readable) {
            if (k == index)
                measurements_compare(changes, &then.in.p.measurements, now);
            compare_settings(known, &differences, &then.in.p.measurements, now);
        } else if (k == index) {
            ok = fail(f, "%s: the measurements of this ensemble cannot be read: %s", p->output.directory, why.why);
        }
        parameters_file_free(&then);
    }
    if (ok && differences.length > 0)
        ok = fail(f, "%s: measurements of the input have the names of others in the ensemble, but other settings; their "
                     "results must not be averaged: give them other names, or use --new-segment, from which on the "
                     "names mean these settings:%s", p->output.directory, text_string(&differences));
    text_free(&differences);
    return ok;
}

bool ensemble_measurements_settle(segments *s, const run_params *p, int64_t next, uint64_t chain, failure *f)
{
    const int index = segments_at(s, next);
    text changes = { 0 };
    if (s->item[index].input_digest != run_params_digest(p))
        return true;                                        /* the caller refuses these parameters */
    bool ok = settings_agree(&changes, s, index, p, f);
    if (ok && changes.length > 0 && index + 1 == s->count) {
        const segments_change change = { "other measurements", &changes, next, chain };
        ok = segments_add(s, p, &change, f);
        if (ok)
            log_line(LOG_INFO, "a new segment begins with trajectory %" PRId64 ", for other measurements:%s", next,
                     text_string(&changes));
    }
    text_free(&changes);
    return ok;
}
