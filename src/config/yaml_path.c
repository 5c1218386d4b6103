/* yaml_path.c - follows a dotted path from a node: keys of mappings, and numbers of items from 0. */
#include "src/config/yaml_path.h"

#include "src/config/yaml.h"

#include <stdlib.h>
#include <string.h>

/* Letters, digits and underscores. */
static size_t name_length(const char *s)
{
    return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static const yaml_node *child(const yaml_node *node, const char *name, size_t length)
{
    if (node->type == YAML_SEQUENCE && strspn(name, "0123456789") == length && length < 9 && atoi(name) < node->count)
        return node->item[atoi(name)];
    return node->type == YAML_MAPPING ? yaml_get_part(node, name, length) : NULL;
}

/* The length of "a.0.b" with ": " behind it; 0 if that is not what `s` begins with. */
static size_t path_length(const char *s)
{
    size_t length = name_length(s);
    while (length > 0 && s[length] == '.' && name_length(s + length + 1) > 0)
        length += 1 + name_length(s + length + 1);
    return s[length] == ':' && s[length + 1] == ' ' ? length : 0;
}

const char *yaml_path_of_sentence(text *path, yaml_place *place, const yaml_node *node, const char *sentence)
{
    for (;;) {
        const size_t length = path_length(sentence);
        if (length == 0 || !child(node, sentence, name_length(sentence)))
            return sentence;
        for (const char *name = sentence; name < sentence + length; name += name_length(name) + 1) {
            const yaml_node *inner = child(node, name, name_length(name));
            if (!inner)
                break;
            node = inner;
            *place = node->place;
        }
        text_add(path, "%s%.*s", path->length ? "." : "", (int)length, sentence);
        sentence += length + 2;
    }
}
