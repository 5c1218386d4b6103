/* test_wilson_dense.c - the measurement "wilson" on random links against the inverse of the dense matrix: correlators,
 * PCAC mass, condensate, and the ends of the spectrum. */
#include "src/lattice/rng.h"
#include "src/operators/clover_operator.h"
#include "tests/facts.h"
#include "tests/measure/dense_wilson.h"
#include "tests/measure/wilson_measured.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"

#include <complex.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_matrix.h>
#include <math.h>
#include <stdio.h>

/* M^-1 of links u. */
static gsl_matrix_complex *dense_inverse(const gauge *u, const clover_operator_params *params)
{
    gsl_matrix_complex *m = dense_wilson_matrix(u, params), *inverse = dense_invert(m);
    gsl_matrix_complex_free(m);
    return inverse;
}

/* gamma_t exchanges spins 0 and 2, 1 and 3 (src/site/spinor.h). */
static int turned_by_gamma_t(int component)
{
    return component / SPINOR * SPINOR + (component % SPINOR + SPINOR / 2) % SPINOR;
}

static bool is_odd(int component)
{
    const int site = component / SPINOR;
    return (site + site / 2 + site / 4 + site / 8) % 2 == 1;
}

/* The smallest and largest singular value of Mhat, whose inverse is M^-1 between odd sites. */
static void dense_ends(double *smallest, double *largest, const gsl_matrix_complex *inverse)
{
    gsl_matrix_complex *odd = gsl_matrix_complex_calloc(DENSE / 2, DENSE / 2);
    gsl_matrix_complex *square = gsl_matrix_complex_calloc(DENSE / 2, DENSE / 2);
    size_t row = 0;
    for (int i = 0; i < DENSE; i++) {
        size_t column = 0;
        for (int k = 0; is_odd(i) && k < DENSE; k++)
            if (is_odd(k))
                gsl_matrix_complex_set(odd, row, column++, gsl_matrix_complex_get(inverse, (size_t)i, (size_t)k));
        row += is_odd(i);
    }
    gsl_blas_zgemm(CblasConjTrans, CblasNoTrans, gsl_complex_rect(1, 0), odd, odd, gsl_complex_rect(0, 0), square);
    gsl_vector *value = dense_eigenvalues(square);
    *largest = 1 / sqrt(gsl_vector_get(value, 0));
    *smallest = 1 / sqrt(gsl_vector_get(value, DENSE / 2 - 1));
    gsl_vector_free(value);
    gsl_matrix_complex_free(square);
    gsl_matrix_complex_free(odd);
}

static void dense(place where)
{
    static const struct { const char *keys; double c_sw; clover_kind kind; double mu; } cases[] = {
        { "masses: [ { mass: 0.3 } ]", 0, CLOVER_LINEAR, 0 },
        { "c_sw: 1.3, masses: [ { mass: 0.3 } ]", 1.3, CLOVER_LINEAR, 0 },
        { "c_sw: 1.3, clover: exponential, masses: [ { mass: 0.3 } ]", 1.3, CLOVER_EXPONENTIAL, 0 },
        { "c_sw: 1.3, masses: [ { mass: 0.3, mu: 0.2 } ]", 1.3, CLOVER_LINEAR, 0.2 },
    };
    const int small[4] = { 2, 2, 2, 4 }, start = 1, origin = SITES_OF_TIME + 2;             /* [0, 1, 0, 1] */
    lattice *l = lattice_create_single(small);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        clover_operator_params params = { .boundary.t = -1, .c_sw = cases[c].c_sw, .kind = cases[c].kind };
        clover_operator_add_twisted(&params, 0.3, cases[c].mu);
        gsl_matrix_complex *inverse = dense_inverse(u, &params);
        double pion[4] = { 0 }, axial[4] = { 0 }, trace = 0, trace5 = 0, off_pion = 0, off_axial = 0, off_mass = 0;
        for (int i = 0; i < DENSE; i++) {
            const int t = (i / (SITES_OF_TIME * SPINOR) + 4 - start) % 4;
            trace += creal(dense_at(inverse, i, i)) / SITES;
            trace5 -= (i % SPINOR < SPINOR / 2 ? 1 : -1) * cimag(dense_at(inverse, i, i)) / SITES;
            for (int column = origin * SPINOR; column < (origin + 1) * SPINOR; column++) {
                const double complex q = dense_at(inverse, i, column);
                pion[t] += creal(q * conj(q));
                axial[t] -= creal(conj(q) * dense_at(inverse, turned_by_gamma_t(i), column));
            }
        }
        char keys[512];
        snprintf(keys, sizeof keys, "source: [0, 1, 0, 1], random_sources: 64, %s", cases[c].keys);
        yaml_node *tree = wilson_measured(u, keys);
        for (int t = 0; t < 4; t++) {
            off_pion = worse(off_pion, fabs(measured_item(tree, 0, "pion", t) / pion[t] - 1));
            off_axial = worse(off_axial, fabs(measured_item(tree, 0, "axial", t) - axial[t]) / pion[0]);
            off_mass = worse(off_mass, fabs(measured_item(tree, 0, "pcac_mass_in_time", t)
                                           - pcac_mass_of(axial, pion, t, 4)));
        }
        fact_close(off_pion, 0, 1e-10, "%s: { %s } pion by the dense inverse, at every t", place_name(where),
                   cases[c].keys);
        fact_close(off_axial, 0, 1e-10, "%s: axial correlator", place_name(where));
        fact_close(off_mass, 0, 1e-10, "%s: PCAC mass", place_name(where));
        fact(fabs(measured_real(tree, 0, "condensate") - trace) < 3.5 * measured_real(tree, 0, "condensate_error"),
             "%s: condensate %g +- %g, dense %g", place_name(where), measured_real(tree, 0, "condensate"),
             measured_real(tree, 0, "condensate_error"), trace);
        if (params.mu[0] != 0)
            fact(fabs(measured_real(tree, 0, "twisted_condensate") - trace5)
                     < 3.5 * measured_real(tree, 0, "twisted_condensate_error"),
                 "%s: condensate with i gamma5 %g +- %g, dense %g", place_name(where),
                 measured_real(tree, 0, "twisted_condensate"), measured_real(tree, 0, "twisted_condensate_error"),
                 trace5);
        double smallest, largest;
        dense_ends(&smallest, &largest, inverse);
        wilson_spectrum_facts(tree, smallest, largest, cases[c].keys);
        yaml_tree_free(tree);
        gsl_matrix_complex_free(inverse);
    }
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        dense(where);
    return facts_end();
}
