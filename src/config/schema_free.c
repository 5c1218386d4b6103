/* schema_free.c - releases the texts and lists that schema_read put into a struct. */
#include "src/base/memory.h"
#include "src/config/schema.h"

typedef void releaser(const param_spec *spec, void *field);

static void free_text(const param_spec *spec, void *field)
{
    (void)spec;
    memory_free(*(char **)field);
    *(char **)field = NULL;
}

static void free_texts(const param_spec *spec, void *field)
{
    (void)spec;
    text_list *list = field;
    for (int i = 0; i < list->count; i++)
        memory_free(list->item[i]);
    memory_free(list->item);
    *list = (text_list){ 0 };
}

static void free_group(const param_spec *spec, void *field)
{
    schema_free_values(spec->group, field);
}

static void free_list(const param_spec *spec, void *field)
{
    param_list *list = field;
    for (int i = 0; i < list->count; i++)
        schema_free_values(spec->group, (char *)list->item + spec->element_size * (size_t)i);
    memory_free(list->item);
    *list = (param_list){ 0 };
}

static void free_kinds(const param_spec *spec, void *field)
{
    param_list *list = field;
    kind_item *items = list->item;
    for (int i = 0; i < list->count; i++)
        if (items[i].params) {                       /* NULL where the kind is unknown */
            const param_spec *params = spec->kinds[items[i].kind]->params;
            if (params)
                schema_free_values(params, items[i].params);
            memory_free(items[i].params);
        }
    memory_free(items);
    *list = (param_list){ 0 };
}

void schema_free_values(const param_spec *specs, void *values)
{
    static releaser *const releasers[] = {
        [PARAM_TEXT] = free_text, [PARAM_TEXTS] = free_texts, [PARAM_GROUP] = free_group, [PARAM_LIST] = free_list,
        [PARAM_KINDS] = free_kinds,
    };
    for (const param_spec *spec = specs; spec->key; spec++)
        if (releasers[spec->type])
            releasers[spec->type](spec, (char *)values + spec->offset);
}
