/* test_dwf_one_flavor.c - one flavor of domain-wall quarks, by rational functions and by the exact one-flavor
 * action: the refresh draws what the action weighs, the force is minus the derivative of the action, spectra are
 * measured, remembered, and looked after. */
#include "actions/rational_range.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/derivative.h"
#include "tests/actions/dwf_input.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_STEP 0.03       /* in units where P has norm sqrt(8) a link */
#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */

#define START_VECTORS_SAVE 0.75 /* of the action's solves: 0.64; from the latest solution alone 0.84, from zero 0.93 */

#define TIGHT "residuals: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n"
#define ERRORS "errors: { refresh: 1e-13, action: 1e-13, force: 1e-13 }"
#define ONE(mass, method) "determinants: [ { flavors: 1, mass: " #mass ", method: " #method ", " ERRORS " } ]"
#define SYMMETRIC "action: optimal_symmetric\nlambda_min: 0.3\nlambda_max: 6\nLs: 4\n"

typedef struct { const char *name, *yaml; } row;
static const row actions[] = {
    { "rational, Shamir", TIGHT "Ls: 4\n" ONE(0.1, rational) },
    { "rational, Moebius, two fields",
      TIGHT "action: mobius\nLs: 4\ndeterminants: [ { flavors: 1, mass: 0.1, fields: 2, " ERRORS " } ]" },
    { "rational, optimal, over a heavy quark",
      TIGHT "action: optimal\nlambda_min: 0.3\nLs: 4\ndeterminants: [ { flavors: 1, mass: 0.05, heavy: 0.4, " ERRORS
      " } ]" },
    { "exact, Shamir", TIGHT "Ls: 4\n" ONE(0.1, exact) },
    { "exact, Moebius", TIGHT "action: mobius\nLs: 4\n" ONE(0.1, exact) },
    { "exact, Moebius, an odd number of slices", TIGHT "action: mobius\nLs: 5\n" ONE(0.1, exact) },
    { "exact, optimal and symmetric", TIGHT SYMMETRIC ONE(0.1, exact) },
    { "two determinants", TIGHT "action: mobius\nLs: 4\ndeterminants: [ { flavors: 1, mass: 0.1, heavy: 0.4, "
      "method: exact, " ERRORS " }, { flavors: 1, mass: 0.4, " ERRORS " } ]" },
};
enum { ACTIONS = sizeof actions / sizeof actions[0], RATIONAL = 1, EXACT = 4 };

static rng_key key_of_fields(void)
{
    return rng_key_for(71, 0, 1, RNG_PSEUDOFERMION);
}

static gauge *rough_links(lattice *l, place where)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    double *numbers = analytic_links(lattice_global(l), ROUGHNESS);
    gauge_import(u, numbers);
    memory_free(numbers);
    return u;
}

static monomial *quarks_of(const char *yaml, const gauge *u)
{
    dwf_params p = dwf_from_text(yaml);
    failure f;
    require(monomial_check(&dwf_monomial, &p, lattice_shape_of(u->links.lattice), &f), "%s", f.why);
    monomial *m = monomial_create(&dwf_monomial, &p, u);
    dwf_input_free(&p);
    return m;
}

static void refreshed(monomial *m, const gauge *u)
{
    monomial_call call = { .clock = NULL };
    require(monomial_refresh(m, u, key_of_fields(), &call), "%s", call.failure.why);
}

/* |eta|^2 of all fields, told from their sites: those of a factor are slabs of one sequence of random numbers on each
 * site, factor after factor. */
static double drawn(const char *yaml, const monomial *m)
{
    dwf_params p = dwf_from_text(yaml);
    quark_plan plan;
    failure f;
    require(quark_plan_make(&plan, &dwf_monomial, &p, &f), "%s", f.why);
    double sum = 0;
    for (int n = 0, index = 0; n < plan.count; n++) {
        const bool exact = plan.factor[n].kind == &exact_one_flavor_factor;
        for (int i = 0; i < (exact ? 2 : plan.factor[n].fields); i++, index++) {
            const field *like = monomial_pseudofermion((monomial *)m, index, NULL);
            vec *eta = vec_create_slabs(like->lattice, like->on, like->where, like->precision, like->slabs);
            int before = exact ? 0 : i * like->slabs * VECTOR_DRAWS;
            vec_set_gaussian(eta, key_of_fields(), plan.factor[n].first_draw + (uint32_t)before);
            sum += vec_norm2(eta);
            vec_free(eta);
        }
    }
    quark_plan_free(&plan);
    dwf_input_free(&p);
    return sum;
}

static void refresh_and_force(const row *a, const gauge *u, const momentum *p)
{
    char name[128];
    monomial *m = quarks_of(a->yaml, u);
    snprintf(name, sizeof name, "%s: %s", place_name(u->links.where), a->name);
    refreshed(m, u);
    fact_close(action_of(m, u) / drawn(a->yaml, m), 1, 1e-11, "%s: the action of new fields is that of their random "
               "numbers, relative", name);
    derivative_facts(m, u, p, LARGEST_STEP, 2e-9, name);
    weight_facts(m, u, p, name);
    monomial_free(m);
}

/* A solve of a role, in iterations, since the last report. */
static double iterations_of(const char *report, const char *role)
{
    const char *at = strstr(report, role);
    int solves = 0, iterations = 0;
    require(at && sscanf(strchr(at, '{'), "{\"solves\": %d, \"iterations\": %d", &solves, &iterations) == 2,
            "no iterations in the report: %s", report);
    return (double)iterations / solves;
}

/* Those of the refresh have the action's residual, and the solutions for the poles before to start from. */
static void start_vectors(const row *a, const gauge *u)
{
    monomial *m = quarks_of(a->yaml, u);
    json j = { 0 };
    refreshed(m, u);
    action_of(m, u);
    json_open(&j, NULL, '{');
    monomial_report(m, &j);
    json_close(&j);
    const double refresh = iterations_of(json_string(&j), "\"refresh\""),
                 action = iterations_of(json_string(&j), "\"action\"");
    fact(refresh < START_VECTORS_SAVE * action, "%s: %s: solutions for other poles save iterations of the refresh "
         "(%.1f a solve, of the action %.1f)", place_name(u->links.where), a->name, refresh, action);
    json_free(&j);
    monomial_free(m);
}

static bool same_fields(monomial *a, monomial *b)
{
    bool same = true;
    field *f;
    for (int i = 0; same && (f = monomial_pseudofermion(a, i, NULL)); i++) {
        field *g = monomial_pseudofermion(b, i, NULL);
        double *x = memory_alloc(f->bytes * 2, "numbers"), *y = memory_alloc(f->bytes * 2, "numbers");
        field_export(x, f);
        field_export(y, g);
        same = memcmp(x, y, f->bytes * 2) == 0;
        memory_free(x);
        memory_free(y);
    }
    return same;
}

/* What a spectrum gave goes on with the stream. */
static void memory_of_range(const row *a, const gauge *u, const gauge *other)
{
    const char *where = place_name(u->links.where);
    monomial *m = quarks_of(a->yaml, u), *again = quarks_of(a->yaml, u), *fresh = quarks_of(a->yaml, other);
    monomial_call call = { .clock = NULL };
    double values[MONOMIAL_MEMORY], others[MONOMIAL_MEMORY];
    require(monomial_prepare(m, u, 1, &call), "%s", call.failure.why);
    int count = monomial_get_memory(m, values);
    fact(count == 2 && values[0] > 0 && values[1] > values[0], "%s: %s: there is a range: %g to %g", where, a->name,
         values[0], values[1]);
    monomial_set_memory(again, values, count);
    require(monomial_prepare(m, other, 2, &call) && monomial_prepare(again, other, 2, &call), "%s", call.failure.why);
    refreshed(m, other);
    refreshed(again, other);
    monomial_get_memory(again, others);
    fact(memcmp(values, others, (size_t)count * sizeof *values) == 0 && same_fields(m, again),
         "%s: %s: with the remembered range a stream goes on, bit by bit", where, a->name);
    require(monomial_prepare(fresh, other, 2, &call), "%s", call.failure.why);
    fact(monomial_get_memory(fresh, others) == count && others[1] > 0,
         "%s: %s: a range is measured where none is known",
         where, a->name);
    monomial_free(fresh);
    monomial_free(again);
    monomial_free(m);
}

/* What was asked before the first trajectory, at links with another spectrum, does not change it. */
static void calls_before(const row *a, const gauge *u)
{
    const char *where = place_name(u->links.where);
    monomial *m = quarks_of(a->yaml, u), *fresh = quarks_of(a->yaml, u);
    monomial_call call = { .clock = NULL };
    double outside[MONOMIAL_MEMORY], values[MONOMIAL_MEMORY], others[MONOMIAL_MEMORY];
    gauge *unit = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    gauge_set_unit(unit);
    refreshed(m, unit);
    monomial_get_memory(m, outside);
    require(monomial_prepare(m, u, 1, &call) && monomial_prepare(fresh, u, 1, &call), "%s", call.failure.why);
    refreshed(m, u);
    refreshed(fresh, u);
    const int count = monomial_get_memory(m, values);
    fact(outside[1] == 0, "%s: %s: an action outside trajectories leaves nothing to remember", where, a->name);
    fact(monomial_get_memory(fresh, others) == count && memcmp(values, others, (size_t)count * sizeof *values) == 0
         && same_fields(m, fresh), "%s: %s: nor does it change the first trajectory (range %g to %g)", where, a->name,
         values[0], values[1]);
    gauge_free(unit);
    monomial_free(fresh);
    monomial_free(m);
}

/* Where (4 - M5) c - 1 = (4 - M5) b + 1 and Ls is odd, a fifth dimension has no inverse at m = 1. */
static void no_numbers(const gauge *u)
{
    monomial *m = quarks_of("action: mobius\nLs: 5\nM5: 1.5\nb: 0.2\nc: 1\n" ONE(0.1, rational), u);
    monomial_call call = { .clock = NULL };
    bool done = monomial_prepare(m, u, 1, &call);
    fact(!done && strstr(call.failure.why, "C^+C for m = 1 ") && strstr(call.failure.why, "positive numbers"),
         "%s: one matrix of two without a spectrum is enough to stop (%s)", place_name(u->links.where),
         done ? "nothing said" : call.failure.why);
    monomial_free(m);
}

static void ends(void)
{
    static const spectrum_ends wrong[] = {
        { NAN, 1, 1 }, { 1, NAN, 1 }, { INFINITY, INFINITY, 1 }, { INFINITY, 1, 1 }, { 1, INFINITY, 1 }, { 0, 1, 1 },
        { 1, 0, 1 }, { -1, 1, 1 }, { 1, -1, 1 },
    };
    const ranged_kind kind = { .matrix = "A", .below = 0.5, .above = 2 };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        rational_range range = { .smallest = 0 };
        failure why;
        bool changed;
        fact(!rational_range_found(&range, &changed, &wrong[i], &kind, &why) && range.largest == 0 && !changed,
             "a spectrum from %g to %g makes no range", wrong[i].smallest, wrong[i].largest);
    }
}

/* `yaml` with a range that it is to be refused for, by prepare or by the first action. */
static void refused(const char *yaml, const gauge *u, bool prepared, const char *advice, const char *what)
{
    monomial *m = quarks_of(yaml, u);
    monomial_call call = { .clock = NULL };
    double s;
    bool done = (!prepared || monomial_prepare(m, u, 1, &call)) && monomial_refresh(m, u, key_of_fields(), &call)
                && monomial_action(&s, m, u, &call);
    fact(!done && strstr(call.failure.why, advice), "%s: %s (%s)", place_name(u->links.where), what,
         done ? "nothing said" : call.failure.why);
    monomial_free(m);
}

#define RANGE(method, from, to) TIGHT "Ls: 4\ndeterminants: [ { flavors: 1, mass: 0.1, method: " #method ", " \
    "smallest_eigenvalue: " #from ", largest_eigenvalue: " #to ", " ERRORS " } ]"

static void ranges_that_do_not_hold(const gauge *u)
{
    refused(RANGE(rational, 1e-4, 0.9), u, true, "raise largest_eigenvalue", "a range may end too early");
    refused(RANGE(rational, 0.3, 4), u, true, "reduce smallest_eigenvalue", "a range may begin too late");
    refused(RANGE(exact, 0.1, 1.01), u, true, "raise largest_eigenvalue", "and that of the exact action too");
    refused(RANGE(exact, 1.4, 20), u, true, "reduce smallest_eigenvalue", "or begin");
    refused(RANGE(rational, 0.3, 4), u, false, "do not fit", "the action of new fields shows it");
    refused(RANGE(exact, 0.999, 1.01), u, false, "do not fit", "of the exact action as well");
}

/* The same fields in any precision of the solver. */
static void precisions(const row *a, const gauge *u)
{
    static const char *const solvers[] = { "double-single", "double-int20", "double-int30-int20" };
    char yaml[1024];
    monomial *m = quarks_of(a->yaml, u);
    refreshed(m, u);
    double want = action_of(m, u);
    momentum *f = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    momentum *g = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    force_of(f, m, u, 1);
    for (int i = 0; i < 3; i++) {
        snprintf(yaml, sizeof yaml, "%s\nsolver: %s", a->yaml, solvers[i]);
        monomial *mixed = quarks_of(yaml, u);
        refreshed(mixed, u);
        momentum_zero(g);
        force_of(g, mixed, u, 1);
        fact_close(action_of(mixed, u) / want, 1, 1e-11, "%s: %s: the action by %s, relative",
                   place_name(u->links.where), a->name, solvers[i]);
        fact_close(force_distance(g, f), 0, 1e-10, "%s: %s: the force by %s", place_name(u->links.where), a->name,
                   solvers[i]);
        monomial_free(mixed);
    }
    momentum_free(g);
    momentum_free(f);
    monomial_free(m);
}

static void input(const char *yaml, const char *reason, const char *what)
{
    dwf_params p = dwf_from_text(yaml);
    quark_plan plan;
    failure f = { .why = "" };
    bool made = quark_plan_make(&plan, &dwf_monomial, &p, &f);
    fact(!made && strstr(f.why, reason), "%s (%s)", what, f.why);
    dwf_input_free(&p);
}

static void inputs(void)
{
    input("action: optimal\nLs: 6\n" ONE(0.1, exact), "optimal_symmetric",
          "no exact one-flavor action for weights that differ at the two walls");
    input("action: borici\nLs: 5\n" ONE(0.1, exact), "use an even Ls",
          "none where 1 + cL has no inverse");
    input("action: mobius\nb: 0.5\nc: 1.5\nLs: 5\n" ONE(0.001, exact), "not positive",
          "none where it has no inverse between the masses: M_E is not positive");
    input("Ls: 4\ndeterminants: [ { flavors: 1, mass: 0.1, method: exact, fields: 2 } ]", "fields",
          "none in several fields");
    input("Ls: 4\ndeterminants: [ { flavors: 1, mass: 0.1, largest_eigenvalue: 2 } ]", "both",
          "a range has two ends");
    input("Ls: 4\ndeterminants: [ { flavors: 1, mass: 0.1, smallest_eigenvalue: 1e-8, largest_eigenvalue: 10, "
          "errors: { refresh: 1e-6, action: 1e-6, force: 1e-13 } } ]", "force",
          "functions with more poles than there are vectors for");
}

/* The number of poles that plans count on. */
static void poles(void)
{
    static const struct { int y, z; double smallest, error; } powers[] = {
        { -1, 2, 1e-3, 1e-13 }, { -1, 2, 1e-6, 1e-7 },  { 1, 4, 1e-5, 1e-13 },
        { -1, 8, 1e-4, 1e-10 }, { 1, 32, 0.1, 1e-9 },
    };
    int worst = 0;
    for (size_t n = 0; n < sizeof powers / sizeof powers[0]; n++) {
        const rational_range range = { .smallest = powers[n].smallest, .largest = 4 };
        rational r;
        failure f;
        require(rational_power(&r, powers[n].y, powers[n].z, &range, powers[n].error, &f), "%s", f.why);
        int off = abs(r.order - rational_power_poles(powers[n].y, powers[n].z, &range, powers[n].error));
        worst = off > worst ? off : worst;
    }
    fact(worst <= 1, "the number of poles is known before the function, to %d", worst);
}

int main(void)
{
    const int extents[4] = { 2, 2, 2, 2 };
    inputs();
    poles();
    ends();
    FOR_EVERY_PLACE(where) {
        lattice *l = lattice_create_single(extents);
        gauge *u = rough_links(l, where), *other = gauge_create(l, where, PRECISION_DOUBLE);
        momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
        momentum_set_gaussian(p, rng_key_for(72, 0, 1, RNG_TEST));
        gauge_copy(other, u);
        gauge_drift(other, 0.01, p);
        for (int n = 0; n < ACTIONS; n++)
            refresh_and_force(&actions[n], u, p);
        memory_of_range(&actions[RATIONAL], u, other);
        memory_of_range(&actions[EXACT], u, other);
        start_vectors(&actions[EXACT], u);
        calls_before(&actions[RATIONAL], u);
        calls_before(&actions[EXACT], u);
        no_numbers(u);
        ranges_that_do_not_hold(u);
        precisions(&actions[RATIONAL], u);
        precisions(&actions[EXACT], u);
        momentum_free(p);
        gauge_free(other);
        gauge_free(u);
        lattice_free(l);
    }
    return facts_end();
}
