/* test_baryons.c - baryons of random propagators by determinants, of free quarks in closed form, on random links after
 * gauge rotations, and on ranks. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/rng.h"
#include "src/measure/baryons.h"
#include "src/measure/dwf_measurement.h"
#include "src/measure/wilson_measurement.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/free_baryons.h"
#include "tests/measure/wilson_measured.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

enum { CHANNELS = 4 };
static const char *const lists[CHANNELS] = { "nucleon", "nucleon_negative", "delta", "delta_negative" };

/* C gamma_mu C^-1 = -gamma_mu^T and gamma5 = diag(1, 1, -1, -1): the conventions that the diquarks need. */
static void charge_conjugation(void)
{
    const dense_spins c = dense_product(dense_gamma(1), dense_gamma(3)), g5 = dense_gamma(4);
    double worst = 0;
    for (int mu = 0; mu < 4; mu++) {
        const dense_spins left = dense_product(c, dense_gamma(mu)), g = dense_gamma(mu);
        dense_spins transposed;
        for (int i = 0; i < DENSE_SPINS; i++)
            for (int k = 0; k < DENSE_SPINS; k++)
                transposed.e[i][k] = g.e[k][i];
        const dense_spins right = dense_product(transposed, c);
        for (int i = 0; i < DENSE_SPINS; i++)
            for (int k = 0; k < DENSE_SPINS; k++)
                worst = worse(worst, cabs(left.e[i][k] + right.e[i][k]));
    }
    for (int i = 0; i < DENSE_SPINS; i++)
        worst = worse(worst, cabs(g5.e[i][i] - (i < 2 ? 1 : -1)));
    fact_close(worst, 0, 0, "C gamma_mu C^-1 = -gamma_mu^T");
}

/* ---- random propagators, site by site */

enum { EDGE = DENSE_EDGE, SITES = DENSE_SITES };

static void random_propagators(place where)
{
    lattice *l = lattice_create_single((const int[4]){ EDGE, EDGE, EDGE, EDGE });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    baryons *b = baryons_create(u);
    quark_columns *q = quark_columns_create(u, QUARK_COLUMNS_MAX);
    spinor_field v = spinor_field_create(u, 1);
    dense_propagator *s = memory_alloc(SITES * sizeof *s, "propagators");
    dense_random_propagator(q, s, v, 7);
    baryons_contract(b, q);
    double density[SITES * BARYON_REALS];
    field_export(density, baryons_density(b));
    for (int channel = 0; channel < CHANNELS; channel++) {
        double worst = 0, size = 0;
        for (int site = 0; site < SITES; site++) {
            const double *at = density + site * BARYON_REALS + channel / 2 * 2;
            const double want = dense_baryon(s[site], channel >= 2, channel % 2);
            worst = worse(worst, fabs((at[1] + (channel % 2 ? -at[0] : at[0])) / 2 - want));
            size = fmax(size, fabs(want));
        }
        fact_close(worst / size, 0, 1e-13, "%s: %s of random propagators by determinants", place_name(where),
                   lists[channel]);
    }
    memory_free(s);
    spinor_field_free(v);
    quark_columns_free(q);
    baryons_free(b);
    gauge_free(u);
    lattice_free(l);
}

/* ---- free quarks */

static const int *const extents = dense_free_extents;
enum { TIMES = DENSE_FREE_TIMES };

static double contract(const dense_propagator *s, int channel)
{
    return dense_baryon(s[0], channel >= 2, channel % 2);
}

static const free_baryons of_free_quarks = { CHANNELS, 1, { 0.4 }, lists, contract };

/* t from the source at t = 4 goes over the boundary, where quarks are antiperiodic. */
static void in_closed_form(place where)
{
    static const int n[3] = { 1, 0, 1 };
    const free_smearing local = { 4, 1.1, true, false }, both = { 4, 1.1, true, true };
    free_correlators f;
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    yaml_node *tree = wilson_measured(u, "baryons: true, source: [1, 0, 3, 4], random_sources: 0, spectrum: false, "
        "masses: [ { mass: 0.4 } ], momenta: [ { x: 1, z: 1 } ], smearing: { steps: 4, width: 1.1 }");
    const yaml_node *mass = measured_member(tree, "masses")->item[0];
    f = free_baryons_compute(&of_free_quarks, &both, n);
    free_baryons_facts(&of_free_quarks, yaml_get(mass, "smeared"), &f, "smeared sinks");
    f = free_baryons_compute(&of_free_quarks, &local, n);
    free_baryons_facts(&of_free_quarks, mass, &f, "local sinks");
    double reversal = 0;
    for (int t = 1; t < TIMES; t++)
        for (int channel = 0; channel < CHANNELS; channel += 2)
            reversal = worse(reversal, fabs(f.rest[channel][t] - f.rest[channel + 1][TIMES - t]) / f.rest[channel][0]);
    fact_close(reversal, 0, 1e-13, "time reversal exchanges the parities");
    fact(f.rest[0][1] > 0 && f.rest[1][1] > 0 && f.rest[2][1] > 0 && f.rest[3][1] > 0,
         "all correlators are positive at early times");
    fact_close(measured_number(yaml_get(mass, "nucleon_mass")), log(f.rest[0][1] / f.rest[0][2]), 1e-10,
               "%s: the mass of the nucleon from t = 1 and 2", place_name(where));
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

/* ---- random links */

static void gauge_covariance(place where)
{
    static const char *const keys[] = {
        "kind: wilson, c_sw: 1.2, masses: [ { mass: 0.3 } ], baryons: true, residual: 1e-13, random_sources: 0, "
        "spectrum: false, source: [1, 0, 1, 3], momenta: [ { z: 1 } ], smearing: { steps: 3, width: 1, links: ape, "
        "levels: 1 }",
        "kind: domain_wall, action: mobius, Ls: 4, M5: 1.4, b: 1.5, c: 0.5, masses: [ { mass: 0.3 } ], baryons: true, "
        "residual: 1e-13, random_sources: 0, spectrum: false, momenta: [ { z: 1 } ], smearing: { steps: 3, width: 1 }",
    };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *v = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    gauge_copy(v, u);
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(5, 0, 0, RNG_GAUGE_ROTATION));
    gauge_rotate(v, g);
    for (int k = 0; k < 2; k++) {
        yaml_node *tree = measured(u, keys[k]), *rotated = measured(v, keys[k]);
        const yaml_node *smeared = measured_of_mass(tree, 0, "smeared");
        const yaml_node *after = measured_of_mass(rotated, 0, "smeared");
        double worst = 0;
        for (int channel = 0; channel < CHANNELS; channel++) {
            double size = 0, size_smeared = 0;
            for (int t = 0; t < TIMES; t++) {
                size = fmax(size, fabs(measured_item(tree, 0, lists[channel], t)));
                size_smeared = fmax(size_smeared, fabs(measured_number(yaml_get(smeared, lists[channel])->item[t])));
            }
            for (int t = 0; t < TIMES; t++) {
                worst = worse(worst, fabs(measured_item(tree, 0, lists[channel], t)
                                         - measured_item(rotated, 0, lists[channel], t)) / size);
                worst = worse(worst, fabs(measured_number(yaml_get(smeared, lists[channel])->item[t])
                                         - measured_number(yaml_get(after, lists[channel])->item[t])) / size_smeared);
            }
        }
        fact_close(worst, 0, 1e-9, "%s: baryons do not change with the gauge (%.20s)", place_name(where), keys[k]);
        yaml_tree_free(tree);
        yaml_tree_free(rotated);
    }
    gauge_rotation_free(g);
    gauge_free(v);
    gauge_free(u);
    lattice_free(l);
}

static uint64_t digest_baryons(lattice *l, place where)
{
    uint64_t digest = DIGEST64_START;
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    yaml_node *tree = measured(u, "kind: wilson, masses: [ { mass: 0.5 } ], baryons: true, residual: 1e-4, "
                                  "random_sources: 0, spectrum: false, source: [1, 2, 3, 3], momenta: [ { x: 1 } ], "
                                  "smearing: { steps: 2, width: 1 }");
    const yaml_node *smeared = measured_of_mass(tree, 0, "smeared");
    for (int channel = 0; channel < CHANNELS; channel++)
        for (int t = 0; t < 4; t++) {
            const double of[2] = { measured_item(tree, 0, lists[channel], t),
                                   measured_number(yaml_get(smeared, lists[channel])->item[t]) };
            digest = digest64(digest, of, sizeof of);
        }
    yaml_tree_free(tree);
    gauge_free(u);
    return digest;
}

static void refusals(void)
{
#define BARYONS "baryons: true\n"
    const measurement_kind *kind = &wilson_measurement;
    measurement_refused(kind, extents, BARYONS "masses: [ { mass: 1 }, { mass: 0, mu: 0.1 } ]\n", "masses.1: baryons");
    measurement_refused(kind, extents, BARYONS "masses: [ { mass: 1 } ]\ntheta: [0, 1, 0]\n", "theta");
    measurement_refused(kind, extents, BARYONS "masses: [ { mass: 1 } ]\nsource_type: z2_wall\n", "random numbers");
    measurement_refused(&dwf_measurement, extents, BARYONS "action: shamir\nLs: 4\nmasses: [ { mass: 0.1 } ]\n"
                        "correlators: false\n", "baryons need correlators: true");
}

int main(void)
{
    charge_conjugation();
    FOR_EVERY_PLACE(where) {
        random_propagators(where);
        in_closed_form(where);
        gauge_covariance(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_baryons, "baryons");
    }
    refusals();
    return facts_end();
}
