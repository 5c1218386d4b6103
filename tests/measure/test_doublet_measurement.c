/* test_doublet_measurement.c - the measurement "wilson_doublet" on random links against inverses of dense matrices in
 * the basis of the reference, with the definitions of the operators; its limit of equal masses against the measurement
 * "wilson"; random sources; the links turned by parity and charge conjugation; refused inputs. */
#include "src/lattice/rng.h"
#include "src/measure/doublet_measurement.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/measure/dense_doublet.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <math.h>

enum { LINKS = SITES * 4 * 9 };
static const int small[4] = { 2, 2, 2, TIMES };

static void dense(place where)
{
    static const dense_quarks cases[] = {
        { 0, CLOVER_LINEAR, { 0 }, 0.3, 0.4, 0.25, 0.2, 0.1 },
        { 1.3, CLOVER_LINEAR, { 0.4, -0.7, 1.3 }, 0.3, 0.4, -0.3, 0.3, -0.2 },
        { 1.3, CLOVER_EXPONENTIAL, { 0 }, 0.5, 0.3, 0.45, 0.3, 0.05 },
    };
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dense_quarks *q = &cases[i];
        gsl_matrix_complex *heavy = dense_doublet_inverse(u, q), *light = dense_light_inverse(u, q);
        const int origin = SITES_OF_TIME + 2;                                               /* [0, 1, 0, 1] */
        const dense_propagators p = { heavy, light, 1, origin, { 0 } }, both = { heavy, heavy, FLAVORS, origin, { 0 } };
        const double s = q->mu > 0 ? -1 : 1;
        yaml_node *tree = measured_doublet(u, q, "source: [0, 1, 0, 1], heavy: true");
        fact_close(dense_matrix_deviation(measured_of_mass(tree, 1, "heavy_light"), &p), 0, 1e-11,
                   "%s, c_sw %g, mu_delta %g: matrix of heavy-light mesons, dense", place_name(where), q->c_sw,
                   q->mu_delta);
        fact_close(dense_matrix_deviation(yaml_get(measured_member(tree, "doublet"), "heavy_heavy"), &both), 0, 1e-11,
                   "%s: matrix of mesons of the doublet", place_name(where));
        fact_close(dense_meson_deviation(measured_of_mass(tree, 1, "kaon"), &p, dense_light_meson(S, s)), 0, 1e-11,
                   "%s: K", place_name(where));
        fact_close(dense_meson_deviation(measured_of_mass(tree, 1, "d_meson"), &p, dense_light_meson(C, s)), 0, 1e-11,
                   "%s: D", place_name(where));
        fact_close(dense_meson_deviation(yaml_get(measured_member(tree, "doublet"), "d_s_meson"), &both,
                                   dense_heavy_meson(C, S)), 0, 1e-11, "%s: D_s", place_name(where));
        fact(!measured_of_mass(tree, 0, "kaon"), "%s: without a twisted mass there is no maximal twist",
             place_name(where));
        yaml_tree_free(tree);
        gsl_matrix_complex_free(light);
        gsl_matrix_complex_free(heavy);
    }
    gauge_free(u);
    lattice_free(l);
}

/* ---- equal masses: (chi_c +- chi_s)/sqrt 2 are quarks of twisted mass +- mu_sigma */

static double of_doublet(const yaml_node *tree, const char *key)
{
    return measured_number(yaml_get(measured_member(tree, "doublet"), key));
}

static void equal_masses(place where)
{
    const dense_quarks q = { 1.3, CLOVER_LINEAR, { 0 }, 0.3, 0.2, 0, 0.3, 0.1 };
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(8, 0, 0, RNG_TEST));
    yaml_node *tree = measured_doublet(u, &q, "source: [1, 0, 1, 2]");
    fact(of_doublet(tree, "mass") == 0.3 && of_doublet(tree, "kappa") == 1 / 8.6 && of_doublet(tree, "mu_sigma") == 0.2
         && of_doublet(tree, "mu_delta") == 0, "%s: the record has the masses of the doublet", place_name(where));
    yaml_node *one = measured(u, "kind: wilson, residual: 1e-14, random_sources: 0, spectrum: false, c_sw: 1.3, "
                                 "source: [1, 0, 1, 2], bilinears: all, masses: [ { mass: 0.3, mu: 0.1 }, "
                                 "{ mass: 0.3, mu: 0.2 }, { mass: 0.3, mu: -0.2 } ], "
                                 "pairs: [ { quark: 1, antiquark: 0 }, { quark: 2, antiquark: 0 } ]");
    double pions = 0;
    for (int t = 0; t < TIMES; t++)
        pions = worse(pions, fabs(measured_item(tree, 1, "pion", t) - measured_item(one, 0, "pion", t)));
    fact_close(dense_pair_deviation(measured_of_mass(tree, 1, "heavy_light"), one, NULL), 0, 1e-11,
               "%s: mu_delta 0: mesons of two twisted masses of kind wilson", place_name(where));
    fact_close(pions, 0, 0, "%s: pion of the light quark: the bits of kind wilson", place_name(where));
    yaml_tree_free(one);
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

/* ---- systems that are solved together */

static size_t bytes_with(int max_rhs)
{
    run_input in;
    run_from_text(&in, "lattice: [4, 4, 4, 8]\nrandom: { seed: 1 }\n"
                       "monomials: [ { kind: gauge, action: wilson, beta: 6 } ]\n"
                       "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [gauge] } ] }\n"
                       "output: { directory: nowhere }\nmeasurements: [ { kind: wilson_doublet, mass: 0.5, "
                       "mu_sigma: 0.3, mu_delta: 0.2, masses: [ { mass: 0.5 } ], max_rhs: %d } ]\n", max_rhs);
    const lattice_shape shape = lattice_shape_single((const int[4]){ 4, 4, 4, 8 });
    const size_t bytes = measurement_need(run_measurements(&in.p), 0, &shape).shared;
    run_input_free(&in);
    return bytes;
}

static void systems_together(void)
{
    fact(bytes_with(1) == bytes_with(2) && bytes_with(2) == bytes_with(3) && bytes_with(3) < bytes_with(4),
         "at most max_rhs systems are solved together, but at least the 2 of a column: 3 are 2");
}

/* ---- random sources */

static void random_sources(place where)
{
    const dense_quarks q = { 0, CLOVER_LINEAR, { 0 }, 0.5, 0.4, 0.25, 0.4, 0.1 };
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(9, 0, 0, RNG_TEST));
    gsl_matrix_complex *heavy = dense_doublet_inverse(u, &q), *light = dense_light_inverse(u, &q);
    yaml_node *tree = measured_doublet(u, &q, "source: [0, 0, 0, 1], source_type: z2_wall, source_count: 256");
    double mean[HEAVY_OPERATORS][HEAVY_OPERATORS] = { { 0 } }, worst[2] = { 0 };        /* with gamma5 alone, of all */
    for (int j = 0; j < HEAVY_OPERATORS; j++)
        for (int k = 0; k < HEAVY_OPERATORS; k++)
            for (int site = 0; site < SITES_OF_TIME; site++) {
                const dense_propagators p = { heavy, light, 1, SITES_OF_TIME + site, { 0 } };
                const dense_vertex sink = dense_operator_at(j, 1), source = dense_operator_at(k, 1);
                double c[TIMES];
                dense_correlate(c, &p, &sink, &source);
                mean[j][k] += c[1] / SITES_OF_TIME;
            }
    for (int j = 0; j < HEAVY_OPERATORS; j++)
        for (int k = 0; k < HEAVY_OPERATORS; k++)
            for (int all = j < FLAVORS && k < FLAVORS ? 0 : 1; all < 2; all++)
                worst[all] = worse(worst[all], fabs(measured_doublet_item(tree, false, j, k, 1) - mean[j][k])
                                               / sqrt(fabs(mean[j][j] * mean[k][k])));
    fact_close(worst[0], 0, 0.03, "%s: Z2 wall: the mean over point sources", place_name(where));
    fact_close(worst[1], 0, 0.3, "%s: and with scalars, whose correlators are small", place_name(where));
    yaml_tree_free(tree);
    gsl_matrix_complex_free(light);
    gsl_matrix_complex_free(heavy);
    gauge_free(u);
    lattice_free(l);
}

/* ---- links of -x, complex conjugated: the same correlators, so that the parts which are dropped have the mean 0 */

static int site_of(const int x[4])
{
    return ((x[3] * small[2] + x[2]) * small[1] + x[1]) * small[0] + x[0];
}

static void turn_links(double *to, const double *from)
{
    for (int n = 0; n < SITES * 4; n++) {
        const int site = n / 4, mu = n % 4;
        int x[4] = { site % 2, site / 2 % 2, site / 4 % 2, site / 8 };
        for (int i = 0; i < 3; i++)                         /* -x, or for a link in space where it ends */
            x[i] = (2 * small[i] - x[i] - (i == mu)) % small[i];
        const double *link = from + ((ptrdiff_t)site_of(x) * 4 + mu) * 18;
        for (int e = 0; e < 9; e++) {
            const int source = mu < 3 ? e % 3 * 3 + e / 3 : e;
            to[(ptrdiff_t)n * 18 + 2 * e] = link[2 * source];
            to[(ptrdiff_t)n * 18 + 2 * e + 1] = mu < 3 ? link[2 * source + 1] : -link[2 * source + 1];
        }
    }
}

static void turned_links(place where)
{
    const dense_quarks q = { 1.3, CLOVER_LINEAR, { 0.4, -0.7, 1.3 }, 0.3, 0.4, -0.3, 0.3, -0.2 };
    static double links[2 * LINKS], turned[2 * LINKS];
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(10, 0, 0, RNG_TEST));
    gauge_export(links, u);
    yaml_node *tree = measured_doublet(u, &q, "source: [0, 0, 0, 1], heavy: true");
    turn_links(turned, links);
    gauge_import(u, turned);
    yaml_node *other = measured_doublet(u, &q, "source: [0, 0, 0, 1], heavy: true");
    for (int heavy = 0; heavy < 2; heavy++) {
        const int operators = heavy ? HEAVY_OPERATORS * FLAVORS : HEAVY_OPERATORS;
        double worst = 0;
        for (int n = 0; n < operators * operators * TIMES; n++) {
            const int j = n / TIMES / operators, k = n / TIMES % operators, t = n % TIMES;
            worst = worse(worst, fabs(measured_doublet_item(tree, heavy, j, k, t)
                                      - measured_doublet_item(other, heavy, j, k, t)));
        }
        fact_close(worst, 0, 1e-11, "%s: parity and charge conjugation of the links: the same mesons of %s",
                   place_name(where), heavy ? "the doublet" : "light quarks");
    }
    yaml_tree_free(other);
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

static void refused(void)
{
    const measurement_kind *kind = &doublet_measurement;
#define LIGHT "masses: [ { mass: 0.1, mu: 0.1 } ]\n"
    measurement_refused(kind, small, "mass: 0.1\nmu_sigma: 0.2\nmu_delta: 0.2\n" LIGHT, "mu_delta: |mu_delta|");
    measurement_refused(kind, small, "mu_sigma: 0.1\nmu_delta: 0\n" LIGHT, "of the doublet");
    measurement_refused(kind, small, "mass: 0.1\nmu_sigma: 0.1\nmu_delta: 0\nmasses: [ { mu: 0.1 } ]\n", "masses.0");
    measurement_refused(kind, small, "mass: 0.1\nmu_sigma: 0.1\nmu_delta: 0\nmasses: [ { mass: 0 }, { kappa: 0.125 } "
                                     "]\n", "two light masses");
    measurement_refused(kind, small, "mass: 0.1\nmu_sigma: 0.1\nmu_delta: 0\nsource: [0, 2, 0, 0]\n" LIGHT,
                        "outside the lattice");
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        dense(where);
        equal_masses(where);
        random_sources(where);
        turned_links(where);
    }
    systems_together();
    refused();
    return facts_end();
}
