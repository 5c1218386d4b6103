/* test_hyperons.c - baryons of two masses: random propagators by determinants, free quarks in closed form with momenta,
 * smearing and the boundary, equal masses, and ranks. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/rng.h"
#include "src/measure/dwf_measurement.h"
#include "src/measure/hyperons.h"
#include "src/measure/wilson_measurement.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/free_baryons.h"
#include "tests/measure/wilson_measured.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHANNELS = 6 };
static const char *const lists[CHANNELS] = { "sigma", "sigma_negative", "xi", "xi_negative", "lambda",
                                             "lambda_negative" };

static double dense(const dense_propagator light, const dense_propagator strange, int channel)
{
    return dense_hyperon(light, strange, (dense_hyperon_kind)(channel / 2), channel % 2);
}

/* ---- random propagators, site by site */

enum { EDGE = DENSE_EDGE, SITES = DENSE_SITES };

/* One of both parities from the traces with 1 and gamma_t. */
static double projected(const double *traces, int channel)
{
    const double *at = traces + channel / 2 * 2;
    return (at[1] + (channel % 2 ? -at[0] : at[0])) / 2;
}

static void random_propagators(place where)
{
    lattice *l = lattice_create_single((const int[4]){ EDGE, EDGE, EDGE, EDGE });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    hyperons *h = hyperons_create(u);
    baryons *b = baryons_create(u);
    quark_columns *light = quark_columns_create(u, DENSE_SPINOR), *strange = quark_columns_create(u, DENSE_SPINOR);
    spinor_field v = spinor_field_create(u, 1);
    dense_propagator *s = memory_alloc(2 * SITES * sizeof *s, "propagators"), *q = s + SITES;
    double density[SITES * HYPERON_REALS], nucleon[SITES * BARYON_REALS], same = 0;
    dense_random_propagator(light, s, v, 7);
    dense_random_propagator(strange, q, v, 8);
    hyperons_contract(h, light, strange);
    field_export(density, hyperons_density(h));
    for (int channel = 0; channel < CHANNELS; channel++) {
        double worst = 0, size = 0;
        for (int site = 0; site < SITES; site++) {
            const double want = dense(s[site], q[site], channel);
            worst = worse(worst, fabs(projected(density + site * HYPERON_REALS, channel) - want));
            size = fmax(size, fabs(want));
        }
        fact_close(worst / size, 0, 1e-13, "%s: %s of random propagators by determinants", place_name(where),
                   lists[channel]);
    }
    hyperons_contract(h, light, light);
    baryons_contract(b, light);
    field_export(density, hyperons_density(h));
    field_export(nucleon, baryons_density(b));
    for (int i = 0; i < SITES * HYPERON_REALS; i++) {
        const double want = nucleon[i / HYPERON_REALS * BARYON_REALS + i % 2];
        same = worse(same, fabs(density[i] / want - 1));
    }
    fact_close(same, 0, 1e-11, "%s: for equal masses, all are the nucleon", place_name(where));
    memory_free(s);
    spinor_field_free(v);
    quark_columns_free(light);
    quark_columns_free(strange);
    baryons_free(b);
    hyperons_free(h);
    gauge_free(u);
    lattice_free(l);
}

/* ---- free quarks */

static const int *const extents = dense_free_extents;

static double contract(const dense_propagator *s, int channel)
{
    return dense(s[0], s[1], channel);
}

static const free_baryons of_free_quarks = { CHANNELS, 2, { 0.4, 0.9 }, lists, contract };

/* t from the source at t = 4 goes over the boundary, where quarks are antiperiodic. */
static void free_hyperons(place where)
{
    static const int n[3] = { 1, 0, 1 };
    const free_smearing local = { 4, 1.1, true, false }, both = { 4, 1.1, true, true };
    free_correlators f;
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    yaml_node *tree = wilson_measured(u, "hyperons: true, source: [1, 0, 3, 4], random_sources: 0, spectrum: false, "
        "masses: [ { mass: 0.4 }, { mass: 0.9 } ], pairs: [ { quark: 0, antiquark: 1 } ], "
        "momenta: [ { x: 1, z: 1 } ], smearing: { steps: 4, width: 1.1 }");
    const yaml_node *pair = measured_member(tree, "pairs")->item[0];
    f = free_baryons_compute(&of_free_quarks, &both, n);
    free_baryons_facts(&of_free_quarks, yaml_get(pair, "smeared"), &f, "smeared sinks");
    f = free_baryons_compute(&of_free_quarks, &local, n);
    free_baryons_facts(&of_free_quarks, pair, &f, "local sinks");
    fact_close(measured_number(yaml_get(pair, "xi_mass")), log(f.rest[2][1] / f.rest[2][2]), 1e-10,
               "%s: the mass of the Xi from t = 1 and 2", place_name(where));
    fact(!yaml_get(measured_member(tree, "masses")->item[0], "nucleon"), "no nucleon without baryons: true");
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

static uint64_t digest_hyperons(lattice *l, place where)
{
    uint64_t digest = DIGEST64_START;
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    yaml_node *tree = measured(u, "kind: wilson, masses: [ { mass: 0.5 }, { mass: 0.9 } ], hyperons: true, "
                                  "residual: 1e-4, random_sources: 0, spectrum: false, source: [1, 2, 3, 3], "
                                  "pairs: [ { quark: 1, antiquark: 0 } ], smearing: { steps: 2, width: 1 }");
    const yaml_node *pair = measured_member(tree, "pairs")->item[0], *smeared = yaml_get(pair, "smeared");
    for (int channel = 0; channel < CHANNELS; channel++)
        for (int t = 0; t < 4; t++) {
            const double of[2] = { measured_number(yaml_get(pair, lists[channel])->item[t]),
                                   measured_number(yaml_get(smeared, lists[channel])->item[t]) };
            digest = digest64(digest, of, sizeof of);
        }
    yaml_tree_free(tree);
    gauge_free(u);
    return digest;
}

static void refusals(void)
{
#define TWO "hyperons: true\nmasses: [ { mass: 0.1 }, { mass: 0.3 } ]\n"
#define PAIR "pairs: [ { quark: 0, antiquark: 1 } ]\n"
    const measurement_kind *kind = &wilson_measurement;
    measurement_refused(kind, extents, TWO, "`quark` is the light mass and `antiquark` the strange one");
    measurement_refused(kind, extents, TWO PAIR "theta: [0, 1, 0]\n", "theta");
    measurement_refused(kind, extents, TWO PAIR "source_type: z2_wall\n", "random numbers");
    measurement_refused(kind, extents, "hyperons: true\nmasses: [ { mass: 1 }, { mass: 0, mu: 0.1 } ]\n" PAIR,
                        "masses.1: baryons and hyperons need mu: 0");
    measurement_refused(&dwf_measurement, extents, TWO "action: shamir\nLs: 4\n", "hyperons need");
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        random_propagators(where);
        free_hyperons(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_hyperons, "baryons of two masses");
    }
    refusals();
    return facts_end();
}
