/* test_yaml_edit.c - values changed in the text of a file: all else stays as it was, byte for byte. */
#include "src/config/yaml.h"
#include "src/config/yaml_edit.h"
#include "tests/facts.h"

#include <string.h>

static const char before[] =
    "# a comment: with a colon\n"
    "lattice: [4, 4, 4, 4]   # extents\n"
    "name: \"é # no comment\"  # é\n"
    "hmc:\n"
    "  levels:\n"
    "    - { integrator: omelyan, steps: 60, monomials: [gauge] }  # these steps\n"
    "    - integrator: leapfrog\n"
    "      steps: 2        # and these\n"
    "  trajectories: 10\n"
    "output: { directory: 'it''s here' }\n";

static const struct { const char *path, *value, *old, *new; } edits[] = {
    { "hmc.levels.0.steps", "7", "steps: 60,", "steps: 7," },
    { "hmc.levels.1.steps", "12", "steps: 2  ", "steps: 12  " },
    { "hmc.levels.0.lambda", "0.2", "monomials: [gauge] }", "monomials: [gauge] }" },
    { "hmc.levels.1.lambda", "0.2", "# and these\n", "# and these\n      lambda: 0.2\n" },
    { "hmc.tuning", "\"x\"", "trajectories: 10\n", "trajectories: 10\n  tuning: \"x\"\n" },
    { "name", "\"y\"", "\"é # no comment\"", "\"y\"" },
    { "output.directory", "there", "'it''s here'", "there" },
    { "output.name", "n", "'it''s here' }", "'it''s here', name: n }" },
    { "lattice", "[8, 8, 8, 8]", "[4, 4, 4, 4]", "[8, 8, 8, 8]" },
};

static const char *const refused[] = { "hmc.levels", "hmc.nothing.steps", "hmc.levels.5.steps", "hmc.levels.0x.steps",
                                       "lattice.x" };

/* Quotes that are none, and ends of lines that are YAML's alone. */
static const struct { const char *from, *path, *to; } whole[] = {
    { "a: { b: it's, c: 2 }\nd: \"x\"\n", "a", "a: 7\nd: \"x\"\n" },
    { "a:\r  b: 1\r  c: 2\r", "a.c", "a:\r  b: 1\r  c: 7\r" },
    { "a: x\xc2\x85" "b: 2\n", "b", "a: x\xc2\x85" "b: 7\n" },
    { "\xef\xbb\xbf" "a: 1\r\nb: 2\r\n", "a", "\xef\xbb\xbf" "a: 7\r\nb: 2\r\n" },
    { "a: one\n  text\nb: |\n  c\n", "d", "a: one\n  text\nd: 7\nb: |\n  c\n" },
    { "a:\n  - b: [ { c: 1 },\n         2 ]  # two\n    e:\n      - f: 1\n", "a.0.d",
      "a:\n  - b: [ { c: 1 },\n         2 ]  # two\n    d: 7\n    e:\n      - f: 1\n" },
    { "a: { b: [1], c: { d: 2 } }\n", "a.e", "a: { b: [1], c: { d: 2 }, e: 7 }\n" },
};

static void replaced(text *t, const char *old, const char *new)
{
    const char *at = strstr(before, old);
    text_add_bytes(t, before, (size_t)(at - before));
    text_add(t, "%s%s", new, at + strlen(old));
}

int main(void)
{
    failure f = { .why = "" };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        text document = { 0 }, wanted = { 0 };
        text_add(&document, "%s", before);
        if (strcmp(edits[i].old, edits[i].new) == 0)                 /* a new key in braces, behind a scalar */
            replaced(&wanted, "steps: 60,", "steps: 60, lambda: 0.2,");
        else
            replaced(&wanted, edits[i].old, edits[i].new);
        const bool done = yaml_edit(&document, edits[i].path, edits[i].value, &f);
        fact(done && strcmp(text_string(&document), text_string(&wanted)) == 0,
             "%s is %s, and nothing else has changed %s", edits[i].path, edits[i].value, done ? "" : f.why);
        yaml_node *tree = yaml_read_string(text_string(&document), "edited", &f);
        fact(tree != NULL, "and it is YAML");
        yaml_tree_free(tree);
        text_free(&document);
        text_free(&wanted);
    }
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        text document = { 0 };
        text_add(&document, "%s", whole[i].from);
        fact(yaml_edit(&document, whole[i].path, "7", &f) && strcmp(text_string(&document), whole[i].to) == 0,
             "a quote within a word, or an end of line of YAML's alone, moves nothing (%zu)", i + 1);
        text_free(&document);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        text document = { 0 };
        text_add(&document, "%s", before);
        fact(!yaml_edit(&document, refused[i], "1", &f) && strcmp(text_string(&document), before) == 0,
             "%s has no place to be written to: nothing is changed", refused[i]);
        text_free(&document);
    }
    return facts_end();
}
