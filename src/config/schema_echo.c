/* schema_echo.c - complete parameters as YAML: for parameters.yaml, and for the digest of a run.
 *
 * Reading the echo gives the same values, and their echo the same bytes. */
#include "src/config/number.h"
#include "src/config/schema_describe.h"
#include "src/config/yaml_quoted.h"

#include <inttypes.h>
#include <string.h>

enum { INDENT = 2 };

typedef enum { EVERYTHING, FIXED_AND_UNUSUAL, PHYSICAL_AND_UNUSUAL } echo_part;

typedef struct { text *out; int indent; echo_part part; } echo;

typedef void value_writer(echo e, const param_spec *spec, const void *field);

static void echo_mapping(echo e, const param_spec *specs, const void *values);

static void echo_int(echo e, const param_spec *spec, const void *field)
{
    (void)spec;
    text_add(e.out, " %" PRId64 "\n", *(const int64_t *)field);
}

static void echo_real(echo e, const param_spec *spec, const void *field)
{
    (void)spec;
    text_add(e.out, " ");
    number_add_real(e.out, *(const double *)field);
    text_add(e.out, "\n");
}

static void echo_bool(echo e, const param_spec *spec, const void *field)
{
    (void)spec;
    text_add(e.out, " %s\n", *(const bool *)field ? "true" : "false");
}

static void echo_text(echo e, const param_spec *spec, const void *field)
{
    (void)spec;
    const char *s = *(char *const *)field;
    text_add(e.out, " ");
    yaml_quoted_add(e.out, s ? s : "");
    text_add(e.out, "\n");
}

static void echo_choice(echo e, const param_spec *spec, const void *field)
{
    text_add(e.out, " %s\n", spec->choices[*(const int *)field]);
}

static void echo_int4(echo e, const param_spec *spec, const void *field)
{
    (void)spec;
    const int *n = field;
    text_add(e.out, " [%d, %d, %d, %d]\n", n[0], n[1], n[2], n[3]);
}

static void echo_real3(echo e, const param_spec *spec, const void *field)
{
    (void)spec;
    for (int i = 0; i < 3; i++) {
        text_add(e.out, i ? ", " : " [");
        number_add_real(e.out, ((const double *)field)[i]);
    }
    text_add(e.out, "]\n");
}

static void echo_texts(echo e, const param_spec *spec, const void *field)
{
    (void)spec;
    const text_list *list = field;
    text_add(e.out, " [");
    for (int i = 0; i < list->count; i++) {
        text_add(e.out, "%s", i ? ", " : "");
        yaml_quoted_add(e.out, list->item[i]);
    }
    text_add(e.out, "]\n");
}

static void echo_group(echo e, const param_spec *spec, const void *field)
{
    text inside = { 0 };
    echo_mapping((echo){ &inside, e.indent + INDENT, e.part }, spec->group, field);
    text_add(e.out, inside.length ? "\n%s" : " {}\n%s", text_string(&inside));
    text_free(&inside);
}

/* An item is a mapping whose first line has "- " in its indentation. */
static void echo_item(echo e, const char *kind, const param_spec *specs, const void *values)
{
    text inside = { 0 };
    int deeper = e.indent + 2 * INDENT;
    if (kind)
        text_add(&inside, "%*skind: %s\n", deeper, "", kind);
    if (specs)
        echo_mapping((echo){ &inside, deeper, e.part }, specs, values);
    if (inside.length == 0)
        text_add(&inside, "%*s{}\n", deeper, "");
    inside.s[e.indent + INDENT] = '-';
    text_add_bytes(e.out, inside.s, inside.length);
    text_free(&inside);
}

static void echo_list(echo e, const param_spec *spec, const void *field)
{
    const param_list *list = field;
    text_add(e.out, list->count ? "\n" : " []\n");
    for (int i = 0; i < list->count; i++)
        echo_item(e, NULL, spec->group, (const char *)list->item + spec->element_size * (size_t)i);
}

static void echo_kinds(echo e, const param_spec *spec, const void *field)
{
    const param_list *list = field;
    const kind_item *items = list->item;
    text_add(e.out, list->count ? "\n" : " []\n");
    for (int i = 0; i < list->count; i++) {
        const param_kind *kind = spec->kinds[items[i].kind];
        echo_item(e, kind->name, kind->params, items[i].params);
    }
}

/* The line of the parameter with its default value; empty if it has no default. */
static void echo_default(echo e, value_writer *writer, const param_spec *spec)
{
    union {
        int64_t integer;
        double real, three[3];
        bool truth;
        char *text;
        int choice, four[4];
        text_list texts;
    } value;
    param_spec alone[2] = { *spec, { 0 } };
    if (!spec->fallback || spec->type == PARAM_GROUP || spec->type == PARAM_LIST || spec->type == PARAM_KINDS)
        return;
    alone[0].offset = 0;
    memset(&value, 0, sizeof value);
    schema_read_default(&alone[0], &value);
    writer(e, spec, &value);
    schema_free_values(alone, &value);
}

/* The value of one key: the rest of its line and the lines below; nothing if the digest leaves it out. */
static void echo_value(echo e, value_writer *writer, const param_spec *spec, const void *field)
{
    writer(e, spec, field);
    if (e.part == EVERYTHING)
        return;
    text usual = { 0 };
    echo_default((echo){ &usual, e.indent, e.part }, writer, spec);
    bool nothing_left = spec->fallback && ((spec->type == PARAM_GROUP && strcmp(text_string(e.out), " {}\n") == 0)
                                           || (strcmp(spec->fallback, "[]") == 0
                                               && strcmp(text_string(e.out), " []\n") == 0));
    if (nothing_left || strcmp(text_string(&usual), text_string(e.out)) == 0)
        text_clear(e.out);
    text_free(&usual);
}

static value_writer *const writers[] = {
    [PARAM_INT] = echo_int,       [PARAM_REAL] = echo_real, [PARAM_BOOL] = echo_bool,   [PARAM_TEXT] = echo_text,
    [PARAM_CHOICE] = echo_choice, [PARAM_INT4] = echo_int4, [PARAM_REAL3] = echo_real3, [PARAM_TEXTS] = echo_texts,
    [PARAM_GROUP] = echo_group,   [PARAM_LIST] = echo_list, [PARAM_KINDS] = echo_kinds,
};

static bool is_left_out(echo_part part, const param_spec *spec)
{
    return (part != EVERYTHING && (spec->flags & PARAM_FREE_TO_CHANGE))
           || (part == PHYSICAL_AND_UNUSUAL && (spec->flags & PARAM_NUMERICAL));
}

static void echo_mapping(echo e, const param_spec *specs, const void *values)
{
    for (const param_spec *spec = specs; spec->key; spec++) {
        if (is_left_out(e.part, spec) || !param_applies(specs, spec, values)
            || !param_is_given(spec, (const char *)values + spec->offset))
            continue;
        text value = { 0 };
        echo_value((echo){ &value, e.indent, e.part }, writers[spec->type], spec,
                   (const char *)values + spec->offset);
        if (value.length > 0)
            text_add(e.out, "%*s%s:%s", e.indent, "", spec->key, text_string(&value));
        text_free(&value);
    }
}

void schema_echo(text *out, const param_spec *specs, const void *values, bool digest_only)
{
    echo_mapping((echo){ out, 0, digest_only ? FIXED_AND_UNUSUAL : EVERYTHING }, specs, values);
}

void schema_echo_physical(text *out, const param_spec *specs, const void *values)
{
    echo_mapping((echo){ out, 0, PHYSICAL_AND_UNUSUAL }, specs, values);
}

void schema_echo_default(text *out, const param_spec *spec)
{
    text line = { 0 };
    echo_default((echo){ &line, 0, EVERYTHING }, writers[spec->type], spec);
    if (line.length > 0)                                       /* " VALUE\n" */
        text_add_bytes(out, line.s + 1, line.length - 2);
    else if (spec->fallback)                                   /* of a group or list: {} or [] */
        text_add(out, "%s", spec->fallback);
    text_free(&line);
}

static void list_value(text *out, const char *key, const param_spec *spec, const void *value)
{
    text_add(out, "%s:", key);
    if (param_is_given(spec, value))
        writers[spec->type]((echo){ out, 0, EVERYTHING }, spec, value);
    else
        text_add(out, " not given\n");
}

/* A line for each parameter outside of lists that may change; in a list that may change itself, none. */
static bool list_free(const char *key, const param_spec *spec, const void *value, void *out)
{
    const bool is_list = spec->type == PARAM_LIST || spec->type == PARAM_KINDS;
    const bool is_free = spec->flags & PARAM_FREE_TO_CHANGE;
    if (is_list || spec->type == PARAM_GROUP || !is_free)
        return !is_list || !is_free;
    list_value(out, key, spec, value);
    return true;
}

/* A line for each parameter that may not change, groups and lists by what is in them. */
static bool list_fixed(const char *key, const param_spec *spec, const void *value, void *out)
{
    if (spec->flags & PARAM_FREE_TO_CHANGE)
        return false;
    const param_list *list = value;
    if (spec->type == PARAM_KINDS)
        for (int i = 0; i < list->count; i++)
            text_add(out, "%s.%d.kind: %s\n", key, i, spec->kinds[((const kind_item *)list->item)[i].kind]->name);
    const bool is_list = spec->type == PARAM_LIST || spec->type == PARAM_KINDS;
    if (is_list ? list->count == 0 : spec->type != PARAM_GROUP)
        list_value(out, key, spec, value);
    return true;
}

void schema_list_fixed(text *out, const param_spec *specs, const void *values)
{
    schema_each(specs, values, list_fixed, out);
}

void schema_list_free(text *out, const param_spec *specs, const void *values)
{
    schema_each(specs, values, list_free, out);
}
