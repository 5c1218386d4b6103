/* clover_terms.c - all clover terms of an operator: created, updated and freed together. */
#include "src/operators/clover_terms.h"

static int odd_count(const clover_operator_params *p)
{
    return p->form == CLOVER_SYMMETRIC ? p->odd_masses : 0;
}

void clover_terms_create(clover_terms *t, const clover_operator_params *params, lattice *l, place where, precision p)
{
    const bool blocks = clover_params_have_blocks(params);
    t->even[0] = blocks ? clover_term_create(l, where, p, params->kind, params->c_sw) : clover_term_create_number(l);
    if (blocks)
        t->even[0]->blocks->beside_ends = params->beside_ends;
    if (blocks && params->uneven)
        t->even[0]->blocks->planes = params->planes;
    for (int n = 1; n < params->masses; n++)
        t->even[n] = clover_term_create_beside(t->even[0]);
    for (int n = 0; n < params->masses; n++)
        (params->imaginary[n] ? clover_term_twist_imaginary : clover_term_twist)(t->even[n], params->mu[n]);
    for (int n = 0; n < odd_count(params); n++) {
        t->odd[n] = clover_term_create_odd(t->even[0]);
        clover_term_twist(t->odd[n], params->odd_mu[n]);
    }
}

void clover_terms_free(clover_terms *t)
{
    for (int n = DIRAC_MATRICES_MAX; n > 0; n--) {
        clover_term_free(t->odd[n - 1]);
        clover_term_free(t->even[n - 1]);      /* the first one last: it has the blocks of all */
    }
}

size_t clover_terms_bytes(const clover_operator_params *params, const lattice_shape *shape, precision p)
{
    const size_t twist = clover_term_twist_bytes(shape, p), odd = clover_term_odd_bytes(shape, p, params->kind);
    if (!clover_params_have_blocks(params))
        return 0;                              /* T is a number */
    size_t bytes = clover_term_bytes(shape, p, params->kind, params->masses);
    for (int n = 0; n < params->masses; n++)
        bytes += params->mu[n] != 0 ? twist : 0;
    for (int n = 0; n < odd_count(params); n++)
        bytes += odd + (params->odd_mu[n] != 0 ? twist : 0);
    return bytes;
}

/* A reason begins with the mass of the input. */
static bool update_term(clover_term *t, const clover_operator_params *params, double mass, const gauge *u, failure *why)
{
    failure of_term;
    return clover_term_update(t, u, mass, &of_term)
           || fail(why, "m = %g: %s", mass - hop_mass_shift(&params->boundary), of_term.why);
}

bool clover_terms_update(clover_terms *t, const clover_operator_params *params, const gauge *u, failure *why)
{
    for (int n = 0; n < params->masses; n++)
        if (!update_term(t->even[n], params, params->mass[n], u, why))
            return false;
    for (int n = 0; n < odd_count(params); n++)
        if (!update_term(t->odd[n], params, params->odd_mass[n], u, why))
            return false;
    return true;
}

void clover_terms_convert(clover_terms *t, const clover_terms *from)
{
    for (int n = 0; n < DIRAC_MATRICES_MAX; n++) {
        if (t->even[n])
            clover_term_convert(t->even[n], from->even[n]);
        if (t->odd[n])
            clover_term_convert(t->odd[n], from->odd[n]);
    }
}
