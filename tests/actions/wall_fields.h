/* wall_fields.h - monomials of domain-wall quarks with pseudofermions of a fixed key, and their action. */
#ifndef KILN_TESTS_ACTIONS_WALL_FIELDS_H
#define KILN_TESTS_ACTIONS_WALL_FIELDS_H

#include "actions/wall_params.h"
#include "src/lattice/rng.h"

__attribute__((unused)) static inline rng_key key_of_fields(void)
{
    return rng_key_for(62, 0, 1, RNG_PSEUDOFERMION);
}

/* A monomial with fields from the heat bath at u. */
__attribute__((unused)) static inline monomial *quarks_at(const wall_params *p, const gauge *u)
{
    monomial *m = monomial_create(&wall_monomial, p, u);
    monomial_call call = { .clock = NULL };
    require(monomial_refresh(m, u, key_of_fields(), &call), "%s", call.trouble.why);
    return m;
}

__attribute__((unused)) static inline double action_of(monomial *m, const gauge *u)
{
    monomial_call call = { .clock = NULL };
    double s;
    require(monomial_action(&s, m, u, &call), "%s", call.trouble.why);
    return s;
}

#endif
