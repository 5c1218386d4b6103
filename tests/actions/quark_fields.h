/* quark_fields.h - monomials of quarks with pseudofermions of a fixed key. */
#ifndef KILN_TESTS_ACTIONS_QUARK_FIELDS_H
#define KILN_TESTS_ACTIONS_QUARK_FIELDS_H

#include "actions/monomial.h"
#include "src/lattice/rng.h"
#include "tests/actions/derivative.h"
#include "tests/actions/params_text.h"

__attribute__((unused)) static inline rng_key key_of_fields(void)
{
    return rng_key_for(62, 0, 1, RNG_PSEUDOFERMION);
}

/* Parameters of a kind from YAML text. */
__attribute__((unused)) static inline void *monomial_params(const monomial_kind *kind, const char *yaml)
{
    void *p = memory_alloc(kind->input.size, "parameters of a test");
    params_from_text(p, kind->input.params, yaml);
    return p;
}
__attribute__((unused)) static inline void monomial_params_free(const monomial_kind *kind, void *p)
{
    schema_free_values(kind->input.params, p);
    memory_free(p);
}

/* A monomial from YAML text, without fields; and with those of the refresh at u. */
__attribute__((unused)) static inline monomial *quarks_made(const monomial_kind *kind, const char *yaml, const gauge *u)
{
    void *p = monomial_params(kind, yaml);
    monomial *m = monomial_create(kind, p, u);
    monomial_params_free(kind, p);
    return m;
}

__attribute__((unused)) static inline monomial *quarks_drawn(const monomial_kind *kind, const char *yaml,
                                                             const gauge *u)
{
    monomial *m = quarks_made(kind, yaml, u);
    monomial_call call = { .clock = NULL };
    require(monomial_refresh(m, u, key_of_fields(), &call), "%s", call.failure.why);
    return m;
}

#endif
