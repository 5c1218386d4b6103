/* test_staggered_mesons.c - the measurement "staggered_mesons": the inverse of the dense operator and its Ward
 * identity, numbers of an independent implementation, changes of gauge, grids of ranks. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_fixing.h"
#include "src/io/configuration.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/measure/staggered_mesons.h"
#include "src/operators/staggered_full.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/measured.h"
#include "tests/measure/staggered_channels.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/milc_quarks.h"

#include <gsl/gsl_complex_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the inverse of the dense operator */

static const int small[4] = { 2, 2, 2, 2 };
enum { SITES = 16, DENSE = SITES * COLORS };

/* (2m + D)^-1 */
static gsl_matrix_complex *dense_inverse(const gauge *u, const staggered_links_params *p, double mass)
{
    staggered_links *links = staggered_links_create(p, u);
    staggered_links_update(links, u);
    staggered_full_op op = staggered_full_operator(links, 0, false);
    vec *like = vec_create(u->links.lattice, ON_ALL, u->links.where, PRECISION_DOUBLE);
    gsl_matrix_complex *a = dense_operator(&op.base, 2 * mass, like), *inverse = dense_invert(a);
    gsl_matrix_complex_free(a);
    vec_free(like);
    staggered_links_free(links);
    return inverse;
}

/* Re Tr G_b(x, y)^+ G_a(x, y), G = 2 M^-1, for every x. */
static void dense_density(double *density, const gsl_matrix_complex *a, const gsl_matrix_complex *b, int y)
{
    for (int x = 0; x < SITES; x++) {
        density[x] = 0;
        for (int i = 0; i < COLORS * COLORS; i++) {
            const size_t row = (size_t)(COLORS * x + i / COLORS), column = (size_t)(COLORS * y + i % COLORS);
            density[x] += 4 * GSL_REAL(gsl_complex_mul(gsl_complex_conjugate(gsl_matrix_complex_get(b, row, column)),
                                                       gsl_matrix_complex_get(a, row, column)));
        }
    }
}

static void dense_quarks(place where)
{
    static const struct { const char *keys; staggered_links_params p; } cases[] = {
        { "action: naive", { .kind = STAGGERED_NAIVE, .u0 = 1, .boundary = 1, .epsilons = 1 } },
        { "action: hisq", { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1 } },
        { "action: asqtad, u0: 0.9, boundary: 0.3",
          { .kind = STAGGERED_ASQTAD, .u0 = 0.9, .boundary = 0.3, .epsilons = 1 } },
    };
    const int source[4] = { 1, 0, 1, 1 }, site = 13;
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_TEST));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char keys[512];
        snprintf(keys, sizeof keys, "kind: staggered_mesons, residual: 1e-13, source: [1, 0, 1, 1], %s, "
                                    "masses: [ { mass: 0.2 }, { mass: 0.7 } ], pairs: [ { quark: 1, antiquark: 0 } ]",
                 cases[c].keys);
        yaml_node *tree = measured(u, keys);
        gsl_matrix_complex *g[2] = { dense_inverse(u, &cases[c].p, 0.2), dense_inverse(u, &cases[c].p, 0.7) };
        double worst = 0, density[SITES], sum = 0, trace = 0;
        for (int meson = 0; meson < 3; meson++) {
            dense_density(density, g[meson > 0], g[meson == 1], site);
            for (int ch = 0; ch < CHANNELS; ch++)
                for (int t = 0; t < small[3]; t++) {
                    const double got = meson < 2 ? measured_item(tree, meson, channels[ch], t)
                                                 : measured_pair_item(tree, 0, channels[ch], t);
                    worst = worse(worst, fabs(got - channel_at(ch, t, density, small, source)));
                }
        }
        fact_close(worst, 0, 1e-10, "%s: { %s }: mesons of both masses and of their pair from the dense inverse",
                   place_name(where), cases[c].keys);
        for (int t = 0; t < small[3]; t++)
            sum += measured_item(tree, 1, "pion", t);
        for (int color = 0; color < COLORS; color++)
            trace += 2 * GSL_REAL(gsl_matrix_complex_get(g[1], (size_t)(COLORS * site + color),
                                                         (size_t)(COLORS * site + color)));
        fact_close(0.7 * sum, trace, 1e-11, "%s: { %s }: Ward identity m sum C(t) = Re Tr G(0, 0)", place_name(where),
                   cases[c].keys);
        gsl_matrix_complex_free(g[0]);
        gsl_matrix_complex_free(g[1]);
        yaml_tree_free(tree);
    }
    gauge_free(u);
    lattice_free(l);
}

/* Random sources estimate the mean over the point sources of their sites: within 4 errors, from the scatter over runs
 * with few sources.  A wrong number of sites or norm is a factor 2 at least. */
static void random_sources(place where)
{
    enum { RUNS = 24 };
    static const struct { const char *name; int channels; bool corners; } kinds[] = { { "z2_wall", 1, false },
                                                                                     { "z2_corners", 4, true } };
    const staggered_links_params naive = { .kind = STAGGERED_NAIVE, .u0 = 1, .boundary = 1, .epsilons = 1 };
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_TEST));
    gsl_matrix_complex *g = dense_inverse(u, &naive, 0.4);
    for (int k = 0; k < 2; k++) {
        double sum[CHANNELS][2] = { 0 }, squares[CHANNELS][2] = { 0 };
        for (int run = 0; run < RUNS; run++) {
            char keys[512];
            snprintf(keys, sizeof keys, "kind: staggered_mesons, action: naive, source: [0, 1, 0, 1], source_type: %s, "
                                        "source_count: %d, masses: [ { mass: 0.4 } ]", kinds[k].name, 4 + run);
            yaml_node *tree = measured_with_seed(u, keys, 100 + run);
            for (int ch = 0; ch < kinds[k].channels; ch++)
                for (int t = 0; t < 2; t++) {
                    const double c = measured_item(tree, 0, channels[ch], t);
                    sum[ch][t] += c / RUNS;
                    squares[ch][t] += c * c / RUNS;
                }
            yaml_tree_free(tree);
        }
        for (int ch = 0; ch < kinds[k].channels; ch++)
            for (int t = 0; t < 2; t++) {
                double exact = 0, density[SITES];
                int sites = 0;
                for (int y = 8; y < SITES; y++) {                           /* those of t = 1 */
                    const int at[4] = { y & 1, y >> 1 & 1, y >> 2 & 1, 1 };
                    if (kinds[k].corners && (at[0] != 0 || at[1] != 1 || at[2] != 0))
                        continue;
                    dense_density(density, g, g, y);
                    exact += channel_at(ch, t, density, small, at);
                    sites++;
                }
                exact /= sites;
                const double error = sqrt((squares[ch][t] - sum[ch][t] * sum[ch][t]) / (RUNS - 1));
                fact(fabs(sum[ch][t] - exact) < 4 * error + 1e-8 && error < 0.15 * fabs(exact) + 0.02,
                     "%s: %s: %s(%d) within its error (%g +- %g, exact %g)", place_name(where), kinds[k].name,
                     channels[ch], t, sum[ch][t], error, exact);
            }
    }
    gsl_matrix_complex_free(g);
    gauge_free(u);
    lattice_free(l);
}

/* Walls at different times have noise of their own: free quarks, whose correlators from all times are the same for the
 * same noise. */
static void walls_in_time(place where)
{
    lattice *l = lattice_create_single((const int[]){ 4, 4, 4, 4 });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    static const char *const walls[] = { "z2_wall", "z2_corners" };
    for (int k = 0; k < 2; k++) {
        double pion[4], apart = INFINITY;
        for (int t = 0; t < 4; t++) {
            char keys[256];
            snprintf(keys, sizeof keys, "kind: staggered_mesons, action: naive, source: [0, 0, 0, %d], "
                                        "source_type: %s, source_count: 1, masses: [ { mass: 0.1 } ]", t, walls[k]);
            yaml_node *tree = measured(u, keys);
            pion[t] = measured_item(tree, 0, "pion", 1);
            for (int s = 0; s < t; s++)
                apart = fmin(apart, fabs(pion[t] / pion[s] - 1));
            yaml_tree_free(tree);
        }
        fact(apart > 1e-5, "%s: %s at different times have different noise (%g)", place_name(where), walls[k], apart);
    }
    gauge_free(u);
    lattice_free(l);
}

/* The residual of a mass is that of its own solves, also where masses have different links. */
static void residuals(place where)
{
#define OWN "kind: staggered_mesons, residual: 1e-7, source: [1, 0, 1, 1], masses: "
    static const char *const masses[3] = { "{ mass: 0.1 }", "{ mass: 0.7, naik_epsilon: -0.2 }",
                                           "{ mass: 0.4, naik_epsilon: 0.1 }" };
    lattice *l = lattice_create_single((const int[]){ 4, 4, 4, 4 });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    char keys[512];
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_TEST));
    snprintf(keys, sizeof keys, OWN "[ %s, %s, %s ]", masses[0], masses[1], masses[2]);
    yaml_node *all = measured(u, keys);
    for (int m = 0; m < 3; m++) {
        snprintf(keys, sizeof keys, OWN "[ %s ]", masses[m]);
        yaml_node *alone = measured(u, keys);
        const double residual = measured_real(alone, 0, "residual");
        fact(residual > 0 && residual <= 1e-7 && measured_real(all, m, "residual") == residual,
             "%s: %s has the residual that it has alone (%g, %g)", place_name(where), masses[m], residual,
             measured_real(all, m, "residual"));
        yaml_tree_free(alone);
    }
    yaml_tree_free(all);
    gauge_free(u);
    lattice_free(l);
#undef OWN
}

/* ---- numbers of an independent implementation: sum |(2m + D)^-1|^2, m = 0.1, point source at the origin */

static void golden_pions(place where)
{
    static const char *const actions[] = { "naive", "hisq" };
    static const double golden[2][4] = {
        { 0.5106322691208356, 0.34102921874088277, 0.18502947212323695, 0.36228527890593754 },
        { 0.2036283627043643, 0.11393599018087484, 0.011741149381180045, 0.11771223946228015 },
    };
    char path[1024];
    configuration_facts facts;
    failure f;
    snprintf(path, sizeof path, "%s/conf/l4444.proj64.ildg", reference_folder());
    gauge *u = configuration_read(where, &facts, path, &f);
    require(u != NULL, "%s", f.why);
    for (int a = 0; a < 2; a++) {
        char keys[256];
        double worst = 0;
        snprintf(keys, sizeof keys, "kind: staggered_mesons, residual: 1e-13, action: %s, masses: [ { mass: 0.1 } ]",
                 actions[a]);
        yaml_node *tree = measured(u, keys);
        for (int t = 0; t < 4; t++)
            worst = worse(worst, fabs(measured_item(tree, 0, "pion", t) / (4 * golden[a][t]) - 1));
        fact_close(worst, 0, 1e-10, "%s: pion of %s quarks on l4444, relative", place_name(where), actions[a]);
        yaml_tree_free(tree);
    }
    lattice *l = u->links.lattice;
    gauge_free(u);
    lattice_free(l);
}

/* ---- changes of gauge */

static double largest_difference(const yaml_node *a, const yaml_node *b, int count, int times)
{
    double worst = 0;
    for (int ch = 0; ch < count; ch++)
        for (int t = 0; t < times; t++)
            worst = worse(worst, fabs(measured_item(a, 0, channels[ch], t) - measured_item(b, 0, channels[ch], t))
                         / measured_item(a, 0, "pion", t));
    return worst;
}

/* Links in Coulomb's gauge: the search there finds unit rotations, so that its walls are plain ones. */
static void change_of_gauge(place where)
{
    static const int extents[4] = { 4, 2, 2, 4 };
    static const char *const walls[] = { "corner_wall", "even_wall", "wall" };
    static const int count[] = { 4, 2, 1 };
    const gauge_fixing_params coulomb = { GAUGE_COULOMB, 1e-26, 1.7, 20000 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *v = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(8, 0, 0, RNG_TEST));
    gauge_copy(v, u);
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(8, 0, 0, RNG_GAUGE_ROTATION));
    gauge_rotate(v, g);
    static const char point[] = "kind: staggered_mesons, residual: 1e-13, source: [1, 1, 0, 2], "
                                "masses: [ { mass: 0.3 } ]";
    yaml_node *a = measured(u, point), *b = measured(v, point);
    fact_close(largest_difference(a, b, CHANNELS, extents[3]), 0, 1e-10, "%s: point source, after a change of gauge",
               place_name(where));
    yaml_tree_free(a);
    yaml_tree_free(b);
    gauge_rotation *to_coulomb = gauge_rotation_create_unit(l, where, PRECISION_DOUBLE);
    fact(gauge_fixing_search(to_coulomb, u, &coulomb).converged, "Coulomb's gauge");
    gauge_copy(v, u);
    gauge_rotate(v, to_coulomb);
    for (int k = 0; k < 3; k++) {
        char keys[512];
        snprintf(keys, sizeof keys, "kind: staggered_mesons, residual: 1e-13, gauge_quality: 1e-22, "
                                    "source: [1, 1, 0, 2], source_type: %s, masses: [ { mass: 0.3 } ]", walls[k]);
        yaml_node *rotated_source = measured(u, keys), *fixed_links = measured(v, keys);
        fact_close(largest_difference(rotated_source, fixed_links, count[k], extents[3]), 0, 1e-8,
                   "%s: %s: links as they are, and links in Coulomb's gauge", place_name(where), walls[k]);
        fact(measured_number(yaml_get(measured_member(fixed_links, "gauge_fixing"), "theta")) < 1e-22,
             "%s: the record has the quality of the gauge", walls[k]);
        yaml_tree_free(rotated_source);
        yaml_tree_free(fixed_links);
    }
    gauge_rotation_free(g);
    gauge_rotation_free(to_coulomb);
    gauge_free(u);
    gauge_free(v);
    lattice_free(l);
}

/* ---- the same bits everywhere; keys */

static uint64_t digest_mesons(lattice *l, place where)
{
    static const char *const sources[] = { "point", "corner_wall, gauge_quality: 1e-3", "z2_corners" };
    uint64_t digest = DIGEST64_START;
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
    for (int s = 0; s < 3; s++) {
        char keys[512];
        snprintf(keys, sizeof keys, "kind: staggered_mesons, residual: 1e-6, source: [1, 2, 3, 1], source_type: %s, "
                                    "masses: [ { mass: 1 }, { mass: 2, naik_epsilon: 0.1 } ], "
                                    "pairs: [ { quark: 0, antiquark: 1 } ]", sources[s]);
        yaml_node *tree = measured(u, keys);
        for (int ch = 0; ch < CHANNELS; ch++)
            for (int t = 0; t < lattice_global(l)[3]; t++) {
                const double c[3] = { measured_item(tree, 0, channels[ch], t), measured_item(tree, 1, channels[ch], t),
                                      measured_pair_item(tree, 0, channels[ch], t) };
                require(isfinite(c[0] + c[1] + c[2]), "%s: no correlators", sources[s]);
                digest = digest64(digest, c, sizeof c);
            }
        yaml_tree_free(tree);
    }
    gauge_free(u);
    return digest;
}

static void keys_and_faults(void)
{
    const measurement_kind *kind = &staggered_mesons_measurement;
    measurement_refused(kind, small, "masses: [ { mass: 0.1 } ]\nsource: [0, 2, 0, 0]\n", "outside the lattice");
    measurement_refused(kind, small, "masses: [ { mass: 0.1 } ]\npairs: [ { quark: 0, antiquark: 1 } ]\n",
                        "pairs.0: there is no mass number 1; the last of the list of masses is 0");
    measurement_refused(kind, small,
                        "masses: [ { mass: 0.1 }, { mass: 0.2 } ]\npairs: [ { quark: 1, antiquark: 1 } ]\n",
                        "the mesons of one mass need no pair");
    measurement_refused(kind, small, "masses: [ { mass: 0.1 }, { mass: 0.2 } ]\n"
                                     "pairs: [ { quark: 1, antiquark: 0 }, { quark: 0, antiquark: 1 } ]\n",
                        "pairs.1: has the same quarks as pairs.0");
    measurement_refused(kind, small, "action: naive\nmasses: [ { mass: 0.1, naik_epsilon: auto } ]\n",
                        "naik_epsilon is allowed only with action hisq");
}

int main(void)
{
    const char *why_not = milc_why_not();
    FOR_EVERY_PLACE(where) {
        dense_quarks(where);
        random_sources(where);
        walls_in_time(where);
        residuals(where);
        change_of_gauge(where);
        same_on_grids_with_hops(where, (const int[]){ 8, 8, 8, 8 }, GRID_HOPS_MOST, digest_mesons, "all correlators");
        if (!why_not)
            golden_pions(where);
    }
    keys_and_faults();
    if (why_not)
        skip("pions on l4444", why_not);
    return facts_end();
}
