/* json_line.c - one pass over a line of JSON; the texts of its scalars stay where they are in one copy of the line.
 *
 *     value = { "key": value, ... }  |  [value, ...]  |  "text"  |  number, true, false, null
 *
 * Whatever else YAML or JSON allow (escapes, other spaces, words of several parts, comments) ends the pass. */
#include "src/config/json_line.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* libyaml looks for the colon of a key within 1024 characters. */
enum { KEY_MAX = 1000 };

/* What a character may be part of: 'w' a word or a quoted text, 't' only a quoted text; '-' and beyond: neither. */
static const unsigned char kinds[256] =
    "--------------------------------"
    "tt-ttttttttwtwwtwwwwwwwwwwtttttt"         /*  !"#$%&'()*+,-./0123456789:;<=>? */
    "twwwwwwwwwwwwwwwwwwwwwwwwwwt-ttt"         /* @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_ */
    "twwwwwwwwwwwwwwwwwwwwwwwwwwtttt-";        /* `abcdefghijklmnopqrstuvwxyz{|}~ */

/* `node`: the next unused one, before `nodes_end`; `top`: of a stack with the keys and values of the collections that
 * are open. */
typedef struct {
    yaml_tree *tree;
    const char *file;
    int deepest;
    char *text, *at;
    yaml_node *node, *nodes_end, **top;
} scanner;

static yaml_node *new_node(scanner *s, yaml_type type)
{
    const unsigned begin = (unsigned)(s->at - s->text);
    assert(s->node < s->nodes_end);
    yaml_node *node = s->node++;
    *node = (yaml_node){ .type = type, .place = { s->file, 1, (int)begin + 1 }, .begin = begin };
    return node;
}

static void skip_spaces(scanner *s)
{
    while (*s->at == ' ')
        s->at++;
}

static yaml_node *scan_text(scanner *s)
{
    yaml_node *node = new_node(s, YAML_SCALAR);
    node->scalar = ++s->at;
    node->quoted = true;
    while (kinds[(unsigned char)*s->at] >= 't')
        s->at++;
    if (*s->at != '"')
        return NULL;
    node->length = (unsigned)(s->at - node->scalar);
    *s->at++ = '\0';
    node->end = (unsigned)(s->at - s->text);
    return node;
}

/* A number or a word; the character behind it, which the caller looks at, is not overwritten yet. */
static yaml_node *scan_word(scanner *s)
{
    const bool begins = isalnum((unsigned char)*s->at) || (*s->at == '-' && isdigit((unsigned char)s->at[1]));
    yaml_node *node = begins ? new_node(s, YAML_SCALAR) : NULL;
    if (!node)
        return NULL;
    node->scalar = s->at;
    while (kinds[(unsigned char)*s->at] == 'w')
        s->at++;
    node->length = (unsigned)(s->at - node->scalar);
    node->end = node->begin + node->length;
    return *s->at == ',' || *s->at == ']' || *s->at == '}' ? node : NULL;
}

static yaml_node *scan_value(scanner *s, int depth);

static yaml_node *scan_key(scanner *s)
{
    yaml_node *key = *s->at == '"' ? scan_text(s) : NULL;
    if (!key || key->end - key->begin > KEY_MAX || s->at[0] != ':' || s->at[1] != ' ')
        return NULL;
    s->at++;
    skip_spaces(s);
    return key;
}

static yaml_node *scan_collection(scanner *s, int depth)
{
    const bool mapping = *s->at == '{';
    const char close = mapping ? '}' : ']';
    yaml_node *node = depth <= s->deepest ? new_node(s, mapping ? YAML_MAPPING : YAML_SEQUENCE) : NULL;
    if (!node)
        return NULL;
    s->at++;
    yaml_node **const children = s->top;
    for (bool more = *s->at != close; more;) {
        yaml_node *key = mapping ? scan_key(s) : NULL;
        yaml_node *value = key || !mapping ? scan_value(s, depth) : NULL;
        if (!value)
            return NULL;
        if (key)
            *s->top++ = key;
        *s->top++ = value;
        more = *s->at == ',';
        if (!more && *s->at != close)
            return NULL;
        if (!value->quoted && value->type == YAML_SCALAR)
            *s->at = '\0';                                     /* ends the word */
        if (more) {
            s->at++;
            skip_spaces(s);
        }
    }
    yaml_tree_adopt(s->tree, node, children, (int)(s->top - children));
    s->top = children;
    node->end = (unsigned)(++s->at - s->text);
    return node;
}

static yaml_node *scan_value(scanner *s, int depth)
{
    if (*s->at == '{' || *s->at == '[')
        return scan_collection(s, depth + 1);
    return *s->at == '"' ? scan_text(s) : scan_word(s);
}

yaml_node *json_line_parse(yaml_tree *tree, const char *bytes, size_t n, const char *name, int deepest)
{
    if (n == 0 || *bytes != '{')
        return NULL;
    scanner s = { .tree = tree, .deepest = deepest, .file = yaml_tree_text(tree, name, strlen(name)) };
    s.text = s.at = yaml_tree_text(tree, bytes, n);            /* a zero ends it, which no part of it allows */
    /* Every node takes at least two characters: a collection its brackets, a scalar its text and the comma or colon
     * behind it.  Exceptions: collections still open, at most `deepest`, and the last scalar of a collection, where the
     * comma behind the collection makes up for the missing one. */
    const size_t most = n / 2 + (size_t)deepest + 2;
    s.node = yaml_tree_room(tree, most);
    s.nodes_end = s.node + most;
    s.top = yaml_tree_stack(tree, most);
    yaml_node *node = scan_collection(&s, 1);
    if (node && *s.at == '\n')
        s.at++;
    return node && s.at == s.text + n ? node : NULL;
}
