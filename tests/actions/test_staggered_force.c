/* test_staggered_force.c - the force of staggered quarks is minus the derivative of their action; it turns with the
 * gauge, and the action does not see the gauge.
 *
 * Residuals and errors of the rational functions are as small as doubles allow, so that force and action belong to the
 * same function of K. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec.h"
#include "tests/actions/derivative.h"
#include "tests/actions/monomial_facts.h"
#include "tests/actions/staggered_input.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGEST_STEP 0.03       /* in units where P has norm sqrt(8) a link */
#define ROUGHNESS 1.0           /* of the links: the coefficients of the generators are up to this */

#define TIGHT "residuals: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n" \
              "errors: { refresh: 1e-14, action: 1e-14, force: 1e-14 }\n"
#define LIGHT "{ mass: 0.1, flavors: 2 }"
#define STRANGE "{ mass: 0.2, flavors: 1 }"

static const struct { const char *name, *yaml; } actions[] = {
    { "HISQ, 2+1 with two Hasenbusch masses",
      TIGHT "determinants: [ { quarks: [ " LIGHT ", " STRANGE " ], hasenbusch: [ { mass: 0.3 }, { mass: 0.8 } ] } ]" },
    { "HISQ to SU(3), charm with its epsilon next to light",
      TIGHT "projection: su3\n"
      "determinants: [ { quarks: [ " LIGHT " ] }, { quarks: [ { mass: 0.6, flavors: 1 } ], naik_epsilon: auto } ]" },
    { "Asqtad, a root of two flavors",
      TIGHT "action: asqtad\nu0: 0.9\ndeterminants: [ { quarks: [ " LIGHT " ], fields: 2 } ]" },
    { "naive, one flavor, phase 0.3 pi",
      TIGHT "action: naive\nboundary: 0.3\ndeterminants: [ { quarks: [ " STRANGE " ] } ]" },
    { "HISQ, three flavors, periodic, phase 0",
      TIGHT "boundary: 0\ndeterminants: [ { quarks: [ { mass: 0.2, flavors: 3 } ] } ]" },
    { "HISQ, light and charm with its epsilon, imaginary chemical potential",
      TIGHT "imaginary_mu: 0.3\n"
      "determinants: [ { quarks: [ " LIGHT " ] }, { quarks: [ { mass: 0.6, flavors: 1 } ], naik_epsilon: auto } ]" },
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

/* A monomial with fields from the refresh at u. */
static monomial *quarks_at(const staggered_params *p, const gauge *u)
{
    monomial *m = monomial_create(&staggered_monomial, p, u);
    monomial_call call = { .clock = NULL };
    require(monomial_refresh(m, u, rng_key_for(62, 0, 1, RNG_PSEUDOFERMION), &call), "%s", call.failure.why);
    return m;
}

/* The chain rule in single precision, links and solves in double. */
static void single_precision_chain(const staggered_params *p, monomial *m, const gauge *u, const char *name)
{
    staggered_params single = *p;
    single.force_precision = PRECISION_SINGLE;
    monomial *other = quarks_at(&single, u);
    momentum *f = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    momentum *want = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    force_of(f, other, u, 1);
    force_of(want, m, u, 1);
    double apart = force_distance(f, want);
    fact(apart > 0 && apart < 1e-5, "%s: the chain rule in single precision is as good as that (%.2g)", name, apart);
    momentum_free(want);
    momentum_free(f);
    monomial_free(other);
}

static void on_lattice(const int n[4], int which)
{
    lattice *l = lattice_create_single(n);
    double *links = analytic_links(n, ROUGHNESS), *first = NULL;
    size_t bytes;
    staggered_params params = staggered_from_text(actions[which].yaml);
    FOR_EVERY_PLACE(where) {
        char name[160];
        snprintf(name, sizeof name, "%s, %dx%dx%dx%d, %s", place_name(where), n[0], n[1], n[2], n[3],
                 actions[which].name);
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
        gauge_import(u, links);
        momentum_set_gaussian(p, rng_key_for(61, 0, (uint64_t)which, RNG_MOMENTA));
        monomial *m = quarks_at(&params, u);
        double *numbers = monomial_numbers(&bytes, m, u);
        if (first)
            fact(memcmp(numbers, first, bytes) == 0, "%s: fields, action and force have the bits of the CPU", name);
        else
            first = numbers;
        derivative_facts(m, u, p, LARGEST_STEP, 5e-10, name);
        weight_facts(m, u, p, name);
        single_precision_chain(&params, m, u, name);
        gauge_turn_facts(m, u, 1e-12, name);
        if (numbers != first)
            memory_free(numbers);
        monomial_free(m);
        momentum_free(p);
        gauge_free(u);
    }
    staggered_input_free(&params);
    memory_free(first);
    memory_free(links);
    lattice_free(l);
}

int main(void)
{
    static const int shapes[][4] = { { 2, 2, 2, 2 }, { 2, 4, 2, 6 } };
    for (int which = 0; which < ACTIONS; which++)
        for (int shape = 0; shape < 2; shape++)
            on_lattice(shapes[shape], which);
    on_lattice((const int[]){ 4, 4, 4, 4 }, 1);
    return facts_end();
}
