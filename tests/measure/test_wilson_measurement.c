/* test_wilson_measurement.c - the measurement "wilson" as a user asks for it: free quarks in closed form, the inverse
 * of the dense matrix, conventions, faults. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/wilson_measurement.h"
#include "src/operators/clover_operator.h"
#include "tests/facts.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- free quarks: S(p) = (W - i gamma sin p - i mu gamma5) / (W^2 + sin^2 p + mu^2) */

enum { TIMES_MAX = 24, TRACE = 12, PARTS = 6 };
typedef struct { double condensate, pion[TIMES_MAX], axial[TIMES_MAX]; } free_numbers;

/* The parts of S: the unit matrix, -i gamma_0 .. -i gamma_3, -i gamma5. */
static void free_quark(double part[PARTS], double mass, double mu, const double p[4])
{
    double square = mu * mu;
    part[0] = mass;
    part[PARTS - 1] = mu;
    for (int nu = 0; nu < 4; nu++) {
        part[0] += 1 - cos(p[nu]);
        part[1 + nu] = sin(p[nu]);
        square += part[1 + nu] * part[1 + nu];
    }
    square += part[0] * part[0];
    for (int i = 0; i < PARTS; i++)
        part[i] /= square;
}

/* With S(p, t) = (1/T) sum over p_t of exp(i p_t t) S(p), over the spatial p:
 * pion(t) = (1/V3) sum of Tr |S(p, t)|^2,   axial(t) = -(1/V3) sum of Tr S^+ gamma_t S;   phase: boundary in t */
static free_numbers free_numbers_of(double mass, double mu, double phase, const int n[4])
{
    free_numbers f = { 0 };
    const double space = (double)n[0] * n[1] * n[2];
    for (int x = 0; x < n[0] * n[1] * n[2]; x++) {
        double complex wave[TIMES_MAX][PARTS] = { 0 };
        for (int k = 0; k < n[3]; k++) {
            const double p[4] = { 2 * M_PI * (x % n[0]) / n[0], 2 * M_PI * (x / n[0] % n[1]) / n[1],
                                  2 * M_PI * (x / n[0] / n[1]) / n[2], 2 * M_PI * (k + phase / 2) / n[3] };
            double part[PARTS];
            free_quark(part, mass, mu, p);
            f.condensate += TRACE * part[0] / space / n[3];
            for (int t = 0; t < n[3]; t++)
                for (int i = 0; i < PARTS; i++)
                    wave[t][i] += part[i] * cexp(I * p[3] * t) / n[3];
        }
        for (int t = 0; t < n[3]; t++) {
            for (int i = 0; i < PARTS; i++)
                f.pion[t] += TRACE / space * pow(cabs(wave[t][i]), 2);
            f.axial[t] += 2 * TRACE / space * creal(I * conj(wave[t][0]) * wave[t][4]);
        }
    }
    return f;
}

/* ---- the measurement at work */

static yaml_node *measure(const gauge *u, const char *keys)
{
    char all[1024];
    snprintf(all, sizeof all, "kind: wilson, residual: 1e-13, %s", keys);
    return measured(u, all);
}

static const int extents[4] = { 4, 2, 2, 6 };

static double mass_from(const double *axial, const double *pion, int t, int times)
{
    return (axial[(t + 1) % times] - axial[(t + times - 1) % times]) / (4 * pion[t]);
}

/* Unit links have no clover term, whatever c_sw is. */
static void free_field(place where)
{
    static const struct { const char *keys; double mass, mu, phase; } cases[] = {
        { "masses: [ { mass: 0.3 } ]", 0.3, 0, 1 },
        { "boundary: 0, masses: [ { kappa: 0.12 } ]", 1 / 0.24 - 4, 0, 0 },
        { "c_sw: 1.5, masses: [ { mass: 0.2 } ]", 0.2, 0, 1 },
        { "c_sw: 1.5, clover: exponential, masses: [ { mass: 0.2 } ]", 0.2, 0, 1 },
        { "masses: [ { mass: 0.1, mu: 0.25 } ]", 0.1, 0.25, 1 },
        { "c_sw: 1.5, masses: [ { mass: 0.1, mu: -0.25 } ]", 0.1, -0.25, 1 },
    };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char keys[512];
        snprintf(keys, sizeof keys, "source: [3, 1, 0, 4], random_sources: 12, %s", cases[c].keys);
        yaml_node *tree = measure(u, keys);
        const free_numbers want = free_numbers_of(cases[c].mass, cases[c].mu, cases[c].phase, extents);
        double pion = 0, axial = 0, mass = 0, plateau = 0;
        for (int t = 0; t < extents[3]; t++) {
            const double m = mass_from(want.axial, want.pion, t, extents[3]);
            pion = fmax(pion, fabs(measured_item(tree, 0, "pion", t) / want.pion[t] - 1));
            axial = fmax(axial, fabs(measured_item(tree, 0, "axial", t) - want.axial[t]) / want.pion[0]);
            mass = fmax(mass, fabs(measured_item(tree, 0, "pcac_mass_in_time", t) - m));
            plateau += t >= 2 && t <= 4 ? m / 3 : 0;
        }
        fact_close(pion, 0, 1e-11, "%s: { %s } free pion at every t, from the source", place_name(where),
                   cases[c].keys);
        fact_close(axial, 0, 1e-11, "%s: axial correlator", place_name(where));
        fact_close(mass, 0, 1e-11, "%s: PCAC mass at every t", place_name(where));
        fact_close(measured_real(tree, 0, "pcac_mass"), plateau, 1e-11, "%s: and its mean over t = 2, 3, 4",
                   place_name(where));
        const double condensate = measured_real(tree, 0, "condensate"), error = measured_real(tree, 0,
                                                                                              "condensate_error");
        fact(fabs(condensate - want.condensate) < 3.5 * error && error < 0.2 * fabs(want.condensate),
             "%s: condensate Tr M^-1 / V within its error (%g +- %g, exact %g)", place_name(where), condensate, error,
             want.condensate);
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
    yaml_node *tree = measure(u, "random_sources: 0, masses: [ { mass: 0.1 } ]");
    yaml_node *improved = measure(u, "random_sources: 0, c_A: -0.2, plateau: 0.5, masses: [ { mass: 0.1 } ]");
    fact_close(measured_item(tree, 0, "pcac_mass_in_time", 12), sinh(2 * energy) / 2, 1e-9,
               "%s: PCAC mass of a free quark at rest", place_name(where));
    fact_close(measured_real(improved, 0, "pcac_mass"), sinh(2 * energy) / 2 - 0.2 * (cosh(2 * energy) - 1), 1e-9,
               "%s: with c_A, at t = T/2 alone", place_name(where));
    fact(measured_item(tree, 0, "axial", 3) < 0 && measured_item(tree, 0, "axial", 21) > 0,
         "%s: the axial correlator is negative after the source", place_name(where));
    yaml_tree_free(tree);
    yaml_tree_free(improved);
    gauge_free(u);
    lattice_free(l);
}

/* ---- against the inverse of the dense matrix */

enum { SITES = 32, SITES_OF_TIME = 8, SPINOR = 12, DENSE = SITES * SPINOR };

/* [t][z][y][x][spin][colour] */
static void dense_numbers(double complex *out, dwf_field v)
{
    double even[2 * DENSE], odd[2 * DENSE];
    vec_export(even, v.even);
    vec_export(odd, v.odd);
    for (int i = 0; i < DENSE; i++)
        out[i] = even[2 * i] + odd[2 * i] + I * (even[2 * i + 1] + odd[2 * i + 1]);
}

static void dense_unit(dwf_field v, int component)
{
    double unit[2 * DENSE] = { 0 };
    unit[2 * component] = 1;
    vec_import(v.even, unit);
    vec_import(v.odd, unit);
}

/* M^-1 of links u. */
static gsl_matrix_complex *dense_inverse(const gauge *u, const clover_operator_params *params)
{
    const dirac_plan plan = clover_operator_plan(params);
    dirac_operator *d = dirac_create(&plan, u, false);
    failure f;
    require(dirac_update(d, u, &f), "%s", f.why);
    dirac_matrix *m = dirac_matrix_create(d, params->mass[0], (dirac_twist){ params->mu[0], 0 });
    dwf_field in = dwf_field_create(u, 1), out = dwf_field_create(u, 1);
    gsl_matrix_complex *a = gsl_matrix_complex_alloc(DENSE, DENSE), *inverse = gsl_matrix_complex_alloc(DENSE, DENSE);
    gsl_permutation *order = gsl_permutation_alloc(DENSE);
    int sign;
    for (int column = 0; column < DENSE; column++) {
        double complex numbers[DENSE];
        dense_unit(in, column);
        clover_apply(out, clover_operator_links(d, m), false, in);
        dense_numbers(numbers, out);
        for (int row = 0; row < DENSE; row++)
            gsl_matrix_complex_set(a, (size_t)row, (size_t)column,
                                   gsl_complex_rect(creal(numbers[row]), cimag(numbers[row])));
    }
    gsl_linalg_complex_LU_decomp(a, order, &sign);
    gsl_linalg_complex_LU_invert(a, order, inverse);
    gsl_permutation_free(order);
    gsl_matrix_complex_free(a);
    dwf_field_free(in);
    dwf_field_free(out);
    memory_free(m);
    dirac_free(d);
    return inverse;
}

static double complex dense_at(const gsl_matrix_complex *m, int row, int column)
{
    const gsl_complex z = gsl_matrix_complex_get(m, (size_t)row, (size_t)column);
    return GSL_REAL(z) + I * GSL_IMAG(z);
}

/* gamma_t exchanges spins 0 and 2, 1 and 3 (src/site/spinor.h). */
static int turned_by_gamma_t(int component)
{
    return component / SPINOR * SPINOR + (component % SPINOR + SPINOR / 2) % SPINOR;
}

static void dense(place where)
{
    static const struct { const char *keys; clover_operator_params params; } cases[] = {
        { "masses: [ { mass: 0.3 } ]", { .mass = { 0.3 } } },
        { "c_sw: 1.3, masses: [ { mass: 0.3 } ]", { .c_sw = 1.3, .mass = { 0.3 } } },
        { "c_sw: 1.3, clover: exponential, masses: [ { mass: 0.3 } ]",
          { .c_sw = 1.3, .kind = CLOVER_EXPONENTIAL, .mass = { 0.3 } } },
        { "c_sw: 1.3, masses: [ { mass: 0.3, mu: 0.2 } ]", { .c_sw = 1.3, .mass = { 0.3 }, .mu = { 0.2 } } },
    };
    const int small[4] = { 2, 2, 2, 4 }, start = 1, origin = SITES_OF_TIME + 2;             /* [0, 1, 0, 1] */
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        clover_operator_params params = cases[c].params;
        params.boundary = -1;
        params.masses = 1;
        gsl_matrix_complex *inverse = dense_inverse(u, &params);
        double pion[4] = { 0 }, axial[4] = { 0 }, trace = 0, off_pion = 0, off_axial = 0, off_mass = 0;
        for (int i = 0; i < DENSE; i++) {
            const int t = (i / (SITES_OF_TIME * SPINOR) + 4 - start) % 4;
            trace += creal(dense_at(inverse, i, i)) / SITES;
            for (int column = origin * SPINOR; column < (origin + 1) * SPINOR; column++) {
                const double complex q = dense_at(inverse, i, column);
                pion[t] += creal(q * conj(q));
                axial[t] -= creal(conj(q) * dense_at(inverse, turned_by_gamma_t(i), column));
            }
        }
        char keys[512];
        snprintf(keys, sizeof keys, "source: [0, 1, 0, 1], random_sources: 64, %s", cases[c].keys);
        yaml_node *tree = measure(u, keys);
        for (int t = 0; t < 4; t++) {
            off_pion = fmax(off_pion, fabs(measured_item(tree, 0, "pion", t) / pion[t] - 1));
            off_axial = fmax(off_axial, fabs(measured_item(tree, 0, "axial", t) - axial[t]) / pion[0]);
            off_mass = fmax(off_mass, fabs(measured_item(tree, 0, "pcac_mass_in_time", t)
                                           - mass_from(axial, pion, t, 4)));
        }
        fact_close(off_pion, 0, 1e-10, "%s: { %s } pion by the dense inverse, at every t", place_name(where),
                   cases[c].keys);
        fact_close(off_axial, 0, 1e-10, "%s: axial correlator", place_name(where));
        fact_close(off_mass, 0, 1e-10, "%s: PCAC mass", place_name(where));
        fact(fabs(measured_real(tree, 0, "condensate") - trace) < 3.5 * measured_real(tree, 0, "condensate_error"),
             "%s: condensate %g +- %g, dense %g", place_name(where), measured_real(tree, 0, "condensate"),
             measured_real(tree, 0, "condensate_error"), trace);
        yaml_tree_free(tree);
        gsl_matrix_complex_free(inverse);
    }
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
    yaml_node *before = measure(u, keys), *on_cpu = measure(v, keys);
    gauge_rotate(u, g);
    yaml_node *after = measure(u, keys);
    static const char *const lists[] = { "pion", "axial", "pcac_mass_in_time" };
    for (int m = 0; m < 2; m++) {
        double worst = 0;
        bool same = measured_real(before, m, "condensate") == measured_real(on_cpu, m, "condensate");
        for (int i = 0; i < 3; i++)
            for (int t = 0; t < extents[3]; t++) {
                const double one = measured_item(before, m, lists[i], t);
                const double unit = i < 2 ? measured_item(before, m, "pion", t) : 1;
                same &= one == measured_item(on_cpu, m, lists[i], t);
                worst = fmax(worst, fabs(measured_item(after, m, lists[i], t) - one) / unit);
            }
        fact_close(worst, 0, 1e-10, "%s: correlators do not change with the gauge", place_name(where));
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
    yaml_node *a = measure(u, KEYS "masses: [ { kappa: 0.125 } ]");
    yaml_node *mass = measure(u, KEYS "max_rhs: 3, masses: [ { mass: 0 }, { mass: 1 } ]");
    yaml_node *mixed = measure(u, KEYS "solver: double-half, max_rhs: 8, masses: [ { mass: 0 } ]");
    yaml_node *noise = measure(u, KEYS "correlators: false, masses: [ { mass: 0 } ]");
    yaml_node *point = measure(u, KEYS "random_sources: 0, masses: [ { mass: 0 } ]");
    yaml_node *hasty = measure(u, KEYS "max_iterations: 2, masses: [ { mass: 0 } ]");
    const double pcac = measured_real(a, 0, "pcac_mass");
    fact(same_numbers(a, mass) && measured_real(a, 0, "mass") == 0 && measured_real(a, 0, "kappa") == 0.125,
         "%s: kappa 1/8 is mass 0; a second mass and other batches change no bit", place_name(where));
    fact_close(measured_real(mixed, 0, "pcac_mass"), pcac, 1e-9, "%s: in mixed precision the same", place_name(where));
    fact(measured_real(noise, 0, "condensate") == measured_real(a, 0, "condensate")
             && !measured_of_mass(noise, 0, "pion"), "condensate alone");
    fact(measured_real(point, 0, "pcac_mass") == pcac && !measured_of_mass(point, 0, "condensate"),
         "correlators alone");
    fact(strcmp(measured_member(a, "converged")->scalar, "true") == 0
             && measured_number(measured_member(a, "iterations")) > 0, "solves converged");
    fact(strcmp(measured_member(hasty, "converged")->scalar, "false") == 0 && measured_member(hasty, "why")
             && isnan(measured_real(hasty, 0, "pcac_mass")), "without convergence there is a reason and no value");
    yaml_tree_free(a);
    yaml_tree_free(mass);
    yaml_tree_free(mixed);
    yaml_tree_free(noise);
    yaml_tree_free(point);
    yaml_tree_free(hasty);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        free_field(where);
        quark_at_rest(where);
        dense(where);
        gauge_invariance(where);
        other_keys(where);
    }
    const measurement_kind *kind = &wilson_measurement;
    measurement_refused(kind, extents, "source: [0, 2, 0, 0]\nmasses: [ { mass: 0.1 } ]\n", "outside the lattice");
    measurement_refused(kind, extents, "masses: [ { mass: 0.1, kappa: 0.1 } ]\n", "masses.0: give either mass");
    measurement_refused(kind, extents, "masses: [ { mu: 0.1 } ]\n", "masses.0: give either mass");
    measurement_refused(kind, extents, "masses: [ { mass: 0 }, { kappa: 0.125 } ]\n", "two masses are the same");
    return facts_end();
}
