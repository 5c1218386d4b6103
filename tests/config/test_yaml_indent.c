/* test_yaml_indent.c - a line in a wrong column: the message names it, its column, and that of its neighbors. */
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/config/yaml.h"
#include "tests/facts.h"

#include <stdio.h>
#include <string.h>

static const struct { const char *mistake, *yaml, *why; } cases[] = {
    { "a key one column too deep", "a:\n  b: 1\n   c: 2\n",
      "x:3:4: wrong indentation: \"c\" begins in column 4, but the other keys begin in column 3 (mapping from line 2); "
      "nothing can be nested below \"b\" (line 2), which has a value" },
    { "the same after a comment", "a:\n  b: 1   # one\n   c: 2\n",
      "x:3:4: wrong indentation: \"c\" begins in column 4, but the other keys begin in column 3 (mapping from line 2); "
      "nothing can be nested below \"b\" (line 2), which has a value" },
    { "a key one column too shallow", "a:\n   b: 1\n  c: 2\n",
      "x:3:3: wrong indentation: \"c\" begins in column 3, but the other keys begin in column 4 (mapping from "
      "line 2)" },
    { "a key between two mappings", "a:\n  b: 1\n c: 2\n",
      "x:3:2: wrong indentation: \"c\" begins in column 2, but the other keys begin in column 3 (mapping from line 2) "
      "or in column 1 (mapping from line 1)" },
    { "one key at the margin", "a:\n  b: 1\nc: 2\n  d: 3\n",
      "x:3:1: wrong indentation: \"c\" begins in column 1 and so ends the mapping from line 2, but line 4 continues it "
      "in column 3; let \"c\" begin in column 3, too" },
    { "a key after one that is at the margin", "a:\n  x: 1\nb: 3\nc: 4\n  z: 5\n",
      "x:5:3: wrong indentation: \"z\" begins in column 3, but the other keys begin in column 1 (mapping from line 1); "
      "nothing can be nested below \"c\" (line 4), which has a value" },
    { "the first key below another is too shallow", "a:\n  b:\n  c: 1\n    d: 2\n",
      "x:3:3: wrong indentation: \"c\" begins in column 3, as does the key \"b\" above it, which has no value; if it "
      "belongs to that key, let it begin in column 5, as line 4 does" },
    { "the second key of an item", "a:\n  - kind: b\n   name: c\n",
      "x:3:4: wrong indentation: \"name\" begins in column 4, but the other keys begin in column 5 (mapping from "
      "line 2)" },
    { "an item", "a:\n  - { b: 1 }\n   - { b: 2 }\n",
      "x:3:4: wrong indentation: \"- { b: 2 }\" begins in column 4, but the other items begin in column 3 (list from "
      "line 2)" },
    { "an item to the left of its key", "a:\n  - b: 1\n    c:\n   - d: 2\n",
      "x:4:4: wrong indentation: \"- d: 2\" begins in column 4, but the other items begin in column 3 (list from "
      "line 2); an item of \"c\" (line 3) begins in column 5 or to the right of it" },
    { "an item below a value", "a: [1]\n  - 2\n",
      "x:2:3: wrong indentation: \"- 2\" begins in column 3; nothing can be nested below \"a\" (line 1), which has a "
      "value" },
    { "a tab", "a:\n\tb: 1\n", "x:2:1: found a tab in the indentation; indent YAML with spaces" },
    { "a tab below a value", "a:\n  b: 1\n\tc: 1\n", "x:3:1: found a tab in the indentation; indent YAML with spaces" },
    { "a value below its key", "a:\n  b:\n  1\n  c: 2\n",
      "x:3:3: wrong indentation: \"1\", the value of \"b\" (line 2), begins in column 3; it must begin to the right of "
      "column 3, in which its key begins" },
    { "no space after a colon", "a: 1\nb:2\nc: 3\n",
      "x:2:1: \"b:2\" is neither a key with a colon and a space after it, nor an item of a list (\"- \"), and its "
      "indentation does not make it part of the value above" },
    { "a block text", "a: |\n    b\n  c\nd: 1\n",
      "x:3:3: wrong indentation: \"c\" begins in column 3, to the left of the text of \"a\" (line 1), which begins in "
      "column 5" },
    { "no space after a dash", "a:\n  - b: 1\n  -b: 2\n", "x:3:3: \"-b\" has no space after the dash of a list item" },
    { "the same where a key waits for its value", "a:\n  - b: 1\n    c:\n  -d: 2\n",
      "x:4:3: \"-d\" has no space after the dash of a list item" },
    { "the same before a number", "a:\n  - 0.1\n  -0.2\n",
      "x:3:3: \"-0.2\" has no space after the dash of a list item" },
    { "a negative number below its key", "mass:\n-0.7\n",
      "x:2:1: wrong indentation: \"-0.7\", the value of \"mass\" (line 1), begins in column 1; it must begin to the "
      "right of column 1, in which its key begins" },
    { "a word with a dash below its key", "action:\n-wilson\n",
      "x:2:1: wrong indentation: \"-wilson\", the value of \"action\" (line 1), begins in column 1; it must begin to "
      "the right of column 1, in which its key begins" },
    { "a negative number after a value", "mass: 1\n-0.7\n",
      "x:2:1: \"-0.7\" is neither a key with a colon and a space after it, nor an item of a list (\"- \"), and its "
      "indentation does not make it part of the value above" },
};

static void test_sentences(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        failure f = { .why = "" };
        yaml_node *tree = yaml_read_string(cases[i].yaml, "x", &f);
        if (!fact(!tree && strcmp(f.why, cases[i].why) == 0, "%s: %s", cases[i].mistake, cases[i].why))
            note("got: %s", tree ? "a tree" : f.why);
        yaml_tree_free(tree);
    }
}

/* What the scan must skip: brackets and quotes over several lines, block texts, comments in any column. */
static const char *const lines[] = {
    "lattice: [6, 6,",
    "          6, 6]   # x, y, z, t",
    "random:",
    "  seed: 1",
    "note: |",
    "   a text: with",
    "     - marks",
    "monomials:",
    "  - kind: gauge",
    "    name: \"it's: quoted\"",
    "# a comment",
    "    beta: 6.7",
    "  - kind: staggered",
    "    determinants:",
    "      - quarks:",
    "          - { mass: 0.05,",
    "              flavors: 2 }",
    "          - { mass: 0.1, flavors: 1 }",
    "        hasenbusch:",
    "        - mass: 0.4",
    "      - mass: 0.3",
    "    residuals: { refresh: 1e-8 }",
    "",
    "hmc:",
    "  levels:",
    "  - steps: 6",
    "    monomials: [quarks]",
    "  - steps: 2",
    "  trajectories: 60",
    "\"output\":",
    "  name: quick",
    "    start",
};
enum { LINES = sizeof lines / sizeof *lines };

/* The text with line `which` moved to the right by `columns`. */
static void write_moved(text *t, int which, int columns)
{
    text_clear(t);
    for (int i = 0; i < LINES; i++) {
        const int blanks = (int)strspn(lines[i], " "), moved = i == which ? blanks + columns : blanks;
        text_add(t, "%*s%s\n", moved > 0 ? moved : 0, "", lines[i] + blanks);
    }
}

static void test_moved_lines(void)
{
    text t = { 0 };
    failure f = { .why = "" };
    int refused = 0, explained = 0, near = 0;
    write_moved(&t, 0, 0);
    yaml_node *tree = yaml_read_string(text_string(&t), "x", &f);
    fact(tree != NULL, "the text is YAML as long as no line is moved %s", f.why);
    yaml_tree_free(tree);
    for (int i = 0; i < LINES; i++)
        for (int columns = -6; columns <= 6; columns++) {
            int line = 0, column = 0;
            write_moved(&t, i, columns);
            tree = yaml_read_string(text_string(&t), "x", &f);
            refused += !tree;
            if (!tree && !strstr(f.why, "indentation"))
                note("line %d by %d: %s", i + 1, columns, f.why);
            explained += !tree && strstr(f.why, "indentation");
            const bool is_near = sscanf(f.why, "x:%d:%d:", &line, &column) == 2 && line >= i && line <= i + 9;
            near += !tree && is_near;
            if (!tree && !is_near)
                note("line %d by %d: %s", i + 1, columns, f.why);
            yaml_tree_free(tree);
        }
    text_free(&t);
    fact(refused > 100 && explained == refused,
         "of %d lines that are moved too far, the message names the indentation of all: %d", refused, explained);
    fact(near == refused, "and each at the line, or where its mapping goes on: %d", near);
}

/* Not a matter of columns: the message of libyaml stays. */
static void test_other_errors(void)
{
    static const char *const texts[] = {
        "a:\n  b: \"x\n  c: 1\n", "a: @x\n", "a: [1, 2\nb: 3\n", "a: {b: 1\nc: 3\n", "? [a\n", "a: 'x' y\n",
        "a: ]\n", "a:\n  - b: 1\n  c: }\n", "-", "--", "---\n--", "\t", "a: |x\n  b\n", "a: \"x\\", "'", "a: #\n- \"\\",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        failure f = { .why = "" };
        yaml_node *tree = yaml_read_string(texts[i], "x", &f);
        note("%s", tree ? "a tree" : f.why);
        yaml_tree_free(tree);
        if (i < 6)
            fact(!tree && !strstr(f.why, "indentation"), "another error: %s", f.why);
    }
}

int main(void)
{
    test_sentences();
    test_moved_lines();
    test_other_errors();
    fact(memory_bytes_now() == 0, "every tree gave its memory back");
    return facts_end();
}
