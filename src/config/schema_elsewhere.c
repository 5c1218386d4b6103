/* schema_elsewhere.c - looks through the tables for a key or value that was given in the wrong place. */
#include "src/config/schema_elsewhere.h"

#include "src/config/excerpt.h"

#include <string.h>

enum { DEPTH = 4 };                    /* of the search for a key: "monomials.N.determinants.N.mass" has 3 */

static const param_kind *kind_of(const param_spec *list, const yaml_node *item)
{
    const int kind = param_kind_of(list->kinds, item);
    return kind < 0 ? NULL : list->kinds[kind];
}

/* The list of kinds with the item that is being read; NULL: there is none.  `key`, `items`: its key and its value. */
static const param_spec *list_of(const schema_scope *scope, const char **key, const yaml_node **items)
{
    const schema_scope *outer = scope ? scope->outer : NULL;
    for (const param_spec *s = outer && outer->mapping ? outer->specs : NULL; s && s->key; s++) {
        const yaml_node *list = s->type == PARAM_KINDS ? yaml_get(outer->mapping, s->key) : NULL;
        for (int i = 0; list && list->type == YAML_SEQUENCE && i < list->count; i++)
            if (list->item[i] == scope->mapping) {
                *key = s->key;
                *items = list;
                return s;
            }
    }
    return NULL;
}

static void add_name(text *out, const char *before, const yaml_node *item)
{
    const yaml_node *name = yaml_get(item, "name");
    if (name && name->type == YAML_SCALAR)
        text_add(out, "%sname: %s", before, excerpt(name->scalar).s);
}

void schema_elsewhere_add_item(text *out, const schema_scope *scope)
{
    const char *key;
    const yaml_node *items;
    const param_spec *list = list_of(scope, &key, &items);
    const param_kind *kind = list ? kind_of(list, scope->mapping) : NULL;
    if (!kind)
        return;
    text_add(out, " (kind: %s", kind->name);
    add_name(out, ", ", scope->mapping);
    text_add(out, ")");
}

bool schema_elsewhere_add_key(text *out, const schema_scope *scope, const char *key)
{
    const char *of;
    const yaml_node *items;
    const param_spec *list = list_of(scope, &of, &items);
    for (int i = 0; list && i < items->count; i++) {
        const yaml_node *item = items->item[i];
        const param_kind *kind = item->type == YAML_MAPPING ? kind_of(list, item) : NULL;
        if (item == scope->mapping || !kind || !param_find(kind->params, key))
            continue;
        text_add(out, "; \"%s.%d\" (kind: %s", of, i, kind->name);
        add_name(out, ", ", item);
        text_add(out, ") has this key");
        return true;
    }
    return false;
}

/* The key whose choices have the value; NULL: none. */
static const char *key_with(const param_spec *specs, const char *value)
{
    for (; specs && specs->key; specs++)
        for (int i = 0; specs->type == PARAM_CHOICE && specs->choices[i]; i++)
            if (strcmp(specs->choices[i], value) == 0)
                return specs->key;
    return NULL;
}

bool schema_elsewhere_add_choice(text *out, const schema_scope *scope, const char *value)
{
    const char *of;
    const yaml_node *items;
    const param_spec *list = list_of(scope, &of, &items);
    const char *found = NULL;
    for (const param_kind *const *k = list ? list->kinds : NULL; k && *k; k++) {
        const char *key = key_with((*k)->params, value);
        if (!key || (found && strcmp(found, key) != 0))
            continue;
        if (found)
            text_add(out, ", %s", (*k)->name);
        else
            text_add(out, "; \"%s: %s\" is only for kind %s", key, value, (*k)->name);
        found = key;
    }
    return found != NULL;
}

/* At this depth below `specs`, outer kinds first. */
static bool find_at(text *path, const param_spec *specs, const char *key, int depth)
{
    const size_t before = path->length;
    for (const param_spec *s = specs; s && s->key; s++) {
        text_add(path, "%s%s", before ? "." : "", s->key);
        if (depth == 0 && strcmp(s->key, key) == 0)
            return true;
        if (depth > 0 && s->type == PARAM_GROUP && find_at(path, s->group, key, depth - 1))
            return true;
        if (depth > 0 && (s->type == PARAM_LIST || s->type == PARAM_KINDS)) {
            text_add(path, ".N");
            if (s->type == PARAM_LIST && find_at(path, s->group, key, depth - 1))
                return true;
            for (const param_kind *const *k = s->type == PARAM_KINDS ? s->kinds : NULL; k && *k; k++)
                if (find_at(path, (*k)->params, key, depth - 1))
                    return true;
        }
        path->length = before;
        if (path->s)
            path->s[before] = '\0';
    }
    return false;
}

bool schema_elsewhere_find(text *path, const param_spec *specs, const char *key)
{
    for (int depth = 0; depth < DEPTH; depth++)
        if (find_at(path, specs, key, depth))
            return true;
    return false;
}
