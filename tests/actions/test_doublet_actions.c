/* test_doublet_actions.c - determinants of a non-degenerate doublet of twisted-mass quarks: the action is that of dense
 * roots and of the blocks' determinant, the refresh draws what the action weighs, the force is minus the derivative of
 * the action, memory is as planned; and inputs that are refused. */
#include "actions/doublet_params.h"
#include "actions/quarks.h"
#include "src/base/memory.h"
#include "tests/actions/monomial_facts.h"
#include "tests/actions/quark_monomial_facts.h"
#include "tests/actions/quark_fields.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/format_facts.h"
#include "tests/operators/hermitian.h"
#include "tests/operators/wilson_workplace.h"

#include <gsl/gsl_complex_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TIGHT "residuals: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n" \
              "errors: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n"
#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */
#define CLOVER "c_sw: 1.3\n"
#define THETA "theta: [0.4, -0.7, 1.3]\n"

typedef struct { const char *name, *yaml; bool has_blocks; } row;
static const row actions[] = {
    { "doublet", "mass: 0.2\nmu_sigma: 0.3\nmu_delta: 0.2\n", false },
    { "doublet in two fields, periodic", "boundary: 0\nmass: 0.2\nmu_sigma: 0.3\nmu_delta: -0.25\nfields: 2\n", false },
    { "degenerate doublet", "kappa: 0.14\nmu_sigma: 0.4\nmu_delta: 0\n", false },
    { "no twist", "mass: 0.2\nmu_sigma: 0\nmu_delta: 0\n", false },
    { "doublet in mixed precision", "solver: double-single-half\nmass: 0.2\nmu_sigma: 0.3\nmu_delta: 0.2\n", false },
    { "doublet, clover", CLOVER "mass: 0.1\nmu_sigma: 0.3\nmu_delta: 0.2\n", true },
    { "doublet in two fields, clover, in mixed precision",
      CLOVER "solver: double-single-half\nmass: 0.1\nmu_sigma: 0.3\nmu_delta: -0.1\nfields: 2\n", true },
    { "no twist, clover", CLOVER "mass: 0.1\nmu_sigma: 0\nmu_delta: 0\n", true },
    { "doublet, exponential clover",
      CLOVER "clover: exponential\nmass: -0.2\nmu_sigma: 0.4\nmu_delta: 0.3\n", true },
    { "doublet, clover, on stout links",
      CLOVER "stout: { levels: 2, rho: 0.1 }\nmass: 0.1\nmu_sigma: 0.3\nmu_delta: 0.2\n", true },
    { "doublet, phases in space, in mixed precision",
      THETA "solver: double-single-half\nmass: 0.2\nmu_sigma: 0.3\nmu_delta: 0.2\n", false },
    { "doublet, clover, phases in space", CLOVER THETA "mass: 0.1\nmu_sigma: 0.3\nmu_delta: -0.2\n", true },
    { "mu_delta above mu_sigma", "mass: 0.2\nmu_sigma: 0.2\nmu_delta: 0.3\n", false },
    { "mu_delta above mu_sigma, clover, in two factors",
      CLOVER "mass: 0.1\nmu_sigma: 0.2\nmu_delta: 0.3\nhasenbusch: [ { mu_sigma: 0.6 } ]\n", true },
    { "mu_delta above mu_sigma, exponential clover",
      CLOVER "clover: exponential\nmass: 0.1\nmu_sigma: 0.2\nmu_delta: -0.5\n", true },
    { "doublet in three factors",
      "mass: 0.2\nmu_sigma: 0.3\nmu_delta: 0.2\nhasenbusch: [ { mu_sigma: 0.6 }, { mu_sigma: 1.2 } ]\n", false },
    { "ratio of doublets in two fields", "mass: 0.2\nmu_sigma: 0.3\nmu_delta: -0.2\nfields: 2\nheavy_mu_sigma: 0.7\n",
      false },
    { "doublet in two factors, clover, phases in space, in mixed precision",
      CLOVER THETA "solver: double-single-half\nmass: 0.1\nmu_sigma: 0.3\nmu_delta: 0.2\n"
      "hasenbusch: [ { mu_sigma: 0.8, residuals: { force: 1e-12 } } ]\n", true },
    { "two ratios of doublets, exponential clover, on stout links",
      CLOVER "clover: exponential\nstout: { levels: 1, rho: 0.1 }\nmass: 0.1\nmu_sigma: 0.4\nmu_delta: 0.3\n"
      "hasenbusch: [ { mu_sigma: 0.6 } ]\nheavy_mu_sigma: 0.9\n", true },
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

typedef struct { quark_plan plan; dirac_operator *d; void *params; } planned;

static planned plan_on(const row *a, const gauge *u)
{
    planned p = { .params = monomial_params(&doublet_monomial, a->yaml) };
    failure f;
    require(quark_plan_make(&p.plan, &doublet_monomial, p.params, &f), "%s", f.why);
    p.d = dirac_create(&p.plan.d, u, false);
    require(dirac_update(p.d, u, &f), "%s", f.why);
    return p;
}

static void planned_free(planned *p)
{
    dirac_free(p->d);
    quark_plan_free(&p->plan);
    monomial_params_free(&doublet_monomial, p->params);
}

/* C^+C, taken apart */
static hermitian normal_of(dirac_operator *d, const dirac_matrix *m)
{
    const vec_storage full = dirac_full_storage(d);
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
    return h;
}

/* The matrix of an index, and C^+C; none: index -1 */
typedef struct { dirac_matrix *matrix; hermitian c; } dense_matrix;

static dense_matrix matrix_at(const planned *p, int index)
{
    dense_matrix m = { 0 };
    if (index < 0)
        return m;
    m.matrix = p->d->kind->matrix(p->d, index);
    m.c = normal_of(p->d, m.matrix);
    return m;
}

static void matrix_free(dense_matrix *m)
{
    if (m->matrix)
        hermitian_free(&m->c);
    memory_free(m->matrix);
}

/* Sets a field of a factor to Gaussian numbers; returns phi^+ (V^+V)^(1/4n) (C^+C)^(-1/2n) (V^+V)^(1/4n) phi. */
static double field_action(vec *phi, int number, const dense_matrix *c, const dense_matrix *v, int fields)
{
    double sum = 0;
    vec_set_gaussian(phi, rng_key_for(85, 0, (uint64_t)number, RNG_TEST), 0);
    gsl_vector_complex *x = dense_vector(phi);
    if (v->matrix)
        hermitian_power(&v->c, 0.25 / fields, x);
    hermitian_power(&c->c, -0.25 / fields, x);
    for (size_t k = 0; k < x->size; k++)
        sum += gsl_complex_abs2(gsl_vector_complex_get(x, k));
    gsl_vector_complex_free(x);
    return sum;
}

/* Fields of Gaussian numbers have the action of dense matrices; without fields, the logarithm of the blocks is left. */
static void weights(const wilson_workplace *w, const row *a)
{
    const char *where = place_name(w->where);
    planned p = plan_on(a, w->u);
    monomial *m = quarks_drawn(&doublet_monomial, a->yaml, w->u);
    double want = 0, blocks = 0;
    int fields = 0;
    action_of(m, w->u);                          /* the first action is compared with |eta|^2 */
    for (int n = 0; n < p.plan.count; n++) {
        const quark_factor_plan *f = &p.plan.factor[n];
        dense_matrix c = matrix_at(&p, f->light), v = matrix_at(&p, f->alone ? -1 : f->heavy);
        for (int i = 0; i < f->fields; i++, fields++)
            want += field_action((vec *)monomial_pseudofermion(m, fields, NULL), fields, &c, &v, f->fields);
        if (a->has_blocks)
            blocks += p.d->kind->log_det(p.d, c.matrix) - (v.matrix ? p.d->kind->log_det(p.d, v.matrix) : 0);
        matrix_free(&v);
        matrix_free(&c);
    }
    fact(monomial_pseudofermion(m, fields, NULL) == NULL, "%s, %s: %d fields", where, a->name, fields);
    const double all = action_of(m, w->u);
    for (int i = 0; i < fields; i++)
        field_zero(monomial_pseudofermion(m, i, NULL));
    const double rest = action_of(m, w->u);
    fact_close((all - rest) / want - 1, 0, 1e-11, "%s, %s: any fields have the action of dense matrices", where,
               a->name);
    fact_close(rest, -blocks, 1e-12 * fabs(rest), "%s, %s: det C^+C to the power 1/2, and det E_e once", where,
               a->name);
    monomial_free(m);
    planned_free(&p);
}

/* Chains: the denominator of each factor is the numerator of the next one, at the same mass and mu_delta. */
static void chain(void)
{
    static const double sigma[] = { 0.3, 0.6, 1.2, 1.5 };
    void *params = monomial_params(&doublet_monomial, "mass: 0.2\nmu_sigma: 0.3\nmu_delta: -0.25\nhasenbusch: [ "
                                   "{ mu_sigma: 0.6 }, { mu_sigma: 1.2 } ]\nheavy_mu_sigma: 1.5");
    quark_plan plan;
    failure f;
    require(quark_plan_make(&plan, &doublet_monomial, params, &f), "%s", f.why);
    const doublet_operator_params *op = plan.own;
    bool right = plan.count == 3 && op->matrices == 4;
    for (int n = 0; right && n < plan.count; n++) {
        const doublet_matrix_params *light = &op->matrix[plan.factor[n].light];
        const doublet_matrix_params *heavy = &op->matrix[plan.factor[n].heavy];
        right = !plan.factor[n].alone && light->mus.sigma == sigma[n] && heavy->mus.sigma == sigma[n + 1]
                && light->mass == 0.2 && heavy->mass == 0.2 && light->mus.delta == -0.25 && heavy->mus.delta == -0.25;
    }
    fact(right, "a chain of ratios of doublets telescopes");
    quark_plan_free(&plan);
    monomial_params_free(&doublet_monomial, params);
}

static quark_monomial_case case_of(const row *a)
{
    return (quark_monomial_case){ .kind = &doublet_monomial, .name = a->name, .yaml = a->yaml, .tight = TIGHT };
}

/* ---- inputs */

typedef struct { const char *yaml, *sentence; } refused;
static const refused faults[] = {
    { "mu_sigma: 0.1\nmu_delta: 0.05", "quarks: mass: give either mass, which is above -4, or kappa" },
    { "mass: 0.1\nkappa: 0.12\nmu_sigma: 0.1\nmu_delta: 0.05",
      "quarks: mass: give either mass, which is above -4, or kappa" },
    { "mass: 0\nmu_sigma: 0.1\nmu_delta: -0.1", "quarks: mu_delta: |mu_delta| and mu_sigma must differ, but both are "
                                                "0.1" },
    { "mass: 0\nmu_sigma: 0.1\nmu_delta: -0.3\nhasenbusch: [ { mu_sigma: 0.3 } ]",
      "quarks: hasenbusch.0: mu_sigma must differ from |mu_delta|, but both are 0.3" },
    { "mass: 0\nmu_sigma: 0.2\nmu_delta: 0.1\nhasenbusch: [ { mu_sigma: 0.5 }, { mu_sigma: 0.4 } ]",
      "quarks: hasenbusch.1: mu_sigma must ascend, up to the last denominator, but 0.5 is followed by 0.4" },
    { "mass: 0\nmu_sigma: 0.2\nmu_delta: 0.1\nhasenbusch: [ { mu_sigma: 0.5 } ]\nheavy_mu_sigma: 0.5",
      "quarks: heavy_mu_sigma: mu_sigma must ascend, up to the last denominator, but 0.5 is followed by 0.5" },
};

static void inputs(void)
{
    const lattice_shape shape = { .global = { 4, 4, 4, 4 }, .local = { 4, 4, 4, 4 } };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        failure f = { .why = "" };
        void *p = monomial_params(&doublet_monomial, faults[i].yaml);
        if (!fact(!monomial_check(&doublet_monomial, p, &shape, &f) && strcmp(f.why, faults[i].sentence) == 0,
                  "{ %s } is refused with a reason", faults[i].yaml))
            printf("# %s\n", f.why);
        monomial_params_free(&doublet_monomial, p);
    }
    text lines = { 0 };
    void *p = monomial_params(&doublet_monomial, "kappa: 0.17\nmu_sigma: 0.325\nmu_delta: 0.275");
    doublet_monomial.describe(&lines, &doublet_monomial, p, &shape);
    fact(strstr(text_string(&lines), "2 kappa mu_sigma 0.1105, 2 kappa mu_delta 0.0935"),
         "kiln check has the masses in the units of tmLQCD");
    monomial_params_free(&doublet_monomial, p);
    p = monomial_params(&doublet_monomial, CLOVER "mass: 0.1\nmu_sigma: 0.3\nmu_delta: 0.2");
    doublet_monomial.describe(&lines, &doublet_monomial, p, &shape);
    fact(strstr(text_string(&lines), "blocks: -1 log |det E_e|, mass 0.1"), "and the blocks of both flavors");
    fact(!strstr(text_string(&lines), "weight |det D|"), "whose weight is the determinant");
    monomial_params_free(&doublet_monomial, p);
    p = monomial_params(&doublet_monomial, "mass: 0.1\nmu_sigma: 0.2\nmu_delta: -0.3");
    doublet_monomial.describe(&lines, &doublet_monomial, p, &shape);
    fact(strstr(text_string(&lines), "weight |det D|"), "or its modulus, with mu_delta above mu_sigma");
    monomial_params_free(&doublet_monomial, p);
    p = monomial_params(&doublet_monomial, CLOVER "mass: 0.1\nmu_sigma: 0.3\nmu_delta: 0.2\nheavy_mu_sigma: 0.5");
    doublet_monomial.describe(&lines, &doublet_monomial, p, &shape);
    fact(strstr(text_string(&lines), "factor 0: (0.1, mu_sigma 0.3)^1 (0.1, mu_sigma 0.5)^-1, rational"), "and ratios");
    fact(strstr(text_string(&lines), "blocks: +1 log |det E_e|, mass 0.1, mu_sigma 0.5"), "with the blocks of both");
    monomial_params_free(&doublet_monomial, p);
    text_free(&lines);
}

int main(void)
{
    double *first[ACTIONS] = { NULL };
    inputs();
    chain();
    FOR_EVERY_PLACE(where) {
        wilson_workplace tiny = wilson_begin(where, (const int[]){ 2, 2, 2, 2 }, ROUGHNESS, -1);
        wilson_workplace w = wilson_begin(where, (const int[]){ 2, 2, 2, 4 }, ROUGHNESS, -1);
        momentum *p = momentum_create(w.l, where, PRECISION_DOUBLE);
        momentum_set_gaussian(p, rng_key_for(67, 0, 0, RNG_MOMENTA));
        for (int n = 0; n < ACTIONS; n++) {
            weights(&tiny, &actions[n]);
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
