/* test_schema_hint.c - a key that belongs to another mapping: the fault names that mapping. */
#include "src/base/memory.h"
#include "src/config/schema.h"
#include "tests/facts.h"

#include <string.h>

typedef struct { double number; } bath;
typedef struct { bath heatbath; } start;
typedef struct { int64_t steps; int solver, method; } level;
typedef struct { double mass; param_list masses; int links; } quarks;
typedef struct { char *name; int form; } gluons;
typedef struct { start begin; bath heatbath; param_list levels, monomials; int64_t trajectories; } input;

static const param_spec bath_specs[] = {
    { .key = "sweeps", .type = PARAM_REAL, .fallback = "0" }, { 0 }
};
static const param_spec start_bath_specs[] = {
    { .key = "beta", .type = PARAM_REAL, .fallback = "0" }, { 0 }
};
static const param_spec start_specs[] = {
    { .key = "heatbath", .type = PARAM_GROUP, .fallback = "{}", .group = start_bath_specs }, { 0 }
};
static const char *const solvers[] = { "double", "half", NULL }, *const methods[] = { "cg", "multigrid", NULL };
static const char *const forms[] = { "plain", "stout", NULL }, *const links[] = { "thin", NULL };
static const param_spec level_specs[] = {
    { .key = "steps", .type = PARAM_INT, .fallback = "0" },
    { .key = "solver", .type = PARAM_CHOICE, .offset = offsetof(level, solver), .fallback = "double",
      .choices = solvers },
    { .key = "method", .type = PARAM_CHOICE, .offset = offsetof(level, method), .fallback = "cg", .choices = methods },
    { 0 }
};
static const param_spec mass_specs[] = {
    { .key = "heavy", .type = PARAM_REAL, .fallback = "0" }, { 0 }
};
static const param_spec quark_specs[] = {
    { .key = "mass", .type = PARAM_REAL, .offset = offsetof(quarks, mass), .fallback = "0" },
    { .key = "masses", .type = PARAM_LIST, .offset = offsetof(quarks, masses), .fallback = "[]", .group = mass_specs,
      .element_size = sizeof(double) },
    { .key = "links", .type = PARAM_CHOICE, .offset = offsetof(quarks, links), .fallback = "thin", .choices = links },
    { 0 }
};
static const param_kind quarks_kind = { .name = "quarks", .params = quark_specs, .size = sizeof(quarks) };
static const param_spec gluon_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = offsetof(gluons, name), .fallback = "g" },
    { .key = "form", .type = PARAM_CHOICE, .offset = offsetof(gluons, form), .fallback = "plain", .choices = forms },
    { 0 }
};
static const param_kind gluons_kind = { .name = "gluons", .params = gluon_specs, .size = sizeof(gluons) };
static const param_kind *const kinds[] = { &quarks_kind, &gluons_kind, NULL };
static const param_spec specs[] = {
    { .key = "start", .type = PARAM_GROUP, .offset = offsetof(input, begin), .fallback = "{}", .group = start_specs },
    { .key = "heatbath", .type = PARAM_GROUP, .offset = offsetof(input, heatbath), .fallback = "{}",
      .group = bath_specs },
    { .key = "levels", .type = PARAM_LIST, .offset = offsetof(input, levels), .fallback = "[]", .group = level_specs,
      .element_size = sizeof(level) },
    { .key = "monomials", .type = PARAM_KINDS, .offset = offsetof(input, monomials), .fallback = "[]",
      .kinds = kinds },
    { .key = "trajectories", .type = PARAM_INT, .offset = offsetof(input, trajectories), .fallback = "0" },
    { 0 }
};

static const struct { const char *mistake, *yaml, *faults; } cases[] = {
    { "a key of a group at the margin", "start:\n  heatbath:\n  beta: 1\n",
      "x:2:12: start.heatbath: expected a mapping, found nothing\n"
      "x:3:3: start: unknown key \"beta\"; it is a key of \"start.heatbath\" (line 2): check the indentation\n" },
    { "two levels too shallow", "start:\n  heatbath: {}\nbeta: 1\n",
      "x:3:1: unknown key \"beta\"; it is a key of \"start.heatbath\" (line 2): check the indentation\n" },
    { "a key of the last item of a list", "levels:\n  - {}\n  - {}\nsteps: 1\n",
      "x:4:1: unknown key \"steps\"; it is a key of \"levels.1\" (line 1): check the indentation\n" },
    { "a key of a list in an item with a kind", "monomials:\n  - kind: quarks\n    masses: [{}]\n    heavy: 1\n",
      "x:4:5: monomials.0: unknown key \"heavy\" (kind: quarks); it is a key of \"monomials.0.masses.0\" (line 3): "
      "check the indentation\n" },
    { "a key of the mapping around", "levels:\n  - steps: 1\n    trajectories: 2\n",
      "x:3:5: levels.0: unknown key \"trajectories\"; it is a key of the input itself: check the indentation\n" },
    { "a key of the item around", "monomials:\n  - kind: quarks\n    masses:\n      - heavy: 1\n        mass: 2\n",
      "x:5:9: monomials.0.masses.0: unknown key \"mass\"; it is a key of \"monomials.0\": check the indentation\n" },
    { "a mapping at the margin that has a namesake", "start: {}\nheatbath:\n  beta: 1\n",
      "x:3:3: heatbath: unknown key \"beta\"; it is a key of the \"heatbath\" below \"start\" (line 1): check the "
      "indentation\n" },
    { "in brackets columns do not matter", "levels: [{ trajectories: 1 }]\n",
      "x:1:12: levels.0: unknown key \"trajectories\"; it is a key of the input itself\n" },
    { "a key that is there already is no hint", "levels:\n  - steps: 1\nsteps: 2\n",
      "x:3:1: unknown key \"steps\"; allowed: start, heatbath, levels, monomials, trajectories\n" },
    { "a forgotten dash", "levels:\n  - steps: 1\n    steps: 2\n",
      "x:3:5: levels.0: duplicate key \"steps\"; the first is at x:2:5; if a new item of the list begins here, write "
      "\"- \" before it\n" },
    { "a value of another key of the mapping", "levels:\n  - solver: multigrid\n    method: half\n",
      "x:2:13: levels.0.solver: expected one of double, half, found \"multigrid\"; did you mean \"method: "
      "multigrid\"?\n"
      "x:3:13: levels.0.method: expected one of cg, multigrid, found \"half\"; did you mean \"solver: half\"?\n" },
    { "a value of no key of the mapping", "levels: [{ solver: quenched }]\n",
      "x:1:20: levels.0.solver: expected one of double, half, found \"quenched\"\n" },
    { "a key of another item of a list of kinds",
      "monomials:\n  - { kind: gluons, name: g, mass: 1 }\n  - { kind: quarks, form: plain }\n",
      "x:2:30: monomials.0: unknown key \"mass\" (kind: gluons, name: g); \"monomials.1\" (kind: quarks) has this key\n"
      "x:3:21: monomials.1: unknown key \"form\" (kind: quarks); \"monomials.0\" (kind: gluons, name: g) has this "
      "key\n" },
    { "a key of a kind that the list does not have", "monomials: [{ kind: gluons, mass: 1 }]\n",
      "x:1:29: monomials.0: unknown key \"mass\" (kind: gluons); allowed: kind, name, form\n" },
    { "a value of a key of another kind", "monomials: [{ kind: quarks, links: stout }]\n",
      "x:1:36: monomials.0.links: expected one of thin, found \"stout\"; \"form: stout\" is only for kind gluons\n" },
    { "a value that goes on", "trajectories: 60\n  70\n",
      "x:1:15: trajectories: expected an integer, found \"60 70\" in lines 1 to 2: check the indentation\n" },
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        failure f = { .why = "" };
        fault_list faults = { 0 };
        input in = { 0 };
        yaml_node *tree = yaml_read_string(cases[i].yaml, "x", &f);
        if (fact(tree != NULL, "the text is YAML %s", f.why))
            schema_read(tree, specs, &in, &faults);
        if (!fact(strcmp(text_string(&faults.lines), cases[i].faults) == 0, "%s", cases[i].mistake))
            note("got: %s", text_string(&faults.lines));
        schema_free_values(specs, &in);
        fault_list_free(&faults);
        yaml_tree_free(tree);
    }
    fact(memory_bytes_now() == 0, "all memory is given back");
    return facts_end();
}
