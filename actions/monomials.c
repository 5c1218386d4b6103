/* monomials.c - the registry of monomials. */
#include "actions/gauge_action.h"
#include "actions/monomial.h"

const monomial_kind *const monomial_kinds[] = { &gauge_monomial, NULL };

enum { KINDS = sizeof monomial_kinds / sizeof monomial_kinds[0] };

const param_kind *monomial_param_kinds(void)
{
    static param_kind kinds[KINDS];
    for (int i = 0; monomial_kinds[i]; i++) {
        const monomial_kind *k = monomial_kinds[i];
        kinds[i] = (param_kind){ .name = k->name, .doc = k->doc, .params = k->params, .size = k->params_size };
    }
    return kinds;
}

void monomial_refresh(monomial *m, const gauge *u, rng_key key)
{
    if (m->kind->refresh)
        m->kind->refresh(m, u, key);
}

double monomial_action(monomial *m, const gauge *u)
{
    return m->kind->action(m, u);
}

void monomial_add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cell *size)
{
    m->kind->add_force(m, u, p, weight, size);
}

void monomial_free(monomial *m)
{
    if (m)
        m->kind->free(m);
}
