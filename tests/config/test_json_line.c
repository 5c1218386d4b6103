/* test_json_line.c - what the fast reader of lines reads, libyaml reads in the same way; the rest it leaves to that. */
#include "src/config/json_line.h"
#include "src/config/yaml.h"
#include "tests/facts.h"

#include <stdio.h>
#include <string.h>

static const char line[] =
    "{\"trajectory\": 12, \"accepted\": true, \"dH\": -4.9406564584124654e-324, \"none\": null, \"inf\": inf, "
    "\"time\": \"2026-01-02T03:04:05Z\", \"odd # text\": \" a: b, {[#'&*!|>%@`? \", "
    "\"empty\": \"\", \"\": [], \"o\": {}, "
    "\"list\": [[1, 2.5], [-3], {\"x\": [{}]}, \"s\"], \"two\": 1, \"two\": 2, \"digest\": \"0xf6cd9092372a1c9b\"}\n";

static bool same_place(const yaml_node *a, const yaml_node *b)
{
    return strcmp(a->place.file, b->place.file) == 0 && a->place.line == b->place.line
           && a->place.column == b->place.column && a->begin == b->begin && a->end == b->end;
}

static bool same_tree(const yaml_node *a, const yaml_node *b)
{
    bool same = a->type == b->type && same_place(a, b) && a->count == b->count && a->quoted == b->quoted;
    if (same && a->type == YAML_SCALAR)
        return strcmp(a->scalar, b->scalar) == 0;
    for (int i = 0; same && i < a->count; i++)
        same = same_tree(a->item[i], b->item[i]) && (a->type != YAML_MAPPING || same_tree(a->key[i], b->key[i]));
    return same;
}

static int read_fast;

/* Whether libyaml agrees, or the fast reader leaves the text to it. */
static bool agrees(const char *bytes, size_t n)
{
    yaml_tree *fast = yaml_tree_create(), *slow = yaml_tree_create();
    failure why;
    const yaml_node *a = json_line_parse(fast, bytes, n, "name", YAML_DEPTH_MAX);
    const yaml_node *b = a ? yaml_tree_parse(slow, bytes, n, "name", &why) : NULL;
    const bool same = !a || (b && same_tree(a, b));
    if (!same)
        note("%s: %.*s", b ? "another tree" : why.why, (int)n, bytes);
    read_fast += a != NULL;
    yaml_tree_free(&fast->root);
    yaml_tree_free(&slow->root);
    return same;
}

static bool reads(const char *text)
{
    read_fast = 0;
    return agrees(text, strlen(text)) && read_fast == 1;
}

static bool leaves(const char *text)
{
    read_fast = 0;
    return agrees(text, strlen(text)) && read_fast == 0;
}

/* Every character replaced, and each put in before it, or taken away. */
static void changed_lines(void)
{
    static const char others[] = "{}[]\",: \n\t\\#-+.'&*!|>%@`?~=0aNn\x7f\xc3\x01";
    char text[sizeof line + 1];
    const size_t n = strlen(line);
    bool replaced = true, more = true, fewer = true;
    read_fast = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < sizeof others; c++) {             /* the zero, too */
            memcpy(text, line, n);
            text[i] = others[c];
            replaced = agrees(text, n) && replaced;
            memmove(text + i + 1, line + i, n - i);
            more = agrees(text, n + 1) && more;
        }
        memcpy(text, line, i);
        memcpy(text + i, line + i + 1, n - i - 1);
        fewer = agrees(text, n - 1) && fewer;
        fewer = agrees(line, i) && fewer;
    }
    fact(replaced, "a line with another character anywhere is read as libyaml reads it, or left to it");
    fact(more, "so is one with a character more");
    fact(fewer, "and one with a character less, or cut off");
    fact(read_fast > 1000, "%d of them are read", read_fast);
}

/* `depth` lists in an object. */
static const char *nested(int depth)
{
    static char text[512];
    int n = sprintf(text, "{\"a\": ");
    for (int i = 0; i < depth; i++)
        text[n++] = '[';
    for (int i = 0; i < depth; i++)
        text[n++] = ']';
    strcpy(text + n, "}");
    return text;
}

static const char *with_key(int length)
{
    static char text[4096];
    sprintf(text, "{\"%0*d\": 1}", length, 7);
    return text;
}

static void texts(void)
{
    fact(reads(line), "a line as Kiln writes it is read");
    fact(reads("{}") && reads("{\"a\":  1,\"b\": [1,2,  3]}\n"), "so is one with more or fewer spaces behind a comma");
    fact(leaves("{\"a\": \"\\n\"}") && leaves("{\"a\": \"\xc3\xa4\"}"), "escapes and letters beyond ASCII are left");
    fact(leaves("{\"a\": 1}\n\n") && leaves("{\"a\": 1} # x") && leaves("{\"a\": 1}{}"),
         "so is what follows the object");
    fact(leaves("{\"a\": 1 }") && leaves("{\"a\":1}") && leaves("{a: 1}") && leaves("{\"a\": x y}"),
         "and other styles");
    fact(leaves("[1]") && leaves("1") && leaves("") && leaves("a: 1"), "what is no object is left");
    fact(leaves("{\"a\": [1,]}") && leaves("{\"a\": 1,}") && leaves("{\"a\": }") && leaves("{\"a\": [\"b\": 1]}"),
         "missing values and pairs in lists are left");
    fact(reads(nested(YAML_DEPTH_MAX - 1)) && leaves(nested(YAML_DEPTH_MAX)), "the limit of depth is that of YAML");
    fact(reads(with_key(500)) && leaves(with_key(1100)), "a key that is too long for libyaml is left to it");
}

int main(void)
{
    texts();
    changed_lines();
    return facts_end();
}
