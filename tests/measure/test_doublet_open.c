/* test_doublet_open.c - the measurement "wilson_doublet" with open boundaries in time: mesons on random links, slice by
 * slice, against inverses of dense matrices; the limit of equal masses against the measurement "wilson", with momenta
 * and smeared sinks. */
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/measure/dense_doublet.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

static gauge *open_links(lattice **l, const int extents[4], place where, int seed)
{
    lattice_shape shape = lattice_shape_single(extents);
    shape.open_in_time = true;
    *l = lattice_create(&shape);
    gauge *u = gauge_create(*l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for((uint64_t)seed, 0, 0, RNG_TEST));
    return u;
}

/* Member "a.b" of `of`; NULL where there is none. */
static const yaml_node *below(const yaml_node *of, const char *path)
{
    char words[64];
    snprintf(words, sizeof words, "%s", path);
    for (char *word = strtok(words, "."); of && word; word = strtok(NULL, "."))
        of = yaml_get(of, word);
    return of;
}

/* ---- dense matrices */

/* List [slice] against c, t counted from the source: relative to `scale` between the first and the last slice, where
 * there are no quarks. */
static double list_deviation(const yaml_node *list, const double c[TIMES], const double scale[TIMES], int source)
{
    double worst = list && list->count == TIMES ? 0 : NAN;
    for (int slice = 0; list && list->count == TIMES && slice < TIMES; slice++) {
        const int t = (slice - source + TIMES) % TIMES;
        const double found = measured_number(list->item[slice]);
        worst = worse(worst, slice == 0 || slice == TIMES - 1 ? found == 0 ? 0 : INFINITY
                                                              : fabs(found - c[t]) / scale[t]);
    }
    return worst;
}

static dense_propagators at_rest(const dense_propagators *p)
{
    return (dense_propagators){ p->quark, p->antiquark, p->antiquarks, p->origin, { 0 } };
}

/* Relative to (C_jj C_kk)^1/2 of momentum 0. */
static double deviation(const yaml_node *list, const dense_propagators *p, const dense_vertex *sink,
                        const dense_vertex *source)
{
    const dense_propagators rest = at_rest(p);
    double c[TIMES], own[TIMES], other[TIMES];
    dense_correlate(c, p, sink, source);
    dense_correlate(own, &rest, sink, sink);
    dense_correlate(other, &rest, source, source);
    for (int t = 0; t < TIMES; t++)
        own[t] = sqrt(fabs(own[t] * other[t]));
    return list_deviation(list, c, own, p->origin / SITES_OF_TIME);
}

static double matrix_deviation(const yaml_node *matrix, const dense_propagators *p)
{
    const int operators = 2 * FLAVORS * p->antiquarks;
    double worst = matrix ? 0 : NAN;
    for (int n = 0; matrix && n < operators * operators; n++) {
        const int j = n / operators, k = n % operators;
        const dense_vertex sink = dense_operator_at(j, p->antiquarks), source = dense_operator_at(k, p->antiquarks);
        worst = worse(worst, deviation(matrix->item[j]->item[k], p, &sink, &source));
    }
    return worst;
}

static double meson_deviation(const yaml_node *list, const dense_propagators *p, dense_vertex meson)
{
    return deviation(list, p, &meson, &meson);
}

/* sum of |q|^2, with (M - i mu gamma5)^-1 in place of (M + i mu gamma5)^-1: gamma5 M(mu) gamma5 = M(-mu)^+ makes the
 * row from the source of it the column of the other. */
static double pion_deviation(const yaml_node *list, const dense_propagators *p)
{
    double c[TIMES] = { 0 };
    const int source = p->origin / SITES_OF_TIME;
    for (int x = 0; x < DENSE; x++)
        for (int y = p->origin * SPINOR; y < (p->origin + 1) * SPINOR; y++) {
            const double complex q = dense_at(p->antiquark, y, x);
            c[(x / (SITES_OF_TIME * SPINOR) - source + TIMES) % TIMES] += creal(q * conj(q));
        }
    return list_deviation(list, c, c, source);
}

static const yaml_node *of_doublet(const yaml_node *tree, const char *path)
{
    return below(measured_member(tree, "doublet"), path);
}

static const yaml_node *of_light(const yaml_node *tree, const char *path)
{
    return below(measured_member(tree, "masses")->item[1], path);
}

static void dense(place where)
{
    static const dense_quarks cases[] = {
        { 0, CLOVER_LINEAR, { 0 }, 0.3, 0.4, 0.25, 0.2, 0.1 },
        { 1.3, CLOVER_LINEAR, { 0.4, -0.7, 1.3 }, 0.3, 0.4, -0.3, 0.3, -0.2 },
        { 1.3, CLOVER_EXPONENTIAL, { 0 }, 0.5, 0.3, 0.45, 0.3, 0.05 },
    };
    lattice *l;
    gauge *u = open_links(&l, (const int[]){ 2, 2, 2, TIMES }, where, 6);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dense_quarks *q = &cases[i];
        const int slice = i % 2 ? 2 : 1, origin = slice * SITES_OF_TIME + 2;
        const double s = q->mu > 0 ? -1 : 1;
        gsl_matrix_complex *heavy = dense_doublet_inverse(u, q), *light = dense_light_inverse(u, q);
        const dense_propagators p = { heavy, light, 1, origin, { 0 } }, both = { heavy, heavy, FLAVORS, origin, { 0 } };
        const dense_propagators moves = { heavy, light, 1, origin, { 0, 1, 1 } };
        yaml_node *tree = measured_doublet(u, q, slice == 1
            ? "source: [0, 1, 0, 1], heavy: true, momenta: [ { y: 1, z: 1 } ]"
            : "source: [0, 1, 0, 2], heavy: true");
        fact_close(matrix_deviation(of_light(tree, "slices.heavy_light"), &p), 0, 1e-11,
                   "%s, c_sw %g, mu_delta %g, source in slice %d: matrix of heavy-light mesons, dense",
                   place_name(where), q->c_sw, q->mu_delta, slice);
        fact_close(matrix_deviation(of_doublet(tree, "slices.heavy_heavy"), &both), 0, 1e-11,
                   "%s: matrix of mesons of the doublet", place_name(where));
        fact_close(meson_deviation(of_light(tree, "slices.kaon"), &p, dense_light_meson(S, s)), 0, 1e-11, "%s: K",
                   place_name(where));
        fact_close(meson_deviation(of_light(tree, "slices.d_meson"), &p, dense_light_meson(C, s)), 0, 1e-11, "%s: D",
                   place_name(where));
        fact_close(meson_deviation(of_doublet(tree, "slices.d_s_meson"), &both, dense_heavy_meson(C, S)), 0, 1e-11,
                   "%s: D_s", place_name(where));
        fact_close(pion_deviation(of_light(tree, "slices.pion"), &p), 0, 1e-11, "%s: pion", place_name(where));
        if (slice == 1)
            fact_close(matrix_deviation(of_light(tree, "slices.heavy_light_momenta")->item[0], &moves), 0, 1e-11,
                       "%s: p = (0, 1, 1)", place_name(where));
        fact(!of_light(tree, "pion") && !of_light(tree, "heavy_light") && !of_light(tree, "pion_mass")
             && !of_light(tree, "slices.pion_mass") && !of_doublet(tree, "heavy_heavy"),
             "%s: no number of periodic boundaries", place_name(where));
        yaml_tree_free(tree);
        gsl_matrix_complex_free(light);
        gsl_matrix_complex_free(heavy);
    }
    gauge_free(u);
    lattice_free(l);
}

/* ---- equal masses: (chi_c +- chi_s)/sqrt 2 are quarks of twisted mass +- mu_sigma */

enum { SLICES = 8 };
#define KEYS "source: [1, 0, 1, 2], smearing: { steps: 3, width: 1.2 }, momenta: [ { x: 1 }, { x: 1, y: 1 } ]"

/* The largest relative difference of the mesons of two twisted masses at these paths. */
static double equal_mesons(const yaml_node *matrix, const yaml_node *pairs, const char *pion, const char *scalar)
{
    double worst = matrix ? 0 : NAN;
    for (int n = 0; matrix && n < 4 * SLICES; n++) {
        const bool is_scalar = n / 2 % 2;
        const int slice = n / 4;
        const yaml_node *list = below(pairs->item[n % 2], is_scalar ? scalar : pion);
        const double found = dense_pair_item(matrix, is_scalar, n % 2 ? -1 : 1, slice);
        const double expected = list ? measured_number(list->item[slice]) : NAN;
        worst = worse(worst, slice == 0 || slice == SLICES - 1 ? fabs(found - expected) : fabs(found / expected - 1));
    }
    return worst;
}

static void equal_masses(place where)
{
    const dense_quarks q = { 1.3, CLOVER_LINEAR, { 0 }, 0.3, 0.2, 0, 0.3, 0.1 };
    lattice *l;
    gauge *u = open_links(&l, (const int[]){ 4, 4, 2, SLICES }, where, 8);
    yaml_node *tree = measured_doublet(u, &q, KEYS);
    yaml_node *one = measured(u, "kind: wilson, residual: 1e-14, random_sources: 0, spectrum: false, c_sw: 1.3, "
                                 "bilinears: all, masses: [ { mass: 0.3, mu: 0.1 }, { mass: 0.3, mu: 0.2 }, "
                                 "{ mass: 0.3, mu: -0.2 } ], " KEYS ", plateau_first: 4, plateau_last: 5, "
                                 "pairs: [ { quark: 1, antiquark: 0 }, { quark: 2, antiquark: 0 } ]");
    const yaml_node *pairs = measured_member(one, "pairs"), *light = measured_member(one, "masses")->item[0];
    static const char *const lists[] = { "slices.pion", "slices.pion_momenta", "slices.smeared.pion" };
    fact_close(equal_mesons(of_light(tree, "slices.heavy_light"), pairs, "slices.pion", "slices.bilinears.scalar"), 0,
               1e-11, "%s, mu_delta 0: mesons of two twisted masses of kind wilson, in each slice", place_name(where));
    fact_close(equal_mesons(of_light(tree, "slices.smeared.heavy_light"), pairs, "slices.smeared.pion",
                            "slices.smeared.bilinears.scalar"), 0, 1e-11, "%s: at smeared sinks", place_name(where));
    for (int i = 0; i < 3; i++)
        fact(measured_digest(of_light(tree, lists[i]), 1) == measured_digest(below(light, lists[i]), 1),
             "%s: %s of the light quark has the digits of kind wilson", place_name(where), lists[i]);
    yaml_tree_free(one);
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        dense(where);
        equal_masses(where);
    }
    return facts_end();
}
