/* schema_document.c - the reference page of an input: a table for every mapping, outer ones first. */
#include "src/config/schema.h"
#include "src/config/schema_describe.h"

#include <ctype.h>
#include <string.h>

enum { FIRST_HEADING = 2, LAST_HEADING = 6 };

/* Text of a table cell, with escaped vertical bars. */
static void add_cell(text *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '|')
            text_add(out, "\\");
        text_add_bytes(out, s, 1);
    }
}

/* A table of the page: the path of its key, and the kind of list item that contains it (NULL: none). */
typedef struct { const char *path, *kind; int depth; } block;

static void add_heading(text *out, block b)
{
    int level = FIRST_HEADING + b.depth < LAST_HEADING ? FIRST_HEADING + b.depth : LAST_HEADING;
    text_add(out, "\n%.*s `%s`", level, "######", b.path);
    if (b.kind)
        text_add(out, " of kind `%s`", b.kind);
    text_add(out, "\n\n");
}

static void add_explanation(text *out, const char *doc, const char *see)
{
    if (doc && *doc)
        text_add(out, "%c%s.\n", toupper((unsigned char)*doc), doc + 1);
    if (see)
        text_add(out, "%sExplained in [%s](%s).\n", doc ? "\n" : "", see, see);
    if (doc || see)
        text_add(out, "\n");
}

/* `key: value`, the value in flow style. */
static void add_example(text *out, const char *key, const char *value)
{
    if (value)
        text_add(out, "```yaml\n%s: %s\n```\n\n", key, value);
}

void schema_example_of_kind(text *out, const char *key, const param_kind *kind)
{
    text_add(out, "%s:\n  - kind: %s\n", key, kind->name);
    for (const char *line = kind->example; *line;) {
        const size_t length = strcspn(line, "\n");
        text_add(out, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* What another value is allowed to do, after a sentence if there is one. */
static void add_permission(text *out, const param_spec *spec, bool follows)
{
    const char *permission = spec->flags & PARAM_FREE_TO_CHANGE ? "May change when an ensemble is continued."
                             : spec->flags & PARAM_NUMERICAL    ? "Results with other values may be averaged together."
                                                                : NULL;
    if (permission)
        text_add(out, "%s%s", follows ? ".  " : "", permission);
}

static void add_row(text *out, const param_spec *spec)
{
    text allowed = { 0 };
    describe_allowed(&allowed, spec);
    text_add(out, "| `%s` | ", spec->key);
    add_cell(out, text_string(&allowed));
    text_add(out, " | ");
    if (spec->flags & PARAM_OPTIONAL) {
        text_add(out, "not given");
    } else if (spec->fallback) {
        text_add(out, "`");
        add_cell(out, *spec->fallback ? spec->fallback : "\"\"");
        text_add(out, "`");
    } else {
        text_add(out, "required");
    }
    text_add(out, " | ");
    add_cell(out, spec->doc ? spec->doc : "");
    if (spec->flags & PARAM_PATH)
        text_add(out, "%sA relative path is relative to the folder of the input file; with `--set`, to the "
                      "working directory", spec->doc ? ".  " : "");
    add_permission(out, spec, spec->doc || (spec->flags & PARAM_PATH));
    text_add(out, " |\n");
    text_free(&allowed);
}

static void add_tables(text *out, const param_spec *specs, block of);

static void add_kinds(text *out, const param_spec *spec, block of)
{
    text_add(out, "Each item of the list has the key `kind`, which selects its other keys:\n\n");
    for (const param_kind *const *k = spec->kinds; *k; k++)
        text_add(out, "- `%s`: %s\n", (*k)->name, (*k)->doc ? (*k)->doc : "");
    for (const param_kind *const *k = spec->kinds; *k; k++) {
        const param_kind *kind = *k;
        const block item = { of.path, kind->name, of.depth + 1 };
        add_heading(out, item);
        add_explanation(out, kind->doc, kind->see);
        if (kind->example) {
            text_add(out, "```yaml\n");
            schema_example_of_kind(out, spec->key, kind);
            text_add(out, "```\n\n");
        }
        if (kind->params && kind->params->key)
            add_tables(out, kind->params, item);
        else
            text_add(out, "No further keys.\n");
    }
}

static void add_tables(text *out, const param_spec *specs, block of)
{
    text_add(out, "| key | value | default | meaning |\n|---|---|---|---|\n");
    for (const param_spec *spec = specs; spec->key; spec++)
        add_row(out, spec);
    for (const param_spec *spec = specs; spec->key; spec++) {
        if (!spec->group && !spec->kinds)
            continue;
        text inside = { 0 };
        text_add(&inside, "%s%s%s", of.path, *of.path ? "." : "", spec->key);
        const block own = { text_string(&inside), of.kind, of.depth };
        add_heading(out, own);
        add_explanation(out, spec->doc, spec->see);
        add_example(out, spec->key, spec->example);
        if (spec->type == PARAM_LIST)
            text_add(out, "Each item of the list:\n\n");
        if (spec->kinds)
            add_kinds(out, spec, own);
        else
            add_tables(out, spec->group, (block){ own.path, own.kind, own.depth + 1 });
        text_free(&inside);
    }
}

void schema_document(text *out, const param_spec *specs)
{
    add_tables(out, specs, (block){ "", NULL, 0 });
}
