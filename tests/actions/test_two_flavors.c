/* test_two_flavors.c - two flavors of domain-wall and of Wilson quarks: the refresh draws what the action weighs,
 * the force is minus the derivative of the action, both turn with the gauge, chains of masses are one determinant
 * however they are written, and solves in any precision give the same numbers. */
#include "actions/dwf_params.h"
#include "actions/wilson_params.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/derivative.h"
#include "tests/actions/monomial_facts.h"
#include "tests/actions/quark_fields.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LARGEST_STEP 0.03       /* in units where P has norm sqrt(8) a link */
#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */

#define TIGHT "residuals: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n"
#define CHAIN "determinants: [ { flavors: 2, mass: 0.05, hasenbusch: [ { mass: 0.2 }, { mass: 0.6 } ] } ]"

static const struct { const char *name; const monomial_kind *kind; const char *yaml; } actions[] = {
    { "Shamir", &dwf_monomial, TIGHT "Ls: 4\ndeterminants: [ { flavors: 2, mass: 0.1 } ]" },
    { "Moebius with two Hasenbusch masses", &dwf_monomial, TIGHT "action: mobius\nLs: 4\n" CHAIN },
    { "optimal, weights of each slice their own, periodic", &dwf_monomial,
      TIGHT "action: optimal\nLs: 5\nlambda_min: 0.2\nM5: 1.3\nboundary: 0\n"
      "determinants: [ { flavors: 2, mass: 0.05, hasenbusch: [ { mass: 0.3 } ] } ]" },
    { "Borici", &dwf_monomial, TIGHT "action: borici\nLs: 6\ndeterminants: [ { flavors: 2, mass: 0.2 } ]" },
    { "Wilson", &wilson_monomial, TIGHT "determinants: [ { flavors: 2, mass: 0.2 } ]" },
    { "Wilson with two Hasenbusch masses, periodic", &wilson_monomial, TIGHT "boundary: 0\n" CHAIN },
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

/* |eta|^2 of all factors. */
static double drawn(int which, const gauge *u)
{
    const monomial_kind *kind = actions[which].kind;
    void *p = monomial_params(kind, actions[which].yaml);
    quark_plan plan;
    failure f;
    require(quark_plan_make(&plan, kind, p, &f), "%s", f.why);
    const vec_storage high = { VECTOR_NATIVE, PRECISION_DOUBLE };
    vec *eta = vec_create_stored(u->links.lattice, plan.d.kind->image, u->links.where, high, plan.d.slabs);
    double sum = 0;
    for (int n = 0; n < plan.count; n++) {
        vec_set_gaussian(eta, key_of_fields(), plan.factor[n].first_draw);
        sum += vec_norm2(eta);
    }
    vec_free(eta);
    quark_plan_free(&plan);
    monomial_params_free(kind, p);
    return sum;
}

/* phi <- a phi */
static void stretch(field *phi, double a)
{
    const size_t reals = (size_t)lattice_volume(phi->lattice) * (size_t)phi->slabs * VEC_REALS;
    double *v = memory_alloc(reals * sizeof *v, "spinors");
    field_export(v, phi);
    for (size_t i = 0; i < reals; i++)
        v[i] *= a;
    field_import(phi, v);
    memory_free(v);
}

static void on_lattice(const int n[4], int which)
{
    lattice *l = lattice_create_single(n);
    double *links = analytic_links(n, ROUGHNESS), *first = NULL;
    size_t bytes;
    FOR_EVERY_PLACE(where) {
        char name[160];
        snprintf(name, sizeof name, "%s, %dx%dx%dx%d, %s", place_name(where), n[0], n[1], n[2], n[3],
                 actions[which].name);
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
        gauge_import(u, links);
        momentum_set_gaussian(p, rng_key_for(66, 0, (uint64_t)which, RNG_MOMENTA));
        monomial *m = quarks_drawn(actions[which].kind, actions[which].yaml, u);
        fact_close(action_of(m, u) / drawn(which, u), 1, 1e-12, "%s: new pseudofermions have S = |eta|^2", name);
        double *numbers = monomial_numbers(&bytes, m, u);
        if (first)
            fact(memcmp(numbers, first, bytes) == 0, "%s: fields, action and force have the bits of the CPU", name);
        else
            first = numbers;
        derivative_facts(m, u, p, LARGEST_STEP, 5e-10, name);
        weight_facts(m, u, p, name);
        gauge_turn_facts(m, u, 1e-11, name);
        if (numbers != first)
            memory_free(numbers);
        monomial_free(m);
        momentum_free(p);
        gauge_free(u);
    }
    memory_free(first);
    memory_free(links);
    lattice_free(l);
}

/* ---- one field, and what is asked of it */

typedef struct { lattice *l; gauge *u, *moved; } links_pair;

/* `moved` is what a step of molecular dynamics makes of u. */
static links_pair links_at(place where, const int n[4])
{
    links_pair at = { .l = lattice_create_single(n) };
    double *links = analytic_links(n, ROUGHNESS);
    momentum *p = momentum_create(at.l, where, PRECISION_DOUBLE);
    at.u = gauge_create(at.l, where, PRECISION_DOUBLE);
    at.moved = gauge_create(at.l, where, PRECISION_DOUBLE);
    gauge_import(at.u, links);
    momentum_set_gaussian(p, rng_key_for(61, 0, 0, RNG_MOMENTA));
    gauge_copy(at.moved, at.u);
    gauge_drift(at.moved, LARGEST_STEP, p);
    momentum_free(p);
    memory_free(links);
    return at;
}

static void links_free(links_pair *at)
{
    gauge_free(at->moved);
    gauge_free(at->u);
    lattice_free(at->l);
}

/* Where an action is at the moved links, and its force. */
static double at_moved(momentum *f, const monomial_kind *kind, const char *yaml, const links_pair *at)
{
    monomial *m = quarks_drawn(kind, yaml, at->u);
    const double s = action_of(m, at->moved);
    force_of(f, m, at->moved, 1);
    monomial_free(m);
    return s;
}

static momentum *momentum_of(const links_pair *at)
{
    return momentum_create(at->l, at->u->links.where, PRECISION_DOUBLE);
}

/* What else is asked of an action: members of its monomial. */
typedef struct { const char *name; const monomial_kind *kind; const char *head; } family;
static const family dwf = { "Moebius", &dwf_monomial, "action: mobius\nLs: 4\n" };
static const family wilson = { "Wilson", &wilson_monomial, "" };
static const family clover = { "clover", &wilson_monomial, "c_sw: 1.2\n" };

/* The same factors in other words: their random numbers are the same, too. */
#define CUT "determinants: [ { flavors: 2, mass: 0.05, hasenbusch: [ { mass: 0.2 } ], heavy: 0.6 }," \
            " { flavors: 2, mass: 0.6 } ]"
static const struct { const char *name; const family *of; const char *yaml; } words[] = {
    { "a chain cut in two by its last denominator", &dwf, TIGHT "action: mobius\nLs: 4\n" CUT },
    { "masses of Chiu, 2 M5 m", &dwf,
      TIGHT "action: mobius\nLs: 4\nmass_convention: chiu\n"
            "determinants: [ { flavors: 2, mass: 0.18, hasenbusch: [ { mass: 0.72 }, { mass: 2.16 } ] } ]" },
    { "b and c by their sum", &dwf, TIGHT "action: scaled_shamir\nscale: 2\nLs: 4\n" CHAIN },
    { "a chain cut in two by its last denominator", &wilson, TIGHT CUT },
    { "a chain cut in two by its last denominator", &clover, TIGHT "c_sw: 1.2\n" CUT },
};

/* The head of a family, and more; a buffer of this function's. */
static const char *text_of(const family *of, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *text_of(const family *of, const char *format, ...)
{
    static char yaml[1024];
    int at = snprintf(yaml, sizeof yaml, "%s", of->head);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(yaml + at, sizeof yaml - (size_t)at, format, arguments);
    va_end(arguments);
    return yaml;
}

static void other_words(place where, const links_pair *at)
{
    momentum *f = momentum_of(at);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const family *of = words[i].of;
        const double want = at_moved(f, of->kind, text_of(of, TIGHT CHAIN), at);
        fact_close(at_moved(f, of->kind, words[i].yaml, at) / want, 1, 1e-12, "%s, %s: the same action: %s",
                   place_name(where), of->name, words[i].name);
    }
    momentum_free(f);
}

static void every_solver(place where, const links_pair *at, const family *of)
{
    momentum *f = momentum_of(at), *want_f = momentum_of(at);
    double want = 0;
    for (int solver = 0; solver_names[solver]; solver++) {
        momentum *to = solver ? f : want_f;
        momentum_zero(to);
        const double got = at_moved(to, of->kind, text_of(of, "residuals: { refresh: 1e-11, action: 1e-11, force: "
                                                          "1e-9 }\nsolver: %s\n" CHAIN, solver_names[solver]), at);
        if (solver == 0) {
            want = got;
            continue;
        }
        fact_close(got / want, 1, 1e-11, "%s, %s, solver %s: the action is that of solves in double",
                   place_name(where), of->name, solver_names[solver]);
        fact_close(force_distance(f, want_f), 0, 1e-8, "%s, %s, solver %s: the force as well, as far as its residual "
                   "goes", place_name(where), of->name, solver_names[solver]);
    }
    momentum_free(want_f);
    momentum_free(f);
}

/* Iterations of the force since the last report. */
static int iterations_of(monomial *m)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    monomial_report(m, &j);
    json_close(&j);
    const char *force = strstr(json_string(&j), "\"force\"");
    const char *number = force ? strstr(force, "\"iterations\": ") : NULL;
    int iterations = -1;
    require(number && sscanf(number, "\"iterations\": %d", &iterations) == 1, "no iterations in the report");
    json_free(&j);
    return iterations;
}

static int force_at(momentum *f, monomial *m, const gauge *u)
{
    momentum_zero(f);
    force_of(f, m, u, 1);
    return iterations_of(m);
}

static void start_vectors(place where, const links_pair *at, const family *of)
{
    char name[64];
    momentum *f = momentum_of(at), *want = momentum_of(at);
    const char *yaml = text_of(of, "residuals: { force: 1e-8 }\n"
                                   "determinants: [ { flavors: 2, mass: 0.05, chronological: 3 } ]");
    monomial *m = quarks_drawn(of->kind, yaml, at->u);
    snprintf(name, sizeof name, "%s, %s", place_name(where), of->name);
    const int from_zero = force_at(want, m, at->u), again = force_at(f, m, at->u), near = force_at(f, m, at->moved);
    note("%s: iterations from zero %d, from the solution %d, one step on %d", name, from_zero, again, near);
    fact(again <= 1, "%s: where the solution is known there is nothing to do", name);
    fact(near < from_zero, "%s: a solution of a step before saves iterations (%d, from zero %d)", name, near,
         from_zero);
    monomial *fresh = quarks_drawn(of->kind, yaml, at->u);
    force_at(want, fresh, at->moved);
    const double apart = force_distance(f, want);
    fact(apart > 0 && apart < 1e-6, "%s: and the force is the same as far as its residual goes (%.2g)", name, apart);
    const int back = force_at(f, m, at->u);
    fact(back <= 1, "%s: older solutions count as well (%d iterations)", name, back);

    monomial_call call = { .clock = NULL };
    require(monomial_refresh(m, at->u, key_of_fields(), &call), "%s", call.failure.why);
    force_at(f, m, at->moved);
    fact(force_distance(f, want) == 0, "%s: new fields begin from zero, whatever was before", name);
    monomial_free(fresh);
    monomial_free(m);
    momentum_free(want);
    momentum_free(f);
}

/* The first action after the refresh is held to |eta|^2, at the links of the refresh alone. */
static void starts(place where, const links_pair *at, const family *of)
{
    const char *yaml = text_of(of, "determinants: [ { flavors: 2, mass: 0.1, heavy: 1 } ]");
    monomial *m = quarks_drawn(of->kind, yaml, at->u);
    monomial_call call = { .clock = NULL };
    double s;
    json j = { 0 };
    const double want = action_of(m, at->u);
    json_open(&j, NULL, '{');
    monomial_report(m, &j);
    json_close(&j);
    const char *number = strstr(json_string(&j), "\"start_action_error\": ");
    double apart = 1;
    const bool said = number && sscanf(number, "\"start_action_error\": %lf", &apart) == 1;
    fact(said && apart != 0 && fabs(apart) < 1e-8, "%s: the record says how far S is from |eta|^2 (%.2g)",
         place_name(where), apart);
    json_free(&j);
    monomial_free(m);

    m = quarks_drawn(of->kind, yaml, at->u);
    stretch(monomial_pseudofermion(m, 0, NULL), 1.001);
    const bool done = monomial_action(&s, m, at->u, &call);
    fact(!done && strstr(call.failure.why, "|eta|^2 of their random numbers"),
         "%s: new fields that are wrong by a thousandth are found out (%s)", place_name(where), call.failure.why);
    fact_close(action_of(m, at->u) / want, 1.001 * 1.001, 1e-8, "%s: once after a refresh", place_name(where));
    monomial_free(m);
    m = quarks_drawn(of->kind, yaml, at->u);
    fact(monomial_action(&s, m, at->moved, &call) && fabs(s / want - 1) > 1e-6,
         "%s: at other links the action is another one, rightly", place_name(where));
    monomial_free(m);
}

static void too_few_iterations(place where, const links_pair *at, const family *of)
{
    monomial *m = quarks_made(of->kind, text_of(of, "max_iterations: 3\ndeterminants: [ { flavors: 2, mass: 0.1, "
                                                    "heavy: 1 } ]"), at->u);
    monomial_call call = { .clock = NULL };
    static const char sentence[] = "factor 0: the solve of the denominator did not converge: after 3 of at most 3 "
                                   "iterations its residual is ";
    if (!fact(!monomial_refresh(m, at->u, key_of_fields(), &call)
              && strncmp(call.failure.why, sentence, strlen(sentence)) == 0,
              "%s: a solve that does not converge says which, how far and what was asked", place_name(where)))
        note("but: %s", call.failure.why);
    monomial_free(m);
}

int main(void)
{
    for (int which = 0; which < ACTIONS; which++)
        on_lattice((const int[]){ 2, 2, 2, 4 }, which);
    on_lattice((const int[]){ 4, 2, 6, 2 }, 1);
    on_lattice((const int[]){ 4, 2, 6, 2 }, ACTIONS - 1);
    FOR_EVERY_PLACE(where) {
        links_pair at = links_at(where, (const int[]){ 4, 4, 4, 4 });
        other_words(where, &at);
        for (int n = 0; n < 2; n++) {
            const family *of = n ? &wilson : &dwf;
            every_solver(where, &at, of);
            start_vectors(where, &at, of);
            starts(where, &at, of);
            too_few_iterations(where, &at, of);
        }
        every_solver(where, &at, &clover);
        start_vectors(where, &at, &clover);
        links_free(&at);
    }
    return facts_end();
}
