/* test_yaml.c - trees of YAML: places, refusals word for word, --set, JSON, and no crash on any bytes. */
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/config/yaml.h"
#include "tests/facts.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char valid[] =
    "# a run\n"
    "lattice:\n"
    "  extents: [4, 4, 4, 8]   # x, y, z, t\n"
    "name: \"b\\u00e9ta\"\n"
    "hmc:\n"
    "  levels:\n"
    "    - {scheme: omelyan, steps: 3}\n"
    "    - scheme: 'leapfrog'\n"
    "      steps: 10\n"
    "  note: |\n"
    "    two\n"
    "    lines\n"
    "  empty:\n";

static bool stands_at(const yaml_node *node, int line, int column)
{
    return node && node->place.line == line && node->place.column == column;
}

static bool is_scalar(const yaml_node *node, const char *value)
{
    return node && node->type == YAML_SCALAR && strcmp(node->scalar, value) == 0;
}

static void test_tree(void)
{
    failure f = { .why = "" };
    yaml_node *tree = yaml_read_string(valid, "run.yaml", &f);
    if (!fact(tree != NULL, "a valid text is read %s", f.why))
        return;
    const yaml_node *extents = yaml_get(yaml_get(tree, "lattice"), "extents"), *hmc = yaml_get(tree, "hmc");
    const yaml_node *levels = yaml_get(hmc, "levels");
    fact(tree->type == YAML_MAPPING && tree->count == 3 && stands_at(tree, 2, 1), "the tree is the outer mapping");
    fact(strcmp(tree->place.file, "run.yaml") == 0, "a place names its file");
    fact(extents && extents->type == YAML_SEQUENCE && extents->count == 4 && stands_at(extents, 3, 12) &&
         is_scalar(extents->item[3], "8") && stands_at(extents->item[3], 3, 22), "a list knows its items and places");
    fact(is_scalar(yaml_get(tree, "name"), "b\xc3\xa9ta") && yaml_get(tree, "name")->quoted, "escapes are resolved");
    fact(levels && levels->count == 2 && is_scalar(yaml_get(levels->item[1], "scheme"), "leapfrog") &&
         yaml_get(levels->item[1], "scheme")->quoted && !yaml_get(levels->item[0], "scheme")->quoted,
         "a scalar tells whether it was quoted");
    fact(stands_at(levels->item[1]->key[1], 9, 7), "a key knows its place");
    fact(is_scalar(yaml_get(hmc, "note"), "two\nlines\n"), "a block text keeps its lines");
    fact(yaml_is_null(yaml_get(hmc, "empty")) && !yaml_is_null(yaml_get(tree, "name")),
         "a key without a value is null");
    fact(!yaml_get(tree, "absent") && !yaml_get(extents, "x"), "what is not there is NULL");
    yaml_tree_free(tree);

    tree = yaml_read_string("\xef\xbb\xbf" "a: 1\r\nb: 2\r\na: 3\r\n", "dos.yaml", &f);
    fact(tree && tree->count == 3 && stands_at(tree->key[2], 3, 1), "a byte order mark and DOS line ends are read");
    fact(tree && is_scalar(yaml_get(tree, "a"), "1"), "of duplicate keys all are kept and the first is found");
    yaml_tree_free(tree);
}

static void test_json(void)
{
    failure f = { .why = "" };
    yaml_node *tree = yaml_read_string("{\"n\":12, \"dH\": -1.5e-3, \"bad\": null, \"ok\":true,"
                                       "\"a\\\"b\\u0041\\/\": [1,2,{}]}", "run.jsonl", &f);
    fact(tree && tree->count == 5 && is_scalar(yaml_get(tree, "n"), "12") &&
         is_scalar(yaml_get(tree, "dH"), "-1.5e-3") && yaml_is_null(yaml_get(tree, "bad")) &&
         yaml_get(tree, "a\"bA/") && yaml_get(tree, "a\"bA/")->count == 3, "a JSON object is read %s", f.why);
    yaml_tree_free(tree);
}

static const struct { const char *yaml, *why; } refused[] = {
    { "", "run.yaml:1:1: empty: nothing but white space and comments" },
    { "# nothing\n\n", "run.yaml:1:1: empty: nothing but white space and comments" },
    { "a: 1\n---\nb: 2\n", "run.yaml:2:1: a second document begins here; an input is one document" },
    { "a: &x 1\nb: 2\n", "run.yaml:1:4: anchors (&name) are not allowed; write the value where it is needed" },
    { "a: *x\n", "run.yaml:1:4: aliases (*name) are not allowed; write the value" },
    { "a: !!int 1\n", "run.yaml:1:4: tags (!type) are not allowed; the key determines the type" },
    { "a: ! {}\n", "run.yaml:1:4: tags (!type) are not allowed; the key determines the type" },
    { "a:\n\tb: 1\n", "run.yaml:2:1: found a tab in the indentation; indent YAML with spaces" },
    { "a: 1\n\xc3\xa9: [2\n", "run.yaml:3:1: did not find expected ',' or ']', while parsing a flow sequence "
                              "(from line 2, column 4)" },
    { "a: 1\n  b: 2\n", "run.yaml:2:3: wrong indentation: \"b\" begins in column 3, but the other keys begin "
                         "in column 1 (mapping from line 1); nothing can be nested below \"a\" "
                         "(line 1), which has a value" },
    { "a: b: 2\n", "run.yaml:1:5: mapping values are not allowed in this context" },
    { "a: \"x\n", "run.yaml:2:1: found unexpected end of stream, while scanning a quoted scalar "
                "(from line 1, column 4)" },
    { "a: @x\n", "run.yaml:1:4: found character that cannot start any token, while scanning for the next token "
                 "(from line 1, column 4)" },
    { "[a, b]: 1\n", "run.yaml:1:1: a list or a mapping stands where a key is expected" },
    { "a: 1\nb: \xff\n", "run.yaml:2:4: not text: invalid leading UTF-8 octet (0xFF)" },
    { "\xc3\xa9: \x01\n", "run.yaml:1:4: not text: control characters are not allowed (0x01)" },
    { "\xff\xfe" "a", "run.yaml:1:1: not text: invalid leading UTF-8 octet (0xFF)" },
    { "a: \"x\\0y\"\n", "run.yaml:1:4: a text with a zero character (\\0) in it" },
    { "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
      "run.yaml:1:33: nested deeper than 32 levels" },
};

static void test_refusals(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        failure f = { .why = "" };
        yaml_node *tree = yaml_read_string(refused[i].yaml, "run.yaml", &f);
        if (!fact(!tree && strcmp(f.why, refused[i].why) == 0, "refused: %s", refused[i].why))
            note("got: %s", tree ? "a tree" : f.why);
        yaml_tree_free(tree);
    }
    const char *deepest = "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]";
    yaml_node *tree = yaml_read_string(deepest, "run.yaml", NULL);
    fact(tree != NULL, "32 levels are read");
    yaml_tree_free(tree);
}

static void test_sizes(void)
{
    failure f = { .why = "" };
    text large = { 0 };
    while (large.length < YAML_BYTES_MAX - 20)
        text_add(&large, "k%zu: [1, 2]\n", large.length);
    yaml_node *tree = yaml_read_string(large.s, "large.yaml", &f);
    fact(tree && tree->count > 50000, "just under a MiB is read");
    yaml_tree_free(tree);
    while (large.length <= YAML_BYTES_MAX)
        text_add(&large, "#\n");
    fact(!yaml_read_string(large.s, "large.yaml", &f) &&
         strcmp(f.why, "large.yaml: larger than 1.00 MiB, the limit for an input") == 0,
         "more than a MiB is refused: %s", f.why);
    text_clear(&large);
    for (int i = 0; i < 300000; i++)
        text_add(&large, "[");
    fact(!yaml_read_string(large.s, "deep.yaml", &f) && strstr(f.why, "nested deeper"), "an absurd nesting is refused");
    text_free(&large);
}

static void test_files(void)
{
    char path[] = "test_yaml_XXXXXX";
    int handle = mkstemp(path);
    FILE *stream = handle < 0 ? NULL : fdopen(handle, "wb");
    failure f = { .why = "" };
    if (!fact(stream != NULL, "a temporary file is made"))
        return;
    fwrite("a: 1\0b\n", 1, 7, stream);
    fclose(stream);
    yaml_node *tree = yaml_read_file(path, &f);
    text want = { 0 };
    text_add(&want, "%s:1:5: not text: control characters are not allowed (0x00)", path);
    fact(!tree && strcmp(f.why, text_string(&want)) == 0, "a zero byte does not end a file: %s", f.why);
    stream = fopen(path, "wb");
    fputs(valid, stream);
    fclose(stream);
    tree = yaml_read_file(path, &f);
    fact(tree && tree->count == 3 && strcmp(tree->place.file, path) == 0, "a file is read");
    yaml_tree_free(tree);
    remove(path);
    fact(!yaml_read_file("no/such.yaml", &f) &&
         strcmp(f.why, "no/such.yaml: cannot be opened: No such file or directory") == 0, "a missing file: %s", f.why);
    fact(!yaml_read_file(".", &f) && strcmp(f.why, ".: cannot be read: Is a directory") == 0, "a directory: %s", f.why);
    text_free(&want);
}

static void test_set(void)
{
    failure f = { .why = "" };
    yaml_node *tree = yaml_read_string(valid, "run.yaml", &f);
    bool ok = yaml_set(tree, "hmc.levels.0.steps", "7", &f) && yaml_set(tree, "new.deep.key", "{a: [1, 2]}", &f) &&
              yaml_set(tree, "lattice.extents.3", "12", &f) && yaml_set(tree, "name", "other", &f);
    const yaml_node *steps = yaml_get(yaml_get(yaml_get(tree, "hmc"), "levels")->item[0], "steps");
    fact(ok && is_scalar(steps, "7") && strcmp(steps->place.file, "--set hmc.levels.0.steps") == 0 &&
         stands_at(steps, 1, 1),
         "a value is set inside a list, and its place says so %s", f.why);
    ok = yaml_set(tree, "hmc.levels[1].steps", "9", &f);
    fact(ok && is_scalar(yaml_get(yaml_get(yaml_get(tree, "hmc"), "levels")->item[1], "steps"), "9"),
         "items in brackets, as messages write them %s", f.why);
    const yaml_node *made = yaml_get(yaml_get(yaml_get(yaml_get(tree, "new"), "deep"), "key"), "a");
    fact(made && made->count == 2, "mappings are made on the way");
    fact(is_scalar(yaml_get(yaml_get(tree, "lattice"), "extents")->item[3], "12") &&
         is_scalar(yaml_get(tree, "name"), "other"),
         "an item of a list and a key at the top are replaced");

    static const struct { const char *path, *value, *why; } cases[] = {
        { "hmc.levels.2.steps", "1", "--set hmc.levels.2.steps=1: \"hmc.levels\" is a list of 2; \"2\" is not one of "
                                     "its items, counted from 0" },
        { "hmc.levels.x", "1", "--set hmc.levels.x=1: \"hmc.levels\" is a list of 2; \"x\" is not one of its items, "
                               "counted from 0" },
        { "name.x.y", "1", "--set name.x.y=1: \"name\" is neither a mapping nor a list" },
        { "", "1", "--set =1: a path consists of keys separated by dots, e.g. hmc.levels.0.steps" },
        { "a..b", "1", "--set a..b=1: a path consists of keys separated by dots, e.g. hmc.levels.0.steps" },
        { ".a", "1", "--set .a=1: a path consists of keys separated by dots, e.g. hmc.levels.0.steps" },
        { "a.", "1", "--set a.=1: a path consists of keys separated by dots, e.g. hmc.levels.0.steps" },
        { "a", "", "--set a:1:1: empty: nothing but white space and comments" },
        { "a", "[1", "--set a:2:1: did not find expected ',' or ']', while parsing a flow sequence "
                     "(from line 1, column 1)" },
    };
    int count = tree->count;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ok = yaml_set(tree, cases[i].path, cases[i].value, &f);
        if (!fact(!ok && strcmp(f.why, cases[i].why) == 0, "not set: %s", cases[i].why))
            note("got: %s", f.why);
    }
    fact(tree->count == count, "a value that cannot be set changes nothing");
    yaml_tree_free(tree);
}

/* Numerical Recipes' 64-bit linear congruential generator: the same mutations everywhere. */
static uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static void test_mutations(void)
{
    static const char spice[] = "{}[],:-?&*!|>'\"%@`#\t\n \xff\\0";
    enum { ROUNDS = 5000, SIZE = sizeof valid };
    uint64_t state = 1;
    int reported = 0, read = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char bytes[SIZE];
        memcpy(bytes, valid, SIZE);
        for (uint32_t changes = 1 + draw(&state) % 8; changes > 0; changes--) {
            uint32_t at = draw(&state) % (SIZE - 1), kind = draw(&state) % 3;
            if (kind == 0)
                bytes[at] = (char)(1 + draw(&state) % 255);
            else if (kind == 1)
                bytes[at] = spice[draw(&state) % (sizeof spice - 1)];
            else
                memmove(bytes + at, bytes + at + 1, SIZE - 1 - at);
        }
        failure f = { .why = "" };
        yaml_node *tree = yaml_read_string(bytes, "run.yaml", &f);
        read += tree != NULL;
        reported += tree == NULL && strncmp(f.why, "run.yaml:", 9) == 0;
        if (tree)
            yaml_set(tree, "hmc.levels.0.steps", "1", &f);
        yaml_tree_free(tree);
    }
    note("of %d mutated inputs %d were read and %d refused", (int)ROUNDS, read, reported);
    fact(read + reported == ROUNDS && read > 0 && reported > 0, "mutated bytes give a tree or a reason with a place");
}

int main(void)
{
    test_tree();
    test_json();
    test_refusals();
    test_sizes();
    test_files();
    test_set();
    test_mutations();
    fact(memory_bytes_now() == 0, "every tree gave its memory back");
    return facts_end();
}
