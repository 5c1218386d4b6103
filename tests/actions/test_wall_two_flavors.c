/* test_wall_two_flavors.c - factors of domain-wall quarks one by one: two flavours against dense linear algebra, the
 * second order of their action, random numbers of their own. */
#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/wall_fields.h"
#include "tests/actions/wall_input.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>

#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */
enum { SPINOR = 12 };

typedef gsl_matrix_complex matrix;
typedef gsl_vector_complex vector;

/* ---- dense matrices of all sites, the unit matrix on even ones */

/* The numbers of a vector on odd sites, others 0: [slice][site][spin][colour]. */
static vector *numbers_of(const vec *v, size_t count)
{
    vector *x = gsl_vector_complex_calloc(count);
    vec_export(x->data, v);
    return x;
}

static vec *odd_vector(const gauge *u, int slices)
{
    return wall_vec_create(u->links.lattice, ON_ODD, u->links.where, PRECISION_DOUBLE, slices);
}

/* C(m) column by column */
static matrix *dense_c(const wall_links *links, const wall_weights *w, double mass, const gauge *u)
{
    const size_t count = (size_t)lattice_volume(u->links.lattice) * SPINOR * (size_t)w->slices;
    const wall_matrix m = wall_matrix_of(w, mass, (fifth_corner){ 0, 0, 0 });
    vec *in = odd_vector(u, w->slices), *out = odd_vector(u, w->slices);
    vec *even = wall_vec_create(u->links.lattice, ON_EVEN, u->links.where, PRECISION_DOUBLE, w->slices);
    matrix *c = gsl_matrix_complex_alloc(count, count);
    vector *unit = gsl_vector_complex_alloc(count);
    for (size_t j = 0; j < count; j++) {
        gsl_vector_complex_set_basis(unit, j);
        vec_import(in, unit->data);
        if (vec_norm2(in) > 0) {
            wall_c(out, links, &m, in, even);
            vector *column = numbers_of(out, count);
            gsl_matrix_complex_set_col(c, j, column);
            gsl_vector_complex_free(column);
        } else
            gsl_matrix_complex_set_col(c, j, unit);
    }
    gsl_vector_complex_free(unit);
    vec_free(even);
    vec_free(out);
    vec_free(in);
    return c;
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

/* Factor by factor: which mass is above and which below. */
static void against_dense_algebra(place where, const gauge *u)
{
    static const double mass[] = { 0.1, 0.4, 1 };
    enum { FACTORS = 2 };
    wall_params p = wall_from_text("residuals: { heat_bath: 1e-14, action: 1e-14 }\nslices: 2\naction: mobius\n"
                                   "determinants: [ { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.4 } ] } ]");
    wall_plan plan;
    failure f;
    require(wall_plan_make(&plan, &p, &f), "%s", f.why);
    wall_links *links = wall_links_create(u->links.lattice, where, PRECISION_DOUBLE, plan.boundary);
    require(wall_links_update(links, u, &f), "%s", f.why);
    matrix *c[FACTORS + 1];
    for (int i = 0; i <= FACTORS; i++)
        c[i] = dense_c(links, &plan.weights, mass[i], u);
    monomial *m = quarks_at(&p, u);
    vec *eta = odd_vector(u, plan.weights.slices);
    for (int n = 0; n < FACTORS; n++) {
        vector *phi = numbers_of((const vec *)monomial_field(m, n, NULL), c[0]->size1);
        vec_set_gaussian(eta, key_of_fields(), plan.factor[n].first_draw);
        fact_close(dense_action(c[n], c[n + 1], phi) / vec_norm2(eta), 1, 1e-12,
                   "%s: fields of factor %d have S = |eta|^2, relative", place_name(where), n);
        gsl_vector_complex_free(phi);
    }
    action_of(m, u);                                    /* the first action after a refresh is held to |eta|^2 */
    double want = 0;
    for (int n = 0; n < FACTORS; n++) {
        vec_set_gaussian((vec *)monomial_field(m, n, NULL), rng_key_for(84, 0, 1, RNG_TEST),
                         (uint32_t)n * QUARK_FACTOR_DRAWS);
        vector *phi = numbers_of((const vec *)monomial_field(m, n, NULL), c[0]->size1);
        want += dense_action(c[n], c[n + 1], phi);
        gsl_vector_complex_free(phi);
    }
    fact_close(action_of(m, u) / want, 1, 1e-12, "%s: the action of any fields, relative", place_name(where));
    for (int i = 0; i <= FACTORS; i++)
        gsl_matrix_complex_free(c[i]);
    vec_free(eta);
    monomial_free(m);
    wall_links_free(links);
    wall_input_free(&p);
}

/* ---- what a solution is worth, and what it is for */

/* S is the maximum over x of 2 Re b^+ x - |C x|^2: a solution with an error e gives S - |C e|^2, so that a solve that
 * stops at a residual r falls short of S by r^2, in whatever precision it is made.  Re b^+ x alone would do where x is
 * orthogonal to its residual, as conjugate gradients in double precision make it: solves with fewer bits inside have
 * errors in every direction. */
static void second_order(place where, const gauge *u, const gauge *moved)
{
    static const double residuals[] = { 1e-2, 1e-4, 1e-5, 1e-6, 3e-7 };
    wall_params p = wall_from_text("action: mobius\nslices: 4\nresiduals: { heat_bath: 1e-13, action: 1e-13 }\n"
                                   "determinants: [ { flavors: 2, mass: 0.05 } ]");
    monomial *m = quarks_at(&p, u);
    const double tight = action_of(m, moved);
    monomial_free(m);
    for (p.solver = 0; solver_names[p.solver]; p.solver++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < sizeof residuals / sizeof residuals[0]; i++) {
            const double r = p.residual.of[ROLE_ACTION] = residuals[i];
            m = quarks_at(&p, u);
            const double short_by = (tight - action_of(m, moved)) / tight / (r * r);
            monomial_free(m);
            least = fmin(least, short_by);
            most = fmax(most, short_by);
        }
        fact(least > 0.5 && most < 8, "%s, solver %s: an action solved to r is too small by r^2 S times %g to %g",
             place_name(where), solver_names[p.solver], least, most);
    }
    p.solver = 0;
    wall_input_free(&p);
}

/* |<a, b>| / (|a| |b|) */
static double overlap(const field *a, const field *b)
{
    const vec *x = (const vec *)a, *y = (const vec *)b;
    const complex_number product = vec_dot(x, y);
    return hypot(product.re, product.im) / sqrt(vec_norm2(x) * vec_norm2(y));
}

/* Factors with the same masses have the same heat bath but not the same random numbers: of two flavours, and of the
 * fields of one flavour. */
static void own_noise(place where, const gauge *u)
{
    static const struct { const char *what, *yaml; int fields; } rows[] = {
        { "two equal ratios", "slices: 4\ndeterminants: [ { flavors: 2, mass: 0.1 }, { flavors: 2, mass: 0.1 } ]", 2 },
        { "equal fields of one flavour, twice", "slices: 4\ndeterminants: [ { flavors: 1, mass: 0.4, fields: 2 },"
          " { flavors: 1, mass: 0.4, fields: 2 } ]", 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wall_params p = wall_from_text(rows[i].yaml);
        monomial *m = quarks_at(&p, u);
        double largest = 0;
        for (int a = 0; a < rows[i].fields; a++)
            for (int b = 0; b < a; b++)
                largest = fmax(largest, overlap(monomial_field(m, a, NULL), monomial_field(m, b, NULL)));
        /* of independent vectors of n numbers it is 1/sqrt(n); here n = 768 */
        fact(largest < 0.2, "%s, %s: pseudofermions are independent (largest overlap %.2g)", place_name(where),
             rows[i].what, largest);
        monomial_free(m);
        wall_input_free(&p);
    }
}

/* Heat bath, action and forces, with start vectors from solutions before, take the memory that was planned. */
static void memory(place where, const gauge *u)
{
    static const char *const solvers[] = { "double", "double-single-half", "double-int30-int20" };
    for (int i = 0; i < 3; i++) {
        char yaml[256];
        snprintf(yaml, sizeof yaml, "slices: 4\nsolver: %s\ndeterminants: [ { flavors: 2, mass: 0.1, chronological: 2, "
                                    "hasenbusch: [ { mass: 0.4 } ] } ]", solvers[i]);
        wall_params p = wall_from_text(yaml);
        momentum *force = momentum_create(u->links.lattice, where, PRECISION_DOUBLE);
        sum_cell *cells = sum_cells_create(where, FORCE_CELLS);
        monomial_call call = { .clock = NULL };
        const size_t before = place_bytes_now(where);
        monomial *m = quarks_at(&p, u);
        action_of(m, u);
        for (int n = 0; n < 3; n++)
            require(monomial_add_force(m, u, force, 1, cells, &call), "%s", call.trouble.why);
        const size_t taken = place_bytes_now(where) - before;
        const size_t planned = monomial_bytes(&wall_monomial, &p, lattice_shape_of(u->links.lattice));
        fact(taken == planned, "%s, %s: two ratios take %zu bytes, %zu were planned", place_name(where), solvers[i],
             taken, planned);
        monomial_free(m);
        sum_cells_free(cells, where);
        momentum_free(force);
        wall_input_free(&p);
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
        against_dense_algebra(where, at_tiny);
        second_order(where, u, moved);
        own_noise(where, u);
        memory(where, u);
        gauge_free(moved);
        gauge_free(u);
        gauge_free(at_tiny);
        lattice_free(small);
        lattice_free(tiny);
    }
    return facts_end();
}
