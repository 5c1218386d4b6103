/* test_staggered_mesons.c - the measurement "staggered_mesons": free quarks in closed form, the inverse of the dense
 * operator and its Ward identity, numbers of an independent implementation, changes of gauge, grids of ranks. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/io/configuration.h"
#include "src/lattice/grid.h"
#include "src/lattice/gauge_fixing.h"
#include "src/lattice/rng.h"
#include "src/measure/staggered_mesons.h"
#include "src/operators/staggered_full.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/milc_quarks.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHANNELS = 4, COLORS = 3 };
static const char *const channels[CHANNELS] = { "pion", "pion_t5", "rho_i", "rho_it" };

/* By the definition of the operators gamma_S x xi_S: the sign phi of the local operator at a site, times epsilon of the
 * antiquark's propagator.  Direction i of the rho mesons is 0, 1 or 2. */
static int sign_of(int channel, int i, const int x[4])
{
    const int epsilon = (x[0] + x[1] + x[2] + x[3]) % 2 ? -1 : 1;
    const int at_t = x[3] % 2 ? -1 : 1, at_i = x[i] % 2 ? -1 : 1;
    const int phi[CHANNELS] = { epsilon, at_t, epsilon * at_i, at_i * at_t };
    return phi[channel] * epsilon;
}

/* Time slices of the mean over i of the sum of signs times a density; `density` is [t][z][y][x], x counts from the
 * source. */
static double expected(int channel, int t, const double *density, const int n[4], const int source[4])
{
    double sum = 0;
    int x[4];
    for (x[2] = 0; x[2] < n[2]; x[2]++)
        for (x[1] = 0; x[1] < n[1]; x[1]++)
            for (x[0] = 0; x[0] < n[0]; x[0]++) {
                const int from[4] = { (x[0] - source[0] + n[0]) % n[0], (x[1] - source[1] + n[1]) % n[1],
                                      (x[2] - source[2] + n[2]) % n[2], t };
                const size_t site = (((size_t)((t + source[3]) % n[3]) * (size_t)n[2] + (size_t)x[2]) * (size_t)n[1]
                                     + (size_t)x[1]) * (size_t)n[0] + (size_t)x[0];
                for (int i = 0; i < 3; i++)
                    sum += sign_of(channel, i, from) * density[site] / 3;
            }
    return sum;
}

/* ---- free quarks */

/* S(x) = (1/V) sum over p of exp(i p x) / (4 m^2 + 4 sum (one sin p + three sin 3p)^2); p_t is shifted by `phase` pi/T,
 * so that S(x + T) = -S(x) for phase 1. */
typedef struct { int n[4]; double mass, one, three, phase; } free_action;

static double free_s(const free_action *a, const int x[4])
{
    double sum = 0;
    int k[4];
    for (k[3] = 0; k[3] < a->n[3]; k[3]++)
        for (k[2] = 0; k[2] < a->n[2]; k[2]++)
            for (k[1] = 0; k[1] < a->n[1]; k[1]++)
                for (k[0] = 0; k[0] < a->n[0]; k[0]++) {
                    double below = 4 * a->mass * a->mass, angle = 0;
                    for (int mu = 0; mu < 4; mu++) {
                        const double p = (2 * M_PI * k[mu] + (mu == 3 ? a->phase * M_PI : 0)) / a->n[mu];
                        below += 4 * pow(a->one * sin(p) + a->three * sin(3 * p), 2);
                        angle += p * x[mu];
                    }
                    sum += cos(angle) / below;
                }
    return sum / ((double)a->n[0] * a->n[1] * a->n[2] * a->n[3]);
}

/* G = 2 (2m + D)^-1 = 2 (2m - D) S, on one colour, from the sum over the sites `in` of a slice; real because S is even.
 * G of x is at x - source in t, so that no wave crosses the boundary twice. */
typedef bool source_sites(const int from_point[3]);

static bool at_point(const int d[3]) { return d[0] == 0 && d[1] == 0 && d[2] == 0; }
static bool at_corners(const int d[3]) { return d[0] % 2 == 0 && d[1] % 2 == 0 && d[2] % 2 == 0; }
static bool at_even(const int d[3]) { return (d[0] + d[1] + d[2]) % 2 == 0; }
static bool everywhere(const int d[3]) { (void)d; return true; }

/* S summed over the source, at displacements t of -3 .. T + 2 from its slice: [t + 3][z][y][x] */
static double *source_wave(const free_action *a, source_sites *in, const int source[4])
{
    const int *n = a->n;
    const size_t space = (size_t)(n[0] * n[1] * n[2]);
    double *one = memory_alloc(space * (size_t)(n[3] + 6) * sizeof *one, "S");
    double *wave = memory_alloc(space * (size_t)(n[3] + 6) * sizeof *wave, "a wave");
    for (int t = -3; t < n[3] + 3; t++)
        for (int s = 0; s < (int)space; s++)
            one[(size_t)(t + 3) * space + (size_t)s]
                = free_s(a, (const int[]){ s % n[0], s / n[0] % n[1], s / n[0] / n[1], t });
    for (int t = 0; t < n[3] + 6; t++)
        for (int s = 0; s < (int)space; s++)
            for (int y = 0; y < (int)space; y++) {
                const int at[3] = { y % n[0], y / n[0] % n[1], y / n[0] / n[1] };
                const int to[3] = { s % n[0], s / n[0] % n[1], s / n[0] / n[1] };
                int d[3], from[3];
                for (int i = 0; i < 3; i++) {
                    d[i] = (to[i] - at[i] + n[i]) % n[i];
                    from[i] = (at[i] - source[i] + n[i]) % n[i];
                }
                if (in(from))
                    wave[(size_t)t * space + (size_t)s] += one[(size_t)t * space
                                                               + (size_t)((d[2] * n[1] + d[1]) * n[0] + d[0])];
            }
    memory_free(one);
    return wave;
}

static double wave_at(const double *wave, const free_action *a, const int x[4], int mu, int step)
{
    int y[4] = { x[0], x[1], x[2], x[3] };
    y[mu] += step;
    for (int i = 0; i < 3; i++)
        y[i] = (y[i] + 3 * a->n[i]) % a->n[i];
    return wave[((size_t)((y[3] + 3) * a->n[2] + y[2]) * (size_t)a->n[1] + (size_t)y[1]) * (size_t)a->n[0]
                + (size_t)y[0]];
}

/* G at all sites, [t][z][y][x] of the lattice. */
static double *free_propagator(const free_action *a, source_sites *in, const int source[4])
{
    const int *n = a->n;
    double *wave = source_wave(a, in, source), *g = memory_alloc((size_t)(n[0] * n[1] * n[2] * n[3]) * sizeof *g, "G");
    int x[4];
    for (x[3] = 0; x[3] < n[3]; x[3]++)                                     /* from the source */
        for (x[2] = 0; x[2] < n[2]; x[2]++)
            for (x[1] = 0; x[1] < n[1]; x[1]++)
                for (x[0] = 0; x[0] < n[0]; x[0]++) {
                    const int t = (x[3] + source[3]) % n[3];
                    const double eta[4] = { t % 2 ? -1 : 1, (t + x[0]) % 2 ? -1 : 1, (t + x[0] + x[1]) % 2 ? -1 : 1, 1 };
                    double hop = 0;
                    for (int mu = 0; mu < 4; mu++)
                        hop += eta[mu] * (a->one * (wave_at(wave, a, x, mu, 1) - wave_at(wave, a, x, mu, -1))
                                          + a->three * (wave_at(wave, a, x, mu, 3) - wave_at(wave, a, x, mu, -3)));
                    g[((size_t)(t * n[2] + x[2]) * (size_t)n[1] + (size_t)x[1]) * (size_t)n[0] + (size_t)x[0]]
                        = 2 * (2 * a->mass * wave_at(wave, a, x, 0, 0) - hop);
                }
    memory_free(wave);
    return g;
}

static const int free_extents[4] = { 4, 2, 6, 8 };
static const double free_masses[2] = { 0.2, 0.45 };

/* Largest deviation of the correlators of both masses and of their pair, relative to the largest of the channel. */
static double free_deviation(const yaml_node *tree, const free_action *a, source_sites *in, const int source[4],
                             int count)
{
    const int *n = a->n;
    const size_t volume = (size_t)(n[0] * n[1] * n[2] * n[3]);
    double *g[2], *density = memory_alloc(volume * sizeof *density, "a density"), worst = 0;
    for (int m = 0; m < 2; m++) {
        free_action of_mass = *a;
        of_mass.mass = free_masses[m];
        g[m] = free_propagator(&of_mass, in, source);
    }
    for (int meson = 0; meson < 3; meson++) {
        for (size_t i = 0; i < volume; i++)
            density[i] = COLORS * g[meson == 1][i] * g[meson > 0][i];
        for (int c = 0; c < count; c++) {
            double largest = 0, off = 0;
            for (int t = 0; t < n[3]; t++) {
                const double want = expected(c, t, density, n, source);
                const double got = meson < 2 ? measured_item(tree, meson, channels[c], t)
                                             : measured_pair_item(tree, 0, channels[c], t);
                largest = fmax(largest, fabs(want));
                off = isnan(got) ? NAN : fmax(off, fabs(got - want));
            }
            worst = isnan(off) ? NAN : fmax(worst, off / fmax(largest, density[0]));
        }
    }
    memory_free(g[0]);
    memory_free(g[1]);
    memory_free(density);
    return worst;
}

static void free_quarks(place where)
{
    static const struct { const char *keys; double one, three, phase; source_sites *in; int source[4], count; } cases[] = {
        { "action: naive", 1, 0, 1, at_point, { 0, 0, 0, 0 }, 4 },
        { "action: naive, source: [3, 1, 4, 5]", 1, 0, 1, at_point, { 3, 1, 4, 5 }, 4 },
        { "action: naive, boundary: 0, source: [1, 0, 0, 2]", 1, 0, 0, at_point, { 1, 0, 0, 2 }, 4 },
        { "action: hisq, source: [0, 1, 3, 7]", 9. / 8, -1. / 24, 1, at_point, { 0, 1, 3, 7 }, 4 },
        { "action: naive, source_type: corner_wall, source: [1, 0, 2, 1]", 1, 0, 1, at_corners, { 1, 0, 2, 1 }, 4 },
        { "action: hisq, source_type: even_wall, source: [0, 1, 2, 6]", 9. / 8, -1. / 24, 1, at_even, { 0, 1, 2, 6 }, 2 },
        { "action: naive, source_type: wall, source: [0, 0, 0, 3]", 1, 0, 1, everywhere, { 0, 0, 0, 3 }, 1 },
    };
    lattice *l = lattice_create_single(free_extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char keys[512];
        snprintf(keys, sizeof keys, "kind: staggered_mesons, residual: 1e-13, %s, masses: [ { mass: %g }, { mass: %g } ], "
                                    "pairs: [ { quark: 0, antiquark: 1 } ]", cases[c].keys, free_masses[0],
                 free_masses[1]);
        yaml_node *tree = measured(u, keys);
        const free_action a = { { 4, 2, 6, 8 }, 0, cases[c].one, cases[c].three, cases[c].phase };
        fact_close(free_deviation(tree, &a, cases[c].in, cases[c].source, cases[c].count), 0, 1e-11,
                   "%s: { %s }: free mesons of both masses and of their pair, every channel and t", place_name(where),
                   cases[c].keys);
        for (int ch = cases[c].count; ch < CHANNELS; ch++)
            fact(!measured_of_mass(tree, 0, channels[ch]), "%s: no %s", cases[c].keys, channels[ch]);
        yaml_tree_free(tree);
    }
    gauge_free(u);
    lattice_free(l);
}

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
    gsl_matrix_complex *a = dense_operator(&op.base, 2 * mass, like), *inverse = gsl_matrix_complex_alloc(DENSE, DENSE);
    gsl_permutation *order = gsl_permutation_alloc(DENSE);
    int sign;
    gsl_linalg_complex_LU_decomp(a, order, &sign);
    gsl_linalg_complex_LU_invert(a, order, inverse);
    gsl_permutation_free(order);
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
                    worst = fmax(worst, fabs(got - expected(ch, t, density, small, source)));
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
    enum { RUNS = 12 };
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
                    exact += expected(ch, t, density, small, at);
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
            worst = fmax(worst, fabs(measured_item(tree, 0, "pion", t) / (4 * golden[a][t]) - 1));
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
            worst = fmax(worst, fabs(measured_item(a, 0, channels[ch], t) - measured_item(b, 0, channels[ch], t))
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
    static const char point[] = "kind: staggered_mesons, residual: 1e-13, source: [1, 1, 0, 2], masses: [ { mass: 0.3 } ]";
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
        snprintf(keys, sizeof keys, "kind: staggered_mesons, residual: 1e-13, gauge_quality: 1e-22, source: [1, 1, 0, 2], "
                                    "source_type: %s, masses: [ { mass: 0.3 } ]", walls[k]);
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
    measurement_refused(kind, small, "masses: [ { mass: 0.1 }, { mass: 0.2 } ]\npairs: [ { quark: 1, antiquark: 1 } ]\n",
                        "the mesons of one mass need no pair");
    measurement_refused(kind, small, "masses: [ { mass: 0.1 }, { mass: 0.2 } ]\n"
                                     "pairs: [ { quark: 1, antiquark: 0 }, { quark: 0, antiquark: 1 } ]\n",
                        "pairs.0 and pairs.1 have the same quarks");
    measurement_refused(kind, small, "action: naive\nmasses: [ { mass: 0.1, naik_epsilon: auto } ]\n",
                        "naik_epsilon is allowed only with action hisq");
}

int main(void)
{
    const char *why_not = milc_why_not();
    FOR_EVERY_PLACE(where) {
        free_quarks(where);
        dense_quarks(where);
        random_sources(where);
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
