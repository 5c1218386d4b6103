/* ensemble_parameters.c - compare an input with the parameters of an ensemble, and the reasons for a refusal. */
#include "src/ensemble/ensemble_parameters.h"

#include "src/base/checksum.h"
#include "src/base/text.h"
#include "src/ensemble/parameter_differences.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"
#include "src/measure/measurement_changes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

text ensemble_parameters_path(const char *directory, int64_t last_trajectory)
{
    text path = { 0 };
    if (last_trajectory == INT64_MAX)
        text_add(&path, "%s/parameters.yaml", directory);
    else
        text_add(&path, "%s/parameters.%06" PRId64 ".yaml", directory, last_trajectory);
    return path;
}

bool file_digest(const char *path, uint64_t *digest, failure *f)
{
    text content = { 0 };
    bool ok = disk_add_file(&content, path, f);
    *digest = digest64(DIGEST64_START, text_string(&content), content.length);
    text_free(&content);
    return ok;
}

bool parameters_file_read(parameters_file *file, const char *path, failure *f)
{
    fault_list faults = { 0 };
    *file = (parameters_file){ 0 };
    bool ok = run_input_read(&file->in, path, NULL, 0, &faults)
              || fail(f, "%.*s", (int)faults.lines.length - 1, text_string(&faults.lines));
    if (ok) {
        file->input_digest = run_params_digest(&file->in.p);
        ok = file_digest(path, &file->file_digest, f);
    }
    fault_list_free(&faults);
    return ok;
}

void parameters_file_free(parameters_file *file)
{
    run_input_free(&file->in);
}

void ensemble_parameters_text(text *out, const run_params *p, const char *directory)
{
    run_params in_file = *p;
    in_file.output.directory = (char *)directory;        /* the echo only reads it */
    schema_echo(out, run_param_specs, &in_file, false);
}

bool ensemble_parameters_write(const char *folder, const run_params *p, const char *directory, failure *f)
{
    text path = ensemble_parameters_path(folder, INT64_MAX), echo = { 0 };
    ensemble_parameters_text(&echo, p, directory);
    bool ok = safe_file_write_text(text_string(&path), text_string(&echo), true, f);
    text_free(&path);
    text_free(&echo);
    return ok;
}

/* Read the parameters of the ensemble, and list the keys in which `p` differs, and the first one of the action. */
static bool compare(parameters_file *then, text *differences, text *action, const run_params *p, failure *f)
{
    text path = ensemble_parameters_path(p->output.directory, INT64_MAX);
    failure why;
    bool ok = parameters_file_read(then, text_string(&path), &why)
              || fail_because(f, &why, "%s: the parameters of this ensemble cannot be read: %s",
                              p->output.directory, why.why);
    if (ok)
        parameter_differences_add(differences, action, &then->in.p, p);
    text_free(&path);
    return ok;
}

/* The first difference in a parameter that is fixed for the whole stream, with the reason; NULL: there is none. */
static const char *of_the_stream(const run_params *a, const run_params *b)
{
    if (memcmp(a->extents, b->extents, sizeof a->extents) != 0)
        return "lattice: the links have these extents";
    if (a->boundary.time != b->boundary.time)
        return "boundary.time: the links have these boundaries";
    if (a->random.seed != b->random.seed)
        return "random.seed: it identifies the stream; with two seeds in one record, repeated random numbers would "
               "not be noticed";
    if (a->random.stream != b->random.stream)
        return "random.stream: it identifies the stream; with two streams in one record, repeated random numbers "
               "would not be noticed";
    if (a->start.trajectory != b->start.trajectory)
        return "start.trajectory: the trajectories are numbered from it";
    if (a->start.from != b->start.from || memcmp(a->start.copies, b->start.copies, sizeof a->start.copies) != 0
        || a->start.reunitarize != b->start.reunitarize
        || a->start.heatbath.sweeps != b->start.heatbath.sweeps || a->start.heatbath.beta != b->start.heatbath.beta
        || a->start.heatbath.beta_given != b->start.heatbath.beta_given
        || a->start.heatbath.settle != b->start.heatbath.settle)
        return "start: the stream has begun already";
    if (strcmp(a->output.name, b->output.name) != 0)
        return "output.name: Kiln finds the states by it";
    return NULL;
}

/* Cut the list, after a whole line if it has one, so that the message has room for the advice. */
static void shorten_list(text *differences)
{
    enum { MOST = 400 };
    size_t end = MOST;
    if (differences->length <= MOST)
        return;
    while (end > 0 && differences->s[end] != '\n')
        end--;
    text_cut(differences, end > 0 ? end : MOST);
    text_add(differences, "\n  and others");
}

/* What the differences mean, and what to do: a line each.  `action`: the first key of the action that differs; "": none
 * does.  A difference that is `fixed` for the stream leaves no choice of a new segment. */
static void add_advice(text *out, const char *action, bool fixed)
{
    if (*action)
        text_add(out, "\n  %s changes the action, unless the product of all weights stays the same."
                      "\n  Configurations of two actions must not be averaged together.", action);
    text_add(out, "\n  To continue this ensemble, use its parameters.yaml as the input."
                  "\n  To use those of the input, begin a new ensemble: another output.directory.");
    if (!fixed && *action)
        text_add(out, "\n  --new-segment serves only to thermalize with the new action from these links.");
    else if (!fixed)
        text_add(out, "\n  --new-segment continues the ensemble with those of the input, which do not change the "
                      "distribution of the links.");
}

bool ensemble_parameters_agree(const run_params *p, failure *f)
{
    parameters_file then;
    text differences = { 0 }, action = { 0 };
    bool ok = compare(&then, &differences, &action, p, f);
    if (ok && differences.length > 0) {
        shorten_list(&differences);
        add_advice(&differences, text_string(&action), of_the_stream(&then.in.p, p) != NULL);
        ok = fail(f, "%s: the input differs from the parameters of the ensemble:%s", p->output.directory,
                  text_string(&differences));
    }
    parameters_file_free(&then);
    text_free(&differences);
    text_free(&action);
    return ok;
}

bool ensemble_lattice_agrees(const run_params *p, failure *f)
{
    parameters_file then;
    text path = ensemble_parameters_path(p->output.directory, INT64_MAX);
    failure unreadable;
    const bool other = parameters_file_read(&then, text_string(&path), &unreadable)
                       && memcmp(then.in.p.extents, p->extents, sizeof p->extents) != 0;
    parameters_file_free(&then);
    text_free(&path);
    return !other || ensemble_parameters_agree(p, f);
}

bool ensemble_parameters_may_change(const run_params *p, text *changes, uint64_t *before, failure *f)
{
    parameters_file then;
    bool ok = compare(&then, changes, NULL, p, f);
    *before = then.input_digest;
    const char *fixed = ok ? of_the_stream(&then.in.p, p) : NULL;
    if (fixed)
        ok = fail(f, "%s: a new segment cannot change %s; use another directory:%s", p->output.directory, fixed,
                  text_string(changes));
    if (ok)
        measurements_compare(changes, &then.in.p.measurements, &p->measurements);
    if (ok && changes->length == 0)
        ok = fail(f, "%s: the input has the parameters of the ensemble, so that no new segment can begin; to continue, "
                     "run without --new-segment", p->output.directory);
    if (ok)
        parameter_changes_add(changes, &then.in.p, p);
    parameters_file_free(&then);
    return ok;
}
