/* test_schema.c - of everything that a table does not allow it is said what is wrong, word for word. */
#include "src/base/memory.h"
#include "src/config/suggest.h"
#include "tests/config/miniature_run.h"
#include "tests/facts.h"

#include <string.h>

static const param_spec no_specs[] = { { 0 } };

/* A range without its ends. */
static const param_spec open_specs[] = {
    { .key = "M5", .type = PARAM_REAL, .min = 0, .max = 2, .flags = PARAM_ABOVE_MIN | PARAM_BELOW_MAX }, { 0 }
};

#define KEYS "extents, any4, any3, seed, even, steps, length, mass, ratio, reverse, name, note, device, files, " \
    "measure, levels, monomials"
#define AT "run.yaml:1:"
#define EXTENTS "4 even integers [x, y, z, t], each from 2 to 512"

static const struct { const param_spec *specs; const char *yaml, *faults; } wrong[] = {
    /* keys */
    { run_specs, "extent: [4, 4, 4, 4]", AT "1: unknown key \"extent\"; did you mean \"extents\"?\n" },
    { run_specs, "SEED: 1", AT "1: unknown key \"SEED\"; did you mean \"seed\"?\n" },
    { run_specs, "temperature: 1", AT "1: unknown key \"temperature\"; allowed: " KEYS "\n" },
    { run_specs, "\"\": 1", AT "1: unknown key \"\"; allowed: " KEYS "\n" },
    { run_specs, "measure: {evrey: 1}", AT "11: measure: unknown key \"evrey\"; did you mean \"every\"?\n" },
    { run_specs, "\"a\\e[1m\\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\": 1",
      AT "1: unknown key \"a?[1m?xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\"; allowed: " KEYS "\n" },
    { no_specs, "a: 1", AT "1: unknown key \"a\"; allowed: none\n" },
    { run_specs, "seed: 1\nsteps: 2\nseed: 3",
      "run.yaml:3:1: duplicate key \"seed\"; the first is at run.yaml:1:1\n" },
    { run_specs, "monomials: [{kind: nothing, kind: gauge}]",
      AT "29: monomials.0: duplicate key \"kind\"; the first is at run.yaml:1:14\n" },
    { demanding_specs, "second: {scheme: omelyan, steps: 1}",
      AT "1: missing required key \"first\" (a mapping)\n"
      AT "1: missing required key \"extents\" (4 even integers [x, y, z, t], each >= 2)\n"
      AT "1: missing required key \"levels\" (a list of one mapping or more)\n"
      AT "1: missing required key \"monomials\" (a list of one mapping or more with a kind)\n"
      AT "1: missing required key \"files\" (a list of one string or more)\n" },
    { demanding_specs,
      "extents: [2, 2, 2, 2]\nfirst:\n  lambda: 0.5\nlevels: [{steps: 2}]\nmonomials: [{}]\nfiles: [a]\n",
      "run.yaml:3:3: first: missing required key \"scheme\" (one of leapfrog, omelyan, 3G1F)\n"
      "run.yaml:3:3: first: missing required key \"steps\" (an integer from 1 to 1000)\n"
      "run.yaml:4:10: levels.0: missing required key \"scheme\" (one of leapfrog, omelyan, 3G1F)\n"
      "run.yaml:5:13: monomials.0: missing required key \"kind\" (one of gauge, ratio, nothing)\n"
      "run.yaml:1:1: second: missing required key \"scheme\" (one of leapfrog, omelyan, 3G1F)\n"
      "run.yaml:1:1: second: missing required key \"steps\" (an integer from 1 to 1000)\n" },

    /* types */
    { run_specs, "[1]", AT "1: expected a mapping, found a list\n" },
    { run_specs, "just words", AT "1: expected a mapping, found \"just words\"\n" },
    { run_specs, "---", "run.yaml:2:1: expected a mapping, found nothing\n" },
    { run_specs, "steps: many", AT "8: steps: expected an integer from 1 to 1000, found \"many\"\n" },
    { run_specs, "steps: [1]", AT "8: steps: expected an integer from 1 to 1000, found a list\n" },
    { run_specs, "steps: {a: 1}", AT "8: steps: expected an integer from 1 to 1000, found a mapping\n" },
    { run_specs, "steps:", AT "7: steps: expected an integer from 1 to 1000, found nothing\n" },
    { run_specs, "steps: '4'", AT "8: steps: expected an integer from 1 to 1000, found the quoted string \"4\"; write "
      "numbers without quotes\n" },
    { run_specs, "length: \"1\"", AT "9: length: expected a number > 0, found the quoted string \"1\"; write "
      "numbers without quotes\n" },
    { run_specs, "length: true", AT "9: length: expected a number > 0, found \"true\"\n" },
    { run_specs, "name: ~", AT "7: name: expected a non-empty string, found nothing\n" },
    { run_specs, "name: ''", AT "7: name: expected a non-empty string, found the quoted string \"\"\n" },
    { run_specs, "note: [a]", AT "7: note: expected a string, found a list\n" },
    { run_specs, "measure: 3",
      AT "10: measure: expected a mapping, found \"3\"; for example measure: { every: 10, what: [plaquette] }\n" },
    { run_specs, "measure: [every]",
      AT "10: measure: expected a mapping, found a list; for example measure: { every: 10, what: [plaquette] }\n" },
    { run_specs, "levels: {scheme: omelyan}", AT "9: levels: expected a list of mappings, found a mapping\n" },
    { run_specs, "levels: [omelyan]", AT "10: levels.0: expected a mapping, found \"omelyan\"\n" },
    { run_specs, "monomials: gauge", AT "12: monomials: expected a list of mappings with a kind, found \"gauge\"\n" },
    { run_specs, "monomials: [gauge]", AT "13: monomials.0: expected a mapping, found \"gauge\"\n" },
    { run_specs, "files: a, b", AT "8: files: expected a list of strings, found \"a, b\"; write [a, b]\n" },
    { run_specs, "files: a", AT "8: files: expected a list of strings, found \"a\"\n" },
    { run_specs, "files: [a, [b], '']", AT "12: files.1: expected a non-empty string, found a list\n"
      AT "17: files.2: expected a non-empty string, found the quoted string \"\"\n" },
    { demanding_specs,
      "{first: {scheme: omelyan, steps: 1}, second: {scheme: omelyan, steps: 1}, extents: [2, 2, 2, 2], "
      "levels: [], monomials: [], files: []}",
      AT "106: levels: expected a list of one mapping or more, found an empty list\n"
      AT "121: monomials: expected a list of one mapping or more with a kind, found an empty list\n"
      AT "132: files: expected a list of one string or more, found an empty list\n" },

    /* numbers */
    { run_specs, "steps: 1e3", AT "8: steps: expected an integer from 1 to 1000, found \"1e3\"; write 1000\n" },
    { run_specs, "steps: 3.0", AT "8: steps: expected an integer from 1 to 1000, found \"3.0\"; write 3\n" },
    { run_specs, "steps: 1.5", AT "8: steps: expected an integer from 1 to 1000, found \"1.5\"\n" },
    { run_specs, "steps: 0x1F",
      AT "8: steps: expected an integer from 1 to 1000, found \"0x1F\"; write it in decimal\n" },
    { run_specs, "steps: 0o17",
      AT "8: steps: expected an integer from 1 to 1000, found \"0o17\"; write it in decimal\n" },
    { run_specs, "steps: 010",
      AT "8: steps: expected an integer from 1 to 1000, found \"010\"; write it without leading zeros\n" },
    { run_specs, "steps: 1_000",
      AT "8: steps: expected an integer from 1 to 1000, found \"1_000\"; write the digits without separators\n" },
    { run_specs, "steps: 1:30", AT "8: steps: expected an integer from 1 to 1000, found \"1:30\"\n" },
    { run_specs, "steps: 5 steps", AT "8: steps: expected an integer from 1 to 1000, found \"5 steps\"\n" },
    { run_specs, "steps: --5", AT "8: steps: expected an integer from 1 to 1000, found \"--5\"\n" },
    { run_specs, "seed: 9223372036854775808",
      AT "7: seed: expected an integer >= 0, found \"9223372036854775808\"; it does not fit into 64 bits\n" },
    { run_specs, "length: .nan", AT "9: length: expected a number > 0, found \".nan\"; it must be finite\n" },
    { run_specs, "length: -Infinity", AT "9: length: expected a number > 0, found \"-Infinity\"; it must be finite\n" },
    { run_specs, "length: 0x1p3", AT "9: length: expected a number > 0, found \"0x1p3\"; write it in decimal\n" },
    { run_specs, "length: 1d-3", AT "9: length: expected a number > 0, found \"1d-3\"; write the exponent with e\n" },
    { run_specs, "length: 1e", AT "9: length: expected a number > 0, found \"1e\"\n" },
    { run_specs, "length: 00.5",
      AT "9: length: expected a number > 0, found \"00.5\"; write it without leading zeros\n" },
    { run_specs, "length: 1e400",
      AT "9: length: expected a number > 0, found \"1e400\"; it is too large for a double\n" },
    { run_specs, "length: 1e-400",
      AT "9: length: expected a number > 0, found \"1e-400\"; it is too small for a double\n" },

    /* ranges */
    { run_specs, "steps: 0", AT "8: steps: 0 is out of range; allowed: an integer from 1 to 1000\n" },
    { run_specs, "steps: 1001", AT "8: steps: 1001 is out of range; allowed: an integer from 1 to 1000\n" },
    { run_specs, "seed: -1", AT "7: seed: -1 is out of range; allowed: an integer >= 0\n" },
    { run_specs, "even: 7", AT "7: even: 7 is odd; allowed: an even integer\n" },
    { run_specs, "even: -7", AT "7: even: -7 is odd; allowed: an even integer\n" },
    { run_specs, "length: 0", AT "9: length: 0 is out of range; allowed: a number > 0\n" },
    { run_specs, "ratio: 1.0000000000000002",
      AT "8: ratio: 1.0000000000000002 is out of range; allowed: a number from 0 to 1\n" },
    { run_specs, "levels: [{scheme: omelyan, steps: 1, lambda: 0}]",
      AT "46: levels.0.lambda: 0 is out of range; allowed: a number > 0 and <= 1\n" },
    { open_specs, "M5: 2", AT "5: M5: 2 is out of range; allowed: a number > 0 and < 2\n" },
    { open_specs, "M5: 0", AT "5: M5: 0 is out of range; allowed: a number > 0 and < 2\n" },
    { run_specs, "measure: {every: 0}", AT "18: measure.every: 0 is out of range; allowed: an integer >= 1\n" },
    { run_specs, "extents: [4, 4, 5, 0]",
      AT "17: extents.2: 5 is odd; allowed: an even integer from 2 to 512\n"
      AT "20: extents.3: 0 is out of range; allowed: an even integer from 2 to 512\n" },
    { run_specs, "extents: [4, 4, 4]", AT "10: extents: expected " EXTENTS ", found a list of 3\n" },
    { run_specs, "extents: [4, 4, 4, 4, 4]", AT "10: extents: expected " EXTENTS ", found a list of 5\n" },
    { run_specs, "extents: 8", AT "10: extents: expected " EXTENTS ", found \"8\"\n" },
    { run_specs, "extents: 4x4x4x8", AT "10: extents: expected " EXTENTS ", found \"4x4x4x8\"\n" },
    { run_specs, "any4: [1, 2147483648, -2147483649, x]",
      AT "11: any4.1: 2147483648 is too large for 32 bits; allowed: an integer\n"
      AT "23: any4.2: -2147483649 is too large for 32 bits; allowed: an integer\n"
      AT "36: any4.3: expected an integer, found \"x\"\n" },
    { run_specs, "any3: [0.5, 0]",
      AT "7: any3: expected 3 numbers [x, y, z], each from -2 to 2, found a list of 2\n" },
    { run_specs, "any3: 0.5", AT "7: any3: expected 3 numbers [x, y, z], each from -2 to 2, found \"0.5\"\n" },
    { run_specs, "any3: [2.5, x, -2]",
      AT "8: any3.0: 2.5 is out of range; allowed: a number from -2 to 2\n"
      AT "13: any3.1: expected a number from -2 to 2, found \"x\"\n" },

    /* words */
    { run_specs, "reverse: yes", AT "10: reverse: expected true or false, found \"yes\"; write true\n" },
    { run_specs, "reverse: No", AT "10: reverse: expected true or false, found \"No\"; write false\n" },
    { run_specs, "reverse: True", AT "10: reverse: expected true or false, found \"True\"; write true\n" },
    { run_specs, "reverse: 'true'",
      AT "10: reverse: expected true or false, found the quoted string \"true\"; write it without quotes\n" },
    { run_specs, "reverse: maybe", AT "10: reverse: expected true or false, found \"maybe\"\n" },
    { run_specs, "reverse: [true]", AT "10: reverse: expected true or false, found a list\n" },
    { run_specs, "device: gpu",
      AT "9: device: expected one of auto, cpu, cuda, found \"gpu\"; did you mean \"cpu\"?\n" },
    { run_specs, "device: abacus", AT "9: device: expected one of auto, cpu, cuda, found \"abacus\"\n" },
    { run_specs, "device:", AT "8: device: expected one of auto, cpu, cuda, found nothing\n" },
    { run_specs, "device: [cpu]", AT "9: device: expected one of auto, cpu, cuda, found a list\n" },
    { run_specs, "levels: [{scheme: omelian, steps: 3}]", AT "19: levels.0.scheme: expected one of leapfrog, omelyan, "
      "3G1F, found \"omelian\"; did you mean \"omelyan\"?\n" },

    /* kinds */
    { run_specs, "monomials: [{kind: guage, beta: 5}]",
      AT "20: monomials.0: unknown kind \"guage\"; allowed: gauge, ratio, nothing; did you mean \"gauge\"?\n" },
    { run_specs, "monomials: [{kind: [gauge]}]",
      AT "20: monomials.0: unknown kind a list; allowed: gauge, ratio, nothing\n" },
    { run_specs, "monomials: [{kind: gauge, beta: 5}, {kind: ratio, beta: 5}]",
      AT "51: monomials.1: unknown key \"beta\" (kind: ratio); \"monomials.0\" (kind: gauge) has this key\n" },
    { run_specs, "monomials: [{kind: nothing, x: 5}]",
      AT "29: monomials.0: unknown key \"x\" (kind: nothing); allowed: kind\n" },
    { run_specs, "monomials: [{knid: gauge, beta: 5}]",
      AT "13: monomials.0: missing required key \"kind\" (one of gauge, ratio, nothing)\n" },
    { run_specs, "monomials: [{kind: gauge, bata: 5}]",
      AT "27: monomials.0: unknown key \"bata\" (kind: gauge); did you mean \"beta\"?\n"
      AT "13: monomials.0: missing required key \"beta\" (a number > 0)\n" },

    /* all at once, in the order of the file */
    { run_specs, "sede: 1\nsteps: 0\nextents: [4, 4, 3, 4]\nreverse: on\nsteps: 4\nmeasure:\n  what: []\n",
      "run.yaml:1:1: unknown key \"sede\"; did you mean \"seed\"?\n"
      "run.yaml:2:8: steps: 0 is out of range; allowed: an integer from 1 to 1000\n"
      "run.yaml:3:17: extents.2: 3 is odd; allowed: an even integer from 2 to 512\n"
      "run.yaml:4:10: reverse: expected true or false, found \"on\"; write true\n"
      "run.yaml:5:1: duplicate key \"steps\"; the first is at run.yaml:2:1\n"
      "run.yaml:7:9: measure.what: expected a list of one string or more, found an empty list\n" },
};

static int lines_in(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

static void test_faults(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        union { run run; demanding demanding; } values;
        memset(&values, 0, sizeof values);
        fault_list faults = { 0 };
        failure f = { .why = "" };
        yaml_node *tree = yaml_read_string(wrong[i].yaml, "run.yaml", &f);
        if (!fact(tree != NULL, "case %zu is YAML %s", i, f.why))
            continue;
        schema_read(tree, wrong[i].specs, &values, &faults);
        bool same = strcmp(text_string(&faults.lines), wrong[i].faults) == 0;
        if (!fact(same && faults.count == lines_in(wrong[i].faults), "told of case %zu: %.*s", i,
                  (int)strcspn(wrong[i].faults, "\n"), wrong[i].faults))
            note("got %d: %s", faults.count, text_string(&faults.lines));
        schema_free_values(wrong[i].specs, &values);
        yaml_tree_free(tree);
        fault_list_free(&faults);
    }
}

static void test_suggestions(void)
{
    fact(suggest_edit_distance("trajectorys", "trajectories") == 2, "two letters make trajectorys trajectories");
    fact(suggest_edit_distance("guage", "gauge") == 1, "neighbors exchanged are one slip");
    fact(suggest_edit_distance("", "abc") == 3 && suggest_edit_distance("abc", "") == 3,
         "from nothing every letter is one");
    fact(suggest_edit_distance("Step-Size", "step_size") == 0, "case and the kind of dash do not count");
    near_miss near = { .word = "x" };
    suggest_try(&near, "y");
    suggest_try(&near, "mu");
    fact(near.best == NULL, "single letters suggest nothing");
}

int main(void)
{
    test_faults();
    test_suggestions();
    fact(memory_bytes_now() == 0, "all memory was given back");
    return facts_end();
}
