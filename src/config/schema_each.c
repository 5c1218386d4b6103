/* schema_each.c - visits every parameter of tables and its value. */
#include "src/config/schema.h"

#include <string.h>

typedef struct { schema_visitor *visit; void *context; text key; } walk;

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
        if (w->visit(text_string(&w->key), spec, field, w->context)) {
            if (spec->type == PARAM_GROUP)
                walk_mapping(w, spec->group, field);
            else if (spec->type == PARAM_LIST || spec->type == PARAM_KINDS)
                walk_list(w, spec, field);
        }
        w->key.length = outside;
    }
}

const param_spec *param_find(const param_spec *specs, const char *key)
{
    for (; specs && specs->key; specs++)
        if (strcmp(specs->key, key) == 0)
            return specs;
    return NULL;
}

int param_kind_of(const param_kind *const *kinds, const yaml_node *item)
{
    const yaml_node *name = yaml_get(item, "kind");
    for (int k = 0; name && name->type == YAML_SCALAR && kinds[k]; k++)
        if (strcmp(kinds[k]->name, name->scalar) == 0)
            return k;
    return -1;
}

bool param_is_given(const param_spec *spec, const void *field)
{
    return !(spec->flags & PARAM_OPTIONAL) || *(const bool *)((const char *)field - spec->offset + spec->given);
}

void param_set_given(const param_spec *spec, void *values, bool given)
{
    if (spec->flags & PARAM_OPTIONAL)
        *(bool *)((char *)values + spec->given) = given;
}

void schema_each(const param_spec *specs, const void *values, schema_visitor *visit, void *context)
{
    walk w = { visit, context, { 0 } };
    walk_mapping(&w, specs, values);
    text_free(&w.key);
}

const char *schema_path_of(const param_spec *spec, const void *value)
{
    const char *path = spec->flags & PARAM_PATH ? *(char *const *)value : "";
    return *path ? path : NULL;
}
