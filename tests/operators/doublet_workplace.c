/* doublet_workplace.c - a doublet of twisted-mass quarks on a test field, for tests of its operator. */
#include "tests/operators/doublet_workplace.h"

#include "src/base/memory.h"

#include <stdio.h>

#define WIDTH 1.2

const doublet_form doublet_forms[DOUBLET_FORMS] = {
    { "no clover term", CLOVER_LINEAR, 0, { 0.4, 0.25 }, { 0 } },
    { "no clover term, negative mu_delta", CLOVER_LINEAR, 0, { 0.4, -0.1 }, { 0 } },
    { "clover", CLOVER_LINEAR, 1.7, { 0.4, 0.25 }, { 0 } },
    { "exponential clover", CLOVER_EXPONENTIAL, 1.7, { 0.5, -0.3 }, { 0 } },
    { "degenerate", CLOVER_LINEAR, 0, { 0.4, 0 }, { 0 } },
    { "degenerate, clover", CLOVER_LINEAR, 1.7, { 0.4, 0 }, { 0 } },
    { "no twist", CLOVER_LINEAR, 0, { 0, 0 }, { 0 } },
    { "no twist, clover", CLOVER_LINEAR, 1.7, { 0, 0 }, { 0 } },
    { "no clover term, phases in space", CLOVER_LINEAR, 0, { 0.4, 0.25 }, { 0.4, -0.7, 1.3 } },
    { "clover, phases in space", CLOVER_LINEAR, 1.7, { 0.4, -0.25 }, { 0.5, 0, -1.7 } },
    { "no clover term, mu_delta above mu_sigma", CLOVER_LINEAR, 0, { 0.25, 0.4 }, { 0 } },
    { "clover, mu_delta above mu_sigma", CLOVER_LINEAR, 1.7, { 0.2, -0.35 }, { 0 } },
    { "exponential clover, mu_delta above mu_sigma", CLOVER_EXPONENTIAL, 1.7, { 0.3, 0.5 }, { 0 } },
};

doublet_workplace doublet_begin(place where, const int extents[4], const doublet_form *f)
{
    const quark_boundary boundary = { .t = -1, .theta = { f->theta[0], f->theta[1], f->theta[2] } };
    doublet_workplace p = { .w = wilson_begin_theta(where, extents, WIDTH, boundary) };
    failure why;
    p.params = (doublet_operator_params){ .boundary = boundary, .c_sw = f->c_sw, .kind = f->kind, .matrices = 1,
                                          .matrix = { { DOUBLET_MASS, f->mus } } };
    const dirac_plan plan = doublet_operator_plan(&p.params);
    p.d = dirac_create(&plan, p.w.u, false);
    require(dirac_update(p.d, p.w.u, &why), "%s", why.why);
    p.m = p.d->kind->matrix(p.d, 0);
    p.v = spinor_field_create(p.w.u, DOUBLET_FLAVORS);
    p.out = spinor_field_create(p.w.u, DOUBLET_FLAVORS);
    p.work = spinor_field_create(p.w.u, DOUBLET_FLAVORS);
    for (int k = 0; k < p.d->kind->work_vectors; k++)
        p.scratch[k] = spinor_vec_create(p.w.l, p.d->kind->work[k], where, PRECISION_DOUBLE, DOUBLET_FLAVORS);
    snprintf(p.name, sizeof p.name, "%s, %s", place_name(where), f->name);
    return p;
}

void doublet_end(doublet_workplace *p)
{
    for (int k = 0; k < p->d->kind->work_vectors; k++)
        vec_free(p->scratch[k]);
    spinor_field_free(p->v);
    spinor_field_free(p->out);
    spinor_field_free(p->work);
    memory_free(p->m);
    dirac_free(p->d);
    wilson_end(&p->w);
}
