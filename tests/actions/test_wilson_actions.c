/* test_wilson_actions.c - determinants of Wilson quarks without and with a clover term: the weights of an action are
 * those of dense matrices on all sites, one flavor by rational functions is the root of dense matrices, the refresh
 * draws what the action weighs, the force is minus the derivative of the action.  Each with both forms of Mhat. */
#include "actions/wilson_params.h"
#include "src/base/memory.h"
#include "src/operators/clover.h"
#include "tests/actions/monomial_facts.h"
#include "tests/actions/quark_monomial_facts.h"
#include "tests/actions/quark_fields.h"
#include "tests/actions/wilson_rows.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/format_facts.h"
#include "tests/operators/hermitian.h"
#include "tests/operators/wilson_workplace.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double theta[3] = { 0.4, -0.7, 1.3 };      /* THETA */
#define TIGHT "residuals: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n"
#define SPACE (1.1 / 3.5)        /* UNEVEN: the weight of hops in space */
#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */
static clover_kind kind_of(const row *a)
{
    return strstr(a->yaml, EXPONENTIAL) ? CLOVER_EXPONENTIAL : CLOVER_LINEAR;
}

static double c_sw_of(const row *a)
{
    return strstr(a->yaml, UNEVEN_CLOVER) ? 1 : strstr(a->yaml, CLOVER) ? C_SW : 0;
}

/* ---- dense matrices */

/* log |det M| on all sites, with M from its definition by both parts */
static double log_det_m(const wilson_workplace *w, const weight *x, const row *a)
{
    quark_boundary boundary = { .t = strstr(a->yaml, "boundary: 0") ? 1 : -1 };
    const size_t count = vec_count(w->v.even) / 2;
    gsl_matrix_complex *m = gsl_matrix_complex_alloc(count, count);
    clover_term *t = clover_term_create(w->l, w->where, PRECISION_DOUBLE, kind_of(a), c_sw_of(a));
    clover_term_twist(t, x->twist.mu);
    if (strstr(a->yaml, UNEVEN_CLOVER))
        t->blocks->planes = (clover_planes){ 1.6 / 3.5, 0.9 };
    if (strstr(a->yaml, THETA))
        memcpy(boundary.theta, theta, sizeof theta);
    boundary.anisotropic = strstr(a->yaml, UNEVEN) != NULL;
    boundary.space = SPACE;
    hop_links *links = hop_links_create_for(w->l, w->where, (vec_storage){ VECTOR_NATIVE, PRECISION_DOUBLE }, boundary);
    double *unit = memory_alloc(2 * count * sizeof *unit, "a unit vector");
    failure why;
    int sign;
    const double mass = x->mass + hop_mass_shift(&boundary);
    require(hop_links_update(links, w->u, &why) && clover_term_update(t, w->u, mass, &why), "%s", why.why);
    for (size_t j = 0; j < count; j++) {
        unit[2 * j] = 1;
        vec_import(w->v.even, unit);
        vec_import(w->v.odd, unit);
        unit[2 * j] = 0;
        clover_apply(w->out, (clover_links){ .links = links, .term = t, .rho = x->twist.rho }, false, w->v);
        double complex *column = wilson_numbers(w->out);
        for (size_t i = 0; i < count; i++)
            gsl_matrix_complex_set(m, i, j, gsl_complex_rect(creal(column[i]), cimag(column[i])));
        memory_free(column);
    }
    gsl_permutation *order = gsl_permutation_alloc(count);
    gsl_linalg_complex_LU_decomp(m, order, &sign);
    const double log_det = gsl_linalg_complex_LU_lndet(m);
    gsl_permutation_free(order);
    gsl_matrix_complex_free(m);
    memory_free(unit);
    hop_links_free(links);
    clover_term_free(t);
    return log_det;
}

/* C^+C of an index, taken apart */
static hermitian normal_of(dirac_operator *d, int matrix)
{
    const vec_storage full = dirac_full_storage(d);
    dirac_matrix *m = d->kind->matrix(d, matrix);
    vec *spare[1][DIRAC_WORK_VECTORS] = { { NULL } }, *like = dirac_vec_create(d, d->kind->home, full);
    for (int k = 0; k < d->kind->work_vectors; k++)
        spare[0][k] = dirac_vec_create(d, d->kind->work[k], full);
    linop *a = d->kind->normal(d, full, m, (vec *const (*)[DIRAC_WORK_VECTORS])spare, 1);
    gsl_matrix_complex *dense = dense_operator(a, 0, like);
    const hermitian h = hermitian_of(dense);
    gsl_matrix_complex_free(dense);
    memory_free(a);
    for (int k = 0; k < d->kind->work_vectors; k++)
        vec_free(spare[0][k]);
    vec_free(like);
    memory_free(m);
    return h;
}

static double log_det_c(dirac_operator *d, int matrix)
{
    hermitian h = normal_of(d, matrix);
    const double log_det = hermitian_log_det(&h) / 2;
    hermitian_free(&h);
    return log_det;
}

typedef struct { quark_plan plan; dirac_operator *d; void *params; } planned;

static planned plan_on(const row *a, const gauge *u)
{
    planned p = { .params = monomial_params(&wilson_monomial, a->yaml) };
    failure f;
    require(quark_plan_make(&p.plan, &wilson_monomial, p.params, &f), "%s", f.why);
    p.d = p.plan.d.kind->create(&p.plan.d, u, false);
    require(dirac_update(p.d, u, &f), "%s", f.why);
    return p;
}

static void planned_free(planned *p)
{
    p->d->kind->free(p->d);
    quark_plan_free(&p->plan);
    monomial_params_free(&wilson_monomial, p->params);
}

/* The pseudofermions of all factors give det C of their masses, the action without them the rest: together the
 * determinants of M. */
static void weights(const wilson_workplace *w, const row *a)
{
    const char *where = place_name(w->where);
    const double half_sites = (double)lattice_volume(w->l) / 2;
    planned p = plan_on(a, w->u);
    monomial *m = quarks_drawn(&wilson_monomial, a->yaml, w->u);
    double want = 0, found = 0;
    for (const weight *x = a->want; x->flavors != 0; x++) {
        want += x->flavors * log_det_m(w, x, a);
        const double space = strstr(a->yaml, UNEVEN) ? SPACE : 1;
        if (p.plan.blocks.count == 0)                                 /* the constant det of 4 + m */
            want -= x->flavors * 12 * half_sites * log(1 + 3 * space + x->mass);
    }
    for (int n = 0; n < p.plan.count; n++) {
        const quark_factor_plan *f = &p.plan.factor[n];
        const int flavors = f->kind == &two_flavors_factor ? 2 : 1;
        found += flavors * (log_det_c(p.d, f->light) - (f->alone ? 0 : log_det_c(p.d, f->heavy)));
    }
    action_of(m, w->u);                          /* the first action is compared with |eta|^2 */
    for (int i = 0; monomial_pseudofermion(m, i, NULL); i++)
        field_zero(monomial_pseudofermion(m, i, NULL));
    const double rest = -action_of(m, w->u);
    fact((rest != 0) == (p.plan.blocks.count > 0), "%s, %s: blocks have a weight where there are some", where, a->name);
    fact_close((found + rest) / want - 1, 0, 1e-12, "%s, %s: log of the weight, of dense matrices on all sites",
               where, a->name);
    monomial_free(m);
    planned_free(&p);
}

/* One flavor: phi^+ (V^+V)^(1/4n) (C^+C)^(-1/2n) (V^+V)^(1/4n) phi */
static void roots(const wilson_workplace *w, const row *a)
{
    planned p = plan_on(a, w->u);
    const quark_factor_plan *f = &p.plan.factor[0];
    if (p.plan.count > 1 || f->kind == &two_flavors_factor) {
        planned_free(&p);
        return;
    }
    monomial *m = quarks_drawn(&wilson_monomial, a->yaml, w->u);
    hermitian c = normal_of(p.d, f->light), v = c;
    double want = 0;
    if (!f->alone)
        v = normal_of(p.d, f->heavy);
    action_of(m, w->u);
    for (int i = 0; i < f->fields; i++) {
        vec *phi = (vec *)monomial_pseudofermion(m, i, NULL);
        vec_set_gaussian(phi, rng_key_for(85, 0, (uint64_t)i, RNG_TEST), 0);
        gsl_vector_complex *x = dense_vector(phi);
        if (!f->alone)
            hermitian_power(&v, 0.25 / f->fields, x);
        hermitian_power(&c, -0.25 / f->fields, x);
        for (size_t k = 0; k < x->size; k++)
            want += gsl_complex_abs2(gsl_vector_complex_get(x, k));
        gsl_vector_complex_free(x);
    }
    const double all = action_of(m, w->u);
    for (int i = 0; i < f->fields; i++)
        field_zero(monomial_pseudofermion(m, i, NULL));
    fact_close((all - action_of(m, w->u)) / want - 1, 0, 1e-11, "%s, %s: any fields have the action of dense matrices",
               place_name(w->where), a->name);
    if (!f->alone)
        hermitian_free(&v);
    hermitian_free(&c);
    monomial_free(m);
    planned_free(&p);
}

/* The spectrum that one flavor finds has the largest eigenvalue of both matrices, within the error of the method, also
 * where that is not the heavy one's. */
static void ends_of_both(const wilson_workplace *w)
{
    static const char *const ratios[] = { "mass: 0.1, heavy: 0.7", "mass: -3, heavy: 0.7" };
    double largest[2][2];
    for (int i = 0; i < 2; i++) {
        char yaml[256];
        json j = { 0 };
        snprintf(yaml, sizeof yaml, "determinants: [ { flavors: 1, %s } ]", ratios[i]);
        const row a = { .name = ratios[i], .yaml = yaml };
        planned p = plan_on(&a, w->u);
        const quark_factor_plan *f = &p.plan.factor[0];
        hermitian c = normal_of(p.d, f->light), v = normal_of(p.d, f->heavy);
        largest[i][0] = gsl_vector_max(c.eigenvalue);
        largest[i][1] = gsl_vector_max(v.eigenvalue);
        monomial *m = quarks_drawn(&wilson_monomial, yaml, w->u);
        json_open(&j, NULL, '{');
        monomial_report(m, &j);
        json_close(&j);
        static const char key[] = "\"largest_eigenvalue\": ";
        const char *at = strstr(json_string(&j), key);
        fact_close(at ? strtod(at + strlen(key), NULL) / fmax(largest[i][0], largest[i][1]) : NAN, 1, 0.02,
                   "%s, %s: largest eigenvalues %g and %g: the larger one is found", place_name(w->where), ratios[i],
                   largest[i][0], largest[i][1]);
        monomial_free(m);
        json_free(&j);
        hermitian_free(&v);
        hermitian_free(&c);
        planned_free(&p);
    }
    fact(largest[0][0] < largest[0][1] && largest[1][0] > largest[1][1], "once it is that of the heavy quark, and once "
         "that of the light one");
}

/* ---- fields, force, memory, bits */

static quark_monomial_case case_of(const row *a)
{
    return (quark_monomial_case){ .kind = &wilson_monomial, .name = a->name, .yaml = a->yaml, .tight = TIGHT };
}

int main(void)
{
    double *first[ACTIONS] = { NULL };
    FOR_EVERY_PLACE(where) {
        wilson_workplace tiny = wilson_begin(where, (const int[]){ 2, 2, 2, 2 }, ROUGHNESS, -1);
        wilson_workplace w = wilson_begin(where, (const int[]){ 2, 2, 2, 4 }, ROUGHNESS, -1);
        momentum *p = momentum_create(w.l, where, PRECISION_DOUBLE);
        momentum_set_gaussian(p, rng_key_for(67, 0, 0, RNG_MOMENTA));
        ends_of_both(&tiny);
        for (int n = 0; n < ACTIONS; n++) {
            weights(&tiny, &actions[n]);
            roots(&tiny, &actions[n]);
            const quark_monomial_case all = case_of(&actions[n]);
            quark_monomial_force_facts(&all, w.u, p);
            quark_monomial_memory_facts(&all, w.u);
            quark_monomial_bits_facts(&all, w.u, &first[n]);
        }
        momentum_free(p);
        wilson_end(&w);
        wilson_end(&tiny);
    }
    for (int n = 0; n < ACTIONS; n++)
        memory_free(first[n]);
    return facts_end();
}
