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

static void add_line(text *out, const char *whose, const char *line)
{
    text_add(out, "\n  %s %.*s", whose, (int)strcspn(line, "\n"), line);
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

static void add_lone_monomials(text *out, const char *whose, const run_params *a, const run_params *b,
                               const char *other)
{
    for (int m = 0; m < run_monomial_count(a); m++)
        if (partner(a, m, b) < 0)
            text_add(out, "\n  %s %s%d (kind: %s, name: %s): %s has none of this kind and name", whose, list, m,
                     run_monomial_kind(a, m)->input.name, run_monomial_name(a, m), other);
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

static void add_monomials(text *out, const run_params *then, const run_params *now)
{
    add_lone_monomials(out, ensemble, then, now, "the input");
    add_lone_monomials(out, input, now, then, "the ensemble");
    if (is_reordered(then, now)) {
        add_order(out, ensemble, then);
        add_order(out, input, now);
    }
}

void parameter_differences_add(text *out, const run_params *then, const run_params *now)
{
    text old = { 0 }, new = { 0 };
    schema_list_fixed(&old, run_param_specs, then);
    schema_list_fixed(&new, run_param_specs, now);
    add_monomials(out, then, now);
    for (const char *line = text_string(&old); *line; line = next_line(line)) {
        const char *other = line_with_key(text_string(&new), now, line, then);
        if (is_of_a_lone_monomial(line, then, now) || (other && same_values(line, other)))
            continue;
        add_line(out, ensemble, line);
        if (other)
            add_line(out, input, other);
    }
    for (const char *line = text_string(&new); *line; line = next_line(line))
        if (!is_of_a_lone_monomial(line, now, then) && !line_with_key(text_string(&old), then, line, now))
            add_line(out, input, line);
    text_free(&old);
    text_free(&new);
}
