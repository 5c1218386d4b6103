/* test_dwf_measurement.c - the measurement "domain_wall" as a user asks for it: free quarks in closed form, the
 * overlap's trace, conventions, faults. */
#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/rng.h"
#include "src/measure/dwf_measurement.h"
#include "src/operators/quark_density.h"
#include "src/operators/dwf_weights.h"
#include "tests/facts.h"
#include "tests/measure/dense_overlap.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- free quarks: S(p) = alpha - i gamma beta, all of it from Dw(p) = W + i gamma sin p */

typedef struct { double alpha, beta[4], kernel; } free_quark;

static free_quark free_quark_at(const dwf_weights *w, double mass, const double p[4])
{
    double sine[4], sines = 0, wilson = -w->M5, product = 1;
    for (int mu = 0; mu < 4; mu++) {
        sine[mu] = sin(p[mu]);
        sines += sine[mu] * sine[mu];
        wilson += 1 - cos(p[mu]);
    }
    /* Dw (2 + d Dw)^-1 = (2 Dw + d Dw^+Dw) / |2 + d Dw|^2 = W' + i gamma sin p z */
    const double d = w->b[0] - w->c[0], square = wilson * wilson + sines;
    const double below = (2 + d * wilson) * (2 + d * wilson) + d * d * sines;
    const double real = (2 * wilson + d * square) / below, z = 2 / below, size = sqrt(real * real + z * z * sines);
    for (int s = 0; s < w->Ls; s++)
        product *= (1 - (w->b[s] + w->c[s]) * size) / (1 + (w->b[s] + w->c[s]) * size);
    const double sign = (1 - product) / (1 + product) / size;
    const double a = (1 + mass) / 2 + (1 - mass) / 2 * sign * real, b = (1 - mass) / 2 * sign * z;
    const double norm = a * a + b * b * sines;
    free_quark q = { .alpha = (a / norm - 1) / (1 - mass), .kernel = sqrt(square) };
    for (int mu = 0; mu < 4; mu++)
        q.beta[mu] = b * sine[mu] / norm / (1 - mass);
    return q;
}

enum { TIMES_MAX = 16, TRACE = 12 };
typedef struct { double condensate, residual_mass, pion[TIMES_MAX], smallest, largest; } free_numbers;

/* pion(t) = (1/V3) sum over spatial p of Tr |S(p, t)|^2, S(p, t) = (1/T) sum over p_t of exp(i p_t t) S(p) */
static free_numbers free_numbers_of(const dwf_weights *w, double mass, const int n[4])
{
    free_numbers f = { .smallest = INFINITY };
    const double space = (double)n[0] * n[1] * n[2], volume = space * n[3];
    double square = 0;
    for (int x = 0; x < n[0] * n[1] * n[2]; x++) {
        double wave[TIMES_MAX][5][2] = { 0 };
        for (int k = 0; k < n[3]; k++) {
            const double p[4] = { 2 * M_PI * (x % n[0]) / n[0], 2 * M_PI * (x / n[0] % n[1]) / n[1],
                                  2 * M_PI * (x / n[0] / n[1]) / n[2], 2 * M_PI * (k + 0.5) / n[3] };
            const free_quark q = free_quark_at(w, mass, p);
            const double part[5] = { q.alpha, q.beta[0], q.beta[1], q.beta[2], q.beta[3] };
            f.condensate += TRACE * q.alpha / volume;
            f.smallest = fmin(f.smallest, q.kernel);
            f.largest = worse(f.largest, q.kernel);
            for (int i = 0; i < 5; i++) {
                square += TRACE * part[i] * part[i] / volume;
                for (int t = 0; t < n[3]; t++) {
                    wave[t][i][0] += part[i] * cos(p[3] * t) / n[3];
                    wave[t][i][1] += part[i] * sin(p[3] * t) / n[3];
                }
            }
        }
        for (int t = 0; t < n[3]; t++)
            for (int i = 0; i < 5; i++)
                f.pion[t] += TRACE / space * (wave[t][i][0] * wave[t][i][0] + wave[t][i][1] * wave[t][i][1]);
    }
    f.residual_mass = f.condensate / square - mass;
    return f;
}

/* ---- the measurement at work */

static yaml_node *measure(const gauge *u, const char *keys)
{
    char all[1024];
    snprintf(all, sizeof all, "kind: domain_wall, name: walls, %s", keys);
    return measured(u, all);
}

static const int extents[4] = { 4, 2, 2, 6 };

static void free_field(place where)
{
    static const struct { const char *keys; dwf_weights_params weights; } cases[] = {
        { "action: shamir, Ls: 6, M5: 1.5", { .kind = DWF_SHAMIR, .Ls = 6, .M5 = 1.5 } },
        { "action: mobius, b: 1.5, c: 0.5, Ls: 6, M5: 1.5",
          { .kind = DWF_MOBIUS, .b = 1.5, .c = 0.5, .Ls = 6, .M5 = 1.5 } },
        { "action: optimal, Ls: 5, M5: 1.5, lambda_min: 0.4, lambda_max: 6",
          { .kind = DWF_OPTIMAL, .lambda_min = 0.4, .lambda_max = 6, .Ls = 5, .M5 = 1.5 } },
    };
    const double masses[2] = { 0.05, 0.3 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (int c = 0; c < 3; c++) {
        char keys[512];
        dwf_weights w;
        failure f;
        require(dwf_weights_make(&w, &cases[c].weights, &f), "%s", f.why);
        snprintf(keys, sizeof keys, "%s, source: [3, 1, 0, 4], random_sources: 12, residual: 1e-12, "
                                    "masses: [ { mass: 0.05 }, { mass: 0.3 } ]", cases[c].keys);
        yaml_node *tree = measure(u, keys);
        const char *name = dwf_kind_names[cases[c].weights.kind];
        for (int m = 0; m < 2; m++) {
            const free_numbers want = free_numbers_of(&w, masses[m], extents);
            const yaml_node *pion = measured_of_mass(tree, m, "pion");
            const double condensate = measured_real(tree, m, "condensate");
            const double error = measured_real(tree, m, "condensate_error");
            double worst = 0;
            for (int t = 0; t < extents[3]; t++)
                worst = worse(worst, pion ? fabs(measured_number(pion->item[t]) / want.pion[t] - 1) : INFINITY);
            fact_close(worst, 0, 1e-10, "%s: free %s quarks, m %g: the pion at every t, from the source",
                       place_name(where), name, masses[m]);
            fact_close(measured_real(tree, m, "residual_mass"), want.residual_mass, 1e-10 * (1 + want.residual_mass),
                       "%s: residual mass of %s", place_name(where), name);
            fact(fabs(condensate - want.condensate) < 3.5 * error && error < 0.2 * fabs(want.condensate),
                 "%s: condensate Tr S / V within its error (%g +- %g, exact %g)", name, condensate, error,
                 want.condensate);
            fact(fabs(measured_real(tree, m, "residual_mass_noise") - want.residual_mass)
                     < 4 * measured_real(tree, m, "residual_mass_noise_error"),
                 "%s: the noise's residual mass %g +- %g", name, measured_real(tree, m, "residual_mass_noise"),
                 measured_real(tree, m, "residual_mass_noise_error"));
            fact((measured_of_mass(tree, m, "midpoint") != NULL) == (c < 2),
                 "%s: midpoints where the Ward identity holds", name);
            fact_close(measured_number(yaml_get(measured_member(tree, "kernel"), "smallest")) / want.smallest, 1, 2e-3,
                       "%s: smallest |gamma5 Dw|", name);
            fact_close(measured_number(yaml_get(measured_member(tree, "kernel"), "largest")) / want.largest, 1, 2e-3,
                       "%s: largest |gamma5 Dw|", name);
        }
        yaml_tree_free(tree);
    }
    gauge_free(u);
    lattice_free(l);
}

/* On random links: the midpoint's sum is the Ward identity's residual mass, and either falls with Ls. */
static void residual_masses(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE), *v = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_TEST));
    gauge_copy(v, u);
    double before = INFINITY;
    for (int Ls = 4; Ls <= 12; Ls += 4) {
        char keys[256];
        snprintf(keys, sizeof keys, "action: scaled_shamir, Ls: %d, residual: 1e-12, plateau: 0, "
                                    "random_sources: 2, spectrum: false, masses: [ { mass: 0.1 } ]", Ls);
        yaml_node *a = measure(u, keys), *b = measure(v, keys);
        const yaml_node *pion = measured_of_mass(a, 0, "pion"), *midpoint = measured_of_mass(a, 0, "midpoint");
        const yaml_node *ratio = measured_of_mass(a, 0, "residual_mass_in_time");
        const yaml_node *again = measured_of_mass(b, 0, "pion");
        double sums[2] = { 0, 0 }, mean = 0, mass = measured_real(a, 0, "residual_mass");
        bool same = again != NULL, positive = true;
        for (int t = 0; t < extents[3]; t++) {
            sums[0] += measured_number(pion->item[t]);
            sums[1] += measured_number(midpoint->item[t]);
            mean += measured_number(ratio->item[t]) / extents[3];
            positive &= measured_number(midpoint->item[t]) > 0;
            same &= measured_number(pion->item[t]) == measured_number(again->item[t]);
        }
        fact_close(sums[1] / sums[0], mass, 1e-10, "Ls %d: sum of midpoints / sum of pions = the residual mass",
                   Ls);
        fact_close(measured_real(a, 0, "residual_mass_midpoint"), mean, 1e-13, "the plateau from 0 on is all of it");
        fact(positive && mass > 0 && mass < before, "Ls %d: the residual mass is positive, and falls (%g)", Ls,
             mass);
        fact(same && mass == measured_real(b, 0, "residual_mass")
                 && measured_real(a, 0, "condensate") == measured_real(b, 0, "condensate")
                 && measured_real(a, 0, "residual_mass_midpoint") == measured_real(b, 0, "residual_mass_midpoint"),
             "%s: the bits of the CPU", place_name(where));
        fact(!measured_member(a, "kernel"), "no spectrum where none is asked for");
        before = mass;
        yaml_tree_free(a);
        yaml_tree_free(b);
    }
    gauge_free(u);
    gauge_free(v);
    lattice_free(l);
}

/* All columns of the point, on random links, by the dense overlap operator. */
static void columns(place where)
{
    enum { SITES = 16, SPINOR = 12, SITES_OF_TIME = 8 };
    const int small[4] = { 2, 2, 2, 2 }, origin = SITES_OF_TIME + 2;             /* [0, 1, 0, 1] */
    const dwf_weights_params params = { .kind = DWF_SHAMIR, .Ls = 4, .M5 = 1.8 };
    dwf_weights w;
    failure f;
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    hop_links *links = hop_links_create(l, where, PRECISION_DOUBLE, -1);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    require(dwf_weights_make(&w, &params, &f) && hop_links_update(links, u, &f), "%s", f.why);
    dense_kernel k = dense_kernel_of(links, l, where, &w);
    double sign[SITES * SPINOR], eta[2 * SITES * SPINOR] = { 0 }, q[2 * SITES * SPINOR];
    double pion[2] = { 0, 0 }, trace = 0;
    for (size_t i = 0; i < k.n; i++)
        sign[i] = dense_sign(&w, gsl_vector_get(k.value, i));
    for (int column = 0; column < SPINOR; column++) {
        const int at = 2 * (origin * SPINOR + column);
        eta[at] = 1;
        dense_propagator(q, &k, sign, 0.2, eta);
        eta[at] = 0;
        trace += q[at];
        for (int i = 0; i < 2 * SITES * SPINOR; i++)
            pion[(i / (2 * SPINOR * SITES_OF_TIME) + 1) % 2] += q[i] * q[i];
    }
    yaml_node *tree = measure(u, "Ls: 4, residual: 1e-12, source: [0, 1, 0, 1], random_sources: 0, "
                                 "spectrum: false, masses: [ { mass: 0.2 } ]");
    for (int t = 0; t < 2; t++)
        fact_close(measured_item(tree, 0, "pion", t) / pion[t], 1, 1e-10, "%s: twelve columns, t %d",
                   place_name(where), t);
    fact_close(measured_real(tree, 0, "residual_mass"), trace / (pion[0] + pion[1]) - 0.2, 1e-10,
               "and their residual mass");
    yaml_tree_free(tree);
    dense_kernel_free(&k);
    hop_links_free(links);
    gauge_free(u);
    lattice_free(l);
}

/* A sum over all columns of the source knows nothing of the gauge. */
static void gauge_invariance(place where)
{
    static const char keys[] = "Ls: 4, residual: 1e-12, source: [1, 0, 1, 3], random_sources: 0, spectrum: false, "
                               "masses: [ { mass: 0.2 } ]";
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(5, 0, 0, RNG_GAUGE_ROTATION));
    yaml_node *before = measure(u, keys);
    gauge_rotate(u, g);
    yaml_node *after = measure(u, keys);
    double worst = 0;
    for (int t = 0; t < extents[3]; t++)
        worst = worse(worst, fabs(measured_item(after, 0, "pion", t) / measured_item(before, 0, "pion", t) - 1));
    fact_close(worst, 0, 1e-10, "%s: the pion does not change with the gauge", place_name(where));
    yaml_tree_free(before);
    yaml_tree_free(after);
    gauge_rotation_free(g);
    gauge_free(u);
    lattice_free(l);
}

/* The same physics said in another way. */
static void equivalent_inputs(place where)
{
#define SAID "action: borici, Ls: 6, M5: 1.4, spectrum: false, "
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(4, 0, 0, RNG_TEST));
    yaml_node *a = measure(u, SAID "residual: 1e-12, masses: [ { mass: 0.2 } ]");
    yaml_node *chiu = measure(u, SAID "residual: 1e-12, mass_convention: chiu, masses: [ { mass: 0.56 } ]");
    yaml_node *mixed = measure(u, SAID "residual: 1e-12, solver: double-half, max_rhs: 8, masses: [ { mass: 0.2 } ]");
    yaml_node *noise = measure(u, SAID "residual: 1e-12, correlators: false, masses: [ { mass: 0.2 } ]");
    yaml_node *point = measure(u, SAID "residual: 1e-12, random_sources: 0, masses: [ { mass: 0.2 } ]");
    yaml_node *hasty = measure(u, SAID "max_iterations: 2, masses: [ { mass: 0.2 }, { mass: 0.4 } ]");
    const double mass = measured_real(a, 0, "residual_mass");
    fact_close(measured_real(chiu, 0, "residual_mass") / (2.8 * mass), 1, 1e-10,
               "%s: Chiu's masses are 2 M5 m, residual ones too", place_name(where));
    fact_close(measured_real(mixed, 0, "residual_mass") / mass, 1, 1e-9, "%s: in mixed precision the same",
               place_name(where));
    fact(measured_real(noise, 0, "condensate") == measured_real(a, 0, "condensate")
             && !measured_of_mass(noise, 0, "pion"),
         "noise alone is what it is beside the point source");
    fact(measured_real(point, 0, "residual_mass") == mass && !measured_of_mass(point, 0, "condensate"),
         "and so is the point alone");
    fact(strcmp(measured_member(a, "converged")->scalar, "true") == 0, "it says that solves converged");
    fact(strcmp(measured_member(hasty, "converged")->scalar, "false") == 0 && measured_member(hasty, "why")
             && isnan(measured_real(hasty, 0, "residual_mass")), "without convergence there is a reason and no value");
    fact(measured_real(hasty, 0, "mass") == 0.2 && measured_real(hasty, 1, "mass") == 0.4, "but the list of masses");
    yaml_tree_free(a);
    yaml_tree_free(chiu);
    yaml_tree_free(mixed);
    yaml_tree_free(noise);
    yaml_tree_free(point);
    yaml_tree_free(hasty);
    gauge_free(u);
    lattice_free(l);
}

/* One density of 2^52, whose last bit is 1, and quarters at the other sites of a time slice. */
static void sums_of_densities(place where)
{
    lattice *l = lattice_create_single(extents);
    field density = quark_density_create(l, where);
    const int times = extents[3], sites = extents[0] * extents[1] * extents[2];
    double *slice = slice_alloc((size_t)sites), *sums = slice_alloc((size_t)times);
    for (int i = 0; i < sites; i++)
        slice[i] = i == 0 ? 0x1p52 : 0.25;
    field_set_slice(&density, times - 1, slice);
    quark_density_in_time(sums, &density, 0);
    fact(sums[0] == 0, "%s: no density, no sum", place_name(where));
    fact(sums[times - 1] == 0x1p52 + rint(0.25 * (sites - 1)),
         "%s: sums of densities are exact: a large one does not swallow the others", place_name(where));
    memory_free(sums);
    memory_free(slice);
    field_free(&density);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        free_field(where);
        residual_masses(where);
        columns(where);
        gauge_invariance(where);
        equivalent_inputs(where);
        sums_of_densities(where);
    }
    const measurement_kind *kind = &dwf_measurement;
    measurement_refused(kind, extents, "Ls: 6\nsource: [0, 2, 0, 0]\nmasses: [ { mass: 0.1 } ]\n",
                        "outside the lattice");
    measurement_refused(kind, extents, "Ls: 6\nmasses: [ { mass: 1 } ]\n", "Pauli-Villars");
    measurement_refused(kind, (int[4]){ 64, 64, 64, 96 }, "Ls: 48\nmasses: [ { mass: 0.1 } ]\n",
            "domain_wall: 48 slices of the fifth dimension on 64x64x64x96 sites");
    measurement_refused(kind, extents, "Ls: 5\naction: optimal_symmetric\nmasses: [ { mass: 0.1 } ]\n",
                        "even number of slices");
    return facts_end();
}
