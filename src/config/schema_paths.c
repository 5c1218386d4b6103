/* schema_paths.c - the files and folders that an input names: every PARAM_PATH in it, with its key. */
#include "src/config/schema.h"

typedef struct { schema_path_visitor *visit; void *context; text key; } walk;

static void walk_mapping(walk *w, const param_spec *specs, const void *values);

static void walk_list(walk *w, const param_spec *spec, const param_list *list)
{
    const kind_item *items = list->item;
    for (int i = 0; i < list->count; i++) {
        const size_t outside = w->key.length;
        text_add(&w->key, ".%d", i);
        if (spec->type == PARAM_LIST)
            walk_mapping(w, spec->group, (const char *)list->item + spec->element_size * (size_t)i);
        else if (items[i].params && spec->kinds[items[i].kind]->params)
            walk_mapping(w, spec->kinds[items[i].kind]->params, items[i].params);
        w->key.length = outside;
    }
}

static void walk_mapping(walk *w, const param_spec *specs, const void *values)
{
    for (const param_spec *spec = specs; spec->key; spec++) {
        const void *field = (const char *)values + spec->offset;
        const size_t outside = w->key.length;
        text_add(&w->key, "%s%s", outside ? "." : "", spec->key);
        if (spec->type == PARAM_GROUP)
            walk_mapping(w, spec->group, field);
        else if (spec->type == PARAM_LIST || spec->type == PARAM_KINDS)
            walk_list(w, spec, field);
        else if ((spec->flags & PARAM_PATH) && **(char *const *)field)
            w->visit(text_string(&w->key), *(char *const *)field, w->context);
        w->key.length = outside;
    }
}

void schema_each_path(const param_spec *specs, const void *values, schema_path_visitor *visit, void *context)
{
    walk w = { visit, context, { 0 } };
    walk_mapping(&w, specs, values);
    text_free(&w.key);
}
