/* clover_terms.c - all clover terms of an operator: created, updated and freed together. */
#include "src/operators/clover_terms.h"

static int odd_count(const clover_operator_params *p)
{
    return p->form == CLOVER_SYMMETRIC ? p->odd_masses : 0;
}

static const vec_storage storage_of[CLOVER_SETS] = {
    [CLOVER_DOUBLE] = { VECTOR_NATIVE, PRECISION_DOUBLE }, [CLOVER_SINGLE] = { VECTOR_NATIVE, PRECISION_SINGLE },
    [CLOVER_FIXED16] = { VECTOR_HALF, PRECISION_SINGLE },
};

clover_set clover_set_for(vec_storage in)
{
    return in.precision == PRECISION_DOUBLE ? CLOVER_DOUBLE
         : clover_blocks_are_packed(in) ? CLOVER_FIXED16 : CLOVER_SINGLE;
}

static void create_terms(clover_terms *t, const clover_operator_params *params, lattice *l, place where,
                         vec_storage in)
{
    const bool blocks = clover_params_have_blocks(params);
    t->even[0] = blocks ? clover_term_create_for(l, where, in, params->kind, params->c_sw)
                        : clover_term_create_number(l);
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

void clover_terms_open(clover_term_sets *s, const clover_operator_params *params, lattice *l, place where,
                       vec_storage in)
{
    const clover_set set = clover_set_for(in);
    if (!s->of[set].even[0])
        create_terms(&s->of[set], params, l, where, storage_of[set]);
}

static void free_terms(clover_terms *t)
{
    for (int n = DIRAC_MATRICES_MAX; n > 0; n--) {
        clover_term_free(t->odd[n - 1]);
        clover_term_free(t->even[n - 1]);      /* the first one last: it has the blocks of all */
    }
}

void clover_terms_free(clover_term_sets *s)
{
    for (int k = CLOVER_SETS - 1; k >= 0; k--)
        free_terms(&s->of[k]);
}

static size_t bytes_of(const clover_operator_params *params, const lattice_shape *shape, vec_storage in)
{
    const size_t twist = clover_term_twist_bytes(shape, in), odd = clover_term_odd_bytes(shape, in, params->kind);
    if (!clover_params_have_blocks(params))
        return 0;                              /* T is a number */
    size_t bytes = clover_term_bytes(shape, in, params->kind, params->masses);
    for (int n = 0; n < params->masses; n++)
        bytes += params->mu[n] != 0 ? twist : 0;
    for (int n = 0; n < odd_count(params); n++)
        bytes += odd + (params->odd_mu[n] != 0 ? twist : 0);
    return bytes;
}

size_t clover_terms_bytes(const clover_operator_params *params, const lattice_shape *shape, const vec_storage *in,
                          int count)
{
    bool needed[CLOVER_SETS] = { [CLOVER_DOUBLE] = true };
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        needed[clover_set_for(in[i])] = true;
    for (int k = 0; k < CLOVER_SETS; k++)
        bytes += needed[k] ? bytes_of(params, shape, storage_of[k]) : 0;
    return bytes;
}

/* A reason begins with the mass of the input. */
static bool update_term(clover_term *t, const clover_operator_params *params, double mass, const gauge *u, failure *why)
{
    failure of_term;
    return clover_term_update(t, u, mass, &of_term)
           || fail(why, "m = %g: %s", mass - hop_mass_shift(&params->boundary), of_term.why);
}

static bool update_terms(clover_terms *t, const clover_operator_params *params, const gauge *u, failure *why)
{
    for (int n = 0; n < params->masses; n++)
        if (!update_term(t->even[n], params, params->mass[n], u, why))
            return false;
    for (int n = 0; n < odd_count(params); n++)
        if (!update_term(t->odd[n], params, params->odd_mass[n], u, why))
            return false;
    return true;
}

static void convert_terms(clover_terms *t, const clover_terms *from)
{
    for (int n = 0; n < DIRAC_MATRICES_MAX; n++) {
        if (t->even[n])
            clover_term_convert(t->even[n], from->even[n]);
        if (t->odd[n])
            clover_term_convert(t->odd[n], from->odd[n]);
    }
}

bool clover_terms_update(clover_term_sets *s, const clover_operator_params *params, const gauge *u, failure *why)
{
    if (!update_terms(&s->of[CLOVER_DOUBLE], params, u, why))
        return false;
    for (int k = CLOVER_DOUBLE + 1; k < CLOVER_SETS; k++)
        convert_terms(&s->of[k], &s->of[CLOVER_DOUBLE]);
    return true;
}
