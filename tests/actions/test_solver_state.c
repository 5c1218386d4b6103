/* test_solver_state.c - a determinant whose solves are by a method with a preconditioner and with state: the action and
 * force of conjugate gradients, and the same bits after a stop inside a trajectory. */
#include "actions/quarks.h"
#include "actions/wilson_params.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/derivative.h"
#include "tests/actions/quark_fields.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/gcr_solver.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 4, 4, 4 };

#define CHAIN                                                                                                          \
    "residuals: { refresh: 1e-12, action: 1e-12, force: 1e-10 }\n"                                                     \
    "determinants: [ { flavors: 2, mass: 0.1, chronological: 2, hasenbusch: [ { mass: 0.4 } ] } ]"

/* The family of Wilson quarks, with GCR as its method. */
static bool plan_with_gcr(quark_plan *plan, const void *params, failure *f)
{
    const quark_family *wilson = wilson_monomial.family;
    const bool possible = wilson->plan(plan, params, f);
    plan->method = &gcr_solver;
    return possible;
}

static quark_family gcr_family;
static monomial_kind gcr_monomial;

static void make_kind(void)
{
    gcr_family = *(const quark_family *)wilson_monomial.family;
    gcr_family.plan = plan_with_gcr;
    gcr_monomial = wilson_monomial;
    gcr_monomial.family = &gcr_family;
}

typedef struct { lattice *l; gauge *u; momentum *p; } setup;

static setup setup_at(place where)
{
    setup s = { .l = lattice_create_single(extents) };
    double *links = analytic_links(extents, 1);
    s.u = gauge_create(s.l, where, PRECISION_DOUBLE);
    s.p = momentum_create(s.l, where, PRECISION_DOUBLE);
    gauge_import(s.u, links);
    momentum_set_gaussian(s.p, rng_key_for(61, 0, 0, RNG_MOMENTA));
    memory_free(links);
    return s;
}

static void setup_free(setup *s)
{
    momentum_free(s->p);
    gauge_free(s->u);
    lattice_free(s->l);
}

/* The action and |F|^2 of a kind at moved links. */
typedef struct { double action, force2; } values;

static values values_of(const monomial_kind *kind, setup *s)
{
    gauge *moved = gauge_create(s->l, s->u->links.where, PRECISION_DOUBLE);
    monomial *m = quarks_drawn(kind, CHAIN, s->u);
    gauge_copy(moved, s->u);
    gauge_drift(moved, 0.02, s->p);
    values v = { .action = action_of(m, moved) };
    momentum *force = momentum_create(s->l, s->u->links.where, PRECISION_DOUBLE);
    force_of(force, m, moved, 1);
    v.force2 = momentum_kinetic(force);
    momentum_free(force);
    monomial_free(m);
    gauge_free(moved);
    return v;
}

static void same_numbers(place where)
{
    setup s = setup_at(where);
    const values cg = values_of(&wilson_monomial, &s), gcr = values_of(&gcr_monomial, &s);
    fact(fabs(gcr.action / cg.action - 1) < 1e-10 && fabs(gcr.force2 / cg.force2 - 1) < 1e-8,
         "%s: action and force are those of conjugate gradients", place_name(where));
    void *p = monomial_params(&gcr_monomial, CHAIN);
    const lattice_shape *shape = lattice_shape_of(s.l);
    const size_t kept = monomial_start_vector_bytes(&gcr_monomial, p, shape)
                        - monomial_start_vector_bytes(&wilson_monomial, p, shape);
    fact(kept > 0 && kept < monomial_need(&gcr_monomial, p, shape).lasting, "and a checkpoint counts the state");
    monomial_params_free(&gcr_monomial, p);
    setup_free(&s);
}

/* What a checkpoint has of a monomial, into one with the same parameters. */
static void continue_as(monomial *to, monomial *from)
{
    number_row row = { .reading = false };
    monomial_progress(from, &row);
    number_row_rewind(&row);
    monomial_progress(to, &row);
    number_row_free(&row);
    field *x;
    for (int i = 0; (x = monomial_pseudofermion(from, i, NULL)); i++)
        field_copy(monomial_pseudofermion(to, i, NULL), x);
    for (int i = 0; (x = monomial_start_vector(from, i)); i++) {
        field *kept = monomial_start_vector(to, i);
        require(kept != NULL, "the numbers of a checkpoint do not tell that there is field %d", i);
        field_copy(kept, x);
    }
}

static bool same_force(monomial *a, monomial *b, setup *s)
{
    momentum *difference = momentum_create(s->l, s->u->links.where, PRECISION_DOUBLE);
    force_of(difference, a, s->u, 1);
    force_of(difference, b, s->u, -1);
    const bool same = momentum_kinetic(difference) == 0;
    momentum_free(difference);
    return same;
}

/* Steps after the stop: forces on links that move little and much, then the action. */
static void same_after_a_stop(place where)
{
    static const double steps[] = { 1e-5, 0.05, 1e-5 };
    setup s = setup_at(where);
    monomial *m = quarks_drawn(&gcr_monomial, CHAIN, s.u), *again = quarks_made(&gcr_monomial, CHAIN, s.u);
    momentum *first = momentum_create(s.l, where, PRECISION_DOUBLE);
    force_of(first, m, s.u, 1);
    momentum_free(first);
    continue_as(again, m);
    bool same = true;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        gauge_drift(s.u, steps[i], s.p);
        same &= same_force(m, again, &s);
    }
    same &= action_of(m, s.u) == action_of(again, s.u);
    json j = { .depth = 0 };
    json_open(&j, NULL, '{');
    monomial_report(m, &j);
    json_close(&j);
    fact(same, "%s: stopped between two forces, the rest has the same bits", place_name(where));
    fact(strstr(json_string(&j), "\"method\"") && strstr(json_string(&j), "\"rebuilt\""),
         "and the record counts updates");
    json_free(&j);
    monomial_free(again);
    monomial_free(m);
    setup_free(&s);
}

int main(void)
{
    make_kind();
    FOR_EVERY_PLACE(where) {
        same_numbers(where);
        same_after_a_stop(where);
    }
    return facts_end();
}
