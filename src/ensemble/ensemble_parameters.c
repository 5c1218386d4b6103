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

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* Keys of monomials that choose the algorithm or its accuracy, not the distribution of the links. */
static bool is_of_the_algorithm(const char *name, size_t length)
{
    static const char *const names[] = { "name", "hasenbusch", "heavy", "heavy_kappa", "heavy_mu", "heavy_mu_sigma",
                                         "heavy_rho", "fields", "residuals", "residual_norm", "errors", "chronological",
                                         "force_filter", "force_precision", "even_odd", "solver", "multigrid" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}

/* Of a line such as `monomials.0.determinants.1.mass: "0.1"`. */
static bool is_of_the_action(const char *line)
{
    static const char list[] = "monomials.";
    if (strncmp(line, list, sizeof list - 1) != 0)
        return false;
    const size_t key = strcspn(line, ":\n");
    for (size_t at = 0; at < key;) {
        const size_t length = strcspn(line + at, ".:\n");
        if (is_of_the_algorithm(line + at, length))
            return false;
        at += length + 1;
    }
    return true;
}

static bool has_line(const char *all, const char *line)
{
    const size_t length = strcspn(line, "\n");
    for (; *all; all = next_line(all))
        if (strcspn(all, "\n") == length && memcmp(all, line, length) == 0)
            return true;
    return false;
}

/* The first parameter of the action in `a` that `b` lacks, or has with another value; NULL: there is none. */
static const char *find_action(const char *a, const char *b)
{
    for (; *a; a = next_line(a))
        if (is_of_the_action(a) && !has_line(b, a))
            return a;
    return NULL;
}

/* The key of the first parameter of the action that differs; "" if the links have the same distribution. */
static void add_action_key(text *out, const run_params *then, const run_params *now)
{
    text old = { 0 }, new = { 0 };
    schema_list_fixed(&old, run_param_specs, then);
    schema_list_fixed(&new, run_param_specs, now);
    const char *line = find_action(text_string(&new), text_string(&old));
    line = line ? line : find_action(text_string(&old), text_string(&new));
    if (line)
        text_add(out, "%.*s", (int)strcspn(line, ":"), line);
    text_free(&old);
    text_free(&new);
}

/* Read the parameters of the ensemble, and list the keys in which `p` differs. */
static bool compare(parameters_file *then, text *differences, const run_params *p, failure *f)
{
    text path = ensemble_parameters_path(p->output.directory, INT64_MAX);
    failure why;
    bool ok = parameters_file_read(then, text_string(&path), &why)
              || fail(f, "%s: the parameters of this ensemble cannot be read: %s", p->output.directory, why.why);
    if (ok)
        parameter_differences_add(differences, &then->in.p, p);
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

bool ensemble_parameters_agree(const run_params *p, failure *f)
{
    parameters_file then;
    text differences = { 0 }, action = { 0 }, advice = { 0 };
    bool ok = compare(&then, &differences, p, f);
    if (ok)
        add_action_key(&action, &then.in.p, p);
    if (action.length > 0)
        text_add(&advice, "; %s is of the action, and configurations of two actions are samples of two distributions, "
                          "which must not be averaged together: begin a new ensemble (another output.directory)",
                 text_string(&action));
    if (ok && !of_the_stream(&then.in.p, p))
        text_add(&advice, action.length > 0 ? "; --new-segment would only serve to thermalize with the new action from "
                                              "these links"
                                            : ", or --new-segment to continue with these, which do not change the "
                                              "distribution of the links");
    if (ok && differences.length > 0)
        ok = fail(f, "%s: the input differs from the parameters of the ensemble; use another directory, or the same "
                     "parameters%s:%s", p->output.directory, text_string(&advice), text_string(&differences));
    parameters_file_free(&then);
    text_free(&differences);
    text_free(&action);
    text_free(&advice);
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
    bool ok = compare(&then, changes, p, f);
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
    parameters_file_free(&then);
    return ok;
}
