/* monomials.c - the registry of monomials. */
#include "actions/gauge_action.h"
#include "actions/monomial.h"

const param_kind *const monomial_kinds[] = { &gauge_monomial.input, NULL };

const monomial_kind *monomial_kind_at(int index)
{
    return (const monomial_kind *)monomial_kinds[index];
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
