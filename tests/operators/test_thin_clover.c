/* test_thin_clover.c - a clover term of the thin links beside a hop on stout links: M is the sum of both, on every
 * backend, in each form of the term; and what depends on which links. */
#include "src/base/memory.h"
#include "src/operators/clover_operator.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/wilson_workplace.h"

#include <assert.h>
#include <math.h>

#define C_SW 1.7
#define MASS 0.2
static const int extents[4] = { 4, 2, 6, 4 };
static const stout_params smearing = { .levels = 2, .rho = 0.12 };

typedef struct { double c_sw; clover_kind kind; clover_form form; bool smeared, thin; } choice;

/* M v, or Mhat v_o if `hat` (then 0 on even sites), as numbers; memory_free. */
static double complex *applied(wilson_workplace *w, choice c, bool hat)
{
    clover_operator_params p = { .boundary.t = -1, .c_sw = c.c_sw, .kind = c.kind, .form = c.form };
    failure why;
    clover_operator_add_mass(&p, MASS);
    dirac_plan plan = clover_operator_plan(&p);
    if (c.smeared)
        plan.stout = smearing;
    plan.thin_blocks = c.thin;
    dirac_operator *d = dirac_create(&plan, w->u, false);
    require(dirac_update(d, w->u, &why), "%s", why.why);
    dirac_matrix *m = d->kind->matrix(d, 0);
    vec_zero(w->out.even);
    if (hat)
        d->kind->apply(w->out.odd, d, m, false, w->v.odd, &w->even);
    else
        d->kind->apply_all(w->out, d, m, false, w->v, w->out);
    double complex *numbers = wilson_numbers(w->out);
    memory_free(m);
    dirac_free(d);
    return numbers;
}

enum { NUMBERS = 4 * 2 * 6 * 4 * 12 };

static double largest(const double complex *a, const double complex *b)
{
    double most = 0;
    for (int i = 0; i < NUMBERS; i++) {
        const double here = cabs(a[i] - b[i]);
        most = here <= most ? most : here;            /* NaN is the largest */
    }
    return most;
}

static void sum_facts(wilson_workplace *w, clover_kind kind, const char *name)
{
    const choice both = { C_SW, kind, CLOVER_ASYMMETRIC, true, true };
    double complex *m = applied(w, both, false);
    double complex *term = applied(w, (choice){ C_SW, kind, CLOVER_ASYMMETRIC, false, false }, false);
    double complex *hop = applied(w, (choice){ 0, kind, CLOVER_ASYMMETRIC, false, false }, false);
    double complex *smeared_hop = applied(w, (choice){ 0, kind, CLOVER_ASYMMETRIC, true, false }, false);
    double complex *smeared = applied(w, (choice){ C_SW, kind, CLOVER_ASYMMETRIC, true, false }, false);
    fact(largest(m, smeared) > 1e-3, "%s: M differs from that with a term of the stout links", name);
    fact(largest(m, term) > 1e-3, "%s: and from that with a hop on the thin links", name);
    for (int i = 0; i < NUMBERS; i++)
        term[i] += smeared_hop[i] - hop[i];
    fact_close(largest(m, term), 0, 1e-13, "%s: M is the term of the thin links with the hop of the stout links", name);
    memory_free(smeared);
    memory_free(smeared_hop);
    memory_free(hop);
    memory_free(term);
    memory_free(m);
}

/* Without levels of smearing the choice changes nothing. */
static void unsmeared_facts(wilson_workplace *w, const char *name)
{
    double complex *a = applied(w, (choice){ C_SW, CLOVER_LINEAR, CLOVER_ASYMMETRIC, false, true }, false);
    double complex *b = applied(w, (choice){ C_SW, CLOVER_LINEAR, CLOVER_ASYMMETRIC, false, false }, false);
    fact(largest(a, b) == 0, "%s: without stout links both are the same", name);
    memory_free(a);
    memory_free(b);
}

/* T_o times the symmetric Mhat is the asymmetric one, so that blocks of odd sites have the links of the others. */
static void forms_facts(wilson_workplace *w, clover_kind kind, const char *name)
{
    double complex *symmetric = applied(w, (choice){ C_SW, kind, CLOVER_SYMMETRIC, true, true }, true);
    double complex *asymmetric = applied(w, (choice){ C_SW, kind, CLOVER_ASYMMETRIC, true, true }, true);
    clover_operator_params p = { .boundary.t = -1, .c_sw = C_SW, .kind = kind };
    failure why;
    clover_operator_add_mass(&p, MASS);
    const dirac_plan plan = clover_operator_plan(&p);
    dirac_operator *d = dirac_create(&plan, w->u, false);        /* on the thin links */
    require(dirac_update(d, w->u, &why), "%s", why.why);
    dirac_matrix *m = d->kind->matrix(d, 0);
    double complex *again = applied(w, (choice){ C_SW, kind, CLOVER_SYMMETRIC, true, true }, true);
    assert(largest(again, symmetric) == 0);
    vec *copy = spinor_vec_create(w->l, ON_ODD, w->where, PRECISION_DOUBLE, 1);
    vec_copy(copy, w->out.odd);
    clover_multiply(w->out.odd, clover_operator_links(d, m).term, CLOVER_T, copy, 0, NULL);
    double complex *product = wilson_numbers(w->out);
    fact_close(largest(product, asymmetric), 0, 1e-13, "%s: T_o of the thin links times the symmetric Mhat is the "
               "asymmetric one", name);
    vec_free(copy);
    memory_free(product);
    memory_free(again);
    memory_free(m);
    dirac_free(d);
    memory_free(asymmetric);
    memory_free(symmetric);
}

int main(void)
{
    double complex *on_cpu = NULL;
    FOR_EVERY_PLACE(where) {
        wilson_workplace w = wilson_begin(where, extents, 1.2, -1);
        wilson_set_random(w.v, 41);
        for (int kind = 0; clover_kind_names[kind]; kind++) {
            char name[80];
            snprintf(name, sizeof name, "%s, %s", place_name(where), clover_kind_names[kind]);
            sum_facts(&w, (clover_kind)kind, name);
            forms_facts(&w, (clover_kind)kind, name);
        }
        unsmeared_facts(&w, place_name(where));
        double complex *here = applied(&w, (choice){ C_SW, CLOVER_LINEAR, CLOVER_ASYMMETRIC, true, true }, false);
        if (on_cpu)
            fact(largest(here, on_cpu) == 0, "%s: every bit of the CPU", place_name(where));
        else
            on_cpu = here;
        if (here != on_cpu)
            memory_free(here);
        wilson_end(&w);
    }
    memory_free(on_cpu);
    return facts_end();
}
