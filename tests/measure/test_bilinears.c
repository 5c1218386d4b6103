/* test_bilinears.c - mesons with all products of gamma matrices: random propagators with dense matrices, free quarks in
 * closed form with momenta, smearing and two masses, and ranks. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/rng.h"
#include "src/measure/bilinears.h"
#include "src/measure/dwf_measurement.h"
#include "src/measure/wilson_measurement.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/dense_baryons.h"
#include "tests/measure/free_wilson.h"
#include "tests/measure/wilson_measured.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SPINS = DENSE_SPINS, COLORS = 3, TIME = 3, FIVE = 4 };

static dense_spins dagger(dense_spins a)
{
    dense_spins c;
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k < SPINS; k++)
            c.e[i][k] = conj(a.e[k][i]);
    return c;
}

/* Gamma of a name, by the letters of its directions. */
static dense_spins gamma_named(const char *name)
{
    static const char letters[] = "xyzt";
    const char *under = strchr(name, '_');
    dense_spins g = dense_product(dense_gamma(TIME), dense_gamma(TIME));
    for (const char *s = under ? under + 1 : ""; *s; s++)
        g = dense_product(g, dense_gamma((int)(strchr(letters, *s) - letters)));
    return name[0] == 'a' || name[0] == 'p' ? dense_product(g, dense_gamma(FIVE)) : g;
}

/* - Tr Gamma S Gammabar gamma5 Q^+ gamma5 of matrices of spin */
static double complex trace_of(dense_spins gamma, dense_spins s, dense_spins q)
{
    const dense_spins t = dense_gamma(TIME), five = dense_gamma(FIVE);
    const dense_spins bar = dense_product(dense_product(t, dagger(gamma)), t);
    const dense_spins quark = dense_product(dense_product(gamma, s), bar);
    const dense_spins all = dense_product(quark, dense_product(dense_product(five, dagger(q)), five));
    double complex sum = 0;
    for (int i = 0; i < SPINS; i++)
        sum -= all.e[i][i];
    return sum;
}

/* ---- random propagators, site by site */

enum { EDGE = DENSE_EDGE, SITES = DENSE_SITES };

/* The matrix of spins of two colors. */
static dense_spins colors_of(const dense_propagator s, int a, int b)
{
    dense_spins m;
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k < SPINS; k++)
            m.e[i][k] = s[COLORS * i + a][COLORS * k + b];
    return m;
}

static void random_propagators(place where)
{
    lattice *l = lattice_create_single((const int[4]){ EDGE, EDGE, EDGE, EDGE });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    bilinears *b = bilinears_create(BILINEARS_ALL, u);
    quark_columns *quark = quark_columns_create(u, DENSE_SPINOR), *antiquark = quark_columns_create(u, DENSE_SPINOR);
    spinor_field v = spinor_field_create(u, 1);
    dense_propagator *s = memory_alloc(2 * SITES * sizeof *s, "propagators"), *q = s + SITES;
    double density[SITES * MESON_TERMS_MAX];
    dense_random_propagator(quark, s, v, 7);
    dense_random_propagator(antiquark, q, v, 8);
    bilinears_contract(b, quark, antiquark);
    field_export(density, bilinears_density(b));
    for (int n = 0; n < MESON_TERMS_MAX; n++) {
        double worst = 0, size = 0;
        for (int site = 0; site < SITES; site++) {
            double want = 0;
            for (int colors = 0; colors < COLORS * COLORS; colors++)
                want += creal(trace_of(gamma_named(bilinear_names[n]),
                                       colors_of(s[site], colors / COLORS, colors % COLORS),
                                       colors_of(q[site], colors / COLORS, colors % COLORS)));
            worst = worse(worst, fabs(density[site * MESON_TERMS_MAX + n] - want));
            size = fmax(size, fabs(want));
        }
        fact_close(worst / size, 0, 1e-13, "%s: %s of random propagators", place_name(where), bilinear_names[n]);
    }
    memory_free(s);
    spinor_field_free(v);
    quark_columns_free(quark);
    quark_columns_free(antiquark);
    bilinears_free(b);
    gauge_free(u);
    lattice_free(l);
}

/* ---- free quarks */

static const int extents[4] = { 4, 2, 4, 6 };
enum { SPACE = 32, TIMES = 6 };

static dense_spins free_spins(double mass, const free_smearing *by, const int wave[3], int t)
{
    double complex part[FREE_PARTS];
    dense_spins s;
    free_wilson_quark(part, mass, by, wave, extents, t);
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k < SPINS; k++) {
            s.e[i][k] = i == k ? part[0] : 0;
            for (int mu = 0; mu < 4; mu++)
                s.e[i][k] -= I * part[1 + mu] * dense_gamma(mu).e[i][k];
        }
    return s;
}

/* The mean of the momenta 2 pi n / L and -2 pi n / L. */
static double free_meson(const char *name, double mass, double other, const free_smearing *by, const int n[3], int t)
{
    double sum = 0;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int x = 0; x < SPACE; x++) {
            const int p[3] = { x % extents[0], x / extents[0] % extents[1], x / extents[0] / extents[1] };
            const int q[3] = { p[0] + sign * n[0], p[1] + sign * n[1], p[2] + sign * n[2] };
            sum += COLORS * creal(trace_of(gamma_named(name), free_spins(mass, by, q, t), free_spins(other, by, p, t)))
                   / (2 * SPACE);
        }
    return sum;
}

static double worst_of(const yaml_node *object, double other, const free_smearing *by)
{
    static const int n[3] = { 1, 0, -1 }, rest[3] = { 0, 0, 0 };
    double worst = object && object->count == 2 * MESON_TERMS_MAX ? 0 : INFINITY;
    for (int k = 0; worst < INFINITY && k < MESON_TERMS_MAX; k++) {
        const char *name = bilinear_names[k];
        char moving[32];
        snprintf(moving, sizeof moving, "%s_momenta", name);
        for (int t = 0; t < TIMES; t++) {
            const double size = free_meson("pseudoscalar", 0.3, other, by, rest, t);
            const double zero = measured_number(yaml_get(object, name)->item[t]);
            const double one = measured_number(yaml_get(object, moving)->item[0]->item[t]);
            worst = worse(worst, fabs(zero - free_meson(name, 0.3, other, by, rest, t)) / size);
            worst = worse(worst, fabs(one - free_meson(name, 0.3, other, by, n, t)) / size);
        }
    }
    return worst;
}

static double worst_vector(const yaml_node *object)
{
    const yaml_node *all = yaml_get(object, "bilinears"), *vector = yaml_get(object, "vector");
    double worst = all && vector ? 0 : INFINITY;
    for (int t = 0; worst < INFINITY && t < TIMES; t++) {
        double mean = 0;
        for (int i = 0; i < 3; i++)
            mean += measured_number(yaml_get(all, bilinear_names[i])->item[t]) / 3;
        worst = worse(worst, fabs(measured_number(vector->item[t]) - mean) / fabs(mean));
    }
    return worst;
}

static double worst_pion(const yaml_node *object)
{
    const yaml_node *five = yaml_get(yaml_get(object, "bilinears"), "pseudoscalar"), *pion = yaml_get(object, "pion");
    double worst = five && pion ? 0 : INFINITY;
    for (int t = 0; worst < INFINITY && t < pion->count; t++)
        worst = worse(worst, fabs(measured_number(five->item[t]) / measured_number(pion->item[t]) - 1));
    return worst;
}

static void compare(const yaml_node *object, double other, const free_smearing *by, const char *what)
{
    fact_close(worst_of(yaml_get(object, "bilinears"), other, by), 0, 1e-11,
               "%s: all 16 of free quarks, at rest and moving", what);
    fact_close(worst_vector(object), 0, 1e-12, "%s: the vector meson is the mean of gamma_x, gamma_y, gamma_z", what);
    fact_close(worst_pion(object), 0, 1e-12, "%s: gamma5 is the pion", what);
}

/* t from the source at t = 4 goes over the boundary. */
static void free_mesons(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    yaml_node *tree = wilson_measured(u, "bilinears: all, source: [3, 1, 2, 4], random_sources: 0, spectrum: false, "
        "masses: [ { mass: 0.3 }, { mass: 0.5 } ], pairs: [ { quark: 0, antiquark: 1 } ], "
        "momenta: [ { x: 1, z: -1 } ], smearing: { steps: 4, width: 1.1 }");
    const free_smearing local = { 4, 1.1, true, false }, both = { 4, 1.1, true, true };
    const yaml_node *mass = measured_member(tree, "masses")->item[0], *pair = measured_member(tree, "pairs")->item[0];
    compare(mass, 0.3, &local, "local sinks");
    compare(yaml_get(mass, "smeared"), 0.3, &both, "smeared sinks");
    compare(pair, 0.5, &local, "two masses");
    compare(yaml_get(pair, "smeared"), 0.5, &both, "two masses, smeared sinks");
    fact(measured_item(tree, 0, "vector", 1) > 0, "%s: the vector correlator is positive", place_name(where));
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

/* ---- random links */

static void random_links(place where)
{
    static const char *const keys[] = {
        "kind: wilson, c_sw: 1.2, bilinears: all, masses: [ { mass: 0.5, mu: 0.1 }, { mass: 0.8 } ], residual: 1e-6, "
        "pairs: [ { quark: 0, antiquark: 1 } ], random_sources: 0, spectrum: false, smearing: { steps: 2, width: 1 }",
        "kind: domain_wall, action: mobius, Ls: 4, M5: 1.4, b: 1.5, c: 0.5, bilinears: all, masses: [ { mass: 0.3 } ], "
        "residual: 1e-6, random_sources: 0, spectrum: false, smearing: { steps: 2, width: 1 }",
    };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    for (int k = 0; k < 2; k++) {
        yaml_node *tree = measured(u, keys[k]);
        const yaml_node *mass = measured_member(tree, "masses")->item[0], *pairs = measured_member(tree, "pairs");
        fact_close(fmax(worst_pion(mass), worst_pion(yaml_get(mass, "smeared"))), 0, 1e-12,
                   "%s: %.20s: gamma5 is the pion on random links", place_name(where), keys[k]);
        if (pairs)
            fact_close(fmax(worst_pion(pairs->item[0]), worst_pion(yaml_get(pairs->item[0], "smeared"))), 0, 1e-12,
                       "%s: that of two masses", place_name(where));
        yaml_tree_free(tree);
    }
    gauge_free(u);
    lattice_free(l);
}

static uint64_t digest_bilinears(lattice *l, place where)
{
    uint64_t digest = DIGEST64_START;
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    yaml_node *tree = measured(u, "kind: wilson, masses: [ { mass: 0.5 }, { mass: 0.9 } ], bilinears: all, "
                                  "residual: 1e-4, random_sources: 0, spectrum: false, source: [1, 2, 3, 3], "
                                  "pairs: [ { quark: 0, antiquark: 1 } ]");
    const yaml_node *pair = measured_member(tree, "pairs")->item[0];
    for (int n = 0; n < MESON_TERMS_MAX; n++)
        for (int t = 0; t < 4; t++) {
            const double one = measured_number(yaml_get(yaml_get(pair, "bilinears"), bilinear_names[n])->item[t]);
            digest = digest64(digest, &one, sizeof one);
        }
    yaml_tree_free(tree);
    gauge_free(u);
    return digest;
}

static void refusals(void)
{
#define BILINEARS "bilinears: vector\nmasses: [ { mass: 0.1 } ]\n"
    measurement_refused(&wilson_measurement, extents, BILINEARS "source_type: z2_wall\n", "random numbers");
    measurement_refused(&wilson_measurement, extents, BILINEARS "correlators: false\n", "bilinears need correlators");
    measurement_refused(&dwf_measurement, extents, BILINEARS "action: shamir\nLs: 4\nsource_type: z2_wall\n",
                        "bilinears need a source");
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        random_propagators(where);
        free_mesons(where);
        random_links(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_bilinears, "bilinears");
    }
    refusals();
    return facts_end();
}
