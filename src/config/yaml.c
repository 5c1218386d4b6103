/* yaml.c - builds a tree from the events of libyaml; each node has its place in the file.
 *
 * Inputs are one document of mappings, sequences and scalars.  Kiln refuses anchors, aliases and tags
 * of YAML: inputs need none, and aliases can expand without bound. */
#include "src/config/yaml.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/base/text.h"
#include "src/config/yaml_indent.h"
#include "src/config/yaml_tree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

typedef struct {
    yaml_parser_t parser;
    const char *bytes;            /* the text, without a byte order mark */
    size_t size;
    const char *file;             /* its name, owned by the tree */
    yaml_tree *tree;
    failure *f;
} reader;

static yaml_place place_of(const reader *r, yaml_mark_t mark)
{
    return (yaml_place){ r->file, (int)mark.line + 1, (int)mark.column + 1 };
}

static bool refuse_feature(const reader *r, yaml_mark_t mark, const char *sentence)
{
    yaml_place at = place_of(r, mark);
    return fail(r->f, "%s:%d:%d: %s", at.file, at.line, at.column, sentence);
}

static bool continues_character(char byte)
{
    return (byte & 0xc0) == 0x80;      /* the second and later bytes of a UTF-8 sequence */
}

/* libyaml gives only the offset of an invalid byte. */
static yaml_place place_of_byte(const reader *r, size_t offset)
{
    yaml_place at = { r->file, 1, 1 };
    for (size_t i = 0; i < offset && i < r->size; i++) {
        bool ends_line = r->bytes[i] == '\n' || (r->bytes[i] == '\r' && (i + 1 == r->size || r->bytes[i + 1] != '\n'));
        if (ends_line) {
            at.line++;
            at.column = 1;
        } else if (!continues_character(r->bytes[i])) {
            at.column++;
        }
    }
    return at;
}

/* Whether libyaml failed at a tab: a frequent error, which gets its own message. */
static bool is_tab(const reader *r, yaml_mark_t mark)
{
    size_t i = 0, characters = 0;
    for (; i < r->size; i++)
        if (!continues_character(r->bytes[i]) && characters++ == mark.index)
            break;
    return i < r->size && r->bytes[i] == '\t';
}

/* Report an error of the scanner or parser by its indentation, if that is its cause. */
static bool explain_indentation(const reader *r)
{
    text sentence = { 0 };
    int line, column;
    const bool explained = yaml_indent_explain(&sentence, &line, &column, r->bytes, r->size,
                                               (int)r->parser.problem_mark.line + 1);
    if (explained)
        fail(r->f, "%s:%d:%d: %s", r->file, line, column, text_string(&sentence));
    text_free(&sentence);
    return explained;
}

/* The error of libyaml in the form of Kiln's messages. */
static bool refuse_syntax(const reader *r)
{
    const yaml_parser_t *p = &r->parser;
    const char *problem = p->problem ? p->problem : "not YAML";
    if (p->error == YAML_MEMORY_ERROR)
        fatal("%s: out of host memory while reading YAML", r->file);
    if (p->error == YAML_READER_ERROR) {
        yaml_place at = place_of_byte(r, p->problem_offset);
        return fail(r->f, "%s:%d:%d: not text: %s (0x%02X)", at.file, at.line, at.column, problem,
                    (unsigned)p->problem_value);
    }
    if (explain_indentation(r))
        return false;
    if (is_tab(r, p->problem_mark))
        return refuse_feature(r, p->problem_mark, "found a tab; indent YAML with spaces");
    yaml_place at = place_of(r, p->problem_mark), from = place_of(r, p->context_mark);
    if (!p->context)
        return fail(r->f, "%s:%d:%d: %s", at.file, at.line, at.column, problem);
    return fail(r->f, "%s:%d:%d: %s, %s (from line %d, column %d)", at.file, at.line, at.column, problem, p->context,
                from.line, from.column);
}

static bool next_event(reader *r, yaml_event_t *e)
{
    return yaml_parser_parse(&r->parser, e) ? true : refuse_syntax(r);
}

/* Refuse anchors, aliases and tags. */
static bool check_plain(const reader *r, const yaml_event_t *e)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (e->type == YAML_SCALAR_EVENT) {
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
    } else if (e->type == YAML_SEQUENCE_START_EVENT) {
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
    } else if (e->type == YAML_MAPPING_START_EVENT) {
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
    }
    if (e->type == YAML_ALIAS_EVENT)
        return refuse_feature(r, e->start_mark, "aliases (*name) are not allowed; write the value");
    if (anchor)
        return refuse_feature(r, e->start_mark, "anchors (&name) are not allowed; write the value where it is needed");
    if (tag)
        return refuse_feature(r, e->start_mark, "tags (!type) are not allowed; the key determines the type");
    return true;
}

static yaml_node *read_node(reader *r, const yaml_event_t *e, int depth);

static yaml_node *read_scalar(reader *r, const yaml_event_t *e)
{
    const char *value = (const char *)e->data.scalar.value;
    size_t length = e->data.scalar.length;
    if (memchr(value, 0, length)) {
        refuse_feature(r, e->start_mark, "a text with a zero character (\\0) in it");
        return NULL;
    }
    yaml_node *node = yaml_tree_node(r->tree, YAML_SCALAR, place_of(r, e->start_mark));
    node->scalar = yaml_tree_text(r->tree, value, length);
    node->length = (unsigned)length;
    node->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->last_line = (unsigned)(node->quoted ? node->place.line : (int)e->end_mark.line + 1);
    node->begin = (unsigned)e->start_mark.index;
    node->end = (unsigned)e->end_mark.index;
    return node;
}

/* The next node, or the end of the collection (`ended`, behind character `end`); NULL with ended false is a failure. */
static yaml_node *read_next(reader *r, int depth, bool *ended, size_t *end)
{
    yaml_event_t e;
    *ended = false;
    if (!next_event(r, &e))
        return NULL;
    *ended = e.type == YAML_SEQUENCE_END_EVENT || e.type == YAML_MAPPING_END_EVENT;
    *end = e.end_mark.index;
    yaml_node *node = *ended ? NULL : read_node(r, &e, depth);
    yaml_event_delete(&e);
    return node;
}

static yaml_node *read_collection(reader *r, const yaml_event_t *e, int depth)
{
    const bool mapping = e->type == YAML_MAPPING_START_EVENT;
    const bool brackets = mapping ? e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                                  : e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    yaml_type type = mapping ? YAML_MAPPING : YAML_SEQUENCE;
    yaml_node *node = yaml_tree_node(r->tree, type, place_of(r, e->start_mark));
    if (depth > YAML_DEPTH_MAX) {
        fail(r->f, "%s:%d:%d: nested deeper than %d levels", node->place.file, node->place.line, node->place.column,
             YAML_DEPTH_MAX);
        return NULL;
    }
    for (;;) {
        bool ended;
        size_t end;
        yaml_node *key = NULL, *value = read_next(r, depth, &ended, &end);
        if (ended && brackets) {
            node->begin = (unsigned)e->start_mark.index;
            node->end = end;
        }
        if (ended)
            return node;
        if (value && mapping) {
            key = value;
            if (key->type != YAML_SCALAR) {
                fail(r->f, "%s:%d:%d: a list or a mapping stands where a key is expected", key->place.file,
                     key->place.line, key->place.column);
                return NULL;
            }
            value = read_next(r, depth, &ended, &end);
        }
        if (!value)
            return NULL;
        yaml_tree_append(r->tree, node, key, value);
    }
}

static yaml_node *read_node(reader *r, const yaml_event_t *e, int depth)
{
    if (!check_plain(r, e))
        return NULL;
    return e->type == YAML_SCALAR_EVENT ? read_scalar(r, e) : read_collection(r, e, depth + 1);
}

/* An input must be: stream start, document start, one node, document end, stream end. */
static yaml_node *read_document(reader *r)
{
    yaml_node *node = NULL;
    bool second = false;
    for (;;) {
        yaml_event_t e;
        if (!next_event(r, &e))
            return NULL;
        bool last = e.type == YAML_STREAM_END_EVENT, good = true;
        if (e.type == YAML_DOCUMENT_START_EVENT) {
            if (second)
                good = refuse_feature(r, e.start_mark, "a second document begins here; an input is one document");
            second = true;
        } else if (e.type != YAML_STREAM_START_EVENT && e.type != YAML_DOCUMENT_END_EVENT && !last) {
            node = read_node(r, &e, 0);
            good = node != NULL;
        }
        if (last && !node)
            good = fail(r->f, "%s:1:1: empty: nothing but white space and comments", r->file);
        yaml_event_delete(&e);
        if (!good)
            return NULL;
        if (last)
            return node;
    }
}

yaml_node *yaml_tree_parse(yaml_tree *tree, const char *bytes, size_t n, const char *name, failure *f)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (n > YAML_BYTES_MAX) {
        fail(f, "%s: larger than %s, the limit for an input", name, bytes_to_text(YAML_BYTES_MAX).s);
        return NULL;
    }
    if (n >= 3 && memcmp(bytes, byte_order_mark, 3) == 0) {
        bytes += 3;
        n -= 3;
    }
    reader r = { .bytes = bytes, .size = n, .tree = tree, .f = f };
    r.file = yaml_tree_text(tree, name, strlen(name));
    require(yaml_parser_initialize(&r.parser), "%s: out of host memory while reading YAML", name);
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)bytes, n);
    yaml_node *node = read_document(&r);
    yaml_parser_delete(&r.parser);
    return node;
}

static yaml_node *read_bytes(const char *bytes, size_t n, const char *name, failure *f)
{
    yaml_tree *tree = yaml_tree_create();
    yaml_node *node = yaml_tree_parse(tree, bytes, n, name, f);
    if (node)
        tree->root = *node;
    else
        yaml_tree_free(&tree->root);
    return node ? &tree->root : NULL;
}

yaml_node *yaml_read_string(const char *yaml, const char *name, failure *f)
{
    return read_bytes(yaml, strlen(yaml), name, f);
}

yaml_node *yaml_read_stream(FILE *stream, const char *path, failure *f)
{
    char *bytes = memory_alloc(YAML_BYTES_MAX + 1, "the text of a YAML file");
    errno = 0;
    size_t n = fread(bytes, 1, YAML_BYTES_MAX + 1, stream);      /* one more than allowed shows that there is more */
    yaml_node *tree = NULL;
    if (ferror(stream))
        fail_system(f, errno, "%s: cannot be read: %s", path, strerror(errno));
    else
        tree = read_bytes(bytes, n, path, f);
    memory_free(bytes);
    return tree;
}

yaml_node *yaml_read_file(const char *path, failure *f)
{
    FILE *stream = open_stream_read(path);
    if (!stream) {
        fail_system(f, errno, "%s: cannot be opened: %s", path, open_file_reason(errno));
        return NULL;
    }
    yaml_node *tree = yaml_read_stream(stream, path, f);
    fclose(stream);
    return tree;
}

yaml_node *yaml_get(const yaml_node *mapping, const char *key)
{
    return yaml_get_part(mapping, key, strlen(key));
}

yaml_node *yaml_get_part(const yaml_node *mapping, const char *key, size_t length)
{
    if (!mapping || mapping->type != YAML_MAPPING)
        return NULL;
    for (int i = 0; i < mapping->count; i++)
        if (mapping->key[i]->length == length && memcmp(mapping->key[i]->scalar, key, length) == 0)
            return mapping->item[i];
    return NULL;
}

bool yaml_is_null(const yaml_node *node)
{
    static const char *const words[] = { "", "~", "null", "Null", "NULL" };
    if (node->type == YAML_SCALAR && !node->quoted)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(node->scalar, words[i]) == 0)
                return true;
    return false;
}
