/* selftest_fields.c - fields and actions that the parts of the self-test share. */
#include "src/selftest/selftest.h"

#include "src/lattice/rng.h"

enum { SEED = 20240607 };

/* U = exp(w P): neither so smooth that every loop is nearly 1, nor so rough that it is nearly 0. */
#define ROUGHNESS 0.25

selftest_fields selftest_fields_create(place where, const int extents[4])
{
    selftest_fields f = { .l = lattice_create_single(extents) };
    f.u = gauge_create(f.l, where, PRECISION_DOUBLE);
    f.p = momentum_create(f.l, where, PRECISION_DOUBLE);
    momentum_set_gaussian(f.p, rng_key_for(SEED, 0, 1, RNG_TEST));
    gauge_set_unit(f.u);
    gauge_drift(f.u, ROUGHNESS, f.p);
    momentum_set_gaussian(f.p, rng_key_for(SEED, 0, 1, RNG_MOMENTA));
    return f;
}

void selftest_fields_free(selftest_fields *f)
{
    gauge_free(f->u);
    momentum_free(f->p);
    lattice_free(f->l);
}

gauge_params selftest_action(int action, double beta)
{
    return (gauge_params){ .action = action, .beta = beta, .c1 = -0.2, .u0 = 0.87, .flavors = 3,
                           .u_s = 0.85, .u_t = 0.98 };
}

momentum *selftest_force_of(const gauge_params *action, const gauge *u)
{
    monomial *m = monomial_create(&gauge_monomial, action, u);
    momentum *force = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    sum_array size = monomial_size_create(u);
    monomial_call call = { .clock = NULL };
    require(monomial_add_force(m, u, force, 1, size.cells, &call), "%s", call.failure.why);
    sums_free(&size);
    monomial_free(m);
    return force;
}
