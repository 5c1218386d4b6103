/* test_wilson_reweighting.c - the measurement "wilson_reweighting" on random links against dense determinants: s of a
 * source is eta^+ (K - 1) eta, det K is 1 / W, the mean over many sources is W; free quarks in closed form; other keys,
 * faults. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/quark_sources.h"
#include "src/measure/wilson_reweighting.h"
#include "src/operators/clover_operator.h"
#include "src/operators/dwf_embed.h"
#include "tests/facts.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const int small[4] = { 2, 2, 2, 4 };
static const gsl_complex one = { { 1, 0 } }, none = { { 0, 0 } };

#define KIND "kind: wilson_reweighting, name: w, residual: 1e-13, "

static gauge *random_links(lattice *l, place where)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    return u;
}

static double log_weight(const yaml_node *tree)
{
    return measured_real(tree, 0, "log_weight");
}

/* ---- dense matrices on odd sites */

/* Mhat + i rho gamma5 */
static gsl_matrix_complex *dense_c(dirac_operator *d, double rho)
{
    const vec_storage full = dirac_full_storage(d);
    dirac_matrix *m = clover_operator_matrix_with(d, 0, rho);
    vec *spare[1][DIRAC_WORK_VECTORS] = { { NULL } }, *like = dirac_vec_create(d, d->kind->home, full);
    for (int k = 0; k < d->kind->work_vectors; k++)
        spare[0][k] = dirac_vec_create(d, d->kind->work[k], full);
    linop *c = d->kind->square(d, full, m, false, (vec *const (*)[DIRAC_WORK_VECTORS])spare, 1);
    gsl_matrix_complex *dense = dense_operator(c, 0, like);
    memory_free(c);
    for (int k = 0; k < d->kind->work_vectors; k++)
        vec_free(spare[0][k]);
    vec_free(like);
    memory_free(m);
    return dense;
}

static gsl_matrix_complex *product(CBLAS_TRANSPOSE_t turn_a, const gsl_matrix_complex *a, CBLAS_TRANSPOSE_t turn_b,
                                   const gsl_matrix_complex *b)
{
    gsl_matrix_complex *c = gsl_matrix_complex_alloc(a->size1, a->size1);
    gsl_blas_zgemm(turn_a, turn_b, one, a, b, none, c);
    return c;
}

/* a^-1 and log |det a| */
static gsl_matrix_complex *inverse_of(double *log_det, const gsl_matrix_complex *a)
{
    gsl_matrix_complex *lu = gsl_matrix_complex_alloc(a->size1, a->size1);
    gsl_matrix_complex_memcpy(lu, a);
    gsl_matrix_complex *inverse = dense_invert(lu);
    *log_det = gsl_linalg_complex_LU_lndet(lu);
    gsl_matrix_complex_free(lu);
    return inverse;
}

/* Type 1: K = C' (C^+ C)^-1 C'^+ = (C' C^-1) (C' C^-1)^+ */
static gsl_matrix_complex *k_of_type_1(const gsl_matrix_complex *c, const gsl_matrix_complex *next, double *log_det)
{
    double log_c, log_next;
    gsl_matrix_complex *inverse = inverse_of(&log_c, c), *unused = inverse_of(&log_next, next);
    gsl_matrix_complex *ratio = product(CblasNoTrans, next, CblasNoTrans, inverse);
    gsl_matrix_complex *k = product(CblasNoTrans, ratio, CblasConjTrans, ratio);
    *log_det = 2 * (log_next - log_c);
    gsl_matrix_complex_free(inverse);
    gsl_matrix_complex_free(unused);
    gsl_matrix_complex_free(ratio);
    return k;
}

/* eta^+ (K - 1) eta */
static double exponent(const gsl_matrix_complex *k, const gsl_vector_complex *eta)
{
    gsl_vector_complex *y = gsl_vector_complex_alloc(eta->size);
    gsl_complex z, norm2;
    gsl_blas_zgemv(CblasNoTrans, one, k, eta, none, y);
    gsl_blas_zdotc(eta, y, &z);
    gsl_blas_zdotc(eta, eta, &norm2);
    gsl_vector_complex_free(y);
    return GSL_REAL(z) - GSL_REAL(norm2);
}

/* eta of source `number` of the measurement, whose right-hand side gamma5 eta is the Gaussian vector. */
static gsl_vector_complex *eta_of(const dirac_operator *d, int number)
{
    const rng_key key = measurement_key(&(measurement_point){ 7, 0, 3 }, "w");
    const vec_storage full = dirac_full_storage(d);
    vec *b = dirac_vec_create(d, d->kind->home, full), *eta = dirac_vec_create(d, d->kind->home, full);
    vec_set_gaussian(b, key, (uint32_t)number * SOURCE_DRAWS);
    dwf_reflect(eta, b);
    gsl_vector_complex *v = dense_vector(eta);
    vec_free(b);
    vec_free(eta);
    return v;
}

enum { SOURCES = 64, STEPS_MAX = 3 };
typedef struct { const char *keys; double mass, mu, c_sw, rho; int type, steps; clover_kind kind; } dense_case;

/* Type 2: K = A(rho) A(0)^-1 A(rho) A(sqrt2 rho)^-1, A = C C^+; at mu = 0 these commute. */
static gsl_matrix_complex *k_of_type_2(dirac_operator *d, const dense_case *c, double *log_det)
{
    double log_det_of[3];
    gsl_matrix_complex *at[3], *a[3], *inverse[3];
    const double rho[3] = { 0, c->rho, sqrt(2) * c->rho };
    for (int i = 0; i < 3; i++) {
        at[i] = dense_c(d, rho[i]);
        a[i] = product(CblasNoTrans, at[i], CblasConjTrans, at[i]);
        inverse[i] = inverse_of(&log_det_of[i], a[i]);
    }
    gsl_matrix_complex *left = product(CblasNoTrans, a[1], CblasNoTrans, inverse[0]);
    gsl_matrix_complex *right = product(CblasNoTrans, a[1], CblasNoTrans, inverse[2]);
    gsl_matrix_complex *k = product(CblasNoTrans, left, CblasNoTrans, right);
    *log_det = 2 * log_det_of[1] - log_det_of[0] - log_det_of[2];
    for (int i = 0; i < 3; i++) {
        gsl_matrix_complex_free(at[i]);
        gsl_matrix_complex_free(a[i]);
        gsl_matrix_complex_free(inverse[i]);
    }
    gsl_matrix_complex_free(left);
    gsl_matrix_complex_free(right);
    return k;
}

static gsl_matrix_complex *k_of(dirac_operator *d, const dense_case *c, int step, double *log_det)
{
    if (c->type == 2)
        return k_of_type_2(d, c, log_det);
    gsl_matrix_complex *of = dense_c(d, c->rho * step / c->steps);
    gsl_matrix_complex *next = dense_c(d, c->rho * (step + 1) / c->steps);
    gsl_matrix_complex *k = k_of_type_1(of, next, log_det);
    gsl_matrix_complex_free(of);
    gsl_matrix_complex_free(next);
    return k;
}

/* log of A(rho) = (4 + m)^2 + (mu + rho)^2 at a component of a site without hops */
static double log_alone(const dense_case *c, double rho)
{
    return log((4 + c->mass) * (4 + c->mass) + (c->mu + rho) * (c->mu + rho));
}

/* log W of the odd sites of two slices */
static double constant_of_ends(const dense_case *c)
{
    const int components = 12 * small[0] * small[1] * small[2];
    return components * (c->type == 1 ? log_alone(c, 0) - log_alone(c, c->rho)
                                      : log_alone(c, 0) + log_alone(c, sqrt(2) * c->rho) - 2 * log_alone(c, c->rho));
}

/* Open boundaries in t: sources are 0 in the first and the last slice, whose sites have a constant factor of W that
 * only the dense determinants have. */
static void dense(place where, bool open)
{
    static const dense_case cases[] = {
        { "masses: [ { mass: 0.1, rho: 0.1 } ]", 0.1, 0, 0, 0.1, 1, 1, CLOVER_LINEAR },
        { "c_sw: 1.3, masses: [ { mass: 0, rho: 0.2, steps: 3 } ]", 0, 0, 1.3, 0.2, 1, 3, CLOVER_LINEAR },
        { "c_sw: 1.3, clover: exponential, masses: [ { mass: -0.2, rho: 0.15, steps: 2 } ]", -0.2, 0, 1.3, 0.15, 1, 2,
          CLOVER_EXPONENTIAL },
        { "c_sw: 1.3, masses: [ { mass: 0.1, mu: 0.3, rho: 0.1, steps: 2 } ]", 0.1, 0.3, 1.3, 0.1, 1, 2,
          CLOVER_LINEAR },
        { "masses: [ { mass: 0.1, mu: -0.3, rho: 0.1 } ]", 0.1, -0.3, 0, 0.1, 1, 1, CLOVER_LINEAR },
        { "c_sw: 1.3, masses: [ { mass: 0, rho: 0.4, type: 2 } ]", 0, 0, 1.3, 0.4, 2, 1, CLOVER_LINEAR },
    };
    lattice_shape shape = lattice_shape_single(small);
    shape.open_in_time = open;
    lattice *l = lattice_create(&shape);
    gauge *u = random_links(l, where);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const dense_case *c = &cases[n];
        const char *name = open ? "open" : place_name(where);
        clover_operator_params params = { .boundary.t = -1, .c_sw = c->c_sw, .kind = c->kind };
        clover_operator_add_twisted(&params, c->mass, c->mu);
        const dirac_plan plan = clover_operator_plan(&params);
        dirac_operator *d = dirac_create(&plan, u, false);
        failure f;
        require(dirac_update(d, u, &f), "%s", f.why);
        char keys[512];
        snprintf(keys, sizeof keys, KIND "sources: %d, %s", SOURCES, c->keys);
        yaml_node *tree = measured(u, keys);
        double want = 0, off = 0, off_det = 0;
        for (int step = 0; step < c->steps; step++) {
            double log_det, log_det_k;
            gsl_matrix_complex *k = k_of(d, c, step, &log_det), *unused = inverse_of(&log_det_k, k);
            off_det = worse(off_det, fabs(log_det_k - log_det));
            want -= log_det;
            for (int i = 0; i < SOURCES; i += SOURCES / 4 - 1) {
                gsl_vector_complex *eta = eta_of(d, step * SOURCES + i);
                const double s = exponent(k, eta);
                off = worse(off, fabs(measured_item(tree, 0, "exponents", step * SOURCES + i) - s) / (1 + fabs(s)));
                gsl_vector_complex_free(eta);
            }
            gsl_matrix_complex_free(k);
            gsl_matrix_complex_free(unused);
        }
        const double log = log_weight(tree), error = measured_real(tree, 0, "log_weight_error");
        fact_close(off, 0, 1e-9, "%s: { %s } exponents of sources by dense matrices", name, c->keys);
        fact_close(off_det, 0, 1e-9, "%s: det K of dense matrices is 1 / W", name);
        if (open)
            want -= constant_of_ends(c);
        fact(fabs(log - want) < 4 * error && error < 0.1, "%s: log W %.5f +- %.5f, by dense determinants %.5f", name,
             log, error, want);
        fact_close(measured_real(tree, 0, "weight") / exp(log), 1, 1e-14, "%s: W is the exponential of its logarithm",
                   name);
        fact(measured_number(measured_member(tree, "log_weight")) == log, "%s: one mass is all of the weight", name);
        yaml_tree_free(tree);
        dirac_free(d);
    }
    gauge_free(u);
    lattice_free(l);
}

/* ---- free quarks: Mhat is diagonal in momenta, of which p and p + pi are the same on odd sites */

static double free_log_weight(double mass, double rho, const int n[4])
{
    double log_w = 0;
    for (int x = 0; x < n[0] * n[1] * n[2] * n[3]; x++) {
        const double p[4] = { 2 * M_PI * (x % n[0]) / n[0], 2 * M_PI * (x / n[0] % n[1]) / n[1],
                              2 * M_PI * (x / n[0] / n[1] % n[2]) / n[2],
                              2 * M_PI * (x / n[0] / n[1] / n[2] + 0.5) / n[3] };
        double cosines = 0, sines2 = 0;
        for (int nu = 0; nu < 4; nu++) {
            cosines += cos(p[nu]);
            sines2 += sin(p[nu]) * sin(p[nu]);
        }
        const double diagonal = 4 + mass, real = diagonal - (cosines * cosines - sines2) / diagonal;
        const double size2 = real * real + 4 * cosines * cosines * sines2 / (diagonal * diagonal);
        log_w -= 12.0 / 2 * log1p(rho * rho / size2);
    }
    return log_w;
}

static void free_quarks(place where)
{
    const int n[4] = { 4, 2, 2, 6 };
    lattice *l = lattice_create_single(n);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    yaml_node *tree = measured(u, KIND "c_sw: 1.5, sources: 60, masses: [ { mass: 0.2, rho: 0.1, steps: 2 } ]");
    const double log = log_weight(tree), error = measured_real(tree, 0, "log_weight_error");
    const double want = free_log_weight(0.2, 0.1, n);
    fact(fabs(log - want) < 4 * error && error < 0.02 * fabs(want), "%s: free quarks, log W %.5f +- %.5f, exact %.5f",
         place_name(where), log, error, want);
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

/* ---- properties */

#define KEYS KIND "c_sw: 1.2, sources: 5, "
#define MASS "masses: [ { kappa: 0.125, rho: 0.1, steps: 2 } ]"

static bool same_numbers(const yaml_node *a, const yaml_node *b)
{
    bool same = log_weight(a) == log_weight(b);
    for (int i = 0; i < 10; i++)
        same &= measured_item(a, 0, "exponents", i) == measured_item(b, 0, "exponents", i);
    return same;
}

static void other_keys(place where)
{
    lattice *l = lattice_create_single(small);
    gauge *u = random_links(l, where), *v = random_links(l, PLACE_CPU);
    yaml_node *a = measured(u, KEYS MASS), *on_cpu = measured(v, KEYS MASS);
    yaml_node *single = measured(u, KEYS "max_rhs: 1, masses: [ { mass: 0, rho: 0.1, steps: 2 } ]");
    yaml_node *mixed = measured(u, KEYS "solver: double-half, " MASS);
    yaml_node *without = measured(u, KEYS "masses: [ { mass: 0, rho: 0 }, { mass: 0, mu: 0.2, rho: 0, steps: 2 }, "
                                  "{ mass: 0, rho: 0, type: 2 } ]");
    yaml_node *two = measured(u, KEYS "masses: [ { mass: 0, rho: 0.1 }, { mass: 0.3, rho: 0.1 } ]");
    yaml_node *few = measured(u, KIND "c_sw: 1.2, sources: 1, masses: [ { mass: 0, rho: 0.1 } ]");
    yaml_node *large = measured(u, KIND "c_sw: 1.2, sources: 3, masses: [ { mass: 0, rho: 50 } ]");
    yaml_node *hasty = measured(u, KEYS "max_iterations: 2, " MASS);
    fact(same_numbers(a, on_cpu), "%s: the bits of the CPU", place_name(where));
    fact(same_numbers(a, single) && measured_real(a, 0, "mass") == 0 && measured_real(a, 0, "rho") == 0.1,
         "%s: kappa 1/8 is mass 0; other batches change no bit", place_name(where));
    fact_close(log_weight(mixed), log_weight(a), 1e-9, "%s: in mixed precision the same", place_name(where));
    for (int m = 0; m < 3; m++)
        fact(measured_real(without, m, "log_weight") == 0 && measured_real(without, m, "weight") == 1
                 && measured_real(without, m, "weight_error") == 0, "without a regulator W is 1");
    fact_close(measured_number(measured_member(two, "log_weight")),
               log_weight(two) + measured_real(two, 1, "log_weight"), 1e-14, "two doublets: the product");
    fact(strcmp(measured_of_mass(few, 0, "weight_error")->scalar, "null") == 0 && measured_real(few, 0, "weight") < 1,
         "the error of one source is not known; at mu = 0 every exponent is positive");
    fact(isfinite(log_weight(large)) && log_weight(large) < -1000, "a weight that underflows has a logarithm (%g)",
         log_weight(large));
    fact(strcmp(measured_member(hasty, "converged")->scalar, "false") == 0 && measured_member(hasty, "why")
             && isnan(log_weight(hasty)), "without convergence there is a reason and no value");
    yaml_node *const trees[] = { a, on_cpu, single, mixed, without, two, few, large, hasty };
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        yaml_tree_free(trees[i]);
    gauge_free(u);
    gauge_free(v);
    lattice_free(l);
}

/* The relative error of a product of independent factors, each the mean of exp(-s) over its sources, and of the product
 * over masses: squares are added. */
static void errors(place where)
{
    enum { EACH = 6, STEPS = 3 };
    lattice *l = lattice_create_single(small);
    gauge *u = random_links(l, where);
    yaml_node *tree = measured(u, KIND "c_sw: 1.2, sources: 6, masses: [ { mass: 0, rho: 0.3, steps: 3 }, "
                                  "{ mass: 0.2, rho: 0.2, steps: 3 } ]");
    double square[2] = { 0, 0 };
    for (int m = 0; m < 2; m++) {
        for (int step = 0; step < STEPS; step++) {
            double mean = 0, scatter = 0;
            for (int i = 0; i < EACH; i++)
                mean += exp(-measured_item(tree, m, "exponents", step * EACH + i)) / EACH;
            for (int i = 0; i < EACH; i++)
                scatter += pow(exp(-measured_item(tree, m, "exponents", step * EACH + i)) - mean, 2);
            square[m] += scatter / (EACH * (EACH - 1)) / (mean * mean);
        }
        fact_close(measured_real(tree, m, "log_weight_error") / sqrt(square[m]), 1, 1e-12,
                   "%s: the errors of the factors are independent", place_name(where));
        fact_close(measured_real(tree, m, "weight_error") / measured_real(tree, m, "weight") / sqrt(square[m]), 1,
                   1e-12, "and the error of W is relative to it");
    }
    fact_close(measured_number(measured_member(tree, "log_weight_error")) / sqrt(square[0] + square[1]), 1, 1e-12,
               "%s: so are those of two masses", place_name(where));
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        dense(where, false);
        dense(where, true);
        free_quarks(where);
        other_keys(where);
        errors(where);
    }
    const measurement_kind *kind = &wilson_reweighting;
    measurement_refused(kind, small, "masses: [ { mass: 0, kappa: 0.1, rho: 0.1 } ]\n", "masses.0: give either mass");
    measurement_refused(kind, small, "masses: [ { mass: 0, mu: 0.1, rho: 0.1, type: 2 } ]\n", "type 2 is for mu = 0");
    measurement_refused(kind, small, "masses: [ { mass: 0, rho: 0.1, type: 2, steps: 2 } ]\n", "a single step");
    return facts_end();
}
