/* selftest_quarks.c - staggered, domain-wall and Wilson quarks: forces against finite differences, actions against
 * dense linear algebra on 2^4, new pseudofermions, and solves in mixed precision against double. */
#include "src/selftest/selftest.h"

#include "actions/staggered_quarks.h"
#include "actions/dwf_params.h"
#include "actions/wilson_params.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/staggered.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

static const int tiny[4] = { 2, 2, 2, 2 }, extents[4] = { 4, 4, 2, 2 };

#define TIGHT "residuals: { refresh: 1e-12, action: 1e-12, force: 1e-12 }\n"
#define MASS 0.2
#define FLAVORS 2
#define FUNCTIONS "errors: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\nlargest_eigenvalue: 30\n"

/* The actions under test, with one pseudofermion each. */
static const struct { const char *name; const monomial_kind *kind; const char *yaml; } quarks[] = {
    { "HISQ quarks", &staggered_monomial,
      TIGHT FUNCTIONS "determinants: [ { quarks: [ { mass: 0.2, flavors: 2 } ] } ]\n" },
    { "domain-wall quarks", &dwf_monomial,
      TIGHT "action: mobius\nLs: 2\ndeterminants: [ { flavors: 2, mass: 0.2 } ]\n" },
    { "Wilson quarks", &wilson_monomial, TIGHT "determinants: [ { flavors: 2, mass: 1 } ]\n" },
    { "clover quarks", &wilson_monomial, TIGHT "c_sw: 1\ndeterminants: [ { flavors: 2, mass: 1 } ]\n" },
    { "clover quarks on stout links", &wilson_monomial,
      TIGHT "c_sw: 1\nstout: { levels: 2, rho: 0.1 }\ndeterminants: [ { flavors: 2, mass: 1 } ]\n" },
};
enum { QUARKS = sizeof quarks / sizeof quarks[0] };

typedef gsl_matrix_complex matrix;
typedef gsl_vector_complex vector;

/* Parameters of a row; release with params_free. */
static void *params_of(int which, const char *solver)
{
    const param_kind *input = &quarks[which].kind->input;
    void *p = memory_alloc(input->size, "quarks of a self-test");
    text yaml = { 0 };
    fault_list faults = { 0 };
    failure f;
    text_add(&yaml, "%ssolver: %s\n", quarks[which].yaml, solver);
    yaml_node *tree = yaml_read_string(text_string(&yaml), "quarks of a self-test", &f);
    require(tree != NULL, "%s", f.why);
    schema_read(tree, input->params, p, &faults);
    require(faults.count == 0, "%s", text_string(&faults.lines));
    fault_list_free(&faults);
    yaml_tree_free(tree);
    text_free(&yaml);
    return p;
}

static void params_free(int which, void *p)
{
    schema_free_values(quarks[which].kind->input.params, p);
    memory_free(p);
}

static monomial *create_quarks(int which, const char *solver, const gauge *u)
{
    void *p = params_of(which, solver);
    monomial *m = monomial_create(quarks[which].kind, p, u);
    params_free(which, p);
    return m;
}

static double action_of(monomial *m, const gauge *u)
{
    monomial_call call = { .clock = NULL };
    double s;
    require(monomial_action(&s, m, u, &call), "%s", call.failure.why);
    return s;
}

/* |eta|^2 of new pseudofermions */
static double refresh(monomial *m, const gauge *u)
{
    monomial_call call = { .clock = NULL };
    require(monomial_refresh(m, u, rng_key_for(5, 0, 1, RNG_PSEUDOFERMION), &call), "%s", call.failure.why);
    return call.drawn;
}

static momentum *force_of(monomial *m, const gauge *u)
{
    momentum *force = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    sum_array size = monomial_size_create(u);
    monomial_call call = { .clock = NULL };
    require(monomial_add_force(m, u, force, 1, size.cells, &call), "%s", call.failure.why);
    sums_free(&size);
    return force;
}

/* ---- forces, refresh, precision */

/* (S(exp(h P) U) - S(exp(-h P) U)) / 2h */
static double difference_quotient(monomial *m, const gauge *u, const momentum *p, double h)
{
    double s[2];
    gauge *moved = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    for (int side = 0; side < 2; side++) {
        gauge_copy(moved, u);
        gauge_drift(moved, side == 0 ? h : -h, p);
        s[side] = action_of(m, moved);
    }
    gauge_free(moved);
    return (s[0] - s[1]) / (2 * h);
}

static void forces(selftest *t, int which)
{
    const double h = 0.01;
    const char *name = quarks[which].name;
    selftest_fields f = selftest_fields_create(t->where, extents);
    monomial *m = create_quarks(which, "double", f.u);
    const double drawn = refresh(m, f.u), s = action_of(m, f.u);
    selftest_close(t, s / drawn, 1, 1e-10, "%s: new pseudofermions have S = |eta|^2, relative", name);
    momentum *force = force_of(m, f.u);
    const double slope = -selftest_inner_product(f.p, force);
    const double coarse = difference_quotient(m, f.u, f.p, h), fine = difference_quotient(m, f.u, f.p, h / 2);
    selftest_close(t, log2(fabs((coarse - slope) / (fine - slope))), 2, 0.05,
                   "force of %s: order of the error of finite differences in the step", name);
    selftest_close(t, (4 * fine - coarse) / 3 / slope, 1, 1e-6,
                   "force of %s is minus the derivative of the action, relative", name);

    monomial *mixed = create_quarks(which, "double-single-half", f.u);
    refresh(mixed, f.u);
    momentum *mixed_force = force_of(mixed, f.u);
    momentum_axpy(mixed_force, -1, force);
    selftest_close(t, action_of(mixed, f.u) / s, 1, 1e-10,
                   "%s: action with solves in mixed precision over that in double precision", name);
    selftest_close(t, sqrt(momentum_measure(mixed_force).max_norm2 / momentum_measure(force).max_norm2), 0, 1e-9,
                   "%s: force with solves in mixed precision against double precision, relative", name);
    momentum_free(mixed_force);
    momentum_free(force);
    monomial_free(mixed);
    monomial_free(m);
    selftest_fields_free(&f);
}

/* ---- dense algebra */

/* An operator on vectors like pseudofermions, to compute its matrix column by column. */
typedef void column_of(const void *of, vec *out, const vec *in);

/* at[]: which of the `count` numbers of all sites belong to the sites of v.  Returns how many. */
static size_t numbers_there(size_t *at, vec *v, size_t count)
{
    vector *unit = gsl_vector_complex_alloc(count);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        gsl_vector_complex_set_basis(unit, i);
        vec_import(v, unit->data);
        if (vec_norm2(v) > 0)
            at[n++] = i;
    }
    gsl_vector_complex_free(unit);
    return n;
}

static matrix *dense(column_of *column, const void *of, vec *out, vec *in, size_t count)
{
    size_t *at = memory_alloc(count * sizeof *at, "numbers of a field");
    vector *x = gsl_vector_complex_alloc(count);
    const size_t n = numbers_there(at, in, count);
    matrix *a = gsl_matrix_complex_alloc(n, n);
    for (size_t j = 0; j < n; j++) {
        gsl_vector_complex_set_basis(x, at[j]);
        vec_import(in, x->data);
        column(of, out, in);
        gsl_vector_complex_set_zero(x);
        vec_export(x->data, out);
        for (size_t i = 0; i < n; i++)
            gsl_matrix_complex_set(a, i, j, gsl_vector_complex_get(x, at[i]));
    }
    gsl_vector_complex_free(x);
    memory_free(at);
    return a;
}

/* Tr M of S = S(0) + phi^+ M phi, unit vector by unit vector. */
static double trace_of_action(monomial *m, const gauge *u, size_t count)
{
    vec *phi = (vec *)monomial_pseudofermion(m, 0, NULL);
    size_t *at = memory_alloc(count * sizeof *at, "numbers of a field");
    vector *unit = gsl_vector_complex_alloc(count);
    const size_t n = numbers_there(at, phi, count);
    double trace = 0;
    vec_zero(phi);
    const double of_zero = action_of(m, u);
    for (size_t j = 0; j < n; j++) {
        gsl_vector_complex_set_basis(unit, at[j]);
        vec_import(phi, unit->data);
        trace += action_of(m, u) - of_zero;
    }
    gsl_vector_complex_free(unit);
    memory_free(at);
    return trace;
}

static void apply_k(const void *of, vec *out, const vec *in)
{
    const staggered_normal_op *k = of;
    k->base.apply(&k->base, out, 0, in);
}

/* Tr (K + 4 m^2)^(-n/4) */
static double staggered_trace(const gauge *u, size_t count)
{
    static const staggered_links_params hisq = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1 };
    lattice *l = u->links.lattice;
    vec *in = vec_create(l, ON_EVEN, u->links.where, PRECISION_DOUBLE);
    vec *out = vec_create(l, ON_EVEN, u->links.where, PRECISION_DOUBLE);
    vec *odd = vec_create(l, ON_ODD, u->links.where, PRECISION_DOUBLE);
    staggered_links *links = staggered_links_create(&hisq, u);
    staggered_links_update(links, u);
    staggered_normal_op k = staggered_normal_operator(links, 0, odd);
    matrix *a = dense(apply_k, &k, out, in, count);
    gsl_vector *eigenvalue = gsl_vector_alloc(a->size1);
    gsl_eigen_herm_workspace *space = gsl_eigen_herm_alloc(a->size1);
    double trace = 0;
    gsl_eigen_herm(a, eigenvalue, space);
    for (size_t i = 0; i < a->size1; i++)
        trace += pow(gsl_vector_get(eigenvalue, i) + 4 * MASS * MASS, -FLAVORS / 4.0);
    gsl_eigen_herm_free(space);
    gsl_vector_free(eigenvalue);
    gsl_matrix_complex_free(a);
    staggered_links_free(links);
    vec_free(odd);
    vec_free(out);
    vec_free(in);
    return trace;
}

typedef struct { const dirac_operator *d; dirac_matrix *m; vec *work[DIRAC_WORK_VECTORS]; } quark_column;

static void apply_c(const void *of, vec *out, const vec *in)
{
    const quark_column *c = of;
    c->d->kind->apply(out, c->d, c->m, false, in, c->work);
}

/* C of an index */
static matrix *dense_c(const dirac_operator *d, int index, size_t count)
{
    const vec_storage full = dirac_full_storage(d);
    vec *in = dirac_vec_create(d, d->kind->home, full), *out = dirac_vec_create(d, d->kind->image, full);
    quark_column c = { d, d->kind->matrix(d, index), { NULL } };
    for (int i = 0; i < d->kind->work_vectors; i++)
        c.work[i] = dirac_vec_create(d, d->kind->work[i], full);
    matrix *a = dense(apply_c, &c, out, in, count);
    for (int i = 0; i < d->kind->work_vectors; i++)
        vec_free(c.work[i]);
    memory_free(c.m);
    vec_free(out);
    vec_free(in);
    return a;
}

/* Tr V (C^+C)^-1 V^+, V = 1 without a denominator: the sum of |(C^+)^-1 x|^2 over the columns x of V^+ */
static double trace_of(const matrix *c, const matrix *v)
{
    int sign;
    double trace = 0;
    matrix *dagger = gsl_matrix_complex_alloc(c->size1, c->size1);
    for (size_t i = 0; i < c->size1; i++)
        for (size_t j = 0; j < c->size1; j++)
            gsl_matrix_complex_set(dagger, i, j, gsl_complex_conjugate(gsl_matrix_complex_get(c, j, i)));
    gsl_permutation *order = gsl_permutation_alloc(c->size1);
    vector *x = gsl_vector_complex_alloc(c->size1);
    gsl_linalg_complex_LU_decomp(dagger, order, &sign);
    for (size_t i = 0; i < c->size1; i++) {             /* column i of V^+ is row i of V, conjugated */
        gsl_vector_complex_set_basis(x, i);
        for (size_t j = 0; j < c->size1 && v; j++)
            gsl_vector_complex_set(x, j, gsl_complex_conjugate(gsl_matrix_complex_get(v, i, j)));
        gsl_linalg_complex_LU_svx(dagger, order, x);
        trace += pow(gsl_blas_dznrm2(x), 2);
    }
    gsl_vector_complex_free(x);
    gsl_permutation_free(order);
    gsl_matrix_complex_free(dagger);
    return trace;
}

/* The trace for two flavors with a plan of one factor. */
static double two_flavor_trace(const quark_plan *plan, const gauge *u, size_t count)
{
    const quark_factor_plan *p = &plan->factor[0];
    dirac_operator *d = dirac_create(&plan->d, u, false);
    failure f;
    require(dirac_update(d, u, &f), "%s", f.why);
    matrix *c = dense_c(d, p->light, count);
    matrix *v = p->alone ? NULL : dense_c(d, p->heavy, count);
    const double trace = trace_of(c, v);
    gsl_matrix_complex_free(c);
    if (v)
        gsl_matrix_complex_free(v);
    dirac_free(d);
    return trace;
}

static void determinants(selftest *t)
{
    enum { COLORS = 3 };
    selftest_fields f = selftest_fields_create(t->where, tiny);
    for (int which = 0; which < QUARKS; which++) {
        void *p = params_of(which, "double");
        quark_plan plan;
        failure why;
        require(quark_plan_make(&plan, quarks[which].kind, p, &why), "%s", why.why);
        const size_t count = (size_t)lattice_volume(f.l) * (size_t)plan.d.slabs * COLORS;
        monomial *m = monomial_create(quarks[which].kind, p, f.u);
        const double want = plan.d.slabs > 1 ? two_flavor_trace(&plan, f.u, count) : staggered_trace(f.u, count);
        selftest_close(t, trace_of_action(m, f.u, count) / want, 1, 1e-9,
                       "%s, 2^4: the action of all unit vectors is the trace of its dense matrix, relative",
                       quarks[which].name);
        monomial_free(m);
        quark_plan_free(&plan);
        params_free(which, p);
    }
    selftest_fields_free(&f);
}

void selftest_quarks(selftest *t)
{
    for (int which = 0; which < QUARKS; which++)
        forces(t, which);
    determinants(t);
}
