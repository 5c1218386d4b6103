/* state_memory_json.c - named lists of numbers, to JSON and back. */
#include "src/io/state_memory_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void state_memory_to_json(json *j, const state_memory *m)
{
    if (m->count == 0)
        return;
    json_open(j, "memory", '{');
    for (int64_t i = 0; i < m->count; i++) {
        json_open(j, m->list[i].name, '[');
        for (int64_t n = 0; n < m->list[i].count; n++)
            json_real(j, NULL, m->list[i].value[n]);
        json_close(j);
    }
    json_close(j);
}

static bool read_number(double *value, const yaml_node *node)
{
    char *end = NULL;
    if (node->type != YAML_SCALAR)
        return false;
    *value = strcmp(node->scalar, "null") == 0 ? NAN : strtod(node->scalar, &end);
    return !end || (end != node->scalar && !*end);
}

static bool read_list(state_list *list, const char *key, const yaml_node *node, const char *name, failure *f)
{
    if (strlen(key) >= sizeof list->name || node->type != YAML_SEQUENCE || node->count > STATE_NUMBERS)
        return fail(f, "%s: \"memory\": expected \"%.60s\" to be a list of at most %d numbers", name, key,
                    STATE_NUMBERS);
    snprintf(list->name, sizeof list->name, "%s", key);
    list->count = node->count;
    for (int n = 0; n < node->count; n++)
        if (!read_number(&list->value[n], node->item[n]))
            return fail(f, "%s: \"memory\": item %d of \"%s\" is not a number", name, n + 1, key);
    return true;
}

bool state_memory_from_tree(state_memory *m, const yaml_node *object, const char *name, failure *f)
{
    const yaml_node *lists = yaml_get(object, "memory");
    memset(m, 0, sizeof *m);
    if (!lists)
        return true;
    if (lists->type != YAML_MAPPING || lists->count > STATE_LISTS)
        return fail(f, "%s: expected \"memory\" to be an object of at most %d lists", name, STATE_LISTS);
    for (int i = 0; i < lists->count; i++)
        if (!read_list(&m->list[m->count++], lists->key[i]->scalar, lists->item[i], name, f))
            return false;
    return true;
}
