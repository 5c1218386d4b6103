/* test_wilson_measurement.c - the measurement "wilson" as a user asks for it: free quarks in closed form, gauge
 * invariance, other keys, faults. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/wilson_measurement.h"
#include "tests/facts.h"
#include "tests/measure/wilson_measured.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- free quarks: S(p) = (W - i gamma sin p - i mu gamma5) / (W^2 + sin^2 p + mu^2), where 1 - cos p and sin p of
 * directions in space have the factor `space`, nu/xi_0 */

enum { TIMES_MAX = 24, TRACE = 12, PARTS = 6 };
typedef struct { double condensate, twisted, pion[TIMES_MAX], axial[TIMES_MAX], smallest, largest; } free_numbers;

/* The parts of S: the unit matrix, -i gamma_0 .. -i gamma_3, -i gamma5. */
static void free_quark(double part[PARTS], double mass, double mu, double space, const double p[4])
{
    double square = mu * mu;
    part[0] = mass;
    part[PARTS - 1] = mu;
    for (int nu = 0; nu < 4; nu++) {
        const double weight = nu < 3 ? space : 1;
        part[0] += weight * (1 - cos(p[nu]));
        part[1 + nu] = weight * sin(p[nu]);
        square += part[1 + nu] * part[1 + nu];
    }
    square += part[0] * part[0];
    for (int i = 0; i < PARTS; i++)
        part[i] /= square;
}

/* With S(p, t) = (1/T) sum over p_t of exp(i p_t t) S(p), over the spatial p:
 * pion(t) = (1/V3) sum of Tr |S(p, t)|^2,   axial(t) = -(1/V3) sum of Tr S^+ gamma_t S.  phase: of the boundary, in
 * units of pi */
static free_numbers free_numbers_of(double mass, double mu, double space, const double phase[4], const int n[4])
{
    free_numbers f = { .smallest = INFINITY };
    const double sites = (double)n[0] * n[1] * n[2];
    for (int x = 0; x < n[0] * n[1] * n[2]; x++) {
        double complex wave[TIMES_MAX][PARTS] = { 0 };
        for (int k = 0; k < n[3]; k++) {
            const int wave_number[4] = { x % n[0], x / n[0] % n[1], x / n[0] / n[1], k };
            double p[4];
            for (int nu = 0; nu < 4; nu++)
                p[nu] = 2 * M_PI * (wave_number[nu] + phase[nu] / 2) / n[nu];
            double part[PARTS];
            free_quark(part, mass, mu, space, p);
            f.condensate += TRACE * part[0] / sites / n[3];
            f.twisted += TRACE * part[PARTS - 1] / sites / n[3];
            f.smallest = fmin(f.smallest, sqrt(wilson_free_mhat2(mass, mu, space, p)));
            f.largest = worse(f.largest, sqrt(wilson_free_mhat2(mass, mu, space, p)));
            for (int t = 0; t < n[3]; t++)
                for (int i = 0; i < PARTS; i++)
                    wave[t][i] += part[i] * cexp(I * p[3] * t) / n[3];
        }
        for (int t = 0; t < n[3]; t++) {
            for (int i = 0; i < PARTS; i++)
                f.pion[t] += TRACE / sites * pow(cabs(wave[t][i]), 2);
            f.axial[t] += 2 * TRACE / sites * creal(I * conj(wave[t][0]) * wave[t][4]);
        }
    }
    return f;
}

/* ---- the measurement at work */

static const int extents[4] = { 4, 2, 2, 6 };

static void facts_of_condensate(const yaml_node *tree, const char *name, double exact, const char *keys)
{
    char key[64];
    snprintf(key, sizeof key, "%s_error", name);
    const double value = measured_real(tree, 0, name), error = measured_real(tree, 0, key);
    fact(fabs(value - exact) < 3.5 * error && error < 0.2 * fabs(exact),
         "{ %s } %s within its error (%g +- %g, exact %g)", keys, name, value, error, exact);
}

#define ANTIPERIODIC { 0, 0, 0, 1 }

/* Unit links have no clover term, whatever c_sw is. */
static void free_field(place where)
{
    static const struct { const char *keys; double mass, mu, phase[4], xi_over_nu; } cases[] = {
        { "masses: [ { mass: 0.3 } ]", 0.3, 0, ANTIPERIODIC, 1 },
        { "boundary: 0, masses: [ { kappa: 0.12 } ]", 1 / 0.24 - 4, 0, { 0, 0, 0, 0 }, 1 },
        { "c_sw: 1.5, masses: [ { mass: 0.2 } ]", 0.2, 0, ANTIPERIODIC, 1 },
        { "c_sw: 1.5, clover: exponential, masses: [ { mass: 0.2 } ]", 0.2, 0, ANTIPERIODIC, 1 },
        { "masses: [ { mass: 0.1, mu: 0.25 } ]", 0.1, 0.25, ANTIPERIODIC, 1 },
        { "c_sw: 1.5, masses: [ { mass: 0.1, mu: -0.25 } ]", 0.1, -0.25, ANTIPERIODIC, 1 },
        { "theta: [0.4, -0.7, 1.3], masses: [ { mass: 0.3 } ]", 0.3, 0, { 0.4, -0.7, 1.3, 1 }, 1 },
        { "theta: [0, 0, 0.5], boundary: 0, c_sw: 1.5, masses: [ { mass: 0.1, mu: 0.25 } ]", 0.1, 0.25,
          { 0, 0, 0.5, 0 }, 1 },
        { "xi_0: 2.5, masses: [ { mass: 0.3 } ]", 0.3, 0, ANTIPERIODIC, 2.5 },
        { "theta: [0.4, -0.7, 1.3], xi_0: 2, nu: 1.2, masses: [ { mass: 0.1, mu: 0.25 } ]", 0.1, 0.25,
          { 0.4, -0.7, 1.3, 1 }, 2 / 1.2 },
    };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char keys[512];
        snprintf(keys, sizeof keys, "source: [3, 1, 0, 4], random_sources: 12, %s", cases[c].keys);
        yaml_node *tree = wilson_measured(u, keys);
        const free_numbers want = free_numbers_of(cases[c].mass, cases[c].mu, 1 / cases[c].xi_over_nu,
                                                  cases[c].phase, extents);
        double pion = 0, axial = 0, mass = 0, plateau = 0;
        for (int t = 0; t < extents[3]; t++) {
            const double m = pcac_mass_of(want.axial, want.pion, t, extents[3]);
            pion = worse(pion, fabs(measured_item(tree, 0, "pion", t) / want.pion[t] - 1));
            axial = worse(axial, fabs(measured_item(tree, 0, "axial", t) - want.axial[t]) / want.pion[0]);
            mass = worse(mass, fabs(measured_item(tree, 0, "pcac_mass_in_time", t) - m));
            plateau += t >= 2 && t <= 4 ? m / 3 : 0;
        }
        fact_close(pion, 0, 1e-11, "%s: { %s } free pion at every t, from the source", place_name(where),
                   cases[c].keys);
        fact_close(axial, 0, 1e-11, "%s: axial correlator", place_name(where));
        fact_close(mass, 0, 1e-11, "%s: PCAC mass at every t", place_name(where));
        fact_close(measured_real(tree, 0, "pcac_mass"), plateau, 1e-11, "%s: and its mean over t = 2, 3, 4",
                   place_name(where));
        facts_of_condensate(tree, "condensate", want.condensate, cases[c].keys);
        if (cases[c].mu != 0)
            facts_of_condensate(tree, "twisted_condensate", want.twisted, cases[c].keys);
        else
            fact(!measured_of_mass(tree, 0, "twisted_condensate"), "no trace with gamma5 without a twisted mass");
        wilson_spectrum_facts(tree, want.smallest, want.largest, cases[c].keys);
        yaml_tree_free(tree);
    }
    gauge_free(u);
    lattice_free(l);
}

/* Far from the source only the quark at rest is left, with energy E = log(1 + m): C_AP and C_PP are sinh and cosh of
 * 2 E (T/2 - t), so that the PCAC mass is sinh(2 E) / 2, and with c_A it has c_A (cosh(2 E) - 1) besides. */
static void quark_at_rest(place where)
{
    const int long_in_t[4] = { 2, 2, 2, 24 };
    const double energy = log(1.1);
    lattice *l = lattice_create_single(long_in_t);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    yaml_node *tree = wilson_measured(u, "random_sources: 0, spectrum: false, masses: [ { mass: 0.1 } ]");
    yaml_node *improved = wilson_measured(u, "random_sources: 0, spectrum: false, c_A: -0.2, plateau: 0.5, "
                                     "masses: [ { mass: 0.1 } ]");
    fact_close(measured_item(tree, 0, "pcac_mass_in_time", 12), sinh(2 * energy) / 2, 1e-9,
               "%s: PCAC mass of a free quark at rest", place_name(where));
    fact_close(measured_real(improved, 0, "pcac_mass"), sinh(2 * energy) / 2 - 0.2 * (cosh(2 * energy) - 1), 1e-9,
               "%s: with c_A, at t = T/2 alone", place_name(where));
    fact(measured_real(tree, 0, "c_A") == 0 && measured_real(improved, 0, "c_A") == -0.2, "which the results have");
    fact(measured_item(tree, 0, "axial", 3) < 0 && measured_item(tree, 0, "axial", 21) > 0,
         "%s: the axial correlator is negative after the source", place_name(where));
    yaml_tree_free(tree);
    yaml_tree_free(improved);
    gauge_free(u);
    lattice_free(l);
}

/* ---- properties */

#define KEYS "c_sw: 1.2, source: [1, 0, 1, 3], "

/* A sum over all columns of the source does not depend on the gauge; the bits are those of the CPU. */
static void gauge_invariance(place where)
{
    static const char keys[] = KEYS "random_sources: 2, masses: [ { mass: 0.3 }, { mass: 0.3, mu: 0.1 } ]";
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *v = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    gauge_copy(v, u);
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(5, 0, 0, RNG_GAUGE_ROTATION));
    yaml_node *before = wilson_measured(u, keys), *on_cpu = wilson_measured(v, keys);
    gauge_rotate(u, g);
    yaml_node *after = wilson_measured(u, keys);
    static const char *const lists[] = { "pion", "axial", "pcac_mass_in_time" };
    for (int m = 0; m < 2; m++) {
        double worst = 0;
        bool same = measured_real(before, m, "condensate") == measured_real(on_cpu, m, "condensate");
        for (int i = 0; i < 3; i++)
            for (int t = 0; t < extents[3]; t++) {
                const double one = measured_item(before, m, lists[i], t);
                const double unit = i < 2 ? measured_item(before, m, "pion", t) : 1;
                same &= one == measured_item(on_cpu, m, lists[i], t);
                worst = worse(worst, fabs(measured_item(after, m, lists[i], t) - one) / unit);
            }
        fact_close(worst, 0, 1e-10, "%s: correlators do not change with the gauge", place_name(where));
        same &= wilson_spectrum(before, m, "smallest") == wilson_spectrum(on_cpu, m, "smallest")
            && wilson_spectrum(before, m, "largest") == wilson_spectrum(on_cpu, m, "largest");
        fact(same, "%s: the bits of the CPU", place_name(where));
    }
    yaml_tree_free(before);
    yaml_tree_free(on_cpu);
    yaml_tree_free(after);
    gauge_rotation_free(g);
    gauge_free(u);
    gauge_free(v);
    lattice_free(l);
}

static bool same_numbers(const yaml_node *a, const yaml_node *b)
{
    bool same = measured_real(a, 0, "condensate") == measured_real(b, 0, "condensate");
    for (int t = 0; t < extents[3]; t++)
        same &= measured_item(a, 0, "axial", t) == measured_item(b, 0, "axial", t);
    return same;
}

/* The same numbers from other keys. */
static void other_keys(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(4, 0, 0, RNG_TEST));
    yaml_node *a = wilson_measured(u, KEYS "masses: [ { kappa: 0.125 } ]");
    yaml_node *mass = wilson_measured(u, KEYS "max_rhs: 3, masses: [ { mass: 0 }, { mass: 1 } ]");
    yaml_node *mixed = wilson_measured(u, KEYS "solver: double-half, max_rhs: 8, masses: [ { mass: 0 } ]");
    yaml_node *noise = wilson_measured(u, KEYS "correlators: false, masses: [ { mass: 0 } ]");
    yaml_node *point = wilson_measured(u, KEYS "random_sources: 0, spectrum: false, masses: [ { mass: 0 } ]");
    yaml_node *hasty = wilson_measured(u, KEYS "max_iterations: 2, masses: [ { mass: 0 }, { mass: 0, mu: 0.5 } ]");
    const double pcac = measured_real(a, 0, "pcac_mass");
    fact(same_numbers(a, mass) && measured_real(a, 0, "mass") == 0 && measured_real(a, 0, "kappa") == 0.125,
         "%s: kappa 1/8 is mass 0; a second mass and other batches change no bit", place_name(where));
    fact_close(measured_real(mixed, 0, "pcac_mass"), pcac, 1e-9, "%s: in mixed precision the same", place_name(where));
    fact(measured_real(noise, 0, "condensate") == measured_real(a, 0, "condensate")
             && !measured_of_mass(noise, 0, "pion"), "condensate alone");
    fact(measured_real(point, 0, "pcac_mass") == pcac && !measured_of_mass(point, 0, "condensate")
             && !measured_of_mass(point, 0, "spectrum"),
         "correlators alone");
    fact(strcmp(measured_member(a, "converged")->scalar, "true") == 0
             && measured_number(measured_member(a, "iterations")) > 0, "solves converged");
    fact(strcmp(measured_member(hasty, "converged")->scalar, "false") == 0 && measured_member(hasty, "why")
             && isnan(measured_real(hasty, 0, "pcac_mass")), "without convergence there is a reason and no value");
    fact(measured_real(hasty, 0, "kappa") == 0.125 && measured_real(hasty, 1, "kappa") == 0.125
             && measured_real(hasty, 1, "mu") == 0.5, "but the parameters of all masses, which tell them apart");
    yaml_tree_free(a);
    yaml_tree_free(mass);
    yaml_tree_free(mixed);
    yaml_tree_free(noise);
    yaml_tree_free(point);
    yaml_tree_free(hasty);
    gauge_free(u);
    lattice_free(l);
}

/* The residual of a mass is that of its own solves, whichever masses stand before it. */
static void residuals(place where)
{
    static const char *const mass[2] = { "{ mass: 0.3 }", "{ mass: 1.5 }" };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(4, 0, 0, RNG_TEST));
    double of[2][2];
    for (int first = 0; first < 2; first++) {
        char keys[160];
        snprintf(keys, sizeof keys, KEYS "correlators: false, random_sources: 1, spectrum: false, masses: [ %s, %s ]",
                 mass[first], mass[1 - first]);
        yaml_node *tree = wilson_measured(u, keys);
        of[first][first] = measured_real(tree, 0, "residual");
        of[first][1 - first] = measured_real(tree, 1, "residual");
        yaml_tree_free(tree);
    }
    fact(of[0][0] > 0 && of[0][1] > 0 && of[0][0] != of[0][1] && of[0][0] == of[1][0] && of[0][1] == of[1][1],
         "%s: residuals of two masses do not depend on their order (%g, %g)", place_name(where), of[0][0], of[0][1]);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        free_field(where);
        quark_at_rest(where);
        gauge_invariance(where);
        other_keys(where);
        residuals(where);
    }
    const measurement_kind *kind = &wilson_measurement;
    measurement_refused(kind, extents, "source: [0, 2, 0, 0]\nmasses: [ { mass: 0.1 } ]\n", "outside the lattice");
    measurement_refused(kind, extents, "masses: [ { mass: 0.1, kappa: 0.1 } ]\n", "masses.0: give either mass");
    measurement_refused(kind, extents, "masses: [ { mu: 0.1 } ]\n", "masses.0: give either mass");
    measurement_refused(kind, extents, "masses: [ { mass: 0 }, { kappa: 0.125 } ]\n", "two masses are the same");
    return facts_end();
}
