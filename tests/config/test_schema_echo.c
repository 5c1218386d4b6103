/* test_schema_echo.c - what a table allows is read exactly, comes back from its echo bit for bit, and is
 * described by the reference page. */
#include "src/base/memory.h"
#include "tests/config/miniature_run.h"
#include "tests/facts.h"

#include <stdint.h>
#include <string.h>

/* Read `yaml`; the values are the caller's to free.  The tree is freed: nothing below looks at places. */
static bool read_run(run *values, const char *yaml)
{
    fault_list faults = { 0 };
    failure f = { .why = "" };
    *values = (run){ 0 };
    yaml_node *tree = yaml_read_string(yaml, "run.yaml", &f);
    if (tree)
        schema_read(tree, run_specs, values, &faults);
    bool ok = tree && faults.count == 0;
    if (!ok)
        note("%s%s", f.why, text_string(&faults.lines));
    yaml_tree_free(tree);
    fault_list_free(&faults);
    return ok;
}

static void test_defaults(void)
{
    run r;
    fact(read_run(&r, "{}"), "a mapping of nothing takes every default");
    fact(r.extents[0] == 4 && r.extents[3] == 8 && r.seed == 1 && r.length == 1 && r.mass == -0.25 && !r.reverse &&
         strcmp(r.name, "test") == 0 && strcmp(r.note, "") == 0 && r.device == 0, "defaults of scalars hold");
    fact(r.files.count == 0 && r.levels.count == 0 && r.monomials.count == 0, "empty lists are defaults");
    fact(r.measure.every == 1 && r.measure.what.count == 1 && strcmp(r.measure.what.item[0], "plaquette") == 0,
         "a group left out has its members' defaults");
    schema_free_values(run_specs, &r);
    fact(r.name == NULL && r.measure.what.item == NULL, "freed values are left empty");
}

static const char full[] =
    "seed: 9223372036854775807\n"
    "extents: [2, 512, +4, 6]\n"
    "any4: [-2147483648, 2147483647, 0, -0]\n"
    "any3: [0.1, -2, 1.2345678901234567e-300]\n"
    "even: -4\n"
    "length: 0.1\n"
    "mass: -1.2345678901234567e-300\n"
    "ratio: 4.9406564584124654e-324\n"
    "reverse: true\n"
    "name: 123\n"
    "note: \"q\\\" b\\\\ n\\n t\\t e\\e d\\x7f n\\x85 s\\u2028\\u2029 "
    "\\uFEFF\\uFFFD \\u00e9\\u20ac\\U0001F600 # : '\"\n"
    "device: \"cuda\"\n"
    "files: [a b, 'true', \"x: y\"]\n"
    "levels:\n"
    "- {scheme: omelyan, steps: 1}\n"
    "- {scheme: 3G1F, steps: 1000, lambda: 1}\n"
    "monomials:\n"
    "- beta: 5.7\n"
    "  kind: gauge\n"
    "  action: iwasaki\n"
    "- kind: nothing\n"
    "- kind: ratio\n";

static void test_values(void)
{
    run r;
    fact(read_run(&r, full), "every type of parameter is read");
    fact(r.seed == INT64_MAX && r.extents[1] == 512 && r.extents[2] == 4, "integers up to 2^63 - 1 are exact");
    fact(r.any3[0] == 0.1 && r.any3[1] == -2 && r.any3[2] == 1.2345678901234567e-300, "also three of them");
    fact(r.length == 0.1 && r.mass == -1.2345678901234567e-300 && r.ratio == 4.9406564584124654e-324,
         "reals are exact");
    fact(strcmp(r.name, "123") == 0 && r.device == 2, "a plain number is a text where a text is wanted");
    const level *levels = r.levels.item;
    fact(r.levels.count == 2 && levels[0].lambda == 0.1931833275037836 && levels[1].scheme == 2 &&
         levels[1].steps == 1000 && levels[1].lambda == 1, "items of a list have their own values and defaults");
    const kind_item *items = r.monomials.item;
    const gauge_monomial *gauge = items[0].params;
    fact(r.monomials.count == 3 && items[0].kind == 0 && items[1].kind == 2 && items[2].kind == 1 &&
         gauge->beta == 5.7 && gauge->action == 2 && ((const ratio_monomial *)items[2].params)->count == 1 &&
         items[2].place.line == 22,
         "a kind picks its own table, wherever it stands in the item");
    schema_free_values(run_specs, &r);
}

static const char echoed[] =
    "extents: [2, 512, 4, 6]\n"
    "any4: [-2147483648, 2147483647, 0, 0]\n"
    "any3: [0.1, -2, 1.2345678901234568e-300]\n"
    "seed: 9223372036854775807\n"
    "even: -4\n"
    "steps: 10\n"
    "length: 0.1\n"
    "mass: -1.2345678901234568e-300\n"
    "ratio: 4.94065645841247e-324\n"
    "reverse: true\n"
    "name: \"123\"\n"
    "note: \"q\\\" b\\\\ n\\n t\\t e\\x1B d\\x7F n\\x85 s\\L\\P "
    "\\uFEFF\xef\xbf\xbd \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 # : '\"\n"
    "device: cuda\n"
    "files: [\"a b\", \"true\", \"x: y\"]\n"
    "measure:\n"
    "  every: 1\n"
    "  what: [\"plaquette\"]\n"
    "levels:\n"
    "  - scheme: omelyan\n"
    "    steps: 1\n"
    "    lambda: 0.1931833275037836\n"
    "  - scheme: 3G1F\n"
    "    steps: 1000\n"
    "    lambda: 1\n"
    "monomials:\n"
    "  - kind: gauge\n"
    "    beta: 5.7\n"
    "    action: iwasaki\n"
    "    label: \"\"\n"
    "  - kind: nothing\n"
    "  - kind: ratio\n"
    "    count: 1\n";

static void test_echo(void)
{
    run first, second;
    text one = { 0 }, two = { 0 }, digest = { 0 };
    read_run(&first, full);
    schema_echo(&one, run_specs, &first, false);
    if (!fact(strcmp(text_string(&one), echoed) == 0, "the echo is the complete input"))
        note("got: %s", text_string(&one));
    fact(read_run(&second, text_string(&one)), "the echo is an input");
    schema_echo(&two, run_specs, &second, false);
    fact(strcmp(text_string(&one), text_string(&two)) == 0, "the echo of the echo is the echo");
    fact(strcmp(first.note, second.note) == 0 && memcmp(&first.mass, &second.mass, sizeof first.mass) == 0 &&
         first.ratio == second.ratio && first.seed == second.seed, "texts and numbers come back to the last bit");

    schema_echo(&digest, run_specs, &first, true);
    fact(!strstr(digest.s, "device") && !strstr(digest.s, "every") && !strstr(digest.s, "label") &&
         !strstr(digest.s, "count") && strstr(digest.s, "seed"),
         "the digest leaves out what may change, at any depth");
    schema_free_values(run_specs, &first);
    schema_free_values(run_specs, &second);
    text_free(&one);
    text_free(&two);
    text_free(&digest);
}

/* Groups and items of which nothing remains in the digest are still YAML. */
static void test_empty_echo(void)
{
    static const param_spec specs[] = {
        { .key = "group", .type = PARAM_GROUP, .offset = 0, .fallback = "{}", .group = ratio_specs },
        { .key = "list", .type = PARAM_LIST, .offset = sizeof(ratio_monomial), .fallback = "[{}, {count: 2}]",
          .group = ratio_specs, .element_size = sizeof(ratio_monomial) },
        { 0 }
    };
    struct { ratio_monomial group; param_list list; } values = { 0 };
    fault_list faults = { 0 };
    text echo = { 0 };
    yaml_node *tree = yaml_read_string("{}", "run.yaml", NULL);
    schema_read(tree, specs, &values, &faults);
    schema_echo(&echo, specs, &values, true);
    fact(faults.count == 0 && strcmp(text_string(&echo), "list:\n  - {}\n  - {}\n") == 0,
         "a digest has no group of which nothing is left, but as many items as there are");
    text_free(&echo);
    schema_free_values(specs, &values);
    yaml_tree_free(tree);
}

/* A key that may be left out and has no default: 0 is a value, and nothing is something else. */
typedef struct { double mu; int64_t count; bool mu_given, count_given; } optional_values;

static const param_spec optional_specs[] = {
    { .key = "mu", .type = PARAM_REAL, .offset = offsetof(optional_values, mu), .min = -1, .max = 1,
      .given = offsetof(optional_values, mu_given), .flags = PARAM_OPTIONAL },
    { .key = "count", .type = PARAM_INT, .offset = offsetof(optional_values, count), .min = 0, .max = 9,
      .given = offsetof(optional_values, count_given), .flags = PARAM_OPTIONAL },
    { 0 }
};

static void test_optional(void)
{
    static const struct { const char *yaml, *echo, *digest, *fixed; bool mu, count; } rows[] = {
        { "{}", "", "", "mu: not given\ncount: not given\n", false, false },
        { "mu: 0", "mu: 0\n", "mu: 0\n", "mu: 0\ncount: not given\n", true, false },
        { "{count: 0, mu: -0.5}", "mu: -0.5\ncount: 0\n", "mu: -0.5\ncount: 0\n", "mu: -0.5\ncount: 0\n", true, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        optional_values v = { 0 }, again = { 0 };
        fault_list faults = { 0 };
        text echo = { 0 }, digest = { 0 }, fixed = { 0 };
        yaml_node *tree = yaml_read_string(rows[i].yaml, "run.yaml", NULL);
        schema_read(tree, optional_specs, &v, &faults);
        fact(faults.count == 0 && v.mu_given == rows[i].mu && v.count_given == rows[i].count,
             "%s: what is given is known", rows[i].yaml);
        schema_echo(&echo, optional_specs, &v, false);
        schema_echo(&digest, optional_specs, &v, true);
        schema_list_fixed(&fixed, optional_specs, &v);
        fact(strcmp(text_string(&echo), rows[i].echo) == 0, "%s: the echo has what was given, and no more",
            rows[i].yaml);
        fact(strcmp(text_string(&digest), rows[i].digest) == 0, "%s: so has the digest", rows[i].yaml);
        fact(strcmp(text_string(&fixed), rows[i].fixed) == 0, "%s: a list for comparison has a line for each key",
             rows[i].yaml);
        yaml_node *back = echo.length ? yaml_read_string(text_string(&echo), "run.yaml", NULL) : NULL;
        if (back)
            schema_read(back, optional_specs, &again, &faults);
        fact(faults.count == 0 && again.mu_given == v.mu_given && again.mu == v.mu && again.count == v.count
             && again.count_given == v.count_given, "%s: the echo reads back to the same", rows[i].yaml);
        yaml_tree_free(back);
        yaml_tree_free(tree);
        text_free(&fixed);
        text_free(&digest);
        text_free(&echo);
        fault_list_free(&faults);
    }
    optional_values v = { 0 };
    fault_list faults = { 0 };
    yaml_node *tree = yaml_read_string("mu: 2", "run.yaml", NULL);
    schema_read(tree, optional_specs, &v, &faults);
    fact(faults.count == 1 && !v.mu_given, "a value that is refused is not given");
    yaml_tree_free(tree);
    fault_list_free(&faults);
    text page = { 0 };
    schema_document(&page, optional_specs);
    fact(strstr(text_string(&page), "| not given |") != NULL, "the reference page does not call such a key required");
    text_free(&page);
}

/* A key that needs another one, which has no default. */
typedef struct { int64_t replicas, every; bool replicas_given; } needing_values;

static const param_spec needing_specs[] = {
    { .key = "every", .type = PARAM_INT, .offset = offsetof(needing_values, every), .fallback = "1", .min = 1, .max = 9,
      .choice = "replicas" },
    { .key = "replicas", .type = PARAM_INT, .offset = offsetof(needing_values, replicas), .min = 2, .max = 9,
      .given = offsetof(needing_values, replicas_given), .flags = PARAM_OPTIONAL },
    { 0 }
};

static void test_needing(void)
{
    typedef void reader(const yaml_node *, const param_spec *, void *, fault_list *);
    static const struct { const char *yaml, *echo, *faults; reader *read; } rows[] = {
        { "replicas: 3", "every: 1\nreplicas: 3\n", "", schema_read },
        { "{every: 1, replicas: 3}", "every: 1\nreplicas: 3\n", "", schema_read },
        { "every: 1", "", "run.yaml:1:1: every needs the key replicas, which is missing: add it (an integer from 2 to "
                          "9), or remove every\n", schema_read },
        { "every: 1", "", "", schema_read_former },
        { "{every: 1, replicas: 1}", "", "run.yaml:1:22: replicas: 1 is out of range; allowed: an integer from 2 to "
                                         "9\n", schema_read },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        needing_values v = { 0 };
        fault_list faults = { 0 };
        text echo = { 0 };
        yaml_node *tree = yaml_read_string(rows[i].yaml, "run.yaml", NULL);
        rows[i].read(tree, needing_specs, &v, &faults);
        schema_echo(&echo, needing_specs, &v, false);
        fact(strcmp(text_string(&faults.lines), rows[i].faults) == 0, "%s: a key without its other", rows[i].yaml);
        fact(strcmp(text_string(&echo), rows[i].echo) == 0, "%s: and is not in the echo without it", rows[i].yaml);
        text_free(&echo);
        yaml_tree_free(tree);
        fault_list_free(&faults);
    }
}

/* What names the physics of an input does not change when a table gets a key with a default. */
static void test_new_key(void)
{
    static const param_spec before[] = {
        { .key = "seed", .type = PARAM_INT, .offset = 0, .fallback = "1" },
        { 0 }
    };
    static const param_spec after[] = {
        { .key = "seed", .type = PARAM_INT, .offset = 0, .fallback = "1" },
        { .key = "name", .type = PARAM_TEXT, .offset = 8, .fallback = "\"\"" },
        { .key = "what", .type = PARAM_TEXTS, .offset = 16, .fallback = "[plaquette]" },
        { .key = "more", .type = PARAM_LIST, .offset = 32, .fallback = "[]", .group = before, .element_size = 8 },
        { 0 }
    };
    struct { int64_t seed; char *name; text_list what; param_list more; } values = { 0 };
    const char *const inputs[] = { "seed: 7", "{seed: 7, name: x}", "{seed: 7, what: []}", "{seed: 7, more: [{}]}" };
    for (int i = 0; i < 4; i++) {
        fault_list faults = { 0 };
        text old = { 0 }, now = { 0 };
        yaml_node *tree = yaml_read_string(inputs[i], "run.yaml", NULL);
        schema_read(tree, after, &values, &faults);
        schema_echo(&old, before, &values, true);
        schema_echo(&now, after, &values, true);
        bool same = strcmp(text_string(&old), text_string(&now)) == 0;
        fact(faults.count == 0 && same == (i == 0), "%s: %s digest as before the table had its new keys", inputs[i],
             i == 0 ? "the same" : "another");
        schema_free_values(after, &values);
        yaml_tree_free(tree);
        text_free(&old);
        text_free(&now);
    }
}

static const char documented[] =
    "| key | value | default | meaning |\n"
    "|---|---|---|---|\n"
    "| `first` | a mapping | required |  |\n"
    "| `second` | a mapping | `{}` |  |\n"
    "| `extents` | 4 even integers [x, y, z, t], each >= 2 | required |  |\n"
    "| `levels` | a list of one mapping or more | required |  |\n"
    "| `monomials` | a list of one mapping or more with a kind | required |  |\n"
    "| `files` | a list of one string or more | required |  |\n"
    "\n## `first`\n\n"
    "| key | value | default | meaning |\n"
    "|---|---|---|---|\n"
    "| `scheme` | one of leapfrog, omelyan, 3G1F | required | integrator |\n"
    "| `steps` | an integer from 1 to 1000 | required | steps |\n";

static const char documented_kinds[] =
    "\n## `monomials`\n\n"
    "Each item of the list has the key `kind`, which selects its other keys:\n\n"
    "- `gauge`: the gauge action\n"
    "- `ratio`: a ratio of determinants\n"
    "- `nothing`: no force at all\n"
    "\n### `monomials` of kind `gauge`\n\n"
    "The gauge action.\n\n"
    "| key | value | default | meaning |\n"
    "|---|---|---|---|\n"
    "| `beta` | a number > 0 | required | 6/g^2 \\| 10/g^2 |\n"
    "| `action` | one of wilson, symanzik_tree, iwasaki | `wilson` |  |\n"
    "| `label` | a string | `\"\"` | May change when an ensemble is continued. |\n"
    "\n### `monomials` of kind `ratio`\n\n"
    "A ratio of determinants.\n\n"
    "Explained in [ratios.md#two](ratios.md#two).\n\n"
    "```yaml\nmonomials:\n  - kind: ratio\n    count: 2\n```\n\n"
    "| key | value | default | meaning |\n"
    "|---|---|---|---|\n"
    "| `count` | an integer | `1` | May change when an ensemble is continued. |\n"
    "\n### `monomials` of kind `nothing`\n\n"
    "No force at all.\n\n"
    "No further keys.\n";

static void test_document(void)
{
    text page = { 0 };
    schema_document(&page, demanding_specs);
    bool same = strncmp(text_string(&page), documented, strlen(documented)) == 0 && strstr(page.s, documented_kinds);
    if (!fact(same, "the reference page has a table for every mapping and every kind"))
        note("got: %s", text_string(&page));
    text_free(&page);
}

/* Slips, two at a time, all over a valid input: faults or values, never a crash, and nothing leaks. */
static void test_mutations(void)
{
    enum { ROUNDS = 3000, SIZE = sizeof full };
    uint64_t state = 7;
    int reported = 0, read = 0, broken = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char bytes[SIZE];
        memcpy(bytes, full, SIZE);
        for (int change = 0; change < 2; change++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            uint32_t drawn = (uint32_t)(state >> 33);
            bytes[drawn % (SIZE - 1)] = (char)(0x20 + (drawn / SIZE) % 0x5f);
        }
        yaml_node *tree = yaml_read_string(bytes, "run.yaml", NULL);
        broken += tree == NULL;
        if (!tree)
            continue;
        run values = { 0 };
        fault_list faults = { 0 };
        text echo = { 0 };
        schema_read(tree, run_specs, &values, &faults);
        reported += faults.count > 0 && faults.lines.length > 0;
        if (faults.count == 0) {
            schema_echo(&echo, run_specs, &values, false);
            run again;
            read += read_run(&again, text_string(&echo));
            schema_free_values(run_specs, &again);
        }
        schema_free_values(run_specs, &values);
        yaml_tree_free(tree);
        fault_list_free(&faults);
        text_free(&echo);
    }
    note("of %d mutated inputs %d were no YAML, %d had faults, %d were read and echoed", (int)ROUNDS, broken, reported,
         read);
    fact(broken + reported + read == ROUNDS && reported > 0 && read > 0,
         "mutated inputs give faults or values that echo");
}

int main(void)
{
    test_defaults();
    test_values();
    test_optional();
    test_needing();
    test_echo();
    test_empty_echo();
    test_new_key();
    test_document();
    test_mutations();
    fact(memory_bytes_now() == 0, "all memory was given back");
    return facts_end();
}
