/* yaml_edit.c - a value changed in the text of a YAML file. */
#include "src/config/yaml_edit.h"

#include "src/config/yaml.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where a place lies in the text: lines and columns are counted in characters, which may have several bytes. */
static size_t offset_of(const char *s, yaml_place place)
{
    const char *at = s;
    for (int line = 1; line < place.line; line++)
        at = strchr(at, '\n') + 1;
    for (int column = 1; column < place.column; column++) {
        at++;
        while ((*at & 0xc0) == 0x80)
            at++;
    }
    return (size_t)(at - s);
}

/* Bytes of a text in quotes. */
static size_t quoted(const char *s)
{
    const char quote = *s;
    const char *end = s + 1;
    while (*end && (*end != quote || (quote == '\'' && end[1] == quote)))
        end += (quote == '"' && *end == '\\') || *end == quote ? 2 : 1;
    return (size_t)(end - s) + 1;
}

/* Bytes of "[1, 2]" or "{ a: b }", brackets within and comments included. */
static size_t bracketed(const char *s)
{
    const char *end = s;
    int depth = 0;
    do {
        if (*end == '"' || *end == '\'') {
            end += quoted(end);
            continue;
        }
        if (*end == '#' && isspace((unsigned char)end[-1]))
            end += strcspn(end, "\n");
        depth += (*end == '[' || *end == '{') - (*end == ']' || *end == '}');
        end++;
    } while (*end && depth > 0);
    return (size_t)(end - s);
}

/* Bytes of a value as it is written; 0 where it is in no such style. */
static size_t written(const char *s, const yaml_node *value)
{
    if (value->type != YAML_SCALAR)
        return *s == '[' || *s == '{' ? bracketed(s) : 0;
    if (!value->quoted)
        return strlen(value->scalar);
    return *s == '"' || *s == '\'' ? quoted(s) : 0;
}

static void splice(text *t, size_t at, size_t remove, const char *insert)
{
    text with = { 0 };
    text_add_bytes(&with, t->s, at);
    text_add(&with, "%s", insert);
    text_add_bytes(&with, t->s + at + remove, t->length - at - remove);
    text_free(t);
    *t = with;
}

/* Behind the last key of a mapping whose value is a scalar on one line, in its style; false without one. */
static bool add_key(text *document, const yaml_node *mapping, const char *key, const char *yaml)
{
    const bool flow = mapping->count > 0 && document->s[offset_of(document->s, mapping->place)] == '{';
    for (int i = mapping->count - 1; i >= 0; i--) {
        const yaml_node *value = mapping->item[i];
        if (value->type != YAML_SCALAR || yaml_is_null(value) || strchr(value->scalar, '\n'))
            continue;
        size_t at = offset_of(document->s, value->place);
        text insert = { 0 };
        if (flow) {
            at += written(document->s + at, value);
            text_add(&insert, ", %s: %s", key, yaml);
        } else {
            at += strcspn(document->s + at, "\n");
            text_add(&insert, "\n%*s%s: %s", mapping->key[i]->place.column - 1, "", key, yaml);
        }
        splice(document, at, 0, text_string(&insert));
        text_free(&insert);
        return true;
    }
    return false;
}

static const yaml_node *child(const yaml_node *parent, const char *name)
{
    if (parent->type == YAML_MAPPING)
        return yaml_get(parent, name);
    const long i = isdigit((unsigned char)*name) ? strtol(name, NULL, 10) : -1;
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
            return fail(f, "%s=%s: the file has no place for it", path, yaml);
        const size_t at = offset_of(document->s, next->place), bytes = last ? written(document->s + at, next) : 0;
        if (last && bytes == 0)
            return fail(f, "%s=%s: what is in its place goes over several lines", path, yaml);
        if (last) {
            splice(document, at, bytes, yaml);
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
