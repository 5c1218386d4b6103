/* test_doublet_momenta.c - momenta of the measurement "wilson_doublet": mesons on random links against inverses of
 * dense matrices; the limit of equal masses against the measurement "wilson", at local and smeared sinks; the same bits
 * on all ranks; refused inputs. */
#include "src/base/checksum.h"
#include "src/lattice/rng.h"
#include "src/measure/doublet_measurement.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/dense_doublet.h"
#include "tests/on_every_backend.h"

#include <math.h>

static const int small[4] = { 2, 2, 2, TIMES };

/* Item k of a list; NULL where there is none. */
static const yaml_node *item_at(const yaml_node *list, int k)
{
    return list && k < list->count ? list->item[k] : NULL;
}

static const yaml_node *of_doublet(const yaml_node *tree, const char *key)
{
    return yaml_get(measured_member(tree, "doublet"), key);
}

static void dense(place where)
{
    static const int momenta[][3] = { { 1, 0, 0 }, { 0, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 } };
    const dense_quarks q = { 1.3, CLOVER_LINEAR, { 0 }, 0.5, 0.4, -0.3, 0.4, -0.2 };
    const int origin = SITES_OF_TIME + 2;                                                   /* [0, 1, 0, 1] */
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    gsl_matrix_complex *heavy = dense_doublet_inverse(u, &q), *light = dense_light_inverse(u, &q);
    yaml_node *tree = measured_doublet(u, &q, "source: [0, 1, 0, 1], heavy: true, momenta: [ { x: 1 }, { y: 1, z: 1 }, "
                                              "{ x: 1, y: 1, z: 1 }, { x: 0 } ]");
    for (int k = 0; k < 4; k++) {
        const int *n = momenta[k];
        const dense_propagators p = { heavy, light, 1, origin, { n[0], n[1], n[2] } };
        const dense_propagators both = { heavy, heavy, FLAVORS, origin, { n[0], n[1], n[2] } };
        fact_close(dense_matrix_deviation(item_at(measured_of_mass(tree, 1, "heavy_light_momenta"), k), &p), 0, 1e-11,
                   "%s, p = (%d, %d, %d): matrix of heavy-light mesons, dense", place_name(where), n[0], n[1], n[2]);
        fact_close(dense_matrix_deviation(item_at(of_doublet(tree, "heavy_heavy_momenta"), k), &both), 0, 1e-11,
                   "%s: matrix of mesons of the doublet", place_name(where));
        fact_close(dense_meson_deviation(item_at(measured_of_mass(tree, 1, "kaon_momenta"), k), &p,
                                         dense_light_meson(S, 1)), 0, 1e-11, "%s: K", place_name(where));
        fact_close(dense_meson_deviation(item_at(measured_of_mass(tree, 1, "d_meson_momenta"), k), &p,
                                         dense_light_meson(C, 1)), 0, 1e-11, "%s: D", place_name(where));
        fact_close(dense_meson_deviation(item_at(of_doublet(tree, "d_s_meson_momenta"), k), &both,
                                         dense_heavy_meson(C, S)), 0, 1e-11, "%s: D_s", place_name(where));
    }
    fact(!measured_of_mass(tree, 0, "kaon_momenta") && measured_of_mass(tree, 0, "heavy_light_momenta"),
         "%s: without a twisted mass there is no maximal twist", place_name(where));
    yaml_tree_free(tree);
    gsl_matrix_complex_free(light);
    gsl_matrix_complex_free(heavy);
    gauge_free(u);
    lattice_free(l);
}

/* ---- equal masses: (chi_c +- chi_s)/sqrt 2 are quarks of twisted mass +- mu_sigma */

#define KEYS "source: [1, 0, 1, 2], smearing: { steps: 3, width: 1.2 }, " \
             "momenta: [ { x: 1 }, { x: 1, y: 1 }, { x: -1, z: 1 }, { x: 2 } ]"
enum { MOMENTA = 4 };

/* Member `key` of a mass or a pair, or of its smeared sinks. */
static const yaml_node *at_sink(const yaml_node *of, bool smeared, const char *key)
{
    const yaml_node *at = smeared ? yaml_get(of, "smeared") : of;
    return at ? yaml_get(at, key) : NULL;
}

/* For one momentum: the largest difference of the mesons of two twisted masses, relative to momentum 0. */
static double equal_mesons(const yaml_node *doublet, const yaml_node *pairs, bool smeared, int k)
{
    double worst = 0;
    for (int n = 0; n < 4 * TIMES; n++) {
        const bool scalar = n / 2 % 2;
        const int t = n / 4;
        const yaml_node *matrix = at_sink(doublet, smeared, "heavy_light_momenta")->item[k], *pair = pairs->item[n % 2];
        const yaml_node *scalars = at_sink(pair, smeared, "bilinears");
        const yaml_node *list = scalar ? yaml_get(scalars, "scalar_momenta") : at_sink(pair, smeared, "pion_momenta");
        const yaml_node *rest = scalar ? yaml_get(scalars, "scalar") : at_sink(pair, smeared, "pion");
        worst = worse(worst, fabs((dense_pair_item(matrix, scalar, n % 2 ? -1 : 1, t)
                                   - measured_number(list->item[k]->item[t])) / measured_number(rest->item[t])));
    }
    return worst;
}

static void equal_masses(place where)
{
    const dense_quarks q = { 1.3, CLOVER_LINEAR, { 0 }, 0.3, 0.2, 0, 0.3, 0.1 };
    lattice *l = lattice_create_single((const int[]){ 4, 4, 2, TIMES });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(8, 0, 0, RNG_TEST));
    yaml_node *tree = measured_doublet(u, &q, KEYS);
    yaml_node *one = measured(u, "kind: wilson, residual: 1e-14, random_sources: 0, spectrum: false, c_sw: 1.3, "
                                 "bilinears: all, masses: [ { mass: 0.3, mu: 0.1 }, { mass: 0.3, mu: 0.2 }, "
                                 "{ mass: 0.3, mu: -0.2 } ], " KEYS ", "
                                 "pairs: [ { quark: 1, antiquark: 0 }, { quark: 2, antiquark: 0 } ]");
    const yaml_node *doublet = measured_member(tree, "masses")->item[1];
    const yaml_node *light = measured_member(one, "masses")->item[0];
    for (int n = 0; n < 2 * MOMENTA; n++) {
        const int k = n / 2, smeared = n % 2;
        const yaml_node *pion = at_sink(doublet, smeared, "pion_momenta")->item[k];
        const yaml_node *same = at_sink(light, smeared, "pion_momenta")->item[k];
        double pions = 0;
        for (int t = 0; t < TIMES; t++)
            pions = worse(pions, fabs(measured_number(pion->item[t]) - measured_number(same->item[t])));
        fact_close(equal_mesons(doublet, measured_member(one, "pairs"), smeared, k), 0, 1e-11, "%s, momentum %d, %s "
                   "sinks, mu_delta 0: mesons of two twisted masses of kind wilson", place_name(where), k,
                   smeared ? "smeared" : "local");
        fact_close(pions, 0, 0, "%s: pion of the light quark: the bits of kind wilson", place_name(where));
    }
    yaml_tree_free(one);
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

/* ---- ranks */

static uint64_t digest_measured(lattice *l, place where)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    yaml_node *tree = measured(u, "kind: wilson_doublet, residual: 1e-6, mass: 0.5, mu_sigma: 0.4, mu_delta: 0.3, "
                                  "masses: [ { mass: 0.4, mu: 0.2 } ], heavy: true, source: [3, 1, 0, 2], "
                                  "momenta: [ { x: 1 }, { y: 1, z: -1 } ]");
    const uint64_t digest = measured_digest(tree, DIGEST64_START);
    yaml_tree_free(tree);
    gauge_free(u);
    return digest;
}

static void refused(void)
{
    const measurement_kind *kind = &doublet_measurement;
#define QUARKS "mass: 0.1\nmu_sigma: 0.2\nmu_delta: 0.1\nmasses: [ { mass: 0.1, mu: 0.1 } ]\n"
    measurement_refused(kind, small, QUARKS "momenta: [ { x: 2 } ]\n", "beyond half of the extent");
    measurement_refused(kind, small, QUARKS "momenta: [ { x: 1 }, { x: -1 } ]\n", "or opposite");
    measurement_refused(kind, small, QUARKS "source_type: z2_wall\nmomenta: [ { x: 1 } ]\n", "source_type: point");
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        dense(where);
        equal_masses(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_measured, "mesons of a doublet with momenta");
    }
    refused();
    return facts_end();
}
