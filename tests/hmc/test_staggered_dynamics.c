/* test_staggered_dynamics.c - trajectories with staggered quarks: the order of the integrators, reversibility whatever
 * the residual of the solves, <exp(-dH)> = 1, the same bits from any number of threads and at any place, and the range
 * of the rational functions, which follows the spectrum.
 *
 * With KILN_NIGHTLY=1 the ensemble is longer, and more residuals are looked at. */
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

/* %s: members of the monomial; levels; %g: length; %d: thermalization */
#define INPUT                                                              \
    "lattice: [4, 4, 4, 4]\n"                                              \
    "random: { seed: 79 }\n"                                               \
    "monomials:\n"                                                         \
    "  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 6.4 }\n" \
    "  - { kind: staggered, name: quarks, %s }\n"                          \
    "hmc:\n"                                                               \
    "  trajectory_length: %g\n"                                            \
    "  trajectories: 1\n"                                                  \
    "  thermalization: %d\n"                                               \
    "  levels: [ %s ]\n"                                                   \
    "output: { directory: unused }\n"
enum { GAUGE, QUARKS };

#define LIGHT_AND_STRANGE "{ mass: 0.1, flavors: 2 }, { mass: 0.2, flavors: 1 }"
#define RATIOS "determinants: [ { quarks: [ " LIGHT_AND_STRANGE " ], hasenbusch: [ { mass: 0.5 } ] } ], " \
               "largest_eigenvalue: 30"
#define ACCURATE(force) "residuals: { refresh: 1e-13, action: 1e-13, force: " force " }, " \
                        "errors: { refresh: 1e-14, action: 1e-14, force: 1e-14 }"
#define ONE_LEVEL(integrator, steps) "{ integrator: " integrator ", steps: " steps ", monomials: [ gauge, quarks ] }"

/* Unit links where `links` is NULL. */
static run_system state_create(place where, const double *links, const char *quarks, const char *levels, double length,
                               int thermalization)
{
    run_system s = run_system_create(where, PRECISION_DOUBLE, INPUT, quarks, length, thermalization, levels);
    if (links)
        gauge_import(s.u, links);
    return s;
}

/* Links that the action itself has made, in six trajectories from a cold start. */
static double *typical_links(void)
{
    run_system s = state_create(PLACE_CPU, NULL, RATIOS, ONE_LEVEL("omelyan", "6"), 1, 6);
    for (int64_t n = 1; n <= 6; n++)
        run_system_trajectory(&s, n);
    note("links with plaquette %.4f", gauge_plaquette(s.u).average);
    gauge_reunitarize(s.u);
    double *links = links_of(s.u);
    run_system_free(&s);
    return links;
}

static void refresh(run_system *s, uint64_t number)
{
    monomial_call call = { .clock = NULL };
    rng_key key = rng_key_for(81, 0, number, RNG_PSEUDOFERMION + QUARKS);
    require(monomial_refresh(hmc_terms(s->h)[QUARKS].m, s->u, key, &call), "%s", call.failure.why);
}

/* levels[1] has half the step of levels[0]; `more`: members of the monomial. */
static void order(place where, const double *links, const char *more, const char *name, int p, double length,
                  const char *const levels[2])
{
    double dh[2];
    for (int n = 0; n < 2; n++) {
        char quarks[512];
        snprintf(quarks, sizeof quarks, "%s" RATIOS ", " ACCURATE("1e-12"), more);
        run_system s = state_create(where, links, quarks, levels[n], length, 0);
        refresh(&s, 1);
        dh[n] = run_system_evolve(&s);
        run_system_free(&s);
    }
    fact_close(log2(dh[0] / dh[1]), p, 0.15, "%s, %s: dH falls as dt^%d (dH %.3g, %.3g)", place_name(where), name, p,
               dh[0], dh[1]);
}

static void orders(place where, const double *links)
{
    order(where, links, "", "omelyan", 2, 0.5,
          (const char *const[]){ ONE_LEVEL("omelyan", "6"), ONE_LEVEL("omelyan", "12") });
    order(where, links, "stout: { levels: 2, rho: 0.1 }, ", "stout links, omelyan", 2, 0.5,
          (const char *const[]){ ONE_LEVEL("omelyan", "6"), ONE_LEVEL("omelyan", "12") });
    order(where, links, "", "4mn5fv", 4, 0.25,
          (const char *const[]){ ONE_LEVEL("4mn5fv", "8"), ONE_LEVEL("4mn5fv", "16") });
}

/* A trajectory and back: differences to the start, the sum of dH there and back, dH there. */
typedef struct { double du, dp, sum, there, moved; } round_trip;

static round_trip there_and_back(place where, const double *links, const char *quarks)
{
    run_system s = state_create(where, links, quarks, ONE_LEVEL("omelyan", "8"), 1, 0);
    momentum *start = momentum_create(s.l, where, PRECISION_DOUBLE);
    momentum_copy(start, s.p);
    refresh(&s, 1);
    round_trip t = { .there = run_system_evolve(&s), .moved = link_difference(s.u, links) };
    momentum_axpy(s.p, -2, s.p);
    t.sum = fabs(t.there + run_system_evolve(&s));
    t.du = link_difference(s.u, links);
    momentum_axpy(s.p, 1, start);
    t.dp = sqrt(momentum_measure(s.p).max_norm2);
    momentum_free(start);
    run_system_free(&s);
    return t;
}

/* `allowed`: beyond the rounding of double precision. */
static void check_round_trip(place where, const char *solver, const char *residual, double allowed, const round_trip *t)
{
    note("%-20s %s  %.2e  %.2e  %.2e  %.10f", solver, residual, t->du, t->dp, t->sum, t->there);
    fact(t->moved > 0.1 && t->du < 1e-11 + allowed && t->dp < 1e-10 + allowed,
         "%s: a trajectory comes back whose forces were solved to %s, %s", place_name(where), residual, solver);
    fact(t->sum < 1e-8 + allowed, "%s, %s, %s: and so does its energy", place_name(where), residual, solver);
}

/* Solves start from zero, so that the force is a function of the links alone, however little it was solved for: what a
 * loose residual costs is energy, not reversibility.  In mixed precision the function has steps, where a link rounds to
 * another number of fewer bits: there solutions differ by what the residual allows. */
static void reversibility(place where, const double *links)
{
    static const char *const residuals[] = { "1e-2", "1e-6", "1e-12", "1e-3", "1e-4", "1e-5", "1e-7", "1e-8", "1e-10" };
    const int solvers = SOLVER_ADAPTIVE, count = nightly() ? sizeof residuals / sizeof residuals[0] : SHORTENED ? 1 : 3;
    double in_double = 0;
    note("%s: solver, residual of the force; of a trajectory of length 1 and back |dU|, |dP|, |dH there + dH back|; "
         "dH there", place_name(where));
    for (int n = 0; n < count; n++) {
        char quarks[512];
        snprintf(quarks, sizeof quarks, RATIOS ", " ACCURATE("%s") ", solver: double", residuals[n]);
        round_trip t = there_and_back(where, links, quarks);
        check_round_trip(where, "double", residuals[n], 0, &t);
        in_double = strcmp(residuals[n], "1e-6") == 0 ? t.there : in_double;
    }
    for (int n = nightly() ? 1 : solvers - 1; n < solvers && !SHORTENED; n++)
        for (int k = nightly() ? 0 : 1; k < (nightly() ? 3 : 2); k++) {
            char quarks[512];
            snprintf(quarks, sizeof quarks, RATIOS ", " ACCURATE("%s") ", solver: %s", residuals[k],
                     solver_names[n]);
            round_trip t = there_and_back(where, links, quarks);
            check_round_trip(where, solver_names[n], residuals[k], atof(residuals[k]), &t);
            if (k == 1)
                fact_close(t.there, in_double, 1e-4, "%s, %s: dH is that of solves in double, but for what the "
                           "residual allows", place_name(where), solver_names[n]);
        }
}

static void area(place where, const double *links)
{
    enum { THERMALIZATION = 5 };
    const char *large_steps = "{ integrator: leapfrog, steps: 4, monomials: [ quarks ] }, "
                              "{ integrator: omelyan, steps: 3, monomials: [ gauge ] }";
    run_system s = state_create(where, links, RATIOS, large_steps, 1, THERMALIZATION);
    fact_area("HISQ quarks", &s, THERMALIZATION, nightly() ? 2000 : SHORTENED ? 10 : 40);
    run_system_free(&s);
}

static run_system short_steps(place where, const void *links)
{
    return state_create(where, links, RATIOS, ONE_LEVEL("omelyan", "2"), 0.5, 0);
}

/* What the quarks of a state report, as JSON. */
static text report_of(const run_system *s)
{
    json j = { 0 };
    text words = { 0 };
    json_open(&j, NULL, '{');
    monomial_report(hmc_terms(s->h)[QUARKS].m, &j);
    json_close(&j);
    text_add(&words, "%s", json_string(&j));
    json_free(&j);
    return words;
}

static double range_of(const run_system *s)
{
    double memory[MONOMIAL_MEMORY];
    return monomial_get_memory(hmc_terms(s->h)[QUARKS].m, memory) > 0 ? memory[0] : -1;
}

/* From unit links, where the largest eigenvalue of the naive K is 14, to random ones, where it is about twice that. */
#define NAIVE "action: naive, boundary: 1, determinants: [ { quarks: [ { mass: 0.5, flavors: 1 } ] } ]"

static void range(place where)
{
    const char *name = place_name(where);
    run_system s = state_create(where, NULL, NAIVE ", measure_every: 2", ONE_LEVEL("omelyan", "2"), 0.5, 9);
    fact(range_of(&s) == 0, "%s: the range of the rational functions is not known before links are", name);
    double end[4];
    for (int n = 1; n <= 3; n++) {
        if (n == 2)
            gauge_set_random(s.u, rng_key_for(82, 0, 0, RNG_START_LINKS));
        hmc_outcome o = hmc_trajectory(s.h, s.u, n, NULL, NULL);
        require(o.failure.step == STEP_NONE, "%s", o.failure.why.why);
        text words = report_of(&s);
        end[n] = range_of(&s);
        bool found = strstr(text_string(&words), "\"largest_eigenvalue\"") != NULL;
        bool renewed = strstr(text_string(&words), "\"range_renewed\": true") != NULL;
        if (!fact(found == (n < 3) && renewed == (n == 2),
                  "%s: it is measured where it is due, the record says when it is renewed (trajectory %d)", name, n))
            note("the record: %s", text_string(&words));
        text_free(&words);
    }
    fact(end[1] == 16, "%s: of unit links it ends at 14 with a margin of a tenth, up to an integer (%g)", name, end[1]);
    fact(end[2] > 20 && end[3] == end[2], "%s: of random ones further out (%g), which stays", name, end[2]);
    run_system_free(&s);
}

static bool leave_at_once(void *of)
{
    (void)of;
    return true;
}

static void range_comes_back(place where)
{
    const char *name = place_name(where);
    const evolve_watch watch = { leave_at_once, NULL };
    run_system s = state_create(where, NULL, NAIVE, ONE_LEVEL("omelyan", "2"), 0.5, 9);
    hmc_outcome o = hmc_trajectory(s.h, s.u, 1, NULL, &watch);
    fact(o.interrupted && range_of(&s) == 0, "%s: an interrupted first trajectory leaves the range unknown, as it was",
         name);
    run_system_free(&s);
}

static void range_too_short(place where)
{
    const char *name = place_name(where);
    run_system s = state_create(where, NULL, NAIVE ", largest_eigenvalue: 13", ONE_LEVEL("omelyan", "2"), 0.5, 9);
    hmc_outcome o = hmc_trajectory(s.h, s.u, 1, NULL, NULL);
    if (!fact(o.failure.step == STEP_PREPARE && o.failure.term == QUARKS
              && strcmp(o.failure.why.why, "the largest eigenvalue of C^+C is 14.0000, above 13.0000, the end of "
                                           "the range of the rational functions: raise largest_eigenvalue") == 0,
              "%s: a range that the spectrum leaves is refused before the first trajectory, with a sentence", name))
        note("but: %s", o.failure.step == STEP_NONE ? "it is accepted" : o.failure.why.why);
    run_system_free(&s);

    s = state_create(where, NULL, NAIVE ", largest_eigenvalue: 15", ONE_LEVEL("omelyan", "2"), 0.5, 9);
    o = hmc_trajectory(s.h, s.u, 1, NULL, NULL);
    fact(o.failure.step == STEP_NONE && range_of(&s) == 15, "%s: one that holds it is kept", name);
    run_system_free(&s);
}

static void too_few_iterations(place where)
{
    run_system s = state_create(where, NULL, NAIVE ", max_iterations: 3, largest_eigenvalue: 15",
                                  ONE_LEVEL("omelyan", "2"), 0.5, 9);
    gauge_set_random(s.u, rng_key_for(82, 0, 0, RNG_START_LINKS));
    hmc_outcome o = hmc_trajectory(s.h, s.u, 2, NULL, NULL);
    const char *sentence = "pseudofermion 0: a solve did not converge: after 3 of at most 3 "
                           "iterations the residual of C^+C + ";
    if (!fact(o.failure.step == STEP_REFRESH && strncmp(o.failure.why.why, sentence, strlen(sentence)) == 0,
              "%s: a solve that does not converge stops the trajectory, and says which, how far and what was asked",
              place_name(where)))
        note("but: %s", o.failure.step == STEP_NONE ? "it goes on" : o.failure.why.why);
    run_system_free(&s);
}

int main(void)
{
    double *links = typical_links();
    FOR_EVERY_PLACE(where) {
        if (!SHORTENED)
            orders(where, links);
        reversibility(where, links);
        area(where, links);
        range(where);
        range_comes_back(where);
        range_too_short(where);
        too_few_iterations(where);
    }
    fact_same_bits("HISQ quarks", short_steps, links, 3, 3);
    memory_free(links);
    return facts_end();
}
