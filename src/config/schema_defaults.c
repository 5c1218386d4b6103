/* schema_defaults.c - keys and defaults of an input as JSON, for programs that compare files of parameters. */
#include "src/base/json.h"
#include "src/config/schema.h"

#include <stdlib.h>

/* The page so far, and the key that is being visited. */
typedef struct { text *out; text key; bool filled; } table;

/* Whether new inputs cannot have the value `formerly`: a file with it was written by an earlier version. */
static bool only_formerly(const param_spec *spec)
{
    const double value = strtod(spec->formerly, NULL);
    return value < spec->min || value > spec->max || (value == spec->min && (spec->flags & PARAM_ABOVE_MIN));
}

static void add_row(table *t, const param_spec *spec)
{
    json row = { 0 };
    text usual = { 0 };
    json_open(&row, NULL, '{');
    schema_echo_default(&usual, spec);
    if (usual.length > 0)
        json_text(&row, "default", text_string(&usual));
    if (spec->formerly) {
        json_text(&row, "formerly", spec->formerly);
        json_bool(&row, "only_formerly", only_formerly(spec));
    }
    if (spec->flags & (PARAM_FREE_TO_CHANGE | PARAM_NUMERICAL))
        json_bool(&row, "may_differ", true);
    json_close(&row);
    text_add(t->out, "%s\n\"%s\": %s", t->filled ? "," : "", text_string(&t->key), json_string(&row));
    t->filled = true;
    text_free(&usual);
    json_free(&row);
}

static void add_rows(table *t, const param_spec *specs)
{
    const size_t outside = t->key.length;
    for (const param_spec *spec = specs; spec && spec->key; spec++) {
        text_add(&t->key, "%s%s", outside ? "." : "", spec->key);
        add_row(t, spec);
        add_rows(t, spec->group);
        const size_t list = t->key.length;
        for (const param_kind *const *kind = spec->kinds; kind && *kind; kind++) {
            text_add(&t->key, ".%s", (*kind)->name);
            add_rows(t, (*kind)->params);
            text_cut(&t->key, list);
        }
        text_cut(&t->key, outside);
    }
}

void schema_defaults(text *out, const param_spec *specs)
{
    table t = { .out = out };
    text_add(out, "{");
    add_rows(&t, specs);
    text_add(out, "\n}\n");
    text_free(&t.key);
}
