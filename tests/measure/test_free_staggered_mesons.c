/* test_free_staggered_mesons.c - the measurement "staggered_mesons" on unit links: the propagators of free quarks as
 * sums over momenta, from point sources and walls. */
#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/measure/measured.h"
#include "tests/measure/staggered_channels.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>

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

/* G = 2 (2m + D)^-1 = 2 (2m - D) S, on one color, from the sum over the sites `in` of a slice; real because S is even.
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
                    const double eta[4] = { t % 2 ? -1 : 1, (t + x[0]) % 2 ? -1 : 1,
                                            (t + x[0] + x[1]) % 2 ? -1 : 1, 1 };
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
                const double want = channel_at(c, t, density, n, source);
                const double got = meson < 2 ? measured_item(tree, meson, channels[c], t)
                                             : measured_pair_item(tree, 0, channels[c], t);
                largest = worse(largest, fabs(want));
                off = worse(off, fabs(got - want));
            }
            worst = worse(worst, off / fmax(largest, density[0]));
        }
    }
    memory_free(g[0]);
    memory_free(g[1]);
    memory_free(density);
    return worst;
}

static void free_quarks(place where)
{
    static const struct {
        const char *keys;
        double one, three, phase;
        source_sites *in;
        int source[4], count;
    } cases[] = {
        { "action: naive", 1, 0, 1, at_point, { 0, 0, 0, 0 }, 4 },
        { "action: naive, source: [3, 1, 4, 5]", 1, 0, 1, at_point, { 3, 1, 4, 5 }, 4 },
        { "action: naive, boundary: 0, source: [1, 0, 0, 2]", 1, 0, 0, at_point, { 1, 0, 0, 2 }, 4 },
        { "action: hisq, source: [0, 1, 3, 7]", 9. / 8, -1. / 24, 1, at_point, { 0, 1, 3, 7 }, 4 },
        { "action: naive, source_type: corner_wall, source: [1, 0, 2, 1]", 1, 0, 1, at_corners, { 1, 0, 2, 1 }, 4 },
        { "action: hisq, source_type: even_wall, source: [0, 1, 2, 6]", 9. / 8, -1. / 24, 1, at_even,
          { 0, 1, 2, 6 }, 2 },
        { "action: naive, source_type: wall, source: [0, 0, 0, 3]", 1, 0, 1, everywhere, { 0, 0, 0, 3 }, 1 },
    };
    lattice *l = lattice_create_single(free_extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char keys[512];
        snprintf(keys, sizeof keys, "kind: staggered_mesons, residual: 1e-13, %s, "
                                    "masses: [ { mass: %g }, { mass: %g } ], "
                                    "pairs: [ { quark: 0, antiquark: 1 } ]", cases[c].keys, free_masses[0],
                 free_masses[1]);
        yaml_node *tree = measured(u, keys);
        const free_action a = { { 4, 2, 6, 8 }, 0, cases[c].one, cases[c].three, cases[c].phase };
        fact_close(free_deviation(tree, &a, cases[c].in, cases[c].source, cases[c].count), 0, 1e-11,
                   "%s: { %s }: free mesons of both masses and of their pair, every channel and t", place_name(where),
                   cases[c].keys);
        const double middle = measured_item(tree, 0, "pion", 4);
        const double cosh_2m = (measured_item(tree, 0, "pion", 2) + measured_item(tree, 0, "pion", 6)) / (2 * middle);
        if (cases[c].in == at_point)                        /* walls of free quarks have C(T/2) = 0 */
            fact_close(measured_real(tree, 0, "pion_mass"), acosh(cosh_2m) / 2, 1e-12,
                       "%s: pion_mass from t = T/4 and T/2", cases[c].keys);
        for (int ch = cases[c].count; ch < CHANNELS; ch++)
            fact(!measured_of_mass(tree, 0, channels[ch]), "%s: no %s", cases[c].keys, channels[ch]);
        yaml_tree_free(tree);
    }
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        free_quarks(where);
    return facts_end();
}
