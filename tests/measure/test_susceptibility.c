/* test_susceptibility.c - chiral susceptibilities and the quark number density in the record of a measurement: means
 * over sources, the derivative of each by the mass, imaginary chemical potential and the center of the gauge group, the
 * same bits on ranks. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/measure/condensate.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES = 5 };
#define TIGHT "kind: condensate, name: q, residual: 1e-13, sources: 5"
#define MASSES "masses: [ { mass: 0.1 }, { mass: 0.3, naik_epsilon: -0.1 }, { mass: 0.2 } ]"

static gauge *random_links(lattice *l, place where)
{
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE), *v = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    gauge_copy(v, u);
    gauge_free(u);
    return v;
}

/* Mean and error of the single values of a list. */
static void facts_of_mean(const yaml_node *tree, int m, const char *name, const double *value)
{
    char error[96];
    double mean = 0, square = 0;
    snprintf(error, sizeof error, "%s_error", name);
    for (int i = 0; i < SOURCES; i++)
        mean += value[i] / SOURCES;
    for (int i = 0; i < SOURCES; i++)
        square += (value[i] - mean) * (value[i] - mean);
    fact_close(measured_real(tree, m, name), mean, 1e-14, "mass %d: %s is the mean of the sources", m, name);
    fact_close(measured_real(tree, m, error), sqrt(square / SOURCES / (SOURCES - 1)), 1e-14, "and its error");
}

static void record_facts(const gauge *u)
{
    yaml_node *tree = measured(u, TIGHT ", strange: 0.3, number_density: true, imaginary_mu: 0.2, " MASSES);
    yaml_node *bare = measured(u, "kind: condensate, name: q, residual: 1e-13, sources: 1, imaginary_mu: 0.2, " MASSES);
    for (int m = 0; m < 3; m++) {
        const double ratio = measured_real(tree, m, "mass") / 0.3;
        double c[SOURCES], subtracted[SOURCES], connected[SOURCES], density[SOURCES], pairs = 0;
        for (int i = 0; i < SOURCES; i++) {
            c[i] = measured_item(tree, m, "pbp_sources", i) / 2;
            subtracted[i] = c[i] - ratio * measured_item(tree, 1, "pbp_sources", i) / 2;
            connected[i] = measured_item(tree, m, "susceptibility_connected_sources", i);
            density[i] = measured_item(tree, m, "number_density_sources", i);
        }
        for (int i = 0; i < SOURCES; i++)
            for (int k = 0; k < SOURCES; k++)
                pairs += i != k ? c[i] * c[k] / (SOURCES * (SOURCES - 1)) : 0;
        fact_close(measured_real(tree, m, "condensate_squared") / pairs, 1, 1e-12,
                   "mass %d: the square of the condensate has products of different sources only", m);
        facts_of_mean(tree, m, "susceptibility_connected", connected);
        facts_of_mean(tree, m, "number_density", density);
        if (m != 1)
            facts_of_mean(tree, m, "subtracted", subtracted);
        fact(measured_item(bare, m, "pbp_sources", 0) == 2 * c[0], "the condensate is the same without them");
        fact(!measured_of_mass(bare, m, "number_density") && !measured_of_mass(bare, m, "subtracted"),
             "neither density nor subtracted condensate unless requested");
        const yaml_node *square = measured_of_mass(bare, m, "condensate_squared");
        fact(square && strcmp(square->scalar, "null") == 0, "a single source gives no square of the condensate");
    }
    fact(!measured_of_mass(tree, 1, "subtracted"), "the strange quark has no subtracted condensate");
    yaml_tree_free(bare);
    yaml_tree_free(tree);
}

/* Each source by itself: differences by the mass, with the error O(h^6). */
static void mass_derivative(const gauge *u)
{
    static const double weight[3] = { 45, -9, 1 };
    const double h = 0.001;
    double slope[SOURCES] = { 0 };
    yaml_node *tree = measured(u, TIGHT ", imaginary_mu: 0.2, masses: [ { mass: 0.1 } ]");
    for (int k = -3; k <= 3; k++) {
        char keys[160];
        if (k == 0)
            continue;
        snprintf(keys, sizeof keys, TIGHT ", imaginary_mu: 0.2, masses: [ { mass: %.17g } ]", 0.1 + k * h);
        yaml_node *moved = measured(u, keys);
        const double factor = (k > 0 ? 1 : -1) * weight[abs(k) - 1] / (60 * h);
        for (int i = 0; i < SOURCES; i++)
            slope[i] += factor * measured_item(moved, 0, "pbp_sources", i) / 2;
        yaml_tree_free(moved);
    }
    for (int i = 0; i < SOURCES; i++)
        fact_close(measured_item(tree, 0, "susceptibility_connected_sources", i) / slope[i], 1, 1e-7,
                   "source %d: the connected susceptibility is the derivative of the condensate by the mass", i);
    yaml_tree_free(tree);
}

/* Links in t of the last time slice times exp(2 pi i/3), the center of SU(3). */
static gauge *turned_by_center(const gauge *u)
{
    const int *n = lattice_global(u->links.lattice);
    const size_t links = (size_t)lattice_volume(u->links.lattice) * 4, slice = links / (size_t)n[3];
    double complex *numbers = memory_alloc(links * 9 * sizeof *numbers, "links of a field");
    gauge *turned = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    gauge_export((double *)numbers, u);
    for (size_t link = links - slice; link < links; link++)
        for (int e = 0; e < 9 && link % 4 == 3; e++)
            numbers[link * 9 + (size_t)e] *= cexp(2 * M_PI / 3 * I);
    gauge_import(turned, (double *)numbers);
    memory_free(numbers);
    return turned;
}

static double apart(const yaml_node *a, const yaml_node *b, const char *key)
{
    double most = 0;
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < SOURCES; i++)
            most = worse(most, fabs(measured_item(a, m, key, i) - measured_item(b, m, key, i)));
    return most;
}

static void phase_facts(const gauge *u)
{
#define AT(words) TIGHT ", number_density: true, " words ", " MASSES
    gauge *turned = turned_by_center(u);
    yaml_node *zero = measured(u, AT("imaginary_mu: 0.1")), *center = measured(turned, AT("imaginary_mu: 0.1"));
    yaml_node *third = measured(u, AT("imaginary_mu: 0.7666666666666666"));
    fact(apart(center, third, "pbp_sources") < 1e-10 && apart(center, third, "number_density_sources") < 1e-10,
         "imaginary_mu + 2/3 is an element of the center on the links: Roberge-Weiss");
    fact(apart(center, zero, "number_density_sources") > 1e-3, "which changes the quarks");
    yaml_node *periodic = measured(u, AT("boundary: 0, imaginary_mu: 1")), *other = measured(u, AT("boundary: 1"));
    fact(apart(periodic, other, "number_density_sources") == 0, "boundary and imaginary_mu are one phase");
    yaml_tree_free(zero);
    yaml_tree_free(third);
    yaml_tree_free(center);
    yaml_tree_free(periodic);
    yaml_tree_free(other);
    gauge_free(turned);
#undef AT
}

/* Free quarks of four tastes, M = 2m + i sum over nu of 2 gamma_nu sin p_nu, p_t = pi (2k + 1 + mu) / n_t with
 * mu = imaginary_mu: log Z = (1/2) sum over p and colors of log (4 m^2 + 4 sin^2 p) per taste, times 4 / 16 for each
 * component of a staggered field; one flavor is the fourth root.  d / d mu_I moves every p_t. */
static double free_density(const int n[4], double mass, double mu)
{
    double sum = 0;
    for (int x = 0; x < n[0] * n[1] * n[2] * n[3]; x++) {
        const int plane = x / n[0] / n[1];
        const double p[4] = { 2 * M_PI * (x % n[0]) / n[0], 2 * M_PI * (x / n[0] % n[1]) / n[1],
                              2 * M_PI * (plane % n[2]) / n[2], M_PI * (2 * (plane / n[2]) + 1 + mu) / n[3] };
        double below = 4 * mass * mass;
        for (int nu = 0; nu < 4; nu++)
            below += 4 * sin(p[nu]) * sin(p[nu]);
        sum += 3 * 4 * sin(p[3]) * cos(p[3]) / below;           /* (1/2) d log (below) / d p_t, three colors */
    }
    return -sum / 4 / (n[0] * n[1] * n[2] * n[3]);
}

static void free_quarks(place where)
{
    const int n[4] = { 4, 4, 4, 4 };
    lattice *l = lattice_create_single(n);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    yaml_node *tree = measured(u, "kind: condensate, name: q, action: naive, sources: 60, number_density: true, "
                                  "imaginary_mu: 0.5, masses: [ { mass: 0.1 } ]");
    const double got = measured_real(tree, 0, "number_density"), error = measured_real(tree, 0, "number_density_error");
    const double exact = free_density(n, 0.1, 0.5);
    fact(fabs(got - exact) < 5 * error && error < 0.08 * fabs(exact),
         "%s: the number density of one flavor of free quarks: %g +- %g, exact %g", place_name(where), got, error,
         exact);
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

static void refusals(void)
{
    const int n[4] = { 4, 4, 4, 4 };
    measurement_refused(&condensate_measurement, n, "masses: [ { mass: 0.1 }, { mass: 0.3 } ]\nstrange: 0.2",
                        "strange: 0.2 is not one of the masses");
    measurement_refused(&condensate_measurement, n, "masses: [ { mass: 0.1 } ]\nstrange: 0.1",
                        "strange: no mass is below 0.1");
}

static uint64_t digest_measured(lattice *l, place where)
{
    gauge *u = random_links(l, where);
    yaml_node *tree = measured(u, "kind: condensate, name: q, sources: 2, strange: 0.5, number_density: true, "
                               "imaginary_mu: 0.2, masses: [ { mass: 0.3 }, { mass: 0.5 } ]");
    static const char *const keys[] = { "condensate_squared", "susceptibility_connected", "subtracted",
                                        "number_density" };
    uint64_t digest = DIGEST64_START;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const double number = measured_real(tree, 0, keys[k]);
        require(isfinite(number), "%s was not measured", keys[k]);
        digest = digest64(digest, &number, sizeof number);
    }
    yaml_tree_free(tree);
    gauge_free(u);
    return digest;
}

int main(void)
{
    const int extents[4] = { 4, 4, 4, 4 }, divided[4] = { 8, 8, 8, 8 };
    refusals();
    FOR_EVERY_PLACE(where) {
        lattice *l = lattice_create_single(extents);
        gauge *u = random_links(l, where);
        record_facts(u);
        mass_derivative(u);
        phase_facts(u);
        free_quarks(where);
        gauge_free(u);
        lattice_free(l);
        same_on_grids_with_hops(where, divided, GRID_HOPS_MOST, digest_measured, "susceptibilities, number density");
    }
    return facts_end();
}
