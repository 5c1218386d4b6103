/* test_two_flavor_factors.c - factors of domain-wall and of Wilson quarks one by one: two flavors against dense linear
 * algebra, the second order of their action, random numbers of their own. */
#include "actions/dwf_params.h"
#include "actions/wilson_params.h"
#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/quark_fields.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>

#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */

typedef gsl_matrix_complex matrix;
typedef gsl_vector_complex vector;

/* ---- dense matrices of all sites, the unit matrix on even ones */

/* The numbers of a vector on odd sites, others 0: [slice][site][spin][color]. */
static vector *numbers_of(const vec *v, size_t count)
{
    vector *x = gsl_vector_complex_calloc(count);
    vec_export(x->data, v);
    return x;
}

static vec *vector_on(const dirac_operator *d, parity_set on)
{
    return dirac_vec_create(d, on, dirac_full_storage(d));
}

/* C of an index column by column */
static matrix *dense_c(const dirac_operator *d, int index)
{
    const size_t count = (size_t)lattice_volume(d->lattice) * (size_t)d->slabs * VEC_REALS / 2;
    vec *in = vector_on(d, d->kind->home), *out = vector_on(d, d->kind->image), *spare[DIRAC_WORK_VECTORS] = { NULL };
    dirac_matrix *m = d->kind->matrix(d, index);
    matrix *c = gsl_matrix_complex_alloc(count, count);
    vector *unit = gsl_vector_complex_alloc(count);
    for (int i = 0; i < d->kind->work_vectors; i++)
        spare[i] = vector_on(d, d->kind->work[i]);
    for (size_t j = 0; j < count; j++) {
        gsl_vector_complex_set_basis(unit, j);
        vec_import(in, unit->data);
        if (vec_norm2(in) > 0) {
            d->kind->apply(out, d, m, false, in, spare);
            vector *column = numbers_of(out, count);
            gsl_matrix_complex_set_col(c, j, column);
            gsl_vector_complex_free(column);
        } else
            gsl_matrix_complex_set_col(c, j, unit);
    }
    gsl_vector_complex_free(unit);
    for (int i = 0; i < d->kind->work_vectors; i++)
        vec_free(spare[i]);
    memory_free(m);
    vec_free(out);
    vec_free(in);
    return c;
}

/* 1, the V of a factor that stands alone */
static matrix *dense_one(const matrix *like)
{
    matrix *one = gsl_matrix_complex_alloc(like->size1, like->size1);
    gsl_matrix_complex_set_identity(one);
    return one;
}

/* phi^+ V (C^+C)^-1 V^+ phi = |C^+ ^-1 V^+ phi|^2 */
static double dense_action(const matrix *c, const matrix *v, const vector *phi)
{
    int sign;
    matrix *dagger = gsl_matrix_complex_alloc(c->size1, c->size1);
    gsl_permutation *order = gsl_permutation_alloc(c->size1);
    vector *b = gsl_vector_complex_alloc(c->size1);
    gsl_blas_zgemv(CblasConjTrans, gsl_complex_rect(1, 0), v, phi, gsl_complex_rect(0, 0), b);
    for (size_t i = 0; i < c->size1; i++)
        for (size_t j = 0; j < c->size1; j++)
            gsl_matrix_complex_set(dagger, i, j, gsl_complex_conjugate(gsl_matrix_complex_get(c, j, i)));
    gsl_linalg_complex_LU_decomp(dagger, order, &sign);
    gsl_linalg_complex_LU_svx(dagger, order, b);
    const double s = pow(gsl_blas_dznrm2(b), 2);
    gsl_vector_complex_free(b);
    gsl_permutation_free(order);
    gsl_matrix_complex_free(dagger);
    return s;
}

/* Two factors each: which mass is above and which below; the last one over Pauli-Villars fields, or alone. */
#define CHAIN_OF_TWO "residuals: { refresh: 1e-14, action: 1e-14 }\n" \
                     "determinants: [ { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.4 } ] } ]\n"
static const struct { const char *name; const monomial_kind *kind; const char *yaml; } chains[] = {
    { "domain-wall quarks", &dwf_monomial, CHAIN_OF_TWO "Ls: 2\naction: mobius\n" },
    { "Wilson", &wilson_monomial, CHAIN_OF_TWO },
    { "clover", &wilson_monomial, CHAIN_OF_TWO "c_sw: 1.4\n" },
};
enum { CHAINS = sizeof chains / sizeof chains[0] };

static void against_dense_algebra(const gauge *u, int which)
{
    enum { FACTORS = 2 };
    const monomial_kind *kind = chains[which].kind;
    const char *where = place_name(u->links.where), *name = chains[which].name;
    void *p = monomial_params(kind, chains[which].yaml);
    quark_plan plan;
    failure f;
    require(quark_plan_make(&plan, kind, p, &f), "%s", f.why);
    dirac_operator *d = plan.d.kind->create(&plan.d, u, false);
    require(dirac_update(d, u, &f), "%s", f.why);
    matrix *c[FACTORS + 1];
    for (int i = 0; i < FACTORS; i++)
        c[i] = dense_c(d, plan.factor[i].light);
    c[FACTORS] = plan.factor[FACTORS - 1].alone ? dense_one(c[0]) : dense_c(d, plan.factor[FACTORS - 1].heavy);
    fact(plan.count == FACTORS && plan.factor[0].heavy == plan.factor[1].light, "%s, %s: two factors of a chain", where,
         name);
    monomial *m = quarks_drawn(kind, chains[which].yaml, u);
    vec *eta = vector_on(d, d->kind->image);
    for (int n = 0; n < FACTORS; n++) {
        vector *phi = numbers_of((const vec *)monomial_pseudofermion(m, n, NULL), c[0]->size1);
        vec_set_gaussian(eta, key_of_fields(), plan.factor[n].first_draw);
        fact_close(dense_action(c[n], c[n + 1], phi) / vec_norm2(eta), 1, 1e-12,
                   "%s, %s: fields of factor %d have S = |eta|^2, relative", where, name, n);
        gsl_vector_complex_free(phi);
    }
    action_of(m, u);                                    /* the first action after a refresh is held to |eta|^2 */
    double want = 0;
    for (int n = 0; n < plan.blocks.count; n++) {
        const block_determinant *b = &plan.blocks.of[n];
        dirac_matrix *blocks = d->kind->matrix(d, b->matrix);
        want -= b->flavors * d->kind->log_det(d, blocks);
        memory_free(blocks);
    }
    for (int n = 0; n < FACTORS; n++) {
        vec *own = (vec *)monomial_pseudofermion(m, n, NULL);
        vec_set_gaussian(own, rng_key_for(84, 0, 1, RNG_TEST), (uint32_t)n * QUARK_FACTOR_DRAWS);
        vector *phi = numbers_of(own, c[0]->size1);
        want += dense_action(c[n], c[n + 1], phi);
        gsl_vector_complex_free(phi);
    }
    fact_close(action_of(m, u) / want, 1, 1e-12, "%s, %s: the action of any fields, relative", where, name);
    for (int i = 0; i <= FACTORS; i++)
        gsl_matrix_complex_free(c[i]);
    vec_free(eta);
    monomial_free(m);
    d->kind->free(d);
    quark_plan_free(&plan);
    monomial_params_free(kind, p);
}

/* ---- what a solution is worth, and what it is for */

/* S is the maximum over x of 2 Re b^+ x - |C x|^2: a solution with an error e gives S - |C e|^2, so that a solve that
 * stops at a residual r falls short of S by r^2, in whatever precision it is made.  Re b^+ x alone would do where x is
 * orthogonal to its residual, as conjugate gradients in double precision make it: solves with fewer bits inside have
 * errors in every direction. */
static double moved_action(const monomial_kind *kind, const char *more, const char *solver, double residual,
                           const gauge *u, const gauge *moved)
{
    char yaml[512];
    snprintf(yaml, sizeof yaml, "%ssolver: %s\nresiduals: { refresh: 1e-13, action: %g }\n"
             "determinants: [ { flavors: 2, mass: 0.05 } ]", more, solver, residual);
    monomial *m = quarks_drawn(kind, yaml, u);
    const double s = action_of(m, moved);
    monomial_free(m);
    return s;
}

static void second_order(const gauge *u, const gauge *moved, const monomial_kind *kind, const char *more)
{
    static const double residuals[] = { 1e-2, 1e-4, 1e-5, 1e-6, 3e-7 };
    const double tight = moved_action(kind, more, solver_names[0], 1e-13, u, moved);
    for (int solver = 0; solver_names[solver]; solver++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < sizeof residuals / sizeof residuals[0]; i++) {
            const double r = residuals[i], s = moved_action(kind, more, solver_names[solver], r, u, moved);
            const double short_by = (tight - s) / tight / (r * r);
            least = fmin(least, short_by);
            most = fmax(most, short_by);
        }
        fact(least > 0.1 && most < 8, "%s, %s, solver %s: an action solved to r is too small by r^2 S times %g to %g",
             place_name(u->links.where), kind->input.name, solver_names[solver], least, most);
    }
}

/* |<a, b>| / (|a| |b|) */
static double overlap(const field *a, const field *b)
{
    const vec *x = (const vec *)a, *y = (const vec *)b;
    const complex_number product = vec_dot(x, y);
    return hypot(product.re, product.im) / sqrt(vec_norm2(x) * vec_norm2(y));
}

/* Factors with the same masses have the same refresh but not the same random numbers: of two flavors, and of the
 * fields of one flavor. */
#define TWICE "determinants: [ "
static void own_noise(place where, const gauge *u)
{
    static const struct { const char *what; const monomial_kind *kind; const char *yaml; int fields; } rows[] = {
        { "two equal ratios", &dwf_monomial,
          "Ls: 4\n" TWICE "{ flavors: 2, mass: 0.1 }, { flavors: 2, mass: 0.1 } ]",
          2 },
        { "equal fields of one flavor, twice", &dwf_monomial,
          "Ls: 4\n" TWICE "{ flavors: 1, mass: 0.4, fields: 2 }, { flavors: 1, mass: 0.4, fields: 2 } ]", 4 },
        { "two equal determinants of Wilson quarks", &wilson_monomial,
          TWICE "{ flavors: 2, mass: 0.1 }, { flavors: 2, mass: 0.1 } ]", 2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        monomial *m = quarks_drawn(rows[i].kind, rows[i].yaml, u);
        double largest = 0;
        for (int a = 0; a < rows[i].fields; a++)
            for (int b = 0; b < a; b++)
                largest = worse(largest, overlap(monomial_pseudofermion(m, a, NULL),
                                                 monomial_pseudofermion(m, b, NULL)));
        /* of independent vectors of n numbers it is 1/sqrt(n); here n = 768, 192 */
        fact(largest < 0.2, "%s, %s: pseudofermions are independent (largest overlap %.2g)", place_name(where),
             rows[i].what, largest);
        monomial_free(m);
    }
}

/* Refresh, action and forces, with start vectors from solutions before, take the memory that was planned. */
static void memory(const gauge *u, const monomial_kind *kind, const char *more)
{
    const place where = u->links.where;
    static const char *const solvers[] = { "double", "double-single-half", "double-int30-int20" };
    for (int i = 0; i < 3; i++) {
        char yaml[256];
        snprintf(yaml, sizeof yaml, "%ssolver: %s\ndeterminants: [ { flavors: 2, mass: 0.1, chronological: 2, "
                                    "hasenbusch: [ { mass: 0.4 } ] } ]", more, solvers[i]);
        void *p = monomial_params(kind, yaml);
        momentum *force = momentum_create(u->links.lattice, where, PRECISION_DOUBLE);
        sum_array size = monomial_size_create(u);
        monomial_call call = { .clock = NULL };
        const size_t before = place_bytes_now(where);
        monomial *m = quarks_drawn(kind, yaml, u);
        action_of(m, u);
        for (int n = 0; n < 3; n++)
            require(monomial_add_force(m, u, force, 1, size.cells, &call), "%s", call.failure.why);
        const size_t taken = place_bytes_now(where) - before;
        const size_t planned = memory_need_sum(monomial_need(kind, p, lattice_shape_of(u->links.lattice)));
        fact(taken == planned, "%s, %s, %s: two factors take %zu bytes, %zu were planned", place_name(where),
             kind->input.name, solvers[i], taken, planned);
        monomial_params_free(kind, p);
        monomial_free(m);
        sums_free(&size);
        momentum_free(force);
    }
}

/* Links, and what a step of molecular dynamics makes of them (NULL: not wanted). */
static gauge *links_on(lattice *l, place where, gauge **moved)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    double *numbers = analytic_links(lattice_global(l), ROUGHNESS);
    gauge_import(u, numbers);
    memory_free(numbers);
    if (!moved)
        return u;
    momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
    momentum_set_gaussian(p, rng_key_for(61, 0, 0, RNG_MOMENTA));
    *moved = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_copy(*moved, u);
    gauge_drift(*moved, 0.03, p);
    momentum_free(p);
    return u;
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        lattice *tiny = lattice_create_single((const int[]){ 2, 2, 2, 2 });
        lattice *small = lattice_create_single((const int[]){ 4, 2, 2, 2 });
        gauge *moved, *at_tiny = links_on(tiny, where, NULL), *u = links_on(small, where, &moved);
        for (int which = 0; which < CHAINS; which++)
            against_dense_algebra(at_tiny, which);
        second_order(u, moved, &dwf_monomial, "action: mobius\nLs: 4\n");
        second_order(u, moved, &wilson_monomial, "");
        own_noise(where, u);
        memory(u, &dwf_monomial, "Ls: 4\n");
        memory(u, &wilson_monomial, "");
        memory(u, &wilson_monomial, "c_sw: 1.2\n");
        gauge_free(moved);
        gauge_free(u);
        gauge_free(at_tiny);
        lattice_free(small);
        lattice_free(tiny);
    }
    return facts_end();
}
