/* test_two_flavor_dynamics.c - trajectories with two flavours of domain-wall or Wilson quarks: the order of the
 * integrator, reversibility from zero and from solutions before, <exp(-dH)> = 1, the same bits from any number of
 * threads.
 *
 * With KILN_NIGHTLY=1 the ensemble is longer, and more solvers are looked at. */
#include "src/solvers/solver_choice.h"
#include "src/base/memory.h"
#include "src/hmc/hmc.h"
#include "src/io/links_file.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int extents[4] = { 4, 4, 4, 4 };

/* Sanitizers make everything slower by an order of magnitude. */
#ifdef __SANITIZE_ADDRESS__
enum { SHORTENED = true };
#else
enum { SHORTENED = false };
#endif

/* What differs: members of the gauge monomial, of the quarks', of their determinant; steps of leapfrog that are large;
 * whether an integrator of fourth order is looked at. */
typedef struct { const char *name, *gauge, *quarks, *masses; int large_steps; bool fourth_order; } action;
static const action actions[] = {
    { "Moebius", "action: iwasaki, beta: 2.4", "kind: domain_wall, action: mobius, slices: 4",
      "mass: 0.2, hasenbusch: [ { mass: 0.6 } ]", 4, false },
    { "Wilson", "action: wilson, beta: 5.6", "kind: wilson", "mass: -0.3, hasenbusch: [ { mass: 0.2 } ]", 5, true },
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

/* %s: members of both monomials, those of the determinant; %g: length; %d: warm-up; %s: levels */
#define INPUT \
    "lattice: [4, 4, 4, 4]\n" \
    "random: { seed: 91 }\n" \
    "monomials:\n" \
    "  - { kind: gauge, name: gauge, %s }\n" \
    "  - { %s, name: quarks, %s,\n" \
    "      determinants: [ { flavors: 2, %s, %s } ] }\n" \
    "hmc:\n" \
    "  trajectory_length: %g\n" \
    "  trajectories: 1\n" \
    "  thermalization: %d\n" \
    "  levels: [ %s ]\n" \
    "output: { directory: unused }\n"
enum { GAUGE, QUARKS };

#define ACCURATE(force) "residuals: { heat_bath: 1e-12, action: 1e-12, force: " force " }"
#define FROM_ZERO "chronological: 0"
#define ONE_LEVEL(integrator, steps) "{ integrator: " integrator ", steps: " steps ", monomials: [ gauge, quarks ] }"

/* The input stays where it is, for h. */
typedef struct { lattice *l; gauge *u; momentum *p; hmc *h; run_input *in; } system_state;

/* What a state is made of. */
typedef struct {
    const action *of;
    place where;
    const double *links;
    const char *quarks, *determinant, *levels;
    double length;
} made_of;

static system_state state_create(made_of m, int warm_up)
{
    system_state s = { .l = lattice_create_single(extents), .in = memory_alloc(sizeof *s.in, "an input") };
    run_from_text(s.in, INPUT, m.of->gauge, m.of->quarks, m.quarks, m.of->masses, m.determinant, m.length, warm_up,
                  m.levels);
    s.u = gauge_create(s.l, m.where, PRECISION_DOUBLE);
    s.p = momentum_create(s.l, m.where, PRECISION_DOUBLE);
    if (m.links)
        gauge_import(s.u, m.links);
    else
        gauge_set_unit(s.u);
    momentum_set_gaussian(s.p, rng_key_for(84, 0, 0, RNG_MOMENTA));      /* dH is not small by chance */
    s.h = hmc_create(&s.in->p, s.u);
    return s;
}

static void state_free(system_state *s)
{
    hmc_free(s->h);
    momentum_free(s->p);
    gauge_free(s->u);
    lattice_free(s->l);
    run_input_free(s->in);
    memory_free(s->in);
}

static bool nightly(void)
{
    const char *asked = getenv("KILN_NIGHTLY");
    return asked && strcmp(asked, "1") == 0;
}

static size_t links_bytes(void)
{
    return links_count(extents) * sizeof(double);
}

/* Links that the action itself has made, in six trajectories from a cold start. */
static double *typical_links(const action *of)
{
    enum { WARM_UP = 6 };
    double *links = memory_alloc(links_bytes(), "links");
    made_of m = { of, PLACE_CPU, NULL, "solver: double-single", FROM_ZERO, ONE_LEVEL("omelyan", "4"), 1 };
    system_state s = state_create(m, WARM_UP);
    for (int64_t n = 1; n <= WARM_UP; n++) {
        hmc_outcome o = hmc_trajectory(s.h, s.u, n, NULL, NULL);
        require(o.trouble.step == STEP_NONE, "%s", o.trouble.why.why);
    }
    gauge_export(links, s.u);
    state_free(&s);
    return links;
}

static void heat_bath(system_state *s)
{
    monomial_call call = { .clock = NULL };
    rng_key key = rng_key_for(81, 0, 1, RNG_PSEUDOFERMION + QUARKS);
    require(monomial_refresh(hmc_terms(s->h)[QUARKS].m, s->u, key, &call), "%s", call.trouble.why);
}

/* Molecular dynamics from here on; dH. */
static double run(system_state *s)
{
    hmc_energies before, after;
    hmc_trouble trouble;
    bool done = hmc_hamiltonian(&before, s->h, s->u, s->p, NULL, &trouble)
                && hmc_evolve(s->h, s->u, s->p, NULL, NULL, &trouble) == EVOLVE_DONE
                && hmc_hamiltonian(&after, s->h, s->u, s->p, NULL, &trouble);
    require(done, "%s", trouble.why.why);
    return hmc_energy_difference(s->h, &before, &after);
}

/* Steps, and half of them. */
static void order(const action *of, place where, const double *links, const char *integrator, int p, int steps)
{
    double dh[2];
    for (int n = 0; n < 2; n++) {
        char levels[128];
        snprintf(levels, sizeof levels, "{ integrator: %s, steps: %d, monomials: [ gauge, quarks ] }", integrator,
                 steps << n);
        made_of m = { of, where, links, ACCURATE("1e-8"), FROM_ZERO, levels, 0.5 };
        system_state s = state_create(m, 0);
        heat_bath(&s);
        dh[n] = run(&s);
        state_free(&s);
    }
    fact_close(log2(dh[0] / dh[1]), p, 0.15, "%s, %s, %s: dH falls as dt^%d (dH %.3g, %.3g)", place_name(where),
               of->name, integrator, p, dh[0], dh[1]);
}

static double link_difference(const gauge *u, const double *links)
{
    double *now = memory_alloc(links_bytes(), "links"), worst = 0;
    gauge_export(now, u);
    for (size_t i = 0; i < links_bytes() / sizeof *now; i++)
        worst = fmax(worst, fabs(now[i] - links[i]));
    memory_free(now);
    return worst;
}

/* A trajectory and back: differences to the start, the sum of dH there and back, dH there. */
typedef struct { double du, sum, there, moved; } round_trip;

static round_trip there_and_back(const action *of, place where, const double *links, const char *quarks,
                                 const char *determinant)
{
    made_of m = { of, where, links, quarks, determinant, ONE_LEVEL("omelyan", "4"), 1 };
    system_state s = state_create(m, 0);
    heat_bath(&s);
    round_trip t = { .there = run(&s), .moved = link_difference(s.u, links) };
    momentum_axpy(s.p, -2, s.p);
    t.sum = fabs(t.there + run(&s));
    t.du = link_difference(s.u, links);
    state_free(&s);
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

/* <exp(-dH)> = 1 for any size of steps (M. Creutz, Phys. Rev. D 38 (1988) 1228), if heat bath, action and force belong
 * together: with the wrong temperature of a field it fails. */
static void area(const action *of, place where, const double *links)
{
    int warm_up = 3, count = nightly() ? 2000 : SHORTENED ? 6 : 30;
    char large_steps[160], name[64];
    snprintf(large_steps, sizeof large_steps, "{ integrator: leapfrog, steps: %d, monomials: [ quarks ] }, "
             "{ integrator: omelyan, steps: 3, monomials: [ gauge ] }", of->large_steps);
    snprintf(name, sizeof name, "%s, %s", place_name(where), of->name);
    double sum = 0, squares = 0, dh = 0, accepted = 0;
    made_of m = { of, where, links, "solver: double-single", FROM_ZERO, large_steps, 1 };
    system_state s = state_create(m, warm_up);
    for (int n = 1; n <= warm_up + count; n++) {
        hmc_outcome o = hmc_trajectory(s.h, s.u, n, NULL, NULL);
        require(o.trouble.step == STEP_NONE, "%s", o.trouble.why.why);
        double e = n > warm_up ? exp(-o.dh) / count : 0;
        sum += e;
        squares += e * e * count;
        dh += n > warm_up ? o.dh / count : 0;
        accepted += n > warm_up ? (double)o.accepted / count : 0;
    }
    double error = sqrt((squares - sum * sum) / (count - 1));
    note("%s: %d trajectories, <exp(-dH)> = %.4f +- %.4f, <dH> = %.3f, acceptance %.3f", name, count, sum,
         error, dh, accepted);
    fact_close(sum, 1, 4.5 * error, "%s: <exp(-dH)> = 1", name);
    fact(error < 2 / sqrt(count) && dh > 0.1, "%s: with an error of %.2g, where <dH> is %.2g", name,
         error, dh);
    state_free(&s);
}

typedef struct { double dh, random, kinetic, quarks, force[2][2]; } trajectory_bits;

static trajectory_bits trajectory(const action *of, place where, const double *links, double *out)
{
    made_of m = { of, where, links, "solver: double-half", "chronological: 2", ONE_LEVEL("omelyan", "1"), 0.25 };
    system_state s = state_create(m, 0);
    hmc_outcome o = hmc_trajectory(s.h, s.u, 3, NULL, NULL);
    trajectory_bits bits = { o.dh, o.random, o.after.kinetic, o.after.term[QUARKS],
                             { { o.force[0].rms, o.force[0].max }, { o.force[1].rms, o.force[1].max } } };
    require(o.trouble.step == STEP_NONE, "%s", o.trouble.why.why);
    gauge_export(out, s.u);
    state_free(&s);
    return bits;
}

static void same_bits(const action *of, const double *links)
{
    double *first = memory_alloc(links_bytes(), "links"), *out = memory_alloc(links_bytes(), "links");
    trajectory_bits want = trajectory(of, PLACE_CPU, links, first);
    FOR_EVERY_PLACE(where) {
        static const int threads[] = { 1, 2, 3 };
        bool same = true;
        int before = omp_get_max_threads();
        for (int n = 0; n < (where == PLACE_CPU ? 3 : 1); n++) {
            omp_set_num_threads(threads[n]);
            trajectory_bits got = trajectory(of, where, links, out);
            same &= memcmp(&got, &want, sizeof got) == 0 && memcmp(out, first, links_bytes()) == 0;
        }
        omp_set_num_threads(before);
        fact(same, "%s, %s: links, dH, energies, sizes of forces have the same bits, on a CPU with 1, 2 and 3 threads",
             place_name(where), of->name);
    }
    memory_free(out);
    memory_free(first);
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
            area(of, where, links);
        }
        same_bits(of, links);
        memory_free(links);
    }
    return facts_end();
}
