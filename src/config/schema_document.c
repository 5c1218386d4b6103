/* schema_document.c - the reference page of an input: a table for every mapping, outer ones first. */
#include "src/config/schema.h"
#include "src/config/schema_describe.h"

enum { FIRST_HEADING = 2, LAST_HEADING = 6 };

/* Text inside a cell: a bar would end it. */
static void add_cell(text *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '|')
            text_add(out, "\\");
        text_add_bytes(out, s, 1);
    }
}

static void add_heading(text *out, int depth, const char *path, const char *kind)
{
    int level = FIRST_HEADING + depth < LAST_HEADING ? FIRST_HEADING + depth : LAST_HEADING;
    text_add(out, "\n%.*s `%s`", level, "######", path);
    if (kind)
        text_add(out, " of kind `%s`", kind);
    text_add(out, "\n\n");
}

static void add_row(text *out, const param_spec *spec)
{
    text allowed = { 0 };
    describe_allowed(&allowed, spec);
    text_add(out, "| `%s` | ", spec->key);
    add_cell(out, text_string(&allowed));
    text_add(out, " | ");
    if (spec->fallback) {
        text_add(out, "`");
        add_cell(out, *spec->fallback ? spec->fallback : "\"\"");
        text_add(out, "`");
    } else {
        text_add(out, "required");
    }
    text_add(out, " | ");
    add_cell(out, spec->doc ? spec->doc : "");
    if (spec->flags & PARAM_PATH)
        text_add(out, "%sA relative path counts from the folder of the input file; given with `--set`, from the "
                      "working directory", spec->doc ? ".  " : "");
    if (spec->flags & PARAM_FREE_TO_CHANGE)
        text_add(out, "%s", spec->doc || (spec->flags & PARAM_PATH) ? ".  May change when an ensemble is continued."
                                      : "May change when an ensemble is continued.");
    text_add(out, " |\n");
    text_free(&allowed);
}

static void add_tables(text *out, const param_spec *specs, const char *path, int depth);

static void add_kinds(text *out, const param_spec *spec, const char *path, int depth)
{
    text_add(out, "Each item of the list has the key `kind`, which says what else it may have:\n\n");
    for (const param_kind *const *k = spec->kinds; *k; k++)
        text_add(out, "- `%s`: %s\n", (*k)->name, (*k)->doc ? (*k)->doc : "");
    for (const param_kind *const *k = spec->kinds; *k; k++) {
        const param_kind *kind = *k;
        add_heading(out, depth + 1, path, kind->name);
        if (kind->params && kind->params->key)
            add_tables(out, kind->params, path, depth + 1);
        else
            text_add(out, "No further keys.\n");
    }
}

static void add_tables(text *out, const param_spec *specs, const char *path, int depth)
{
    text_add(out, "| key | value | default | meaning |\n|---|---|---|---|\n");
    for (const param_spec *spec = specs; spec->key; spec++)
        add_row(out, spec);
    for (const param_spec *spec = specs; spec->key; spec++) {
        if (!spec->group && !spec->kinds)
            continue;
        text inside = { 0 };
        text_add(&inside, "%s%s%s", path, *path ? "." : "", spec->key);
        add_heading(out, depth, text_string(&inside), NULL);
        if (spec->doc)
            text_add(out, "%s\n\n", spec->doc);
        if (spec->type == PARAM_LIST)
            text_add(out, "Each item of the list:\n\n");
        if (spec->kinds)
            add_kinds(out, spec, text_string(&inside), depth);
        else
            add_tables(out, spec->group, text_string(&inside), depth + 1);
        text_free(&inside);
    }
}

void schema_document(text *out, const param_spec *specs)
{
    add_tables(out, specs, "", 0);
}
