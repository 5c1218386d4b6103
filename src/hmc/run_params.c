/* run_params.c - the table of a run's input, and what no table can say. */
#include "src/hmc/run_params.h"

#include "src/base/checksum.h"
#include "src/hmc/quenched.h"
#include "src/io/links_file.h"
#include "src/kernels/heat_bath_args.h"
#include "src/lattice/rng.h"

#include <stdio.h>
#include <string.h>

static const char *const starts[] = { "cold", "hot", "file", NULL };

#define AT(member) offsetof(run_params, member)

static const param_spec random_specs[] = {
    { .key = "seed", .type = PARAM_INT, .offset = AT(random.seed) - AT(random), .min = 0, .max = 9223372036854775807.0,
      .doc = "seed of all random numbers of the ensemble" },
    { .key = "stream", .type = PARAM_INT, .offset = AT(random.stream) - AT(random), .fallback = "0", .min = 0,
      .max = RNG_STREAMS - 1, .doc = "number of an independent stream with the same seed" },
    { 0 }
};

static const param_spec start_specs[] = {
    { .key = "from", .type = PARAM_CHOICE, .offset = AT(start.from) - AT(start), .fallback = "cold", .choices = starts,
      .doc = "unit links, random links, or a configuration" },
    { .key = "file", .type = PARAM_TEXT, .offset = AT(start.file) - AT(start), .fallback = "\"\"",
      .flags = PARAM_FREE_TO_CHANGE | PARAM_PATH,
      .doc = "configuration to start from (ILDG, SciDAC, NERSC or MILC)" },
    { .key = "reunitarize", .type = PARAM_BOOL, .offset = AT(start.reunitarize) - AT(start), .fallback = "true",
      .doc = "bring the links of the file to SU(3) in double precision before the first trajectory" },
    { .key = "heat_bath", .type = PARAM_INT, .offset = AT(start.heat_bath) - AT(start), .fallback = "0", .min = 0,
      .max = HEAT_BATH_SWEEPS, .doc = "so many sweeps of heat bath with the gauge action alone over the start links" },
    { .key = "heat_bath_beta", .type = PARAM_REAL, .offset = AT(start.heat_bath_beta) - AT(start), .fallback = "0",
      .min = 0, .max = 1000,
      .doc = "coupling of these sweeps: one that without quarks has the lattice spacing aimed at; 0: the action's" },
    { .key = "heat_bath_settle", .type = PARAM_INT, .offset = AT(start.heat_bath_settle) - AT(start), .fallback = "0",
      .min = 0, .max = HEAT_BATH_SWEEPS,
      .doc = "after those with heat_bath_beta so many with the action's own coupling: a few bring the plaquette near "
             "its mean and leave long distances as they are" },
    { 0 }
};

static const param_spec quenched_specs[] = {
    { .key = "heat_bath", .type = PARAM_INT, .offset = AT(quenched.heat_bath) - AT(quenched), .fallback = "0",
      .min = 0, .max = HEAT_BATH_SWEEPS,
      .doc = "sweeps of pseudo heat bath that take the place of a trajectory; 0: hybrid Monte Carlo" },
    { .key = "overrelaxation", .type = PARAM_INT, .offset = AT(quenched.overrelaxation) - AT(quenched),
      .fallback = "0", .min = 0, .max = 10000, .doc = "sweeps of overrelaxation after each of heat bath" },
    { 0 }
};

static const param_spec hmc_specs[] = {
    { .key = "trajectory_length", .type = PARAM_REAL, .offset = AT(hmc.length) - AT(hmc), .fallback = "1", .min = 0,
      .max = 100, .flags = PARAM_ABOVE_MIN,
      .doc = "molecular-dynamics time of a trajectory, dU/dtau = P U (MILC's unit)" },
    { .key = "levels", .type = PARAM_LIST, .offset = AT(hmc.levels) - AT(hmc), .fallback = "[]", .group = level_specs,
      .element_size = sizeof(level_params),
      .doc = "the integrator, outermost level first; required, but for `quenched`, which has none" },
    { .key = "trajectories", .type = PARAM_INT, .offset = AT(hmc.trajectories) - AT(hmc), .min = 0,
      .max = RNG_TRAJECTORIES, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "trajectories of the whole ensemble, warm-up included" },
    { .key = "thermalization", .type = PARAM_INT, .offset = AT(hmc.thermalization) - AT(hmc), .fallback = "0",
      .min = 0, .max = RNG_TRAJECTORIES, .doc = "so many first trajectories are accepted without Metropolis test" },
    { .key = "reunitarize_every", .type = PARAM_INT, .offset = AT(hmc.reunitarize_every) - AT(hmc), .fallback = "1",
      .min = 0, .max = RNG_TRAJECTORIES,
      .doc = "after every so many trajectories, if the last one is accepted, links are brought back to SU(3) (never "
             "inside one; a rejection restores links); 0: never" },
    { .key = "tuning", .type = PARAM_TEXT, .offset = AT(hmc.tuning) - AT(hmc), .fallback = "\"\"",
      .flags = PARAM_FREE_TO_CHANGE, .doc = "where the levels come from, for people: `kiln tune` writes it" },
    { 0 }
};

static const param_spec output_specs[] = {
    { .key = "directory", .type = PARAM_TEXT, .offset = AT(output.directory) - AT(output),
      .flags = PARAM_NOT_EMPTY | PARAM_FREE_TO_CHANGE | PARAM_PATH, .doc = "the folder of the ensemble" },
    { .key = "name", .type = PARAM_TEXT, .offset = AT(output.name) - AT(output), .fallback = "cfg",
      .flags = PARAM_NOT_EMPTY, .doc = "file names begin with it: name.000010.lime" },
    { .key = "configuration_every", .type = PARAM_INT, .offset = AT(output.configuration_every) - AT(output),
      .fallback = "10", .min = 1, .max = RNG_TRAJECTORIES, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "a configuration is kept for good after every so many trajectories" },
    { .key = "checkpoint_every", .type = PARAM_INT, .offset = AT(output.checkpoint_every) - AT(output),
      .fallback = "10", .min = 1, .max = RNG_TRAJECTORIES, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "the state is written after every so many trajectories; the two newest are kept" },
    { .key = "bits", .type = PARAM_INT, .offset = AT(output.bits) - AT(output), .fallback = "64", .min = 32, .max = 64,
      .flags = PARAM_FREE_TO_CHANGE,
      .doc = "of the reals in configurations, 32 or 64; checkpoints always have 64, and only 64 continue exactly" },
    { .key = "lfn", .type = PARAM_TEXT, .offset = AT(output.lfn) - AT(output), .fallback = "\"\"",
      .flags = PARAM_FREE_TO_CHANGE, .doc = "ILDG logical file name; .NNNNNN is added to it" },
    { 0 }
};

static const param_spec sentinel_specs[] = {
    { .key = "rate", .type = PARAM_REAL, .offset = AT(sentinel.rate) - AT(sentinel), .fallback = "0", .min = 0,
      .max = 1, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "the part of trajectories in which a force or an action (of \"quenched\", all sweeps) is calculated twice "
             "and compared bit by bit; where they differ, both are kept, and the run goes on from the last state that "
             "is confirmed" },
    { 0 }
};

const param_spec run_param_specs[] = {
    { .key = "lattice", .type = PARAM_INT4, .offset = AT(extents), .min = 2, .max = 1024, .flags = PARAM_EVEN,
      .doc = "extents x, y, z, t" },
    { .key = "random", .type = PARAM_GROUP, .offset = AT(random), .group = random_specs,
      .doc = "which random numbers are drawn" },
    { .key = "start", .type = PARAM_GROUP, .offset = AT(start), .fallback = "{}", .group = start_specs,
      .doc = "the links before the first trajectory" },
    { .key = "monomials", .type = PARAM_KINDS, .offset = AT(monomials), .flags = PARAM_NOT_EMPTY,
      .kinds = monomial_kinds, .doc = "the terms of the action" },
    { .key = "hmc", .type = PARAM_GROUP, .offset = AT(hmc), .group = hmc_specs, .doc = "hybrid Monte Carlo" },
    { .key = "quenched", .type = PARAM_GROUP, .offset = AT(quenched), .fallback = "{}", .group = quenched_specs,
      .doc = "a pure gauge action without molecular dynamics: what `hmc` calls a trajectory is then a compound sweep" },
    { .key = "measurements", .type = PARAM_KINDS, .offset = AT(measurements), .fallback = "[]",
      .flags = PARAM_FREE_TO_CHANGE, .kinds = measurement_kinds,
      .doc = "what is measured on the links of trajectories, beside plaquette, loops and Polyakov loop" },
    { .key = "sentinel", .type = PARAM_GROUP, .offset = AT(sentinel), .fallback = "{}", .group = sentinel_specs,
      .doc = "a watch over the machine" },
    { .key = "output", .type = PARAM_GROUP, .offset = AT(output), .group = output_specs, .doc = "what is written" },
    { 0 }
};

lattice_shape run_shape(const run_params *p)
{
    return lattice_shape_single(p->extents);
}

int run_monomial_count(const run_params *p)
{
    return p->monomials.count;
}

static const kind_item *item_at(const run_params *p, int index)
{
    return (const kind_item *)p->monomials.item + index;
}

const monomial_kind *run_monomial_kind(const run_params *p, int index)
{
    return monomial_kind_at(item_at(p, index)->kind);
}

const void *run_monomial_params(const run_params *p, int index)
{
    return item_at(p, index)->params;
}

const char *run_monomial_name(const run_params *p, int index)
{
    return *(char *const *)run_monomial_params(p, index);
}

uint64_t run_params_digest(const run_params *p)
{
    text echo = { 0 };
    schema_echo(&echo, run_param_specs, p, true);
    uint64_t digest = digest64(DIGEST64_START, text_string(&echo), echo.length);
    text_free(&echo);
    return digest;
}

/* The place of a key, or of the whole input where it is not written. */
static yaml_place place_of(const yaml_node *tree, const char *group, const char *key)
{
    const yaml_node *node = tree, *inner = yaml_get(tree, group);
    if (inner)
        node = inner;
    if (inner && key && inner->type == YAML_MAPPING && (inner = yaml_get(inner, key)))
        node = inner;
    return node->place;
}

static bool names_monomial(const run_params *p, const char *name)
{
    for (int m = 0; m < run_monomial_count(p); m++)
        if (strcmp(run_monomial_name(p, m), name) == 0)
            return true;
    return false;
}

static bool has(const text_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->item[i], name) == 0)
            return true;
    return false;
}

/* A name is a key beside these: in the energies of the record, in what probes print, among the timers. */
static const char *const reserved_names[] = { "total", "kinetic", "H", "dH", "plaquette", "force", "drift", NULL };
enum { NAME_LENGTH_MAX = 31 };          /* of a timer */

static bool is_reserved(const char *name)
{
    for (int i = 0; reserved_names[i]; i++)
        if (strcmp(name, reserved_names[i]) == 0)
            return true;
    return false;
}

static bool has_control_characters(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return true;
    return false;
}

static void check_name(const char *section, const char *name, yaml_place where, fault_list *faults)
{
    if (is_reserved(name))
        fault_add(faults, where, "%s: the name \"%s\" is taken: the record has a value of that name", section, name);
    if (strlen(name) > NAME_LENGTH_MAX)
        fault_add(faults, where, "%s: the name \"%s\" has %zu characters; at most %d are possible", section, name,
                  strlen(name), NAME_LENGTH_MAX);
    if (has_control_characters(name))
        fault_add(faults, where, "%s: a name has a control character in it", section);
}

/* Every monomial stands on exactly one level (schedule_check refuses a second one), every name is known. */
static void check_names(const run_params *p, const yaml_node *tree, fault_list *faults)
{
    const level_params *levels = p->hmc.levels.item;
    yaml_place where = place_of(tree, "hmc", "levels");
    for (int l = 0; l < p->hmc.levels.count; l++)
        for (int both = 0; both < 2; both++) {
            const text_list *list = both ? &levels[l].gauge_monomials : &levels[l].monomials;
            for (int i = 0; i < list->count; i++)
                if (!names_monomial(p, list->item[i]))
                    fault_add(faults, where, "hmc.levels.%d: there is no monomial \"%s\"", l, list->item[i]);
        }
    for (int m = 0; m < run_monomial_count(p); m++) {
        const char *name = run_monomial_name(p, m);
        check_name("monomials", name, item_at(p, m)->place, faults);
        bool placed = false, twice = false;
        for (int l = 0; l < p->hmc.levels.count; l++)
            placed |= has(&levels[l].monomials, name) || has(&levels[l].gauge_monomials, name);
        for (int other = 0; other < m; other++)
            twice |= strcmp(run_monomial_name(p, other), name) == 0;
        if (!placed && !run_is_quenched(p))
            fault_add(faults, where, "hmc.levels: monomial \"%s\" is on no level: nothing would apply its force",
                      name);
        if (twice)
            fault_add(faults, item_at(p, m)->place, "monomials: two have the name \"%s\"", name);
    }
}

static void check_measurements(const run_params *p, const yaml_node *tree, fault_list *faults)
{
    const param_list *list = &p->measurements;
    const lattice_shape shape = run_shape(p);
    failure why;
    if (list->count > MEASUREMENTS_MAX)
        fault_add(faults, place_of(tree, "measurements", NULL), "measurements: %d of them, but at most %d are possible",
                  list->count, MEASUREMENTS_MAX);
    for (int m = 0; m < list->count; m++) {
        yaml_place where = ((const kind_item *)list->item)[m].place;
        check_name("measurements", measurement_name(list, m), where, faults);
        for (int other = 0; other < m; other++)
            if (strcmp(measurement_name(list, other), measurement_name(list, m)) == 0)
                fault_add(faults, where, "measurements: two have the name \"%s\"", measurement_name(list, m));
        if (!measurement_check(list, m, &shape, &why))
            fault_add(faults, where, "measurements.%d: %s", m, why.why);
    }
}

/* What no table can say: values that only make sense together. */
static void check_together(const run_params *p, const yaml_node *tree, fault_list *faults)
{
    const lattice_shape shape = run_shape(p);
    failure why;
    if (!lattice_shape_is_possible(&shape, &why))
        fault_add(faults, place_of(tree, "lattice", NULL), "%s", why.why);
    if (p->start.from == START_FILE && !*p->start.file)
        fault_add(faults, place_of(tree, "start", NULL), "start: from: file needs the key \"file\"");
    if (p->start.from != START_FILE && *p->start.file)
        fault_add(faults, place_of(tree, "start", "file"), "start: file is given, but from is \"%s\", not \"file\"",
                  starts[p->start.from]);
    if (p->output.bits != 32 && p->output.bits != 64)
        fault_add(faults, place_of(tree, "output", "bits"), "output: bits: %d is neither 32 nor 64",
                  (int)p->output.bits);
    if (strchr(p->output.name, '/'))
        fault_add(faults, place_of(tree, "output", "name"), "output: name: \"%s\" must not contain a slash",
                  p->output.name);
    if (p->output.name[0] == '.')
        fault_add(faults, place_of(tree, "output", "name"),
                  "output: name: \"%s\" begins with a dot: its files would be hidden", p->output.name);
    if (run_monomial_count(p) > HMC_TERMS)
        fault_add(faults, place_of(tree, "monomials", NULL), "monomials: %d of them, but at most %d are possible",
                  run_monomial_count(p), HMC_TERMS);
    for (int m = 0; m < run_monomial_count(p); m++)
        if (!run_monomial_kind(p, m)->check(run_monomial_params(p, m), &shape, &why))
            fault_add(faults, item_at(p, m)->place, "monomials.%d: %s", m, why.why);
    if (p->hmc.levels.count > 0 && !schedule_check(p->hmc.levels.item, p->hmc.levels.count, &why))
        fault_add(faults, place_of(tree, "hmc", "levels"), "%s", why.why);
    if (!quenched_check(p, &why))
        fault_add(faults, place_of(tree, "quenched", NULL), "quenched: %s", why.why);
    if (!start_heat_bath_check(p, &why))
        fault_add(faults, place_of(tree, "start", "heat_bath"), "start: heat_bath: %s", why.why);
    check_names(p, tree, faults);
    check_measurements(p, tree, faults);
}

/* Required but for quenched ensembles, which no table can say; a value that is no list has been told. */
static void check_levels(const run_params *p, const yaml_node *tree, fault_list *faults)
{
    const yaml_node *hmc = yaml_get(tree, "hmc"), *levels = hmc ? yaml_get(hmc, "levels") : NULL;
    bool given = levels && !(levels->type == YAML_SEQUENCE && levels->count == 0);
    if (hmc && !given && !run_is_quenched(p))
        fault_add(faults, place_of(tree, "hmc", "levels"),
                  "hmc: missing required key \"levels\" (a list of one mapping or more)");
}

/* A --set stands in no line of the input: its sentence names it instead. */
static void set_fault(fault_list *faults, const char *sentence)
{
    text_add(&faults->lines, "%s\n", sentence);
    faults->count++;
}

/* After the tree has been read, or not, and then the reason is in `why`. */
static bool take_tree(run_input *in, char *const *sets, int set_count, failure *why, fault_list *faults)
{
    if (!in->tree) {
        text_add(&faults->lines, "%s\n", why->why);
        faults->count++;
        return false;
    }
    for (int i = 0; i < set_count; i++) {
        const char *equals = strchr(sets[i], '=');
        text key = { 0 };
        if (equals)
            text_add_bytes(&key, sets[i], (size_t)(equals - sets[i]));
        bool done = equals ? yaml_set(in->tree, text_string(&key), equals + 1, why)
                           : fail(why, "--set %s: expected key.path=value", sets[i]);
        if (!done)
            set_fault(faults, why->why);
        text_free(&key);
    }
    in->p.file = in->tree->place.file;
    schema_read(in->tree, run_param_specs, &in->p, faults);
    check_levels(&in->p, in->tree, faults);
    if (faults->count == 0)
        check_together(&in->p, in->tree, faults);
    return faults->count == 0;
}

bool run_input_read(run_input *in, const char *path, char *const *sets, int set_count, fault_list *faults)
{
    failure why;
    *in = (run_input){ .tree = yaml_read_file(path, &why) };
    return take_tree(in, sets, set_count, &why, faults);
}

bool run_input_read_text(run_input *in, const char *yaml, const char *name, char *const *sets, int set_count,
                         fault_list *faults)
{
    failure why;
    *in = (run_input){ .tree = yaml_read_string(yaml, name, &why) };
    return take_tree(in, sets, set_count, &why, faults);
}

bool run_start_check(const run_input *in, fault_list *faults)
{
    const run_params *p = &in->p;
    links_info info;
    failure why;
    if (p->start.from != START_FILE)
        return true;
    bool ok = links_read_info(p->start.file, &info, &why)
              && (memcmp(info.extents, p->extents, sizeof info.extents) == 0
                  || fail(&why, "%s: its lattice is %s, but %s is wanted", p->start.file,
                          extents_to_text(info.extents).s, extents_to_text(p->extents).s));
    if (!ok)
        fault_add(faults, place_of(in->tree, "start", "file"), "start: file: %s", why.why);
    return ok;
}

void run_input_free(run_input *in)
{
    schema_free_values(run_param_specs, &in->p);
    yaml_tree_free(in->tree);
    *in = (run_input){ 0 };
}
