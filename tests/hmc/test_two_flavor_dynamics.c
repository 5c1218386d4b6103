/* test_two_flavor_dynamics.c - trajectories with two flavors of domain-wall, Wilson or clover quarks, with a third one
 * or on stout links: the order of the integrator, reversibility from zero and from solutions before, <exp(-dH)> = 1,
 * the same bits from any number of threads.
 *
 * With KILN_NIGHTLY=1 the ensemble is longer, and more solvers are looked at. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/solvers/solver_choice.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What differs: members of the gauge monomial, of the quarks', of their determinant; determinants before it; steps of
 * leapfrog that are large; whether an integrator of fourth order is looked at, and solves by multigrid. */
typedef struct {
    const char *name, *gauge, *quarks, *masses, *before;
    int large_steps;
    bool fourth_order, multigrid;
} action;
static const action actions[] = {
    { "Moebius", "action: iwasaki, beta: 2.4", "kind: domain_wall, action: mobius, Ls: 4",
      "mass: 0.2, hasenbusch: [ { mass: 0.6 } ]", "", 4, false, false },
    { "Wilson", "action: wilson, beta: 5.6", "kind: wilson", "mass: -0.3, hasenbusch: [ { mass: 0.2 } ]", "", 5, true,
      true },
    { "2 + 1 flavors, clover", "action: symanzik_tree, beta: 3.4", "kind: wilson, c_sw: 1.2",
      "mass: 0.2, hasenbusch: [ { mass: 0.7 } ]", "{ flavors: 1, mass: 0.4 },", 6, true, false },
    { "clover, phases in space", "action: symanzik_tree, beta: 3.4", "kind: wilson, c_sw: 1.2, theta: [0.4, -0.7, 1]",
      "mass: 0.8", "", 6, true, false },
    { "exponential clover", "action: iwasaki, beta: 2.2", "kind: wilson, c_sw: 1.2, clover: exponential", "mass: 0.1",
      "", 8, false, false },
    { "twisted mass", "action: wilson, beta: 5.6", "kind: wilson", "mass: -0.2, mu: 0.3, hasenbusch: [ { rho: 0.6 } ]",
      "", 5, false, false },
    { "twisted mass, clover", "action: wilson, beta: 5.6", "kind: wilson, c_sw: 1.2",
      "mass: 0.2, mu: 0.2, hasenbusch: [ { rho: 0.5 } ]", "", 6, true, true },
    { "2 + 1 flavors, clover, symmetric", "action: symanzik_tree, beta: 3.4",
      "kind: wilson, c_sw: 1.2, even_odd: symmetric", "mass: 0.2, hasenbusch: [ { mass: 0.7 } ]",
      "{ flavors: 1, mass: 0.4 },", 6, true, false },
    { "twisted mass, clover, symmetric", "action: wilson, beta: 5.6", "kind: wilson, c_sw: 1.2, even_odd: symmetric",
      "mass: 0.2, mu: 0.2, hasenbusch: [ { rho: 0.5 } ]", "", 6, true, false },
    { "clover on stout links", "action: symanzik_tree, beta: 3.4",
      "kind: wilson, c_sw: 1.2, stout: { levels: 2, rho: 0.1 }", "mass: 0.4, hasenbusch: [ { mass: 1 } ]", "", 5,
      true, false },
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

/* %s: members of both monomials, other determinants, members of the last one; %g: length; %d: thermalization;
 * %s: levels */
#define INPUT \
    "lattice: [4, 4, 4, 4]\n" \
    "random: { seed: 91 }\n" \
    "monomials:\n" \
    "  - { kind: gauge, name: gauge, %s }\n" \
    "  - { %s, name: quarks, %s,\n" \
    "      determinants: [ %s { flavors: 2, %s, %s } ] }\n" \
    "hmc:\n" \
    "  trajectory_length: %g\n" \
    "  trajectories: 1\n" \
    "  thermalization: %d\n" \
    "  levels: [ %s ]\n" \
    "output: { directory: unused }\n"
enum { GAUGE, QUARKS };

#define ACCURATE(force) "residuals: { refresh: 1e-12, action: 1e-12, force: " force " }"
#define FROM_ZERO "chronological: 0"
#define ONE_LEVEL(integrator, steps) "{ integrator: " integrator ", steps: " steps ", monomials: [ gauge, quarks ] }"

/* What a state is made of. */
typedef struct {
    const action *of;
    place where;
    const double *links;
    const char *quarks, *determinant, *levels;
    double length;
} made_of;

/* Unit links where m.links is NULL. */
static run_system state_create(made_of m, int thermalization)
{
    run_system s = run_system_create(m.where, PRECISION_DOUBLE, INPUT, m.of->gauge, m.of->quarks, m.quarks,
                                     m.of->before, m.of->masses, m.determinant, m.length, thermalization, m.levels);
    if (m.links)
        gauge_import(s.u, m.links);
    return s;
}

/* Links that the action itself has made, in six trajectories from a cold start. */
static double *typical_links(const action *of)
{
    enum { THERMALIZATION = 6 };
    made_of m = { of, PLACE_CPU, NULL, "solver: double-single", FROM_ZERO, ONE_LEVEL("omelyan", "4"), 1 };
    run_system s = state_create(m, THERMALIZATION);
    for (int64_t n = 1; n <= THERMALIZATION; n++)
        run_system_trajectory(&s, n);
    double *links = links_of(s.u);
    run_system_free(&s);
    return links;
}

static void refresh(run_system *s)
{
    monomial_call call = { .clock = NULL };
    rng_key key = rng_key_for(81, 0, 1, RNG_PSEUDOFERMION + QUARKS);
    require(monomial_refresh(hmc_terms(s->h)[QUARKS].m, s->u, key, &call), "%s", call.failure.why);
}

/* Steps, and half of them. */
static void order(const action *of, place where, const double *links, const char *integrator, int p, int steps)
{
    double dh[2];
    for (int n = 0; n < 2; n++) {
        char levels[128];
        snprintf(levels, sizeof levels, "{ integrator: %s, steps: %d, monomials: [ gauge, quarks ] }", integrator,
                 steps << n);
        made_of m = { of, where, links, ACCURATE("1e-11"), FROM_ZERO, levels, 0.5 };
        run_system s = state_create(m, 0);
        refresh(&s);
        dh[n] = run_system_evolve(&s);
        run_system_free(&s);
    }
    fact_close(log2(dh[0] / dh[1]), p, 0.15, "%s, %s, %s: dH falls as dt^%d (dH %.3g, %.3g)", place_name(where),
               of->name, integrator, p, dh[0], dh[1]);
}

/* A trajectory and back: differences to the start, the sum of dH there and back, dH there; whether conjugate gradients
 * took the place of another method. */
typedef struct { double du, sum, there, moved; bool fell_back; } round_trip;

static bool has_fallbacks(const run_system *s)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    monomial_report(hmc_terms(s->h)[QUARKS].m, &j);
    json_close(&j);
    const bool found = strstr(json_string(&j), "\"fallbacks\"") != NULL;
    json_free(&j);
    return found;
}

static round_trip there_and_back(const action *of, place where, const double *links, const char *quarks,
                                 const char *determinant)
{
    made_of m = { of, where, links, quarks, determinant, ONE_LEVEL("omelyan", "4"), 1 };
    run_system s = state_create(m, 0);
    refresh(&s);
    round_trip t = { .there = run_system_evolve(&s), .moved = link_difference(s.u, links) };
    momentum_axpy(s.p, -2, s.p);
    t.sum = fabs(t.there + run_system_evolve(&s));
    t.du = link_difference(s.u, links);
    t.fell_back = has_fallbacks(&s);
    run_system_free(&s);
    note("%-42s %-19s %.2e  %.2e  %.10f", quarks, determinant, t.du, t.sum, t.there);
    return t;
}

/* From zero the force is a function of the links alone, however little it was solved for.  From solutions before it
 * depends on the way as well, as far as its residual goes: that is what the trajectory there and back differ by. */
static void reversibility(const action *of, place where, const double *links)
{
    char name[64];
    snprintf(name, sizeof name, "%s, %s", place_name(where), of->name);
    note("%s: of a trajectory of length 1 and back |dU|, |dH there + dH back|; dH there", name);
    round_trip zero = there_and_back(of, where, links, ACCURATE("1e-5"), FROM_ZERO);
    fact(zero.moved > 0.1 && zero.du < 1e-11 && zero.sum < 1e-8,
         "%s: a trajectory comes back whose forces were solved to 1e-5 from zero", name);
    static const struct { const char *quarks; double residual; } kept[] = {
        { ACCURATE("1e-5"), 1e-5 }, { ACCURATE("1e-9"), 1e-9 },
    };
    for (int i = 0; i < 2; i++) {
        round_trip t = there_and_back(of, where, links, kept[i].quarks, "chronological: 4");
        fact(t.du > kept[i].residual / 100 && t.du < 10 * kept[i].residual, "%s: from solutions before it comes back "
             "as far as the residual goes, %g, and no further (%.2g)", name, kept[i].residual, t.du);
        if (i == 0)
            fact_close(t.there, zero.there, 1e-3, "%s: its dH is the same but for what residuals allow", name);
    }
    for (int n = nightly() ? SOLVER_DOUBLE + 1 : SOLVER_ADAPTIVE - 1; n < SOLVER_ADAPTIVE && !SHORTENED; n++) {
        char quarks[256];
        snprintf(quarks, sizeof quarks, ACCURATE("1e-7") ", solver: %s", solver_names[n]);
        round_trip t = there_and_back(of, where, links, quarks, FROM_ZERO);
        fact(t.du < 1e-6, "%s: in mixed precision it comes back as far as the residual goes, %s", name,
             solver_names[n]);
    }
}

/* The largest difference of the links at the end of two trajectories from the same start. */
static double apart(const action *of, place where, const double *links, const char *quarks, const char *other)
{
    const made_of m = { of, where, links, quarks, FROM_ZERO, ONE_LEVEL("omelyan", "4"), 1 },
                  n = { of, where, links, other, FROM_ZERO, ONE_LEVEL("omelyan", "4"), 1 };
    run_system s = state_create(m, 0), t = state_create(n, 0);
    refresh(&s);
    refresh(&t);
    run_system_evolve(&s);
    run_system_evolve(&t);
    double *end = links_of(t.u);
    const double difference = link_difference(s.u, end);
    memory_free(end);
    run_system_free(&t);
    run_system_free(&s);
    return difference;
}

#define BY_MULTIGRID(force, vectors) \
    ACCURATE(force) ", method: multigrid, multigrid: { setup_iterations: 10, vectors: " vectors " }"

/* The force is a function of the links and of the near-null vectors, which come from the first links of a trajectory.
 * With the same vectors a trajectory comes back, whatever the residual.  A trajectory that begins at its end has other
 * vectors: the two differ as far as the residual goes. */
static void multigrid(const action *of, place where, const double *links)
{
    static const struct { const char *few, *many, *cg; double residual; } solves[] = {
        { BY_MULTIGRID("1e-5", "6"), BY_MULTIGRID("1e-5", "12"), ACCURATE("1e-5"), 1e-5 },
        { BY_MULTIGRID("1e-9", "6"), BY_MULTIGRID("1e-9", "12"), ACCURATE("1e-9"), 1e-9 },
    };
    char name[64];
    snprintf(name, sizeof name, "%s, %s", place_name(where), of->name);
    for (int i = 0; i < 2; i++) {
        const double residual = solves[i].residual;
        const round_trip same = there_and_back(of, where, links, solves[i].few, FROM_ZERO);
        fact(same.moved > 0.1 && same.du < 1e-11 && same.sum < 1e-8,
             "%s: with multigrid a trajectory comes back with its vectors (%.2g), residual %g", name, same.du,
             residual);
        fact(!same.fell_back, "%s: and conjugate gradients take its place in no solve", name);
        const double other = apart(of, where, links, solves[i].few, solves[i].many),
                     cg = apart(of, where, links, solves[i].few, solves[i].cg);
        fact(other > 0 && other < 10 * residual, "%s: other vectors change it as far as the residual %g goes (%.2g)",
             name, residual, other);
        fact(cg > 0 && cg < 10 * residual, "%s: so do conjugate gradients in its place (%.2g)", name, cg);
    }
}

static void area(const action *of, place where, const double *links)
{
    enum { THERMALIZATION = 3 };
    char large_steps[160];
    snprintf(large_steps, sizeof large_steps, "{ integrator: leapfrog, steps: %d, monomials: [ quarks ] }, "
             "{ integrator: omelyan, steps: 3, monomials: [ gauge ] }", of->large_steps);
    made_of m = { of, where, links, "solver: double-single", FROM_ZERO, large_steps, 1 };
    run_system s = state_create(m, THERMALIZATION);
    fact_area(of->name, &s, THERMALIZATION, nightly() ? 2000 : SHORTENED ? 6 : 30);
    run_system_free(&s);
}

/* Of typical links, for one step of an action. */
typedef struct { const action *of; const double *links; } typical;

static run_system one_step(place where, const void *context)
{
    const typical *t = context;
    made_of m = { t->of, where, t->links, "solver: double-half", "chronological: 2", ONE_LEVEL("omelyan", "1"), 0.25 };
    return state_create(m, 0);
}

int main(void)
{
    for (int n = 0; n < ACTIONS; n++) {
        const action *of = &actions[n];
        double *links = typical_links(of);
        FOR_EVERY_PLACE(where) {
            if (!SHORTENED)
                order(of, where, links, "omelyan", 2, 4);
            if (!SHORTENED && of->fourth_order)
                order(of, where, links, "4mn5fv", 4, 6);
            reversibility(of, where, links);
            if (of->multigrid)
                multigrid(of, where, links);
            area(of, where, links);
        }
        fact_same_bits(of->name, one_step, &(typical){ of, links }, 3, 3);
        memory_free(links);
    }
    return facts_end();
}
