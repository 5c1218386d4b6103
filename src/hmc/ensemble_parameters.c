/* ensemble_parameters.c - an ensemble keeps its parameters: both sides are echoes of one table, line by line. */
#include "src/hmc/ensemble_parameters.h"

#include "src/base/text.h"
#include "src/io/safe_file.h"

#include <string.h>

static text path_of(const char *directory)
{
    text path = { 0 };
    text_add(&path, "%s/parameters.yaml", directory);
    return path;
}

bool ensemble_parameters_write(const char *directory, const run_params *p, failure *f)
{
    text path = path_of(directory), echo = { 0 };
    schema_echo(&echo, run_param_specs, p, false);
    bool ok = safe_file_write_text(text_string(&path), text_string(&echo), true, f);
    text_free(&path);
    text_free(&echo);
    return ok;
}

/* The bytes that two texts share at their beginning, whole lines only. */
static size_t common_lines(const char *a, const char *b)
{
    size_t same = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\n')
            same = i + 1;
    return same;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

static void add_line(text *out, const char *whose, const char *line)
{
    if (*line)
        text_add(out, "\n  %s %.*s", whose, (int)strcspn(line, "\n"), line);
}

/* Where the echoes part, line against line: an echo has a line for every key, in the table's order. */
static void tell_differences(text *out, const char *then, const char *now)
{
    while (*then || *now) {
        size_t same = common_lines(then, now);
        add_line(out, "ensemble:", then += same);
        add_line(out, "input:   ", now += same);
        then = next_line(then);
        now = next_line(now);
    }
}

bool ensemble_parameters_agree(const run_params *p, failure *f)
{
    text path = path_of(p->output.directory), then = { 0 }, now = { 0 }, differences = { 0 };
    run_input old;
    fault_list faults = { 0 };
    bool ok = run_input_read(&old, text_string(&path), NULL, 0, &faults);
    if (!ok) {
        fail(f, "%s: holds an ensemble whose parameters cannot be read, so that nothing can be added to it: %s",
             p->output.directory, text_string(&faults.lines));
    } else {
        schema_echo_fixed(&then, run_param_specs, &old.p);
        schema_echo_fixed(&now, run_param_specs, p);
        tell_differences(&differences, text_string(&then), text_string(&now));
        ok = differences.length == 0
             || fail(f, "%s: the input differs from the ensemble that lives here; use another directory, or the same "
                        "parameters:%s", p->output.directory, text_string(&differences));
    }
    run_input_free(&old);
    fault_list_free(&faults);
    text_free(&path);
    text_free(&then);
    text_free(&now);
    text_free(&differences);
    return ok;
}
