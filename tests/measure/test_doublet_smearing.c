/* test_doublet_smearing.c - smeared sources and sinks of the measurement "wilson_doublet": mesons on random links
 * against inverses of dense matrices whose rows and columns plain loops smear, of point sources and of random ones; the
 * limits without smearing and of equal masses; gauge rotations; the same bits on all ranks; refused inputs. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/doublet_measurement.h"
#include "src/measure/meson_sources.h"
#include "src/operators/ape.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/dense_doublet.h"
#include "tests/measure/plain_smearing.h"
#include "tests/on_every_backend.h"

#include <gsl/gsl_complex_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const int small[4] = { 2, 2, 2, TIMES };
enum { ORIGIN = SITES_OF_TIME + 2 };                         /* site [0, 1, 0, 1] */
static const dense_quarks twisted = { 1.3, CLOVER_LINEAR, { 0 }, 0.5, 0.4, -0.3, 0.4, -0.2 };

/* ---- dense propagators from the columns of a source */

typedef double complex dense_spinor[DENSE];

/* Column c of the source, in place of the spinor that is 1 in component c of the origin alone. */
typedef struct { dense_spinor column[SPINOR]; } dense_source;

static void point_source(dense_source *x)
{
    memset(x, 0, sizeof *x);
    for (int c = 0; c < SPINOR; c++)
        x->column[c][SPINOR * ORIGIN + c] = 1;
}

/* A random source without smearing, of each chirality in one column. */
static void random_source(dense_source *x, const gauge *u)
{
    const meson_source_params p = { .kind = SOURCE_Z2_WALL, .point = { 0, 1, 0, 1 }, .count = 1 };
    const rng_key key = measurement_key(&(measurement_point){ 7, 0, 3 }, "wilson_doublet");
    spinor_field eta = spinor_field_create(u, 1);
    dense_spinor numbers;
    meson_source_set(eta.even, eta.odd, &p, NULL, 0, key);
    dense_numbers(numbers, eta);
    memset(x, 0, sizeof *x);
    for (int i = 0; i < DENSE; i++)
        x->column[i % SPINOR < SPINOR / 2 ? 0 : SPINOR / 2][i] = numbers[i];
    spinor_field_free(eta);
}

/* The column of m, or of m^+, that belongs to a column of the source in flavor f0; each flavor is smeared by `sink`
 * (NULL: not). */
static void solve_column(double complex *out, const gsl_matrix_complex *m, bool dagger, int f0,
                         const double complex *source, const plain_smearing *sink)
{
    const int rows = (int)m->size1;
    for (int i = 0; i < rows; i++) {
        out[i] = 0;
        for (int j = 0; j < DENSE; j++)
            if (source[j] != 0)
                out[i] += source[j] * (dagger ? conj(dense_at(m, DENSE * f0 + j, i)) : dense_at(m, i, DENSE * f0 + j));
    }
    for (int f = 0; sink && f < rows / DENSE; f++)
        plain_smear(out + DENSE * f, sink);
}

/* Propagators to and (dagger) from the origin, as dense_correlate reads them, with the columns of this source. */
static gsl_matrix_complex *with_source(const gsl_matrix_complex *m, bool dagger, const dense_source *x,
                                       const plain_smearing *sink)
{
    gsl_matrix_complex *from = gsl_matrix_complex_calloc(m->size1, m->size2);
    double complex *column = memory_alloc(m->size1 * sizeof *column, "a column");
    for (int n = 0; n < (int)m->size1 / DENSE * SPINOR; n++) {
        const int f0 = n / SPINOR, at = DENSE * f0 + SPINOR * ORIGIN + n % SPINOR;
        solve_column(column, m, dagger, f0, x->column[n % SPINOR], sink);
        for (int i = 0; i < (int)m->size1; i++) {
            const double sign = dagger ? -1 : 1;
            gsl_matrix_complex_set(from, (size_t)(dagger ? at : i), (size_t)(dagger ? i : at),
                                   gsl_complex_rect(creal(column[i]), sign * cimag(column[i])));
        }
    }
    memory_free(column);
    return from;
}

/* ---- the measurement */

static const yaml_node *of_mass(const yaml_node *tree, bool smeared, const char *key)
{
    const yaml_node *sinks = measured_of_mass(tree, 1, "smeared");
    return !smeared ? measured_of_mass(tree, 1, key) : sinks ? yaml_get(sinks, key) : NULL;
}

static const yaml_node *of_doublet(const yaml_node *tree, bool smeared, const char *key)
{
    const yaml_node *doublet = measured_member(tree, "doublet"), *sinks = yaml_get(doublet, "smeared");
    return !smeared ? yaml_get(doublet, key) : sinks ? yaml_get(sinks, key) : NULL;
}

/* The largest relative difference from sum |q|^2 of the light antiquark's columns. */
static double pion_deviation(const yaml_node *list, const gsl_matrix_complex *light)
{
    double worst = list ? 0 : NAN;
    for (int t = 0; list && t < TIMES; t++) {
        const int slice = (ORIGIN / SITES_OF_TIME + t) % TIMES, numbers = SITES_OF_TIME * SPINOR;
        double sum = 0;
        for (int n = 0; n < SPINOR * numbers; n++)
            sum += pow(cabs(dense_at(light, SPINOR * ORIGIN + n / numbers, slice * numbers + n % numbers)), 2);
        worst = worse(worst, fabs(measured_number(list->item[t]) / sum - 1));
    }
    return worst;
}

typedef struct { const gsl_matrix_complex *heavy, *light; } inverses;

/* Facts about all mesons at local (NULL) or smeared sinks. */
static void mesons_at(const yaml_node *tree, inverses of, const dense_source *x, const plain_smearing *sink,
                      const char *what)
{
    gsl_matrix_complex *quark = with_source(of.heavy, false, x, sink), *light = with_source(of.light, true, x, sink);
    gsl_matrix_complex *antiquark = with_source(of.heavy, true, x, sink);
    const dense_propagators p = { quark, light, 1, ORIGIN, { 0 } };
    const dense_propagators both = { quark, antiquark, FLAVORS, ORIGIN, { 0 } };
    const char *sinks = sink ? "smeared sinks" : "local sinks";
    fact_close(dense_matrix_deviation(of_mass(tree, sink, "heavy_light"), &p), 0, 1e-11,
               "%s, %s: matrix of heavy-light mesons", what, sinks);
    fact_close(dense_matrix_deviation(of_doublet(tree, sink, "heavy_heavy"), &both), 0, 1e-11,
               "%s, %s: matrix of mesons of the doublet", what, sinks);
    fact_close(dense_meson_deviation(of_mass(tree, sink, "kaon"), &p, dense_light_meson(S, 1)), 0, 1e-11, "%s, %s: K",
               what, sinks);
    fact_close(dense_meson_deviation(of_mass(tree, sink, "d_meson"), &p, dense_light_meson(C, 1)), 0, 1e-11,
               "%s, %s: D", what, sinks);
    fact_close(dense_meson_deviation(of_doublet(tree, sink, "d_s_meson"), &both, dense_heavy_meson(C, S)), 0, 1e-11,
               "%s, %s: D_s", what, sinks);
    fact_close(pion_deviation(of_mass(tree, sink, "pion"), light), 0, 1e-11, "%s, %s: pion", what, sinks);
    gsl_matrix_complex_free(antiquark);
    gsl_matrix_complex_free(light);
    gsl_matrix_complex_free(quark);
}

typedef struct { bool random; int steps; double width; bool source, sink; int levels; double alpha; } smeared_case;

static yaml_node *measure_case(const gauge *u, const smeared_case *c, char what[256])
{
    char links[64] = "", keys[200];
    if (c->levels > 0)
        snprintf(links, sizeof links, ", links: ape, levels: %d, alpha: %g", c->levels, c->alpha);
    snprintf(keys, sizeof keys, "smearing: { steps: %d, width: %g, source: %s, sink: %s%s }", c->steps, c->width,
             c->source ? "true" : "false", c->sink ? "true" : "false", links);
    snprintf(what, 256, "%s, %s source, { %s }", place_name(u->links.where), c->random ? "random" : "point", keys);
    snprintf(keys + strlen(keys), sizeof keys - strlen(keys), ", source: [0, 1, 0, 1], source_type: %s, heavy: true",
             c->random ? "z2_wall" : "point");
    return measured_doublet(u, &twisted, keys);
}

/* The source of a case, with the norm of a point. */
static void source_of(dense_source *x, const gauge *u, const smeared_case *c, const plain_smearing *s)
{
    if (c->random)
        random_source(x, u);
    else
        point_source(x);
    for (int n = 0; n < SPINOR * DENSE; n++)
        x->column[n / DENSE][n % DENSE] /= c->random ? sqrt(SITES_OF_TIME) : 1;
    for (int n = 0; c->source && n < SPINOR; n++)
        plain_smear(x->column[n], s);
}

/* [t][z][y][x][mu][row][column], smeared; memory_free */
static double complex *links_of(const gauge *u, const smeared_case *c)
{
    double complex *links = memory_alloc((size_t)(SITES * 4 * 9) * sizeof *links, "links");
    gauge *smooth = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    gauge *scratch = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    gauge_copy(smooth, u);
    ape_smear(smooth, scratch, &(ape_params){ c->levels, c->alpha });
    gauge_export((double *)links, smooth);
    gauge_free(scratch);
    gauge_free(smooth);
    return links;
}

static void dense_case(const gauge *u, inverses of, const smeared_case *c)
{
    char what[256];
    double complex *links = links_of(u, c);
    dense_source *x = memory_alloc(sizeof *x, "a source");
    const plain_smearing s = { small, links, c->steps, c->width };
    yaml_node *tree = measure_case(u, c, what);
    source_of(x, u, c, &s);
    mesons_at(tree, of, x, NULL, what);
    if (c->sink)
        mesons_at(tree, of, x, &s, what);
    fact(!of_mass(tree, true, "pion") == !c->sink && !of_doublet(tree, true, "heavy_heavy") == !c->sink,
         "%s: smeared sinks where they were requested", what);
    yaml_tree_free(tree);
    memory_free(x);
    memory_free(links);
}

static void dense(place where)
{
    static const smeared_case cases[] = {
        { false, 3, 1.2, true, true, 0, 0 }, { false, 2, 0.9, true, false, 0, 0 },
        { false, 4, 1.1, false, true, 2, 0.6 }, { true, 3, 1.2, true, true, 1, 0.4 },
        { true, 0, 0, false, false, 0, 0 },
    };
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    gsl_matrix_complex *heavy = dense_doublet_inverse(u, &twisted), *light = dense_light_inverse(u, &twisted);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        dense_case(u, (inverses){ heavy, light }, &cases[n]);
    gsl_matrix_complex_free(light);
    gsl_matrix_complex_free(heavy);
    gauge_free(u);
    lattice_free(l);
}

/* ---- all numbers of a result, as they are written */

/* Of the local sinks of a mass. */
static uint64_t digest_local(const yaml_node *tree)
{
    uint64_t digest = DIGEST64_START;
    static const char *const keys[] = { "pion", "heavy_light", "kaon", "d_meson" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        digest = measured_digest(of_mass(tree, false, keys[i]), digest);
    return measured_digest(of_doublet(tree, false, "d_s_meson"),
                          measured_digest(of_doublet(tree, false, "heavy_heavy"), digest));
}

static void limits(place where)
{
    static const char *const same[] = { "smearing: { steps: 0 }", "smearing: { steps: 3, width: 1, source: false }" };
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    yaml_node *thin = measured_doublet(u, &twisted, "heavy: true");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char keys[128];
        snprintf(keys, sizeof keys, "heavy: true, %s", same[i]);
        yaml_node *tree = measured_doublet(u, &twisted, keys);
        fact(digest_local(tree) == digest_local(thin), "%s: { %s } the bits of local sources and sinks",
             place_name(where), same[i]);
        yaml_tree_free(tree);
    }
    yaml_tree_free(thin);
    gauge_free(u);
    lattice_free(l);
}

/* ---- equal masses: (chi_c +- chi_s)/sqrt 2 are quarks of twisted mass +- mu_sigma */

#define SMEARING "smearing: { steps: 3, width: 1.2, links: stout, levels: 1, rho: 0.1 }"

static void equal_masses(place where)
{
    const dense_quarks q = { 1.3, CLOVER_LINEAR, { 0 }, 0.3, 0.2, 0, 0.3, 0.1 };
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(8, 0, 0, RNG_TEST));
    yaml_node *tree = measured_doublet(u, &q, "source: [1, 0, 1, 2], " SMEARING);
    yaml_node *one = measured(u, "kind: wilson, residual: 1e-14, random_sources: 0, spectrum: false, c_sw: 1.3, "
                                 "source: [1, 0, 1, 2], bilinears: all, masses: [ { mass: 0.3, mu: 0.1 }, "
                                 "{ mass: 0.3, mu: 0.2 }, { mass: 0.3, mu: -0.2 } ], " SMEARING ", "
                                 "pairs: [ { quark: 1, antiquark: 0 }, { quark: 2, antiquark: 0 } ]");
    const yaml_node *sinks = measured_of_mass(one, 0, "smeared");
    for (int smeared = 0; smeared < 2; smeared++) {
        const char *at = smeared ? "smeared sinks" : "local sinks";
        const yaml_node *pion = smeared ? yaml_get(sinks, "pion") : measured_of_mass(one, 0, "pion");
        double pions = 0;
        for (int t = 0; t < TIMES; t++)
            pions = worse(pions, fabs(measured_number(of_mass(tree, smeared, "pion")->item[t])
                                      - measured_number(pion->item[t])));
        fact_close(dense_pair_deviation(of_mass(tree, smeared, "heavy_light"), one, smeared ? "smeared" : NULL), 0,
                   1e-11, "%s, %s, mu_delta 0: mesons of two twisted masses of kind wilson", place_name(where), at);
        fact_close(pions, 0, 0, "%s, %s: pion of the light quark: the bits of kind wilson", place_name(where), at);
    }
    yaml_tree_free(one);
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

/* ---- gauge rotations */

static double matrix_difference(const yaml_node *one, const yaml_node *two)
{
    double worst = 0;
    for (int j = 0; j < one->count; j++)
        for (int k = 0; k < one->count; k++)
            for (int t = 0; t < TIMES; t++) {
                const double size = measured_number(one->item[j]->item[j]->item[t])
                                    * measured_number(one->item[k]->item[k]->item[t]);
                worst = worse(worst, fabs(measured_number(one->item[j]->item[k]->item[t])
                                          - measured_number(two->item[j]->item[k]->item[t])) / sqrt(fabs(size)));
            }
    return worst;
}

static void rotated(place where)
{
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(9, 0, 0, RNG_TEST));
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(5, 0, 0, RNG_GAUGE_ROTATION));
    yaml_node *before = measured_doublet(u, &twisted, "heavy: true, " SMEARING);
    gauge_rotate(u, g);
    yaml_node *after = measured_doublet(u, &twisted, "heavy: true, " SMEARING);
    fact_close(matrix_difference(of_mass(before, true, "heavy_light"), of_mass(after, true, "heavy_light")), 0, 1e-11,
               "%s: smeared heavy-light mesons do not change with the gauge", place_name(where));
    fact_close(matrix_difference(of_doublet(before, true, "heavy_heavy"), of_doublet(after, true, "heavy_heavy")), 0,
               1e-11, "%s: nor do those of the doublet", place_name(where));
    yaml_tree_free(after);
    yaml_tree_free(before);
    gauge_rotation_free(g);
    gauge_free(u);
    lattice_free(l);
}

/* ---- ranks */

static uint64_t digest_measured(lattice *l, place where)
{
    static const char *const keys[] = {
        "kind: wilson_doublet, residual: 1e-6, c_sw: 1.3, mass: 0.5, mu_sigma: 0.4, mu_delta: 0.3, heavy: true, "
        "masses: [ { mass: 0.4, mu: 0.2 } ], " SMEARING,
        "kind: wilson_doublet, residual: 1e-6, mass: 0.5, mu_sigma: 0.4, mu_delta: 0.3, masses: [ { mass: 0.4, mu: 0.2 "
        "} ], source_type: z2_wall, smearing: { steps: 2, width: 1, links: ape, levels: 1 }",
    };
    uint64_t digest = DIGEST64_START;
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        yaml_node *tree = measured(u, keys[i]);
        digest = measured_digest(tree, digest);
        yaml_tree_free(tree);
    }
    gauge_free(u);
    return digest;
}

static void refused(void)
{
    const measurement_kind *kind = &doublet_measurement;
#define QUARKS "mass: 0.1\nmu_sigma: 0.2\nmu_delta: 0.1\nmasses: [ { mass: 0.1, mu: 0.1 } ]\n"
    measurement_refused(kind, small, QUARKS "smearing: { steps: 3 }\n", "give the width");
    measurement_refused(kind, small, QUARKS "theta: [0, 1, 0]\nsmearing: { steps: 3, width: 1 }\n", "theta");
    measurement_refused(kind, small, QUARKS "source_type: wall\nsmearing: { steps: 3, width: 1 }\n",
                        "wall of Coulomb's gauge is not smeared");
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        dense(where);
        limits(where);
        equal_masses(where);
        rotated(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_measured, "smeared mesons of a doublet");
    }
    refused();
    return facts_end();
}
