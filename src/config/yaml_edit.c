/* yaml_edit.c - changes a value in the text of a YAML file. */
#include "src/config/yaml_edit.h"

#include "src/config/yaml.h"

#include <stdlib.h>
#include <string.h>

/* The offset in bytes of a character (yaml_node.begin, end) in the text, which may begin with a byte order mark. */
static size_t offset_of(const char *s, size_t character)
{
    const char *at = strncmp(s, "\xef\xbb\xbf", 3) == 0 ? s + 3 : s;
    for (size_t i = 0; i < character && *at; i++) {
        at++;
        while ((*at & 0xc0) == 0x80)
            at++;
    }
    return (size_t)(at - s);
}

/* Whether the text of a value can be replaced as a whole: a plain or quoted scalar, or a value in brackets. */
static bool in_one_piece(const char *s, const yaml_node *value)
{
    return value->end > value->begin && !(value->quoted && (*s == '|' || *s == '>'));
}

static void splice(text *t, size_t at, size_t remove, const char *insert)
{
    text with = { 0 };
    text_add_bytes(&with, t->s, at);
    text_add(&with, t->s[at + remove] == '#' ? "%s " : "%s", insert);        /* no comment without a blank before it */
    text_add_bytes(&with, t->s + at + remove, t->length - at - remove);
    text_free(t);
    *t = with;
}

/* The number of the last key whose value is in one piece: a scalar, or else a list or mapping in brackets; -1: none. */
static int last_in_one_piece(const text *document, const yaml_node *mapping)
{
    int in_brackets = -1;
    for (int i = mapping->count - 1; i >= 0; i--) {
        const yaml_node *value = mapping->item[i];
        if (yaml_is_null(value) || !in_one_piece(document->s + offset_of(document->s, value->begin), value))
            continue;
        if (value->type == YAML_SCALAR)
            return i;
        in_brackets = in_brackets < 0 ? i : in_brackets;
    }
    return in_brackets;
}

/* Adds a key after the last key of the mapping whose value is in one piece, in the style of the mapping; false if there
 * is none. */
static bool add_key(text *document, const yaml_node *mapping, const char *key, const char *yaml)
{
    const bool flow = mapping->end > mapping->begin;
    if (flow && document->s[offset_of(document->s, mapping->begin)] != '{')         /* the "a: 1" of "[a: 1]" */
        return false;
    const int i = last_in_one_piece(document, mapping);
    if (i < 0)
        return false;
    size_t at = offset_of(document->s, mapping->item[i]->end);
    text insert = { 0 };
    if (flow) {
        text_add(&insert, ", %s: %s", key, yaml);
    } else {
        at += strcspn(document->s + at, "\r\n");
        text_add(&insert, "\n%*s%s: %s", mapping->key[i]->place.column - 1, "", key, yaml);
    }
    splice(document, at, 0, text_string(&insert));
    text_free(&insert);
    return true;
}

static const yaml_node *child(const yaml_node *parent, const char *name)
{
    if (parent->type == YAML_MAPPING)
        return yaml_get(parent, name);
    const long i = *name && !name[strspn(name, "0123456789")] ? strtol(name, NULL, 10) : -1;
    return parent->type == YAML_SEQUENCE && i >= 0 && i < parent->count ? parent->item[i] : NULL;
}

static bool edit(text *document, const yaml_node *tree, const char *path, const char *yaml, failure *f)
{
    const yaml_node *node = tree;
    char name[256];
    for (const char *rest = path;;) {
        const size_t n = strcspn(rest, ".");
        const bool last = rest[n] == '\0';
        if (n >= sizeof name)
            return fail(f, "%s: too long", path);
        memcpy(name, rest, n);
        name[n] = '\0';
        const yaml_node *next = child(node, name);
        if (!next && last && node->type == YAML_MAPPING && add_key(document, node, name, yaml))
            return true;
        if (!next || (last && yaml_is_null(next)))
            return fail(f, "%s=%s: the file has no mapping or list that could hold this key", path, yaml);
        if (last) {
            const size_t at = offset_of(document->s, next->begin), end = offset_of(document->s, next->end);
            if (!in_one_piece(document->s + at, next))
                return fail(f, "%s=%s: the present value covers several lines; change it by hand", path, yaml);
            splice(document, at, end - at, yaml);
            return true;
        }
        node = next;
        rest += n + 1;
    }
}

bool yaml_edit(text *document, const char *path, const char *yaml, failure *f)
{
    yaml_node *tree = yaml_read_string(text_string(document), "the input", f);
    if (!tree)
        return false;
    const bool done = edit(document, tree, path, yaml, f);
    yaml_tree_free(tree);
    return done;
}
