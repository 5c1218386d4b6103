/* test_low_modes.c - the group "modes" of measurements of quarks: all eigenvalues of the dense operator, free quarks in
 * closed form, gauge invariance, solves that begin with the modes, faults. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/condensate.h"
#include "src/measure/dwf_measurement.h"
#include "src/operators/clover_operator.h"
#include "src/operators/dwf_operator.h"
#include "src/operators/dwf_weights.h"
#include "src/operators/staggered_operator.h"
#include "src/solvers/dirac_solver.h"
#include "tests/facts.h"
#include "tests/measure/wilson_measured.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"

#include <gsl/gsl_sort_vector.h>
#include <math.h>
#include <string.h>

static double mode(const yaml_node *tree, const char *list, int i)
{
    return i < measured_modes_count(tree) ? measured_number(yaml_get(measured_modes(tree), list)->item[i]) : NAN;
}

/* Facts: `count` eigenvalues, the first ones of `all`, to `tolerance` of the largest, with small residuals. */
static void facts_of_modes(const yaml_node *tree, const gsl_vector *all, int count, const char *what)
{
    double off = 0, residual = 0, reach = gsl_vector_get(all, all->size - 1);
    for (int i = 0; i < count; i++) {
        const double deviation = fabs(mode(tree, "eigenvalues", i) - gsl_vector_get(all, (size_t)i)) / reach;
        off = off >= deviation ? off : deviation;                      /* NaN stays */
        residual = worse(residual, mode(tree, "residuals", i));
    }
    fact(measured_modes_count(tree) == count, "%s: %d eigenvalues", what, count);
    fact(off < 1e-11, "%s: the lowest ones, none is missing (%g)", what, off);
    fact(residual <= 1e-10, "%s: residuals are as requested (%g)", what, residual);
}

static gauge *links_at_random(lattice *l, place where)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(11, 0, 0, RNG_TEST));
    return u;
}

/* ---- the dense operator */

enum { DENSE = 12 };

static void against_dense(const gauge *u, const dirac_plan *plan, const char *keys)
{
    failure why;
    dirac_operator *d = dirac_create(plan, u, false);
    dirac_solver *w = dirac_solver_create(d, dirac_solver_spec_of(SOLVER_DOUBLE, 1));
    require(dirac_update(d, u, &why), "%s", why.why);
    dirac_matrix *m = d->kind->matrix(d, 0);
    vec *like = dirac_vec_create(d, d->kind->home, dirac_full_storage(d));
    gsl_matrix_complex *dense = dense_operator(dirac_solver_normal(w, m), 0, like);
    gsl_vector *all = dense_eigenvalues(dense);
    char more[512];
    snprintf(more, sizeof more, "%s, modes: { count: %d }", keys, DENSE);
    yaml_node *tree = measured(u, more);
    facts_of_modes(tree, all, DENSE, keys);
    yaml_tree_free(tree);
    gsl_vector_free(all);
    gsl_matrix_complex_free(dense);
    vec_free(like);
    memory_free(m);
    dirac_solver_free(w);
    dirac_free(d);
}

static void staggered_dense(const gauge *u, staggered_kind kind, double epsilon, const char *keys)
{
    const staggered_operator_params p = { .links = { .kind = kind, .u0 = 1, .boundary = 1, .epsilons = 1,
                                                     .epsilon = { epsilon } } };
    const dirac_plan plan = staggered_operator_plan(&p);
    against_dense(u, &plan, keys);
}

static void wilson_dense(const gauge *u, double c_sw, double mu, const char *keys)
{
    clover_operator_params p = { .boundary = quark_boundary_of(1, (const double[3]){ 0 }), .c_sw = c_sw };
    clover_operator_add_twisted(&p, 0.1, mu);
    const dirac_plan plan = clover_operator_plan(&p);
    against_dense(u, &plan, keys);
}

static void dwf_dense(const gauge *u, const char *keys)
{
    failure why;
    const dwf_weights_params given = { .kind = DWF_MOBIUS, .Ls = 4, .M5 = 1.8, .b = 1.5, .c = 0.5 };
    dwf_operator_params p = { .boundary = -1 };
    require(dwf_weights_make(&p.weights, &given, &why), "%s", why.why);
    dwf_operator_add_mass(&p, 0.1);
    const dirac_plan plan = dwf_operator_plan(&p);
    against_dense(u, &plan, keys);
}

#define WILSON(rest) "kind: wilson, correlators: false, spectrum: false, random_sources: 0, " rest

static void dense_operators(place where)
{
    lattice *l = lattice_create_single((const int[]){ 2, 2, 2, 2 });
    gauge *u = links_at_random(l, where);
    staggered_dense(u, STAGGERED_NAIVE, 0, "kind: condensate, action: naive, sources: 0, masses: [ { mass: 0.1 } ]");
    staggered_dense(u, STAGGERED_HISQ, -0.2,
                    "kind: condensate, sources: 0, masses: [ { mass: 0.1, naik_epsilon: -0.2 } ]");
    wilson_dense(u, 0, 0, WILSON("masses: [ { mass: 0.1 } ]"));
    wilson_dense(u, 1.3, 0, WILSON("c_sw: 1.3, masses: [ { mass: 0.1 } ]"));
    wilson_dense(u, 1.3, 0.3, WILSON("c_sw: 1.3, masses: [ { mass: 0.1, mu: 0.3 } ]"));
    dwf_dense(u, "kind: domain_wall, action: mobius, Ls: 4, correlators: false, spectrum: false, random_sources: 0, "
                 "masses: [ { mass: 0.1 } ]");
    gauge_free(u);
    lattice_free(l);
}

/* ---- free quarks */

typedef double free_eigenvalue(const double p[4]);

/* 4 sum of sin^2 p: D without the factor 1/2 */
static double free_staggered(const double p[4])
{
    double sum = 0;
    for (int nu = 0; nu < 4; nu++)
        sum += 4 * sin(p[nu]) * sin(p[nu]);
    return sum;
}

static double free_wilson(const double p[4])
{
    return wilson_free_mhat2(0.2, 0, 1, p);
}

/* All eigenvalues on one parity, each with `components` vectors: half of those of all momenta, because p and
 * p + (pi, pi, pi, pi) have the same one. */
static gsl_vector *free_eigenvalues(free_eigenvalue *of, const int n[4], int components)
{
    const int volume = n[0] * n[1] * n[2] * n[3];
    gsl_vector *every = gsl_vector_alloc((size_t)(volume * components));
    gsl_vector *half = gsl_vector_alloc((size_t)(volume * components / 2));
    for (int k = 0; k < volume * components; k++) {
        const int x = k % volume, plane = x / n[0] / n[1], wave[4] = { x % n[0], x / n[0] % n[1], plane % n[2],
                                                                       plane / n[2] };
        double p[4];
        for (int nu = 0; nu < 4; nu++)
            p[nu] = 2 * M_PI * (wave[nu] + (nu == 3 ? 0.5 : 0)) / n[nu];
        gsl_vector_set(every, (size_t)k, of(p));
    }
    gsl_sort_vector(every);
    for (size_t i = 0; i < half->size; i++)
        gsl_vector_set(half, i, gsl_vector_get(every, 2 * i));
    gsl_vector_free(every);
    return half;
}

/* Degenerate eigenvalues are found as often as they are there: more than their first multiplet is requested. */
static void free_quarks(place where)
{
    const int n[4] = { 4, 2, 2, 6 };
    lattice *l = lattice_create_single(n);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    const struct { const char *keys; free_eigenvalue *of; int components; } cases[] = {
        { "kind: condensate, action: naive, sources: 0, masses: [ { mass: 0.1 } ]", free_staggered, 3 },
        { WILSON("masses: [ { mass: 0.2 } ]"), free_wilson, 12 },
        { WILSON("c_sw: 1.5, masses: [ { mass: 0.2 } ]"), free_wilson, 12 },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char keys[512];
        gsl_vector *all = free_eigenvalues(cases[c].of, n, cases[c].components);
        int count = 1;
        while (gsl_vector_get(all, (size_t)count) < gsl_vector_get(all, 0) + 1e-9)
            count++;
        note("the lowest free eigenvalue is %d times there", count);
        count += 2;
        snprintf(keys, sizeof keys, "%s, modes: { count: %d }", cases[c].keys, count);
        yaml_node *tree = measured(u, keys);
        facts_of_modes(tree, all, count, keys);
        yaml_tree_free(tree);
        gsl_vector_free(all);
    }
    gauge_free(u);
    lattice_free(l);
}

/* ---- gauge invariance */

static void rotated_links(place where)
{
    static const char *const keys[] = {
        "kind: condensate, sources: 0, masses: [ { mass: 0.1 } ], modes: { count: 5 }",
        WILSON("c_sw: 1.3, masses: [ { mass: 0.1, mu: 0.2 } ], modes: { count: 5 }"),
        ("kind: domain_wall, action: mobius, Ls: 4, correlators: false, spectrum: false, random_sources: 0, "
         "masses: [ { mass: 0.1 } ], modes: { count: 5 }"),
    };
    lattice *l = lattice_create_single((const int[]){ 4, 2, 2, 4 });
    gauge *u = links_at_random(l, where);
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(12, 0, 0, RNG_GAUGE_ROTATION));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        double before[5], worst = 0;
        yaml_node *tree = measured(u, keys[k]);
        for (int i = 0; i < 5; i++)
            before[i] = mode(tree, "eigenvalues", i);
        yaml_tree_free(tree);
        gauge_rotate(u, g);
        tree = measured(u, keys[k]);
        for (int i = 0; i < 5; i++)
            worst = worse(worst, fabs(mode(tree, "eigenvalues", i) / before[i] - 1));
        fact(measured_modes_count(tree) == 5 && worst < 1e-10, "{ %s } do not depend on the gauge (%g)", keys[k],
             worst);
        yaml_tree_free(tree);
    }
    gauge_rotation_free(g);
    gauge_free(u);
    lattice_free(l);
}

/* ---- deflation */

/* Solves of the first mass reach the same numbers with and without modes, in fewer iterations: below `part` of those
 * without. */
static void facts_of_deflation(const gauge *u, const char *keys, const char *number, double part)
{
    char with[512];
    snprintf(with, sizeof with, "%s, modes: { count: 12, deflate: true }", keys);
    yaml_node *plain = measured(u, keys), *deflated = measured(u, with);
    const double before = measured_number(measured_member(plain, "iterations"));
    const double after = measured_number(measured_member(deflated, "iterations"));
    double worst = 0;
    for (int i = 0; i < 2; i++)
        worst = worse(worst, fabs(measured_item(deflated, 0, number, i) / measured_item(plain, 0, number, i) - 1));
    fact(worst < 1e-7, "{ %s }: the same %s (%g)", keys, number, worst);
    fact(measured_real(deflated, 0, "residual") <= 1e-10, "residuals are as requested (%g)",
         measured_real(deflated, 0, "residual"));
    fact(after < part * before, "fewer iterations (%g) than without modes (%g)", after, before);
    yaml_tree_free(plain);
    yaml_tree_free(deflated);
}

/* Quarks so light that a few eigenvalues decide. */
static void deflated_solves(place where)
{
    lattice *l = lattice_create_single((const int[]){ 4, 4, 4, 4 });
    gauge *u = links_at_random(l, where);
    facts_of_deflation(u, "kind: condensate, action: naive, sources: 2, residual: 1e-10, "
                          "masses: [ { mass: 0.005 }, { mass: 0.1 } ]", "pbp_sources", 0.65);
    facts_of_deflation(u, "kind: wilson, correlators: false, spectrum: false, random_sources: 2, residual: 1e-10, "
                          "masses: [ { mass: -1.2 } ]", "condensate_sources", 0.9);
    facts_of_deflation(u, "kind: domain_wall, Ls: 4, correlators: false, spectrum: false, random_sources: 2, "
                          "residual: 1e-10, masses: [ { mass: 0.001 } ]", "condensate_sources", 0.9);
    gauge_free(u);
    lattice_free(l);
}

/* ---- faults */

static void refused(place where)
{
    const int on[4] = { 2, 2, 2, 2 };
    measurement_refused(&condensate_measurement, on, "masses: [ { mass: 0.1 } ]\nmodes: { count: 25 }",
                        "only 24 eigenvalues");
    measurement_refused(&dwf_measurement, on, "Ls: 4\nmasses: [ { mass: 0.1 } ]\nmodes: { count: 9, basis: 9 }",
                        "must be larger than count");
    lattice *l = lattice_create_single((const int[]){ 4, 4, 4, 4 });
    gauge *u = links_at_random(l, where);
    yaml_node *tree = measured(u, "kind: condensate, masses: [ { mass: 0.1 } ], modes: { count: 9, max_restarts: 0 }");
    const yaml_node *why = measured_member(tree, "why");
    fact(strcmp(measured_member(tree, "converged")->scalar, "false") == 0 && why && strstr(why->scalar, "eigenpairs"),
         "modes that do not converge are reported: %s", why ? why->scalar : "");
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        dense_operators(where);
        free_quarks(where);
        rotated_links(where);
        deflated_solves(where);
        refused(where);
    }
    return facts_end();
}
