/* test_heatbath.c - links drawn one by one: their distributions against exact integrals, and what colors promise.
 *
 *     SU(2)       weight exp(alpha b0):  <b0> = I_2/I_1,  <b0^2> = 1 - 3 I_2 / (alpha I_1), Bessel functions of alpha
 *     SU(3)       weight exp(kappa Re Tr U): integrals over the phases of the eigenvalues (Weyl)
 *
 * Random numbers have fixed seeds: a fact that holds once holds always.  Facts of chance allow 4.5 standard errors. */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/gauge/heatbath.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "src/site/su2_random.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <gsl/gsl_sf_bessel.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ERRORS_ALLOWED 4.5

enum { LINK = 18, ACTIONS = 4 };
static const gauge_params actions[ACTIONS] = {
    { .action = 0, .beta = 5.7 }, { .action = 1, .beta = 4.2 }, { .action = 3, .beta = 0.9 },
    { .action = 5, .beta = 7, .u0 = 0.87, .flavors = 4 },
};

static loop_weights weights_of(const gauge_params *p)
{
    loop_coefficients c = gauge_action_coefficients(p);
    return (loop_weights){ p->beta / 3 * c.plaquette, p->beta / 3 * c.rectangle, p->beta / 3 * c.parallelogram,
                           ISOTROPIC_WEIGHTS };
}

static rng_key key_of(int64_t number)
{
    return rng_key_for(77, 0, (uint64_t)number, RNG_HEATBATH);
}

/* Moments of many draws of one weight: b0, b0^2, and what the direction has. */
static void su2_moments(double alpha)
{
    enum { DRAWS = 40000 };
    double mean = 0, square = 0, along[3] = { 0 }, along2[3] = { 0 }, norm = 0;
    int refused = 0;
    for (int n = 0; n < DRAWS; n++) {
        double b[4];
        if (!su2_random(b, alpha, key_of(1), (uint64_t)n, 0)) {
            refused++;
            continue;
        }
        mean += b[0] / DRAWS;
        square += b[0] * b[0] / DRAWS;
        for (int k = 0; k < 3; k++) {
            along[k] += b[k + 1] / DRAWS;
            along2[k] += b[k + 1] * b[k + 1] / DRAWS;
        }
        norm = worse(norm, fabs(b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3] - 1));
    }
    double i1 = gsl_sf_bessel_In_scaled(1, alpha), i2 = gsl_sf_bessel_In_scaled(2, alpha);
    double want = alpha > 0 ? i2 / i1 : 0, want2 = alpha > 0 ? 1 - 3 * i2 / (alpha * i1) : 0.25;
    double error = sqrt((want2 - want * want) / DRAWS), axis = (1 - want2) / 3, axis_error = sqrt(axis / DRAWS);
    fact_close(mean, want, ERRORS_ALLOWED * error, "SU(2), alpha %g: <b0> is a ratio of Bessel functions", alpha);
    fact_close(square, want2, ERRORS_ALLOWED * 2 * error, "SU(2), alpha %g: so is <b0^2>", alpha);
    bool isotropic = true;
    for (int k = 0; k < 3; k++)
        isotropic &= fabs(along[k]) < ERRORS_ALLOWED * axis_error
                     && fabs(along2[k] - axis) < ERRORS_ALLOWED * 1.5 * axis / sqrt(DRAWS);
    fact(isotropic, "SU(2), alpha %g: b1, b2, b3 have no preferred direction", alpha);
    fact(norm < 1e-14 && refused == 0, "SU(2), alpha %g: every element is of SU(2)", alpha);
}

/* <Re Tr U / 3> with weight exp(kappa Re Tr U) */
static double one_link(double kappa)
{
    enum { POINTS = 96 };
    double sum = 0, all = 0;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            double p = 2 * M_PI * i / POINTS, q = 2 * M_PI * j / POINTS, trace = cos(p) + cos(q) + cos(p + q);
            double a = 2 - 2 * cos(p - q), b = 2 - 2 * cos(2 * p + q), c = 2 - 2 * cos(p + 2 * q);
            double weight = a * b * c * exp(kappa * (trace - 3));
            sum += weight * trace / 3;
            all += weight;
        }
    return sum / all;
}

/* The links of one color, all others being 1, again and again. */
static void one_link_integral(place where, const gauge_params *params, double scale)
{
    enum { SWEEPS_PER_COLOR = 40, THERMALIZATION = 10 };
    lattice *l = lattice_create_single((int[4]){ 4, 4, 4, 4 });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    loop_weights w = weights_of(params);
    w.plaquette *= scale;
    w.rectangle *= scale;
    w.parallelogram *= scale;
    heatbath *h = heatbath_create(u, &w);
    double kappa = 6 * w.plaquette + 18 * w.rectangle + 24 * w.parallelogram, mean = 0, square = 0;
    int colors = heatbath_colors(h, 2), count = colors * SWEEPS_PER_COLOR;
    gauge_set_unit(u);
    for (int n = 0; n < THERMALIZATION + count; n++) {
        heatbath_links(h, u, 2, 1, key_of(2), n);
        if (n % 4 == 3)
            heatbath_overrelax_links(h, u, 2, 1);
        double trace = 1 - 4 * colors * (1 - gauge_link_quality(u).link_trace);
        if (n >= THERMALIZATION) {
            mean += trace / count;
            square += trace * trace / count;
        }
    }
    double error = sqrt((square - mean * mean) / (count - 1)), want = one_link(kappa);
    fact_close(mean, want, ERRORS_ALLOWED * error, "%s, %s, kappa %.3g: links in a fixed field follow the integral "
               "over SU(3)", place_name(where), gauge_action_names[params->action], kappa);
    fact(error < 0.005, "%s, %s, kappa %.3g: within a small error", place_name(where),
         gauge_action_names[params->action], kappa);
    heatbath_free(h);
    gauge_free(u);
    lattice_free(l);
}

static double *links_of(const gauge *u)
{
    double *links = memory_alloc((size_t)lattice_volume(u->links.lattice) * GAUGE_REALS * sizeof *links, "links");
    gauge_export(links, u);
    return links;
}

/* The force of each link as a matrix, [t][z][y][x][mu][18]. */
static double *forces_of(const gauge_params *params, const gauge *u)
{
    sum_array size = monomial_size_create(u);
    monomial *m = monomial_create(&gauge_monomial, params, u);
    momentum *f = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    monomial_add_force(m, u, f, 1, size.cells, &(monomial_call){ .clock = NULL });
    double *force = memory_alloc((size_t)lattice_volume(u->links.lattice) * GAUGE_REALS * sizeof *force, "forces");
    momentum_export(force, f);
    momentum_free(f);
    monomial_free(m);
    sums_free(&size);
    return force;
}

static void coordinates(int c[4], const int *extents, size_t site)
{
    for (int mu = 0; mu < 4; mu++) {
        c[mu] = (int)(site % (size_t)extents[mu]);
        site /= (size_t)extents[mu];
    }
}

/* Put the other field's links in direction mu into `u` at the sites that are marked. */
static void replace(gauge *u, const double *mine, const double *other, const bool *marked, int mu)
{
    size_t volume = (size_t)lattice_volume(u->links.lattice);
    double *links = memory_alloc(volume * GAUGE_REALS * sizeof *links, "links");
    memcpy(links, mine, volume * GAUGE_REALS * sizeof *links);
    for (size_t x = 0; x < volume; x++)
        if (marked[x])
            memcpy(links + (4 * x + (size_t)mu) * LINK, other + (4 * x + (size_t)mu) * LINK, LINK * sizeof *links);
    gauge_import(u, links);
    memory_free(links);
}

/* Half of the links of a color are changed; what their force says of the others' surroundings stays, to the bit. */
static bool others_unchanged(const gauge_params *params, gauge *u, const double *mine, const double *other, int mu,
                             int color)
{
    enum { HALVES = 2 };
    const lattice *l = u->links.lattice;
    loop_weights w = weights_of(params);
    size_t volume = (size_t)lattice_volume(l), changed = 0;
    bool *of_color = memory_alloc(volume, "marks"), *marked = memory_alloc(volume, "marks"), same = true;
    int c[4];
    for (size_t x = 0; x < volume; x++) {
        coordinates(c, lattice_global(l), x);
        of_color[x] = link_colors_color_of(lattice_shape_of(l), link_colors_loops(&w), mu, c) == color;
    }
    gauge_import(u, mine);
    double *before = forces_of(params, u);
    for (int half = 0; half < HALVES; half++) {
        for (size_t x = 0; x < volume; x++) {
            marked[x] = of_color[x] && rng_words(key_of(half), x, 0).v[0] % 2;
            changed += marked[x];
        }
        replace(u, mine, other, marked, mu);
        double *after = forces_of(params, u);
        for (size_t x = 0; x < volume; x++)
            if (of_color[x] && !marked[x])
                same &= memcmp(before + (4 * x + (size_t)mu) * LINK, after + (4 * x + (size_t)mu) * LINK,
                               LINK * sizeof *before) == 0;
        memory_free(after);
    }
    memory_free(before);
    memory_free(marked);
    memory_free(of_color);
    return same && changed > 0;
}

static void colors_are_independent(const int extents[4], const gauge_params *params)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    loop_weights w = weights_of(params);
    gauge_set_random(u, key_of(5));
    double *mine = links_of(u);
    gauge_set_random(u, key_of(6));
    double *other = links_of(u);
    bool all = true;
    for (int mu = 0; mu < 4; mu++)
        for (int color = 0; color < link_colors_count_for(lattice_shape_of(l), link_colors_loops(&w), mu); color++)
            all &= others_unchanged(params, u, mine, other, mu, color);
    fact(all, "%dx%dx%dx%d, %s: staples do not change with the other links of their color", extents[0], extents[1],
         extents[2], extents[3], gauge_action_names[params->action]);
    memory_free(mine);
    memory_free(other);
    gauge_free(u);
    lattice_free(l);
}

/* x, x+mu, x+nu, x+mu+nu: changing one changes the force of each other one. */
static void four_are_needed(void)
{
    const int extents[4] = { 8, 8, 8, 8 }, corner[4][4] = { { 0 }, { 1 }, { 0, 1 }, { 1, 1 } };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    size_t volume = (size_t)lattice_volume(l);
    bool *marked = memory_alloc(volume, "marks"), all = true;
    gauge_set_random(u, key_of(5));
    double *mine = links_of(u), *before = forces_of(&actions[1], u);
    gauge_set_random(u, key_of(6));
    double *other = links_of(u);
    for (int i = 0; i < 4; i++) {
        memset(marked, 0, volume);
        marked[corner[i][0] + 8 * corner[i][1]] = true;
        replace(u, mine, other, marked, 0);
        double *after = forces_of(&actions[1], u);
        for (int j = 0; j < 4; j++) {
            size_t at = 4 * (size_t)(corner[j][0] + 8 * corner[j][1]) * LINK;
            all &= memcmp(before + at, after + at, LINK * sizeof *before) != 0;
        }
        memory_free(after);
    }
    fact(all, "rectangles: four links share a loop each with each, so that no three colors are enough");
    memory_free(before);
    memory_free(mine);
    memory_free(other);
    memory_free(marked);
    gauge_free(u);
    lattice_free(l);
}

/* A launch changes the links of its direction and color, all of them and no others. */
static void touches_its_own(place where, const int extents[4], const gauge_params *params)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    loop_weights w = weights_of(params);
    heatbath *h = heatbath_create(u, &w);
    bool right = true;
    int c[4];
    gauge_set_random(u, key_of(5));
    for (int mu = 0; mu < 4; mu++)
        for (int color = 0; color < heatbath_colors(h, mu); color++) {
            double *before = links_of(u);
            heatbath_links(h, u, mu, color, key_of(7), 0);
            double *after = links_of(u);
            for (size_t x = 0; x < (size_t)lattice_volume(l); x++)
                for (int nu = 0; nu < 4; nu++) {
                    size_t at = (4 * x + (size_t)nu) * LINK;
                    coordinates(c, extents, x);
                    bool mine = nu == mu
                                && link_colors_color_of(lattice_shape_of(l), link_colors_loops(&w), mu, c) == color;
                    right &= mine == (memcmp(before + at, after + at, LINK * sizeof *before) != 0);
                }
            memory_free(before);
            memory_free(after);
        }
    fact(right, "%s, %dx%dx%dx%d, %s: an update draws the links of its color anew, and no others", place_name(where),
         extents[0], extents[1], extents[2], extents[3], gauge_action_names[params->action]);
    heatbath_free(h);
    gauge_free(u);
    lattice_free(l);
}

static double action_of(const gauge_params *params, const gauge *u)
{
    monomial *m = monomial_create(&gauge_monomial, params, u);
    double s;
    monomial_action(&s, m, u, &(monomial_call){ .clock = NULL });
    monomial_free(m);
    return s;
}

/* Overrelaxation keeps the action and moves the links; sweeps stay on SU(3); the same bits at every place. */
static void sweeps(place where, precision p, const gauge_params *params, double **first_links)
{
    enum { SWEEPS = 5 };
    const int extents[4] = { 4, 6, 4, 6 };
    const char *name = gauge_action_names[params->action], *bits = p == PRECISION_DOUBLE ? "double" : "single";
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, p);
    loop_weights w = weights_of(params);
    heatbath *h = heatbath_create(u, &w);
    gauge_set_random(u, key_of(8));
    double worst = 0, moved = 0;
    for (int n = 0; n < SWEEPS; n++) {
        heatbath_sweep(h, u, key_of(9), n);
        double before = action_of(params, u), trace = gauge_link_quality(u).link_trace;
        heatbath_overrelax(h, u);
        worst = worse(worst, fabs(action_of(params, u) / before - 1));
        moved = worse(moved, fabs(gauge_link_quality(u).link_trace - trace));
    }
    fact(worst < (p == PRECISION_DOUBLE ? 1e-14 : 1e-6) && moved > 1e-3,
         "%s, %s, %s: overrelaxation moves links and leaves the action alone", place_name(where), bits, name);
    fact_close(gauge_link_quality(u).unitarity, 0, p == PRECISION_DOUBLE ? 1e-14 : 5e-6,
               "%s, %s, %s: links stay in SU(3)", place_name(where), bits, name);
    double *links = links_of(u);
    if (*first_links)
        fact(memcmp(links, *first_links, (size_t)lattice_volume(l) * GAUGE_REALS * sizeof *links) == 0,
             "%s, %s, %s: the same links as on the CPU, to the bit", place_name(where), bits, name);
    memory_free(*first_links);
    *first_links = links;
    heatbath_free(h);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    static const double alphas[] = { 0, 0.1, 0.5, 0.85, 0.87, 1.5, 4, 12, 60, 1000 };
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++)
        su2_moments(alphas[i]);

    colors_are_independent((int[4]){ 2, 4, 2, 4 }, &actions[0]);
    for (int a = 0; a < ACTIONS; a++) {
        colors_are_independent((int[4]){ 4, 4, 4, 4 }, &actions[a]);
        colors_are_independent((int[4]){ 6, 4, 4, 4 }, &actions[a]);
    }
    colors_are_independent((int[4]){ 4, 4, 4, 10 }, &actions[1]);
    four_are_needed();
    const lattice_shape flat = lattice_shape_single((int[4]){ 4, 4, 2, 4 }),
                        least = lattice_shape_single((int[4]){ 2, 2, 2, 2 });
    failure f;
    fact(!link_colors_are_possible(&flat, LOOPS_RECTANGLE, &f) && link_colors_are_possible(&least, LOOPS_PLAQUETTE, &f),
         "an extent of 2 is possible for plaquettes, and refused for rectangles");

    double *links[ACTIONS][PRECISIONS] = { { NULL } };
    FOR_EVERY_PLACE(where) {
        for (int a = 0; a < ACTIONS; a++) {
            one_link_integral(where, &actions[a], 0.1);
            one_link_integral(where, &actions[a], 1);
            touches_its_own(where, (int[4]){ 4, 4, 6, 4 }, &actions[a]);
            for (int p = 0; p < PRECISIONS; p++)
                sweeps(where, (precision)p, &actions[a], &links[a][p]);
        }
    }
    for (int a = 0; a < ACTIONS; a++)
        for (int p = 0; p < PRECISIONS; p++)
            memory_free(links[a][p]);
    return facts_end();
}
