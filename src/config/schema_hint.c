/* schema_hint.c - looks for the mapping to which an unknown key belongs. */
#include "src/config/schema_hint.h"

#include "src/config/excerpt.h"
#include "src/config/schema_elsewhere.h"
#include "src/config/suggest.h"

#include <ctype.h>
#include <string.h>

static const param_spec *table_of_kind(const param_spec *spec, const yaml_node *item)
{
    const int kind = param_kind_of(spec->kinds, item);
    return kind < 0 ? NULL : spec->kinds[kind]->params;
}

/* The table below `spec`, and in `node` the mapping for it, of a list the last item; appends the item to the path. */
static const param_spec *table_below(text *path, const param_spec *spec, const yaml_node **node)
{
    if (spec->type == PARAM_GROUP)
        return spec->group;
    if (spec->type != PARAM_LIST && spec->type != PARAM_KINDS)
        return NULL;
    const bool items = (*node)->type == YAML_SEQUENCE && (*node)->count > 0;
    if (items) {
        text_add(path, ".%d", (*node)->count - 1);
        *node = (*node)->item[(*node)->count - 1];
    }
    return spec->type == PARAM_LIST ? spec->group : items ? table_of_kind(spec, *node) : NULL;
}

/* Whether the key may be given in the value of `spec` or deeper in it, and is not yet; appends the rest of the path. */
static bool find_below(text *path, int *line, const param_spec *spec, const yaml_node *node, const char *key)
{
    const size_t before = path->length;
    const param_spec *table = table_below(path, spec, &node);
    if (param_find(table, key) && !yaml_get(node, key))
        return true;
    for (int i = node->type == YAML_MAPPING ? node->count - 1 : -1; i >= 0; i--) {
        const param_spec *inner = param_find(table, node->key[i]->scalar);
        const size_t here = path->length;
        text_add(path, ".%s", node->key[i]->scalar);
        *line = node->key[i]->place.line;
        if (inner && find_below(path, line, inner, node->item[i], key))
            return true;
        path->length = here;
    }
    path->length = before;
    return false;
}

static void add_place(text *out, const char *path, int line)
{
    text_add(out, "; it is a key of ");
    text_add(out, *path ? "\"%s\"" : "the input itself%s", path);
    if (line > 0)
        text_add(out, " (line %d)", line);
}

/* Below a key that stands before it, the nearest one first. */
static bool hint_below(text *out, const schema_scope *scope, const yaml_node *key, const char *path)
{
    const yaml_node *m = scope->mapping;
    int at = 0;
    while (at < m->count && m->key[at] != key)
        at++;
    for (int i = at - 1; i >= 0; i--) {
        text below = { 0 };
        int line = m->key[i]->place.line;
        const param_spec *spec = param_find(scope->specs, m->key[i]->scalar);
        text_add(&below, "%.*s%s%s", (int)scope->path, path, scope->path ? "." : "", m->key[i]->scalar);
        const bool found = spec && find_below(&below, &line, spec, m->item[i], key->scalar);
        if (found) {
            below.s[below.length] = '\0';
            add_place(out, text_string(&below), line);
        }
        text_free(&below);
        if (found)
            return true;
    }
    return false;
}

/* In a mapping around its own. */
static bool hint_around(text *out, const schema_scope *scope, const yaml_node *key, const char *path)
{
    for (const schema_scope *o = scope->outer; o; o = o->outer) {
        if (!o->mapping || !param_find(o->specs, key->scalar) || yaml_get(o->mapping, key->scalar))
            continue;
        text around = { 0 };
        text_add(&around, "%.*s", (int)o->path, path);
        add_place(out, text_string(&around), 0);
        text_free(&around);
        return true;
    }
    return false;
}

/* In the mapping of the same name below a key before it: `heatbath` at the margin, where that of `start` was meant. */
static bool hint_namesake(text *out, const schema_scope *scope, const yaml_node *key)
{
    const yaml_node *outer = scope->outer ? scope->outer->mapping : NULL;
    int own = 0;
    while (outer && outer->type == YAML_MAPPING && own < outer->count && outer->item[own] != scope->mapping)
        own++;
    if (!outer || outer->type != YAML_MAPPING || own == outer->count)
        return false;
    const char *name = outer->key[own]->scalar;
    for (int i = own - 1; i >= 0; i--) {
        const param_spec *sibling = param_find(scope->outer->specs, outer->key[i]->scalar);
        const param_spec *same = sibling && sibling->type == PARAM_GROUP ? param_find(sibling->group, name) : NULL;
        if (!same || !param_find(same->group, key->scalar))
            continue;
        text_add(out, "; it is a key of the \"%s\" below \"%s\" (line %d)", name, sibling->key,
                 outer->key[i]->place.line);
        return true;
    }
    return false;
}

/* Whether columns matter: not inside brackets, nor for what --set gives. */
static bool is_indented(const schema_scope *scope, const yaml_node *key)
{
    return scope->mapping->end == 0 && key->end > 0;
}

static bool hint_place(text *out, const schema_scope *scope, const yaml_node *key, const char *path)
{
    const bool found = hint_below(out, scope, key, path) || hint_namesake(out, scope, key)
                       || hint_around(out, scope, key, path);
    if (found && is_indented(scope, key))
        text_add(out, ": check the indentation");
    return found;
}

void schema_hint_choice(text *out, const schema_scope *scope, const param_spec *spec, const yaml_node *value)
{
    const bool choice = scope && spec->type == PARAM_CHOICE && value->type == YAML_SCALAR;
    bool found = false;
    for (const param_spec *other = choice ? scope->specs : NULL; other && other->key; other++)
        for (int i = 0; other != spec && other->type == PARAM_CHOICE && other->choices[i]; i++)
            if (strcmp(other->choices[i], value->scalar) == 0) {
                text_add(out, "%s\"%s: %s\"", found ? " or " : "; did you mean ", other->key, other->choices[i]);
                found = true;
            }
    text_add(out, "%s", found ? "?" : "");
    if (choice && !found)
        schema_elsewhere_add_choice(out, scope, value->scalar);
}

void schema_hint_duplicate(text *out, const schema_scope *scope, const char *path)
{
    const size_t n = scope->path;
    if (n > 0 && isdigit((unsigned char)path[n - 1]) && scope->mapping->end == 0)
        text_add(out, "; if a new item of the list begins here, write \"- \" before it");
}

void schema_hint_unknown(text *why, const schema_scope *scope, const yaml_node *key, const param_spec *specs,
                         const char *other, const char *path)
{
    text allowed = { 0 };
    near_miss near = { .word = key->scalar };
    if (other)
        text_add(&allowed, "%s", other);
    for (const param_spec *spec = specs; spec->key; spec++) {
        suggest_try(&near, spec->key);
        text_add(&allowed, "%s%s", allowed.length ? ", " : "", spec->key);
    }
    text_add(why, "unknown key \"%s\"", excerpt(key->scalar).s);
    schema_elsewhere_add_item(why, scope);
    const bool hinted = hint_place(why, scope, key, path) || schema_elsewhere_add_key(why, scope, key->scalar);
    if (!hinted && near.best)
        suggest_report(why, &near);
    else if (!hinted)
        text_add(why, "; allowed: %s", allowed.length ? allowed.s : "none");
    text_free(&allowed);
}
