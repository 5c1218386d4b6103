/* test_staggered_solver.c - whatever the precisions of its solves, a monomial of staggered quarks has the same fields,
 * action and force: within what its residuals allow; and the very same, however many fields are solved for at once. */
#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/staggered_input.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int extents[4] = { 4, 4, 4, 4 };
#define RESIDUAL 1e-9

typedef struct { double norm2, action; momentum *force; } outcome;

static outcome outcome_of(const gauge *u, const char *solver, int together)
{
    char yaml[512];
    snprintf(yaml, sizeof yaml, "{ determinants: [{ quarks: [{ mass: 0.05, flavors: 2 }, { mass: 0.1, flavors: 1 }], "
                                "hasenbusch: [{ mass: 0.4, fields: 2 }] }, { quarks: [{ mass: 0.6, "
                                "flavors: 1 }], naik_epsilon: auto }], solver: %s, max_rhs: %d, "
                                "largest_eigenvalue: 30, residuals: { refresh: 1e-9, action: 1e-9, force: 1e-9 } }",
             solver, together);
    staggered_params p = staggered_from_text(yaml);
    const size_t before = place_bytes_now(u->links.where);
    monomial *m = monomial_create(&staggered_monomial, &p, u);
    const size_t taken = place_bytes_now(u->links.where) - before;
    monomial_call call = { .clock = NULL };
    outcome o = { .force = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE) };
    sum_array size = monomial_size_create(u);
    bool done = monomial_refresh(m, u, rng_key_for(5, 0, 1, RNG_PSEUDOFERMION), &call)
                && monomial_action(&o.action, m, u, &call) && monomial_add_force(m, u, o.force, 1, size.cells, &call);
    require(done, "%s: %s", solver, call.failure.why);
    for (int n = 0; monomial_pseudofermion(m, n, NULL); n++)
        o.norm2 += vec_norm2(&(vec){ *monomial_pseudofermion(m, n, NULL), VECTOR_NATIVE });
    size_t planned = memory_need_sum(monomial_need(&staggered_monomial, &p, lattice_shape_of(u->links.lattice)));
    fact(planned == taken, "%s: it takes %zu bytes, %zu were planned", solver, taken, planned);
    sums_free(&size);
    monomial_free(m);
    staggered_input_free(&p);
    return o;
}

static void compare(place where, const gauge *u, const outcome *want, const char *solver)
{
    outcome got = outcome_of(u, solver, BATCH_MAX_RHS);
    double size = sqrt(momentum_measure(want->force).max_norm2);
    for (int together = 1; together <= 2; together++) {
        outcome less = outcome_of(u, solver, together);
        fact(less.norm2 == got.norm2 && less.action == got.action, "%s, %s: %d fields at once have the same numbers as "
             "all, to the last bit", place_name(where), solver, together);
        momentum_axpy(less.force, -1, got.force);
        fact(momentum_measure(less.force).max_norm2 == 0, "%s, %s: and the same force", place_name(where), solver);
        momentum_free(less.force);
    }
    momentum_axpy(got.force, -1, want->force);
    fact_close(got.norm2 / want->norm2 - 1, 0, 10 * RESIDUAL, "%s, %s: the fields have the norm of double's",
               place_name(where), solver);
    fact_close(got.action / want->action - 1, 0, 10 * RESIDUAL, "%s, %s: so has the action", place_name(where), solver);
    fact_close(sqrt(momentum_measure(got.force).max_norm2) / size, 0, 1e3 * RESIDUAL, "%s, %s: and the force",
               place_name(where), solver);
    momentum_free(got.force);
}

static void all_kinds(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    double *links = analytic_links(extents, 0.8);
    gauge_import(u, links);
    memory_free(links);
    outcome want = outcome_of(u, solver_names[0], BATCH_MAX_RHS);
    for (int kind = 0; solver_names[kind]; kind++)
        compare(where, u, &want, solver_names[kind]);
    momentum_free(want.force);
    gauge_free(u);
    lattice_free(l);
}

/* A pseudofermion with a NaN at one site: the solve ends and says where. */
static void no_number(place where, const char *solver)
{
    enum { AT = ((1 * 4 + 3) * 4 + 2) * 4 + 0 };             /* [t][z][y][x] = 1 3 2 0, an even site */
    char yaml[256];
    snprintf(yaml, sizeof yaml, "{ determinants: [{ quarks: [{ mass: 0.3, flavors: 2 }] }], solver: %s, "
                                "largest_eigenvalue: 30 }", solver);
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    staggered_params p = staggered_from_text(yaml);
    monomial *m = monomial_create(&staggered_monomial, &p, u);
    monomial_call call = { .clock = NULL };
    double numbers[256 * VEC_REALS] = { 0 }, action;
    numbers[AT * VEC_REALS + 4] = NAN;
    field_import(monomial_pseudofermion(m, 0, NULL), numbers);
    bool done = monomial_action(&action, m, u, &call);
    fact(!done && strstr(call.failure.why, "(0 2 3 1), number 4"), "%s, %s: a NaN ends a solve, and its "
         "site is told: %s", place_name(where), solver, done ? "" : call.failure.why);
    monomial_free(m);
    staggered_input_free(&p);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        all_kinds(where);
        for (int kind = 0; solver_names[kind]; kind++)
            no_number(where, solver_names[kind]);
    }
    return facts_end();
}
