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

/* Fields of Gaussian numbers: phi^+ (C^+C)^(-1/2n) phi each; without fields, the logarithm of the blocks. */
static void weights(const wilson_workplace *w, const row *a)
{
    const char *where = place_name(w->where);
    planned p = plan_on(a, w->u);
    const quark_factor_plan *f = &p.plan.factor[0];
    dirac_matrix *matrix = p.d->kind->matrix(p.d, f->light);
    monomial *m = quarks_drawn(&doublet_monomial, a->yaml, w->u);
    hermitian c = normal_of(p.d, matrix);
    double want = 0;
    action_of(m, w->u);                          /* the first action is compared with |eta|^2 */
    for (int i = 0; i < f->fields; i++) {
        vec *phi = (vec *)monomial_field(m, i, NULL);
        vec_set_gaussian(phi, rng_key_for(85, 0, (uint64_t)i, RNG_TEST), 0);
        gsl_vector_complex *x = dense_vector(phi);
        hermitian_power(&c, -0.25 / f->fields, x);
        for (size_t k = 0; k < x->size; k++)
            want += gsl_complex_abs2(gsl_vector_complex_get(x, k));
        gsl_vector_complex_free(x);
    }
    fact(monomial_field(m, f->fields, NULL) == NULL, "%s, %s: %d fields", where, a->name, f->fields);
    const double all = action_of(m, w->u);
    for (int i = 0; i < f->fields; i++)
        field_zero(monomial_field(m, i, NULL));
    const double rest = action_of(m, w->u);
    fact_close((all - rest) / want - 1, 0, 1e-11, "%s, %s: any fields have the action of dense matrices", where,
               a->name);
    fact_close(rest, a->has_blocks ? -p.d->kind->log_det(p.d, matrix) : 0, 1e-12 * fabs(rest),
               "%s, %s: det C^+C to the power 1/2, and det E_e once", where, a->name);
    hermitian_free(&c);
    monomial_free(m);
    memory_free(matrix);
    planned_free(&p);
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
    { "mass: 0\nmu_sigma: 0.1\nmu_delta: -0.1", "quarks: mu_delta: the determinant is positive where |mu_delta| is "
                                                "smaller than mu_sigma, but they are 0.1 and 0.1" },
    { "mass: 0\nmu_sigma: 0\nmu_delta: 0.3", "quarks: mu_delta: the determinant is positive where |mu_delta| is "
                                             "smaller than mu_sigma, but they are 0.3 and 0" },
};

static void inputs(void)
{
    const lattice_shape shape = { .global = { 4, 4, 4, 4 }, .local = { 4, 4, 4, 4 } };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        failure f = { "" };
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
    fact(strstr(text_string(&lines), "blocks: -1 log |det E_e|, mass 0.1"), "and the blocks of both flavours");
    monomial_params_free(&doublet_monomial, p);
    text_free(&lines);
}

int main(void)
{
    double *first[ACTIONS] = { NULL };
    inputs();
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
