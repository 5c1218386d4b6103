/* parameter_differences.c - pairs the parameters of two inputs by their keys, and monomials by name and kind. */
#include "src/ensemble/parameter_differences.h"

#include <stdlib.h>
#include <string.h>

static const char ensemble[] = "ensemble:", input[] = "input:   ", list[] = "monomials.";

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* The differences found so far; weights: the keys "\nmonomials.0.beta:" of both inputs that are of the action. */
typedef struct { text *out, *action; text weights; } differences;

static bool list_weight(const char *key, const param_spec *spec, const void *value, void *of)
{
    (void)value;
    if (spec->flags & (PARAM_FREE_TO_CHANGE | PARAM_NUMERICAL))
        return false;
    text_add(of, "\n%s:", key);
    return true;
}

/* The first key of the action that differs is noted. */
static void note_action(differences *d, const char *key, int length)
{
    if (d->action && d->action->length == 0)
        text_add(d->action, "%.*s", length, key);
}

static void add_line(differences *d, const char *whose, const char *line)
{
    const int key = (int)strcspn(line, ":");
    text sought = { 0 };
    text_add(d->out, "\n  %s %.*s", whose, (int)strcspn(line, "\n"), line);
    text_add(&sought, "\n%.*s:", key, line);
    if (strncmp(line, list, sizeof list - 1) == 0 && strstr(text_string(&d->weights), text_string(&sought)))
        note_action(d, line, key);
    text_free(&sought);
}

/* The monomial that a line belongs to, and the rest of its key; -1: none. */
static int monomial_of(const char *line, const char **rest)
{
    *rest = line;
    if (strncmp(line, list, sizeof list - 1) != 0)
        return -1;
    char *end;
    const long index = strtol(line + sizeof list - 1, &end, 10);
    *rest = end;
    return (int)index;
}

/* The monomial of `b` that is monomial m of `a`; -1: none. */
static int partner(const run_params *a, int m, const run_params *b)
{
    for (int i = 0; i < run_monomial_count(b); i++)
        if (run_monomial_kind(a, m) == run_monomial_kind(b, i)
            && strcmp(run_monomial_name(a, m), run_monomial_name(b, i)) == 0)
            return i;
    return -1;
}

/* The line of `all`, the parameters of `b`, with the key of `line`, one of `a`; NULL: there is none. */
static const char *line_with_key(const char *all, const run_params *b, const char *line, const run_params *a)
{
    const char *rest, *other;
    const int m = monomial_of(line, &rest), wanted = m < 0 ? -1 : partner(a, m, b);
    const size_t length = strcspn(rest, ":") + 1;
    for (; *all && (m < 0 || wanted >= 0); all = next_line(all))
        if (monomial_of(all, &other) == wanted && strncmp(rest, other, length) == 0)
            return all;
    return NULL;
}

static bool same_values(const char *a, const char *b)
{
    a += strcspn(a, ":");
    b += strcspn(b, ":");
    const size_t length = strcspn(a, "\n");
    return length == strcspn(b, "\n") && memcmp(a, b, length) == 0;
}

/* Whether the line is of a monomial that `b` does not have. */
static bool is_of_a_lone_monomial(const char *line, const run_params *a, const run_params *b)
{
    const char *rest;
    const int m = monomial_of(line, &rest);
    return m >= 0 && partner(a, m, b) < 0;
}

static void add_lone_monomials(differences *d, const char *whose, const run_params *a, const run_params *b,
                               const char *other)
{
    for (int m = 0; m < run_monomial_count(a); m++) {
        if (partner(a, m, b) >= 0)
            continue;
        text key = { 0 };
        text_add(&key, "%s%d", list, m);
        text_add(d->out, "\n  %s %s (kind: %s, name: %s): %s has none of this kind and name", whose, text_string(&key),
                 run_monomial_kind(a, m)->input.name, run_monomial_name(a, m), other);
        note_action(d, text_string(&key), (int)key.length);
        text_free(&key);
    }
}

static void add_order(text *out, const char *whose, const run_params *p)
{
    text_add(out, "\n  %s monomials:", whose);
    for (int m = 0; m < run_monomial_count(p); m++)
        text_add(out, "%s %s", m > 0 ? "," : "", run_monomial_name(p, m));
}

static bool is_reordered(const run_params *a, const run_params *b)
{
    for (int m = 0, before = -1; m < run_monomial_count(a); m++) {
        const int at = partner(a, m, b);
        if (at >= 0 && at < before)
            return true;
        before = at >= 0 ? at : before;
    }
    return false;
}

static void add_monomials(differences *d, const run_params *then, const run_params *now)
{
    add_lone_monomials(d, ensemble, then, now, "the input");
    add_lone_monomials(d, input, now, then, "the ensemble");
    if (is_reordered(then, now)) {
        add_order(d->out, ensemble, then);
        add_order(d->out, input, now);
    }
}

void parameter_differences_add(text *out, text *action, const run_params *then, const run_params *now)
{
    differences d = { .out = out, .action = action };
    text old = { 0 }, new = { 0 };
    schema_each(run_param_specs, now, list_weight, &d.weights);
    schema_each(run_param_specs, then, list_weight, &d.weights);
    schema_list_fixed(&old, run_param_specs, then);
    schema_list_fixed(&new, run_param_specs, now);
    add_monomials(&d, then, now);
    for (const char *line = text_string(&old); *line; line = next_line(line)) {
        const char *other = line_with_key(text_string(&new), now, line, then);
        if (is_of_a_lone_monomial(line, then, now) || (other && same_values(line, other)))
            continue;
        add_line(&d, ensemble, line);
        if (other)
            add_line(&d, input, other);
    }
    for (const char *line = text_string(&new); *line; line = next_line(line))
        if (!is_of_a_lone_monomial(line, now, then) && !line_with_key(text_string(&old), then, line, now))
            add_line(&d, input, line);
    text_free(&d.weights);
    text_free(&old);
    text_free(&new);
}

/* Whether a key takes effect after the beginning of a stream, and is none of its place. */
static bool is_in_use(const char *line)
{
    static const char start[] = "start.", directory[] = "output.directory:";
    return strncmp(line, start, sizeof start - 1) != 0 && strncmp(line, directory, sizeof directory - 1) != 0;
}

void parameter_changes_add(text *out, const run_params *then, const run_params *now)
{
    text old = { 0 }, new = { 0 };
    schema_list_free(&old, run_param_specs, then);
    schema_list_free(&new, run_param_specs, now);
    for (const char *line = text_string(&new); *line; line = next_line(line)) {
        const char *before = is_in_use(line) ? line_with_key(text_string(&old), then, line, now) : NULL;
        if (before && !same_values(before, line)) {
            before += strcspn(before, ":") + 1;
            text_add(out, "\n  %.*s (before:%.*s)", (int)strcspn(line, "\n"), line, (int)strcspn(before, "\n"), before);
        }
    }
    text_free(&old);
    text_free(&new);
}
