/* schema_describe.c - describes parameters in words. */
#include "src/config/schema_describe.h"

#include "src/config/number.h"
#include "src/config/yaml.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

param_range param_range_of(const param_spec *spec)
{
    const bool above_min = spec->flags & PARAM_ABOVE_MIN, below_max = spec->flags & PARAM_BELOW_MAX;
    if (spec->min == 0 && spec->max == 0)
        return (param_range){ above_min ? 0 : -INFINITY, INFINITY, above_min, false };
    require(spec->min <= spec->max, "the range of the parameter %s is empty", spec->key);
    return (param_range){ spec->min, spec->max, above_min, below_max };
}

/* Limits that the type itself sets are not printed. */
static bool is_open(const param_spec *spec, double end)
{
    static const double largest[] = {
        [PARAM_INT] = 9223372036854775807.0, [PARAM_REAL] = 1e308, [PARAM_INT4] = 2147483647.0,
        [PARAM_REAL3] = 1e308,
    };
    return fabs(end) >= largest[spec->type];
}

/* " >= 1", " > 0 and <= 1", " > 0 and < 2", " from 1 to 10", or nothing */
static void describe_range(text *out, const param_spec *spec)
{
    param_range range = param_range_of(spec);
    bool has_min = !is_open(spec, range.min), has_max = !is_open(spec, range.max);
    bool closed = has_min && has_max && !range.above_min && !range.below_max;
    if ((spec->type == PARAM_INT4 || spec->type == PARAM_REAL3) && (has_min || has_max))
        text_add(out, ", each");
    if (has_min) {
        text_add(out, closed ? " from " : range.above_min ? " > " : " >= ");
        number_add_real(out, range.min);
    }
    if (has_max) {
        text_add(out, closed ? " to " : has_min ? " and " : " ");
        text_add(out, closed ? "" : range.below_max ? "< " : "<= ");
        number_add_real(out, range.max);
    }
}

typedef struct { char s[32]; } value_word;

/* The value of a PARAM_CHOICE or PARAM_INT as an input writes it. */
static value_word word_of(const param_spec *spec, const void *values)
{
    const char *field = (const char *)values + spec->offset;
    value_word word;
    if (spec->type == PARAM_CHOICE)
        snprintf(word.s, sizeof word.s, "%s", spec->choices[*(const int *)field]);
    else
        snprintf(word.s, sizeof word.s, "%" PRId64, *(const int64_t *)field);
    return word;
}

static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        const size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, word, here) == 0)
            return true;
        at += here;
    }
    return false;
}

const param_spec *param_choice_of(const param_spec *specs, const param_spec *spec)
{
    if (!spec->choice)
        return NULL;
    const param_spec *choice = param_find(specs, spec->choice);
    require(choice && (spec->chosen ? choice->type == PARAM_CHOICE || choice->type == PARAM_INT
                                    : (choice->flags & PARAM_OPTIONAL) != 0),
            "the parameter %s depends on %s, which its table does not have", spec->key, spec->choice);
    return choice;
}

bool param_applies(const param_spec *specs, const param_spec *spec, const void *values)
{
    const param_spec *choice = param_choice_of(specs, spec);
    if (!choice)
        return true;
    return spec->chosen ? has_word(spec->chosen, word_of(choice, values).s)
                        : param_is_given(choice, (const char *)values + choice->offset);
}

void describe_not_chosen(text *out, const param_spec *specs, const param_spec *spec, const void *values)
{
    const param_spec *choice = param_choice_of(specs, spec);
    assert(choice);                      /* a key without a choice applies always */
    if (!spec->chosen) {
        text_add(out, "%s needs the key %s, which is missing: add it (", spec->key, choice->key);
        describe_allowed(out, choice);
        text_add(out, "), or remove %s", spec->key);
        return;
    }
    text_add(out, "%s is for %s ", spec->key, spec->choice);
    for (const char *c = spec->chosen; *c; c++)
        text_add(out, *c == ' ' ? strchr(c + 1, ' ') ? ", " : " or " : "%c", *c);
    text_add(out, ", not for %s: remove it, or change %s", word_of(choice, values).s, spec->choice);
}

void describe_allowed(text *out, const param_spec *spec)
{
    static const struct { const char *plain, *strict; } phrases[] = {
        [PARAM_INT]    = { "an integer", "an even integer" },
        [PARAM_REAL]   = { "a number", NULL },
        [PARAM_BOOL]   = { "true or false", NULL },
        [PARAM_TEXT]   = { "a string", "a non-empty string" },
        [PARAM_CHOICE] = { "one of", NULL },
        [PARAM_INT4]   = { "4 integers [x, y, z, t]", "4 even integers [x, y, z, t]" },
        [PARAM_REAL3]  = { "3 numbers [x, y, z]", NULL },
        [PARAM_TEXTS]  = { "a list of strings", "a list of one string or more" },
        [PARAM_GROUP]  = { "a mapping", NULL },
        [PARAM_LIST]   = { "a list of mappings", "a list of one mapping or more" },
        [PARAM_KINDS]  = { "a list of mappings with a kind", "a list of one mapping or more with a kind" },
    };
    bool strict = spec->flags & (PARAM_EVEN | PARAM_NOT_EMPTY);
    const char *special = phrases[spec->type].strict;
    text_add(out, "%s", strict && special ? special : phrases[spec->type].plain);
    if (spec->type == PARAM_CHOICE)
        for (const char *const *word = spec->choices; *word; word++)
            text_add(out, "%s %s", word == spec->choices ? "" : ",", *word);
    if (spec->type == PARAM_INT || spec->type == PARAM_REAL || spec->type == PARAM_INT4 || spec->type == PARAM_REAL3)
        describe_range(out, spec);
}

void describe_kinds(text *out, const param_kind *const *kinds)
{
    for (const param_kind *const *kind = kinds; *kind; kind++)
        text_add(out, "%s%s", kind == kinds ? "" : ", ", (*kind)->name);
}

void describe_found(text *out, const yaml_node *node)
{
    if (node->type == YAML_SEQUENCE)
        text_add(out, node->count ? "a list" : "an empty list");
    else if (node->type == YAML_MAPPING)
        text_add(out, "a mapping");
    else if (yaml_is_null(node))
        text_add(out, "nothing");
    else
        text_add(out, "%s\"%s\"", node->quoted ? "the quoted string " : "", excerpt(node->scalar).s);
    if (node->type == YAML_SCALAR && node->last_line > node->place.line)
        text_add(out, " in lines %d to %d: check the indentation", node->place.line, node->last_line);
}

/* "; for example heatbath: { sweeps: 300 }", on one line */
static void add_example(text *out, const param_spec *spec)
{
    text_add(out, "; for example %s: ", spec->key);
    for (const char *c = spec->example; *c; c++)
        if (*c != '\n')
            text_add_bytes(out, c, 1);
        else
            for (text_add(out, " "); c[1] == ' ';)
                c++;
}

void describe_mismatch(text *out, const param_spec *spec, const yaml_node *node)
{
    static const char set[] = YAML_SET_PREFIX;
    const bool listed = spec->type == PARAM_INT4 || spec->type == PARAM_REAL3 || spec->type == PARAM_TEXTS;
    text_add(out, "expected ");
    describe_allowed(out, spec);
    text_add(out, ", found ");
    describe_found(out, node);
    if (spec->type == PARAM_GROUP && spec->example)
        add_example(out, spec);
    if (!listed || node->type != YAML_SCALAR || node->quoted || !strchr(node->scalar, ','))
        return;
    if (strncmp(node->place.file, set, sizeof set - 1) == 0)
        text_add(out, "; write --set '%s=[%s]'", node->place.file + sizeof set - 1, excerpt(node->scalar).s);
    else
        text_add(out, "; write [%s]", excerpt(node->scalar).s);
}
