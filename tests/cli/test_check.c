/* test_check.c - kiln check: an input with its defaults, the memory and the work that it takes, and its faults. */
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <string.h>

static const char input[] =
    "lattice: [4, 4, 4, 8]\n"
    "random: { seed: 9223372036854775807 }\n"
    "start: { from: hot }\n"
    "monomials:\n"
    "  - { kind: gauge, name: inner, action: wilson, beta: 5.5 }\n"
    "  - { kind: gauge, name: outer, action: iwasaki, beta: 0.25 }\n"
    "hmc:\n"
    "  trajectory_length: 0.5\n"
    "  levels:\n"
    "    - { integrator: omelyan, steps: 3, monomials: [outer] }\n"
    "    - { integrator: omelyan, steps: 2, monomials: [inner] }\n"
    "  trajectories: 100\n"
    "output: { directory: nowhere, name: \"123\" }\n";

/* Values of the JSON object "parameters", as text. */
static const struct { const char *path, *value; } parameters[] = {
    { "lattice.3", "8" },
    { "random.seed", "9223372036854775807" },
    { "random.stream", "0" },
    { "start.from", "hot" },
    { "start.reunitarize", "true" },
    { "monomials.1.kind", "gauge" },
    { "monomials.1.action", "iwasaki" },
    { "monomials.1.beta", "0.25" },
    { "hmc.trajectory_length", "0.5" },
    { "hmc.levels.0.monomials.0", "outer" },
    { "hmc.levels.1.steps", "2" },
    { "output.name", "123" },
    { "output.lfn", "" },
};

/* The types of JSON show in the text: what is a number or a truth value stands without quotes. */
static const char *const typed[] = {
    "\"lattice\": [4, 4, 4, 8]", "\"seed\": 9223372036854775807", "\"reunitarize\": true", "\"from\": \"hot\"",
    "\"beta\": 0.25", "\"name\": \"123\"",
};

static void parameters_are_json(const program_output *s, const yaml_node *tree)
{
    const yaml_node *object = tree ? yaml_get(tree, "parameters") : NULL;
    fact(s->status == 0 && object && object->type == YAML_MAPPING, "check --json: the parameters are an object");
    for (size_t i = 0; object && i < sizeof parameters / sizeof *parameters; i++) {
        const char *value = json_scalar(object, parameters[i].path);
        fact(value && strcmp(value, parameters[i].value) == 0, "%s is %s", parameters[i].path, parameters[i].value);
    }
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        fact(stdout_has(s, typed[i]), "the type of a value is JSON's: %s", typed[i]);
}

/* The memory of the device ("memory") or of the host: every category, then the sum. */
static double memory_sum(const yaml_node *tree, const char *which)
{
    const yaml_node *memory = tree ? yaml_get(tree, which) : NULL;
    double sum = 0;
    bool names = memory != NULL;
    for (int i = 0; memory && i < memory->count - 1; i++) {
        const char *key = memory->key[i]->scalar;
        size_t n = strlen(key);
        names = names && !strchr(key, ' ') && n > 6 && strcmp(key + n - 6, "_bytes") == 0;
        sum += json_number(memory, key);
    }
    fact(names, "%s: the names have no blanks and end with _bytes", which);
    fact(memory && sum == json_number(memory, "total_bytes"), "%s: total_bytes is the sum of all", which);
    return sum;
}

static void memory_and_work(const yaml_node *tree)
{
    double links = 4 * 4 * 4 * 8 * 4 * 18 * 8, flops = 0, bytes = 0;
    fact(memory_sum(tree, "memory") > 2 * links, "the device holds the links twice, and more");
    fact(memory_sum(tree, "host_memory") > 0, "the host has something to hold too");
    fact(json_number(tree, "memory.links_bytes") == links, "the links take 4 matrices of 18 doubles a site");
    for (int t = 0; t < 2; t++) {
        flops += json_number(tree, t ? "forces.1.flops" : "forces.0.flops");
        bytes += json_number(tree, t ? "forces.1.bytes" : "forces.0.bytes");
    }
    fact(json_number(tree, "forces.1.evaluations") == 7, "three Omelyan steps kick seven times");
    fact(flops > 0 && json_number(tree, "all_forces.flops") == flops, "flops of all forces of a trajectory");
    fact(bytes > 0 && json_number(tree, "all_forces.bytes") == bytes, "bytes of all forces of a trajectory");
}

static const struct { const char *set, *message; } faults[] = {
    { "hmc.levels.7.steps=3", "--set hmc.levels.7.steps=3: \"hmc.levels\" is a list of 2; " },
    { "lattice", "--set lattice: expected key.path=value" },
    { "random.seed=-1", "--set random.seed: -1 is out of range; allowed: " },
    { "lattice=[5,4,4,4]", "--set lattice: lattice.0: 5 is odd; allowed: " },
    { "hmc..levels=3", "--set hmc..levels=3: a path consists of keys" },
};

static void wrong_sets(const char *path)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const program_output *s = program_run("check '%s' --set '%s'", path, faults[i].set);
        fact(s->status == 2 && s->out.length == 0 && strncmp(text_string(&s->err), faults[i].message,
                                                             strlen(faults[i].message)) == 0,
             "--set %s: the sentence begins with the option, once, and names no line of the input", faults[i].set);
    }
}

/* A message names a level by the key that --set takes for it. */
static void levels_are_counted_as_set_does(const char *path)
{
    const program_output *s = program_run("check '%s' --set 'hmc.levels.0.monomials=[nobody]'", path);
    fact(s->status == 2 && stderr_has(s, "hmc.levels.0.monomials.0: there is no monomial \"nobody\"")
             && !stderr_has(s, "level 1"),
         "hmc.levels.0 of --set is hmc.levels.0 in the fault");
    s = program_run("check '%s' --set hmc.levels.0.integrator=3g1f", path);
    fact(s->status == 2 && stderr_has(s, "hmc.levels.0 (3g1f): this integrator updates the links")
             && !stderr_has(s, "level 1"),
         "also where the integrator finds it");
}

static void list_without_brackets(const char *path)
{
    const program_output *s = program_run("check '%s' --set lattice=4,4,4,8", path);
    fact(s->status == 2 && stderr_has(s, "found \"4,4,4,8\"; write --set 'lattice=[4,4,4,8]'\n"),
         "a list without brackets: the option to type");
}

/* The input has 100 trajectories. */
static void thermalization_beyond_the_end(const char *path)
{
    const char *warning = "hmc.thermalization: 101 is larger than hmc.trajectories: 100: no trajectories follow";
    const program_output *s = program_run("check '%s' --set hmc.thermalization=101", path);
    fact(s->status == 0 && stderr_has(s, warning),
         "a thermalization beyond the last trajectory is warned of, and allowed");
    s = program_run("check '%s' --set hmc.thermalization=101 --json", path);
    fact(s->status == 0 && stdout_has(s, warning), "in JSON, too");
    s = program_run("check '%s' --set hmc.thermalization=100", path);
    fact(s->status == 0 && !stderr_has(s, "thermalization"),
         "an ensemble may end with its thermalization, to go on later");
}

/* Smearing is described; measurements of quarks that the action does not have, or on other links, are warned of. */
static void smearing(scratch *s)
{
    static const char stout[] =
        "lattice: [4, 4, 4, 4]\n"
        "random: { seed: 1 }\n"
        "start: { from: cold }\n"
        "monomials:\n"
        "  - { kind: gauge, name: gauge, action: iwasaki, beta: 2.13 }\n"
        "  - { kind: domain_wall, name: quarks, Ls: 4, stout: { levels: 2, rho: 0.1 },\n"
        "      determinants: [ { flavors: 2, mass: 0.1 } ] }\n"
        "measurements: [ { kind: domain_wall, Ls: 4, stout: { levels: 2, rho: 0.1 }, masses: [ { mass: 0.1 } ] } ]\n"
        "hmc: { levels: [ { integrator: omelyan, steps: 4, monomials: [quarks, gauge] } ], trajectories: 1 }\n"
        "output: { directory: nowhere }\n";
    const char *path = scratch_path(s, "stout.yaml");
    blob_write(path, stout, sizeof stout - 1);
    const program_output *a = program_run("check '%s'", path);
    fact(a->status == 0 && stdout_has(a, "2 levels of stout smearing, rho = 0.1") && !stderr_has(a, "measures on"),
         "smearing is described, and a measurement may have that of the action");
    a = program_run("check '%s' --set 'measurements.0.stout={}'", path);
    fact(a->status == 0 && stderr_has(a, "measurements.0.stout: domain_wall measures on thin links, but no monomial"),
         "a measurement on other links is warned of, and allowed");
    a = program_run("check '%s' --set measurements.0.stout.rho=0.2", path);
    fact(stderr_has(a, "measures on links with 2 levels of stout smearing, rho = 0.2"),
         "with the smearing that it has");
    a = program_run("check '%s' --set measurements.0.stout.rho=0", path);
    fact(a->status == 2 && stderr_has(a, "rho is 0"), "one that smears nothing is refused");
    a = program_run("check '%s' --set measurements.0.Ls=6", path);
    fact(a->status == 0 && stderr_has(a, "measurements.0.Ls: domain_wall measures quarks with Ls 6, but those of the "
                                      "action have Ls 4"), "a measurement of other quarks is warned of, and allowed");
    a = program_run("check '%s' --set measurements.0.action=borici", path);
    fact(stderr_has(a, "quarks with action borici, but those of the action have action shamir"), "with words, too");
    a = program_run("check '%s' --set 'measurements=[ { kind: wilson, c_sw: 1, masses: [ { mass: 0 } ] } ]'", path);
    fact(a->status == 0 && !stderr_has(a, "measures quarks"), "quarks of which the action has none may be measured");
    a = program_run("check '%s' --set monomials.1='{ kind: wilson, name: quarks, c_sw: 1.5, determinants: [ { mass: 0, "
                    "rho: 0.1 } ] }' --set measurements='[ { kind: wilson_reweighting, c_sw: 1, masses: "
                    "[ { mass: 0, rho: 0.1 } ] } ]'", path);
    fact(a->status == 0 && stderr_has(a, "measurements.0.c_sw: reweighting measures quarks with c_sw 1, but those of "
                                      "the action have c_sw 1.5"), "reweighting factors are those of Wilson quarks");
    static const char wilson[] =
        "{ kind: wilson, name: quarks, theta: [0.25, 0, -1], determinants: [ { mass: 0.1 } ] }",
        measured[] = "{ kind: wilson, theta: [0.25, 0, -1], masses: [ { mass: 0.1 } ] }";
    a = program_run("check '%s' --set 'monomials.1=%s' --set 'measurements=[ %s ]'", path, wilson, measured);
    fact(a->status == 0 && stdout_has(a, "theta: [0.25, 0, -1]") && !stderr_has(a, "measures quarks"),
         "quarks with phases");
    a = program_run("check '%s' --set 'monomials.1=%s' --set 'measurements=[ %s ]' --set "
                    "'measurements.0.theta=[0, 0, 0]'", path, wilson, measured);
    fact(a->status == 0 && stderr_has(a, "measurements.0.theta: wilson measures quarks with theta [0, 0, 0], but "
                                      "those of the action have theta [0.25, 0, -1]"),
         "a measurement with other phases is warned of");
    static const char staggered[] = "{ kind: staggered, name: quarks, imaginary_mu: 0.2, determinants: [ { quarks: "
                                    "[ { mass: 0.1, flavors: 2 } ] } ] }";
    a = program_run("check '%s' --set 'monomials.1=%s' --set 'measurements=[ { kind: condensate, imaginary_mu: 0.2, "
                    "masses: [ { mass: 0.1 } ] } ]'", path, staggered);
    fact(a->status == 0 && !stderr_has(a, "measures quarks"), "condensates at the chemical potential of the quarks");
    a = program_run("check '%s' --set 'monomials.1=%s' --set 'measurements=[ { kind: condensate, masses: [ { mass: "
                    "0.1 } ] } ]'", path, staggered);
    fact(a->status == 0 && stderr_has(a, "measurements.0.imaginary_mu: condensate measures quarks with imaginary_mu 0, "
                                      "but those of the action have imaginary_mu 0.2"), "at another one: a warning");
    a = program_run("check '%s' --set 'monomials.1=%s' --set 'measurements=[ { kind: staggered_mesons, action: naive, "
                    "imaginary_mu: 0.2, masses: [ { mass: 0.1 } ] } ]'", path, staggered);
    fact(a->status == 0 && stderr_has(a, "measurements.0.action: staggered_mesons measures quarks with action naive, "
                                      "but those of the action have action hisq"),
         "mesons of other quarks: a warning, too");
    text many = { 0 };
    for (int n = 0; n < 33; n++)
        text_add(&many, "%s{ kind: polyakov, name: p%d }", n ? ", " : "", n);
    a = program_run("check '%s' --set 'measurements=[ %s ]'", path, text_string(&many));
    text_free(&many);
    fact(a->status == 2 && stderr_has(a, "measurements: 33 of them, but at most 32 are allowed"),
         "too many measurements");
}

/* Where sites of all slices are numbered, whatever the memory of this machine. */
static void a_large_dwf_lattice(scratch *s)
{
    static const char large[] =
        "lattice: [48, 48, 48, 96]\n"
        "random: { seed: 1 }\n"
        "start: { from: cold }\n"
        "monomials:\n"
        "  - { kind: gauge, name: gauge, action: iwasaki, beta: 2.13 }\n"
        "  - { kind: domain_wall, name: quarks, Ls: 24, determinants: [ { flavors: 2, mass: 0.01 } ] }\n"
        "hmc: { levels: [ { integrator: omelyan, steps: 4, monomials: [quarks, gauge] } ], trajectories: 1 }\n"
        "output: { directory: nowhere }\n";
    const char *path = scratch_path(s, "large.yaml");
    blob_write(path, large, sizeof large - 1);
    fact(program_run("check '%s'", path)->status == 0, "24 slices on a lattice of 48x48x48x96 are a valid input");
    const program_output *wider = program_run("check '%s' --set 'lattice=[64, 64, 64, 96]' --set monomials.1.Ls=48",
                                              path);
    fact(wider->status == 2 && stderr_has(wider, "48 slices of the fifth dimension on 64x64x64x96"),
         "48 on 64x64x64x96 are not");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    const char *path = scratch_path(&s, "input.yaml");
    blob_write(path, input, sizeof input - 1);
    const program_output *answer = program_run("check '%s' --json", path);
    yaml_node *tree = output_json(answer);
    parameters_are_json(answer, tree);
    memory_and_work(tree);
    yaml_tree_free(tree);
    answer = program_run("check '%s'", path);
    fact(answer->status == 0 && stdout_has(answer, "seed: 9223372036854775807") && stdout_has(answer, "all forces"),
         "without --json a person can read it, totals too");
    wrong_sets(path);
    levels_are_counted_as_set_does(path);
    list_without_brackets(path);
    thermalization_beyond_the_end(path);
    a_large_dwf_lattice(&s);
    smearing(&s);
    scratch_remove(&s);
    return facts_end();
}
