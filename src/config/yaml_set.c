/* yaml_set.c - puts one value into a tree: the option --set a.b.0.c=VALUE, or a.b[0].c=VALUE as messages write it. */
#include "src/config/yaml.h"

#include "src/base/text.h"
#include "src/config/yaml_tree.h"

#include <stdlib.h>
#include <string.h>

typedef struct { const char *s; size_t length; } part;      /* a piece of the path between two dots */

static part next_part(const char **path)
{
    part p = { *path, strcspn(*path, ".") };
    *path += p.length;
    if (**path == '.')
        (*path)++;
    return p;
}

static bool parts_are_named(const char *path)
{
    size_t n = strlen(path);
    return n > 0 && path[0] != '.' && path[n - 1] != '.' && !strstr(path, "..");
}

/* The index that `p` names in a list of `count`, or -1. */
static int item_index(part p, int count)
{
    if (p.length > 9 || strspn(p.s, "0123456789") < p.length)
        return -1;
    int i = atoi(p.s);
    return i < count ? i : -1;
}

/* The pointer to the child of `parent` that `p` names; NULL if there is none. */
static yaml_node **find_child(yaml_node *parent, part p)
{
    if (parent->type == YAML_SEQUENCE) {
        int i = item_index(p, parent->count);
        return i < 0 ? NULL : &parent->item[i];
    }
    for (int i = 0; i < parent->count; i++)
        if (strlen(parent->key[i]->scalar) == p.length && memcmp(parent->key[i]->scalar, p.s, p.length) == 0)
            return &parent->item[i];
    return NULL;
}

static void append_child(yaml_tree *tree, yaml_node *parent, part p, yaml_node *value)
{
    yaml_node *key = yaml_tree_node(tree, YAML_SCALAR, value->place);
    key->scalar = yaml_tree_text(tree, p.s, p.length);
    key->length = (unsigned)p.length;
    yaml_tree_append(tree, parent, key, value);
}

/* Follow the path as far as the tree has it; append the value there, inside new mappings for the rest of the path. */
static bool put_value(yaml_tree *tree, const char *path, const char *yaml, yaml_node *value, failure *f)
{
    const char *rest = path;
    yaml_node *parent = &tree->root;
    for (;;) {
        int walked = rest > path ? (int)(rest - path) - 1 : 0;      /* path up to `parent`, without the dot */
        part p = next_part(&rest);
        if (parent->type == YAML_SCALAR)
            return fail(f, "--set %s=%s: \"%.*s\" is neither a mapping nor a list", path, yaml, walked, path);
        yaml_node **child = find_child(parent, p);
        if (!child && parent->type == YAML_SEQUENCE)
            return fail(f, "--set %s=%s: \"%.*s\" is a list of %d; \"%.*s\" is not one of its items, counted from 0",
                        path, yaml, walked, path, parent->count, (int)p.length, p.s);
        if (!*rest) {
            if (child)
                *child = value;
            else
                append_child(tree, parent, p, value);
            return true;
        }
        if (child) {
            parent = *child;
        } else {
            yaml_node *mapping = yaml_tree_node(tree, YAML_MAPPING, value->place);
            append_child(tree, parent, p, mapping);
            parent = mapping;
        }
    }
}

/* The path with dots alone: "a.b[0].c" becomes "a.b.0.c". */
static text with_dots(const char *path)
{
    text dotted = { 0 };
    while (*path) {
        const size_t digits = *path == '[' ? strspn(path + 1, "0123456789") : 0;
        if (digits > 0 && path[digits + 1] == ']') {
            text_add(&dotted, ".%.*s", (int)digits, path + 1);
            path += digits + 2;
        } else {
            text_add_bytes(&dotted, path++, 1);
        }
    }
    return dotted;
}

bool yaml_set(yaml_node *tree, const char *path, const char *yaml, failure *f)
{
    yaml_tree *t = (yaml_tree *)tree;
    text name = { 0 }, dotted = with_dots(path);
    path = text_string(&dotted);
    const bool named = parts_are_named(path);
    text_add(&name, YAML_SET_PREFIX "%s", path);
    yaml_node *value = named ? yaml_tree_parse(t, yaml, strlen(yaml), text_string(&name), f) : NULL;
    if (!named)
        fail(f, "--set %s=%s: a path consists of keys separated by dots, e.g. hmc.levels.0.steps", path, yaml);
    const bool ok = value && put_value(t, path, yaml, value, f);
    text_free(&name);
    text_free(&dotted);
    return ok;
}
