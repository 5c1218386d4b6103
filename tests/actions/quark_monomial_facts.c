/* quark_monomial_facts.c - new fields, force, memory and bits of a monomial of quarks. */
#include "tests/actions/quark_monomial_facts.h"

#include "src/base/memory.h"
#include "src/lattice/place_memory.h"
#include "tests/actions/monomial_facts.h"
#include "tests/actions/quark_fields.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"

#include <stdio.h>
#include <string.h>

#define LARGEST_STEP 0.03       /* in units where P has norm sqrt(8) a link */

void quark_monomial_force_facts(const quark_monomial_case *a, const gauge *u, const momentum *p)
{
    char name[128], yaml[512];
    monomial_call call = { .clock = NULL };
    snprintf(yaml, sizeof yaml, "%s%s", a->tight, a->yaml);
    snprintf(name, sizeof name, "%s, %s", place_name(u->links.where), a->name);
    monomial *m = quarks_made(a->kind, yaml, u);
    require(monomial_refresh(m, u, key_of_fields(), &call), "%s", call.failure.why);
    fact_close(action_of(m, u) / call.drawn - 1, 0, 1e-12, "%s: new fields have the action of their random numbers",
               name);
    derivative_facts(m, u, p, LARGEST_STEP, 2e-9, name);
    weight_facts(m, u, p, name);
    gauge_turn_facts(m, u, 1e-11, name);
    monomial_free(m);
}

void quark_monomial_memory_facts(const quark_monomial_case *a, const gauge *u)
{
    const place where = u->links.where;
    void *params = monomial_params(a->kind, a->yaml);
    momentum *force = momentum_create(u->links.lattice, where, PRECISION_DOUBLE);
    sum_array size = monomial_size_create(u);
    monomial_call call = { .clock = NULL };
    const size_t before = place_bytes_now(where);
    monomial *m = quarks_drawn(a->kind, a->yaml, u);
    action_of(m, u);
    require(monomial_add_force(m, u, force, 1, size.cells, &call), "%s", call.failure.why);
    const size_t taken = place_bytes_now(where) - before;
    const size_t most = memory_need_sum(monomial_need(a->kind, params, lattice_shape_of(u->links.lattice)));
    fact(taken <= most, "%s, %s: %zu bytes, %zu were planned", place_name(where), a->name, taken, most);
    monomial_free(m);
    fact(place_bytes_now(where) == before, "%s, %s: all are freed", place_name(where), a->name);
    sums_free(&size);
    momentum_free(force);
    monomial_params_free(a->kind, params);
}

void quark_monomial_bits_facts(const quark_monomial_case *a, const gauge *u, double **first)
{
    size_t bytes;
    monomial *m = quarks_drawn(a->kind, a->yaml, u);
    double *numbers = monomial_numbers(&bytes, m, u);
    monomial_free(m);
    if (!*first) {
        *first = numbers;
        return;
    }
    fact(memcmp(numbers, *first, bytes) == 0, "%s: fields, action and force have the bits of the CPU", a->name);
    memory_free(numbers);
}

void quark_monomial_all_facts(const quark_monomial_case *a, int count, lattice *l, place where, double **first)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
    double *links = analytic_links(lattice_global(l), 1.0);
    gauge_import(u, links);
    momentum_set_gaussian(p, rng_key_for(67, 0, 0, RNG_MOMENTA));
    for (int i = 0; i < count; i++) {
        quark_monomial_force_facts(&a[i], u, p);
        quark_monomial_memory_facts(&a[i], u);
        quark_monomial_bits_facts(&a[i], u, &first[i]);
    }
    memory_free(links);
    momentum_free(p);
    gauge_free(u);
}
