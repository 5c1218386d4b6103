/* measured.c - a measurement as a user asks for it. */
#include "tests/measure/measured.h"

#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

yaml_node *measured(const gauge *u, const char *keys)
{
    return measured_with_seed(u, keys, 7);
}

/* The anisotropy in these keys, of quarks or of the lattice, which the action must have; 1: none. */
static double anisotropy_of(const char *keys)
{
    const char *bare = strstr(keys, "xi_0: "), *of_lattice = strstr(keys, "xi: ");
    return bare ? atof(bare + strlen("xi_0: ")) : of_lattice ? atof(of_lattice + strlen("xi: ")) : 1;
}

yaml_node *measured_with_seed(const gauge *u, const char *keys, int seed)
{
    const int *n = lattice_global(u->links.lattice);
    json j = { 0 };
    clock_tree clock = { 0 };
    run_input in;
    run_from_text(&in,
                  "lattice: [%d, %d, %d, %d]\nboundary: { time: %s }\nrandom: { seed: %d }\n"
                  "monomials: [ { kind: gauge, action: wilson, beta: 6, xi_0: %.17g } ]\n"
                  "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [gauge] } ] }\n"
                  "output: { directory: nowhere }\nmeasurements: [ { %s } ]\n",
                  n[0], n[1], n[2], n[3], lattice_is_open(u->links.lattice) ? "open" : "periodic", seed,
                  anisotropy_of(keys), keys);
    measurements *m = measurements_create(run_measurements(&in.p), u);
    json_open(&j, NULL, '{');
    measurements_run(m, true, u, &(measurement_point){ (uint64_t)seed, 0, 3 }, &j, &clock);
    json_close(&j);
    yaml_node *tree = yaml_read_string(json_string(&j), "a result", NULL);
    json_free(&j);
    measurements_free(m);
    run_input_free(&in);
    return tree;
}

double measured_number(const yaml_node *node)
{
    return node && node->scalar ? strtod(node->scalar, NULL) : NAN;
}

const yaml_node *measured_member(const yaml_node *tree, const char *key)
{
    return yaml_get(tree->item[0], key);
}

const yaml_node *measured_of_mass(const yaml_node *tree, int index, const char *key)
{
    const yaml_node *masses = measured_member(tree, "masses");
    return masses && index < masses->count ? yaml_get(masses->item[index], key) : NULL;
}

const yaml_node *measured_modes(const yaml_node *tree)
{
    const yaml_node *links = measured_member(tree, "links");
    return links ? yaml_get(links->item[0], "modes") : measured_of_mass(tree, 0, "modes");
}

int measured_modes_count(const yaml_node *tree)
{
    const yaml_node *modes = measured_modes(tree);
    return modes ? yaml_get(modes, "eigenvalues")->count : 0;
}

double measured_real(const yaml_node *tree, int index, const char *key)
{
    return measured_number(measured_of_mass(tree, index, key));
}

double measured_item(const yaml_node *tree, int index, const char *key, int item)
{
    const yaml_node *list = measured_of_mass(tree, index, key);
    return list && item < list->count ? measured_number(list->item[item]) : NAN;
}

double measured_pair_item(const yaml_node *tree, int index, const char *key, int item)
{
    const yaml_node *pairs = measured_member(tree, "pairs");
    const yaml_node *list = pairs && index < pairs->count ? yaml_get(pairs->item[index], key) : NULL;
    return list && item < list->count ? measured_number(list->item[item]) : NAN;
}

void measurement_refused(const measurement_kind *kind, const int on[4], const char *keys, const char *why)
{
    fault_list faults = { 0 };
    const lattice_shape shape = lattice_shape_single(on);
    failure f = { .why = "" };
    void *values = memory_alloc(kind->input.size, "parameters");
    yaml_node *tree = yaml_read_string(keys, "input.yaml", &f);
    schema_read(tree, kind->input.params, values, &faults);
    bool ok = faults.count == 0 && kind->check(values, &shape, &f);
    fact(!ok && strstr(f.why, why), "refused: %s (%s)", why, f.why);
    schema_free_values(kind->input.params, values);
    fault_list_free(&faults);
    memory_free(values);
    yaml_tree_free(tree);
}

uint64_t measured_digest(const yaml_node *node, uint64_t digest)
{
    if (node->type == YAML_SCALAR)
        return digest64(digest, node->scalar, strlen(node->scalar));
    for (int i = 0; i < node->count; i++)
        digest = measured_digest(node->item[i], digest);
    return digest;
}
