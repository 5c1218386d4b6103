/* test_smd.c - stochastic molecular dynamics: its refresh and its reversal, its limit, and the ensemble that comes out.
 *
 * Random numbers have fixed seeds, so a fact that holds once holds always.  Errors are from bins of successive
 * trajectories; a fact allows 4.5 of them. */
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/hmc/smd.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/identities.h"
#include "tests/hmc/run_system.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

#define ERRORS_ALLOWED 4.5
#define GAMMA 0.9
#define LENGTH 0.35

#define RESIDUALS "residuals: { refresh: 1e-11, action: 1e-11, force: 1e-9 }"

/* Every kind of factor that has pseudofermions. */
static const struct { const char *name, *monomial; } kinds[] = {
    { "gauge field alone", "" },
    { "two flavors, over heavier ones and alone", "  - { kind: wilson, name: q, determinants: [ { flavors: 2, mass: "
      "0.3, hasenbusch: [ { mass: 0.8 } ] } ], " RESIDUALS " }\n" },
    { "one flavor in two fields, with a clover term", "  - { kind: wilson, name: q, c_sw: 1, determinants: [ { "
      "flavors: 1, mass: 0.5, heavy: 2, fields: 2 } ], " RESIDUALS " }\n" },
    { "functions of staggered quarks", "  - { kind: staggered, name: q, action: naive, determinants: [ { quarks: "
      "[ { flavors: 2, mass: 0.3 } ] } ], " RESIDUALS " }\n" },
    { "one flavor exactly", "  - { kind: domain_wall, name: q, action: mobius, Ls: 4, b: 1.25, c: 0.25, "
      "determinants: [ { flavors: 1, mass: 0.2, method: exact } ], " RESIDUALS " }\n" },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static run_system make(place where, int kind, int steps, const char *more)
{
    return run_system_create(where, PRECISION_DOUBLE,
                             "lattice: [4, 4, 4, 4]\nrandom: { seed: 5 }\nmonomials:\n"
                             "  - { kind: gauge, name: g, action: wilson, beta: 5.2 }\n%s"
                             "hmc:\n  trajectory_length: %g\n  trajectories: 2\n  thermalization: 1\n"
                             "  levels: [ { integrator: omelyan, steps: %d, monomials: [g%s] } ]\n%s"
                             "output: { directory: unused }\n", kinds[kind].monomial, LENGTH, steps,
                             *kinds[kind].monomial ? ", q" : "", more);
}

/* Steps with which the second trajectory is accepted, and with which it is rejected. */
enum { FINE = 8, COARSE = 1 };

static run_system make_smd(place where, int kind, int steps, double gamma)
{
    char more[64];
    snprintf(more, sizeof more, "smd: { gamma: %g }\n", gamma);
    return make(where, kind, steps, more);
}

/* All fields of a state, as numbers on the host. */
typedef struct { int count; size_t reals[16]; double *of[16]; } state_fields;

static state_fields fields_of(run_system *s)
{
    state_fields f = { 0 };
    field *x = &hmc_momenta(s->h)->f;
    for (int t = 0, i = 0; x; ) {
        f.reals[f.count] = field_slice_reals(x) * (size_t)field_slice_count(x);
        f.of[f.count] = memory_alloc(f.reals[f.count] * sizeof(double), "a field");
        field_export(f.of[f.count++], x);
        while (t < hmc_term_count(s->h) && !(x = monomial_pseudofermion(hmc_terms(s->h)[t].m, i++, NULL)))
            t++, i = 0;
        if (t == hmc_term_count(s->h))
            break;
    }
    return f;
}

static void fields_free(state_fields *f)
{
    for (int n = 0; n < f->count; n++)
        memory_free(f->of[n]);
}

/* The largest |z - (a x + b y)| of the fields from `first` on. */
static double distance(const state_fields *z, double a, const state_fields *x, double b, const state_fields *y,
                       int first)
{
    double worst = 0;
    for (int n = first; n < z->count; n++)
        for (size_t i = 0; i < z->reals[n]; i++)
            worst = worse(worst, fabs(z->of[n][i] - a * x->of[n][i] - b * y->of[n][i]));
    return worst;
}

/* What hybrid Monte Carlo draws for trajectory `number` with the links and the memory of s. */
static state_fields drawn_by_hmc(const run_system *s, int kind, int64_t number)
{
    run_system h = make(s->u->links.where, kind, FINE, "");
    state_memory memory;
    hmc_get_memory(s->h, &memory);
    hmc_set_memory(h.h, &memory);
    double *links = links_of(s->u);
    gauge_import(h.u, links);
    memory_free(links);
    run_system_trajectory(&h, number);
    momentum_set_gaussian(hmc_momenta(h.h), rng_key_for(5, 0, (uint64_t)number, RNG_MOMENTA));
    state_fields f = fields_of(&h);
    run_system_free(&h);
    return f;
}

static bool same_outcome(const hmc_outcome *a, const hmc_outcome *b)
{
    return a->dh == b->dh && a->accepted == b->accepted && memcmp(&a->before, &b->before, sizeof a->before) == 0;
}

/* Large gamma: the trajectories of hybrid Monte Carlo, to the last bit. */
static void limit(place where, int kind)
{
    run_system h = make(where, kind, FINE, ""), s = make_smd(where, kind, FINE, 1e6);
    bool same = true;
    for (int64_t n = 1; n <= 3; n++) {
        hmc_outcome a = run_system_trajectory(&h, n), b = run_system_trajectory(&s, n);
        same &= same_outcome(&a, &b) && !b.mixed;
    }
    double *links = links_of(h.u);
    fact(same && link_difference(s.u, links) == 0, "%s, %s: with a large gamma, hybrid Monte Carlo", place_name(where),
         kinds[kind].name);
    memory_free(links);
    run_system_free(&s);
    run_system_free(&h);
}

/* A refresh: c1 times the fields of the trajectory before plus c2 times those that hybrid Monte Carlo draws. */
static void refresh(place where, int kind)
{
    const char *here = place_name(where), *name = kinds[kind].name;
    const double c1 = exp(-GAMMA * LENGTH), c2 = sqrt(1 - c1 * c1);
    run_system s = make_smd(where, kind, FINE, GAMMA);
    fact(!hmc_has_fields(s.h, false), "%s, %s: without a trajectory, there is no state of the fields", here, name);
    hmc_outcome first = run_system_trajectory(&s, 1);
    fact(first.accepted && !first.mixed && hmc_has_fields(s.h, false), "%s, %s: the first trajectory draws them", here,
         name);
    state_fields before = fields_of(&s), drawn = drawn_by_hmc(&s, kind, 2);
    hmc_outcome o = run_system_trajectory(&s, 2);
    state_fields after = fields_of(&s);
    fact(o.mixed, "%s, %s: the second one mixes them", here, name);
    if (after.count > 1)
        fact_close(distance(&after, c1, &before, c2, &drawn, 1), 0, 1e-13, "%s, %s: phi = c1 phi + c2 B eta", here,
                   name);

    run_system_free(&s);
    s = make_smd(where, kind, FINE, GAMMA);
    run_system_trajectory(&s, 1);
    momentum *p = s.p;
    momentum_set_gaussian(p, rng_key_for(5, 0, 2, RNG_MOMENTA));
    momentum_mix(p, c1, hmc_momenta(s.h), c2);
    fact_close(o.before.kinetic / momentum_kinetic(p), 1, 1e-14, "%s, %s: P = c1 P + c2 nu", here, name);

    /* back: from the end, with reversed momenta and the pseudofermions of the end */
    double *start = links_of(s.u);
    const double kinetic = run_system_trajectory(&s, 2).before.kinetic;
    hmc_failure problem;
    momentum_copy(p, hmc_momenta(s.h));
    momentum_mix(p, 0, p, -1);
    const bool done = hmc_evolve(s.h, s.u, p, NULL, NULL, &problem) == EVOLVE_DONE;
    fact(done && link_difference(s.u, start) < 1e-8, "%s, %s: reversed, it runs back to its start: %.2g", here, name,
         link_difference(s.u, start));
    fact_close(momentum_kinetic(p) / kinetic, 1, 1e-9, "%s, %s: with the kinetic energy of its start", here, name);
    memory_free(start);

    size_t bytes = 0;
    for (int i = 0; i < after.count; i++)
        bytes += hmc_state_field(s.h, true, i)->bytes;
    fact(bytes == smd_bytes(&s.in->p, lattice_shape_of(s.l)), "%s, %s: the plan of memory has the fields kept: "
         "%zu", here, name, bytes);
    fields_free(&after);
    fields_free(&drawn);
    fields_free(&before);
    run_system_free(&s);
}

/* After a rejection: the momenta with which the dynamics began, reversed; the pseudofermions of the refresh. */
static void rejection(place where, int kind)
{
    const char *here = place_name(where), *name = kinds[kind].name;
    const double c1 = exp(-GAMMA * LENGTH), c2 = sqrt(1 - c1 * c1);
    run_system s = make_smd(where, kind, COARSE, GAMMA);
    run_system_trajectory(&s, 1);
    double *start = links_of(s.u);
    state_fields before = fields_of(&s), drawn = drawn_by_hmc(&s, kind, 2);
    fact(!run_system_trajectory(&s, 2).accepted && link_difference(s.u, start) == 0, "%s, %s: steps may be so "
         "large that the links are restored", here, name);
    state_fields after = fields_of(&s);
    fact_close(distance(&after, c1, &before, c2, &drawn, 1), 0, 1e-13, "%s, %s: then phi stays", here, name);
    after.count = 1;
    fact_close(distance(&after, -c1, &before, -c2, &drawn, 0), 0, 1e-14, "%s, %s: and P is reversed", here, name);
    after.count = before.count;
    fields_free(&after);
    fields_free(&drawn);
    fields_free(&before);
    memory_free(start);
    run_system_free(&s);
}

/* Wilson's action at beta 1, where the plaquette of a single one is exact to 1e-6 (test_physics.c), with steps so large
 * that many trajectories are rejected.  Fields live on over many trajectories, so a wrong law of the refresh, or of
 * what follows a rejection, adds up. */
#define BETA 1.0
enum { SETTLE = 100, TRAJECTORIES = 2000 };

typedef struct { double plaquette[TRAJECTORIES], kinetic[TRAJECTORIES], area[TRAJECTORIES], force[TRAJECTORIES],
                 accepted[TRAJECTORIES]; } history;

static void stationary(place where)
{
    static history h;
    const char *here = place_name(where);
    run_system s = run_system_create(where, PRECISION_DOUBLE,
                                     "lattice: [4, 4, 4, 4]\nrandom: { seed: 77 }\nsmd: { gamma: 0.3 }\nmonomials:\n"
                                     "  - { kind: gauge, name: g, action: wilson, beta: %g }\n"
                                     "hmc:\n  trajectory_length: %g\n  trajectories: 1\n"
                                     "  levels: [ { integrator: leapfrog, steps: 1, monomials: [g] } ]\n"
                                     "output: { directory: unused }\n", BETA, 0.23);
    const double links = 4 * (double)lattice_volume(s.l);
    sum_array size = monomial_size_create(s.u);
    gauge_set_random(s.u, rng_key_for(77, 0, 0, RNG_START_LINKS));
    for (int n = -SETTLE; n < TRAJECTORIES; n++) {
        const hmc_outcome o = run_system_trajectory(&s, n + SETTLE + 1);
        if (n < 0)
            continue;
        h.plaquette[n] = gauge_plaquette(s.u).average;
        h.kinetic[n] = o.before.kinetic / links;
        h.area[n] = exp(-o.dh);
        h.accepted[n] = o.accepted;
        h.force[n] = schwinger_dyson(&s.in->p, s.u, s.p, &size);
    }
    const estimate p = binned(h.plaquette, TRAJECTORIES), t = binned(h.kinetic, TRAJECTORIES);
    const estimate area = binned(h.area, TRAJECTORIES), force = binned(h.force, TRAJECTORIES);
    const double accepted = binned(h.accepted, TRAJECTORIES).mean;
    note("%s: plaquette %.6f +- %.6f, kinetic energy %.5f +- %.5f, acceptance %.3f", here, p.mean, p.error, t.mean,
         t.error, accepted);
    fact(accepted > 0.4 && accepted < 0.8 && p.error < 7e-4, "%s: many trajectories are rejected, and the plaquette is "
         "known to %.2g", here, p.error);
    fact_close(p.mean, single_plaquette(BETA), ERRORS_ALLOWED * p.error, "%s: the plaquette of strong coupling", here);
    fact_close(t.mean, 4, ERRORS_ALLOWED * t.error, "%s: the kinetic energy is 4 a link", here);
    fact_close(area.mean, 1, ERRORS_ALLOWED * area.error, "%s: <exp(-dH)> = 1", here);
    fact_close(force.mean, 0, ERRORS_ALLOWED * force.error, "%s: <Tr F^+F> is what Schwinger and Dyson say", here);
    sums_free(&size);
    run_system_free(&s);
}

/* <S> of pseudofermions is the number of their complex components, with variance the same; it is never drawn anew. */
static void pseudofermions(place where, int kind, double components)
{
    enum { COUNT = 24 };
    double action[COUNT], mean = 0, dh = 0;
    run_system s = make_smd(where, kind, FINE, GAMMA);
    for (int n = 0; n < COUNT; n++) {
        const hmc_outcome o = run_system_trajectory(&s, n + 1);
        action[n] = o.before.term[1];
        mean += action[n] / COUNT;
        dh = fmax(dh, fabs(o.dh));
    }
    /* one in the next: c1, for the noise alone */
    const double c1 = exp(-GAMMA * LENGTH), error = sqrt(components / COUNT * (1 + c1 * c1) / (1 - c1 * c1));
    fact_close(mean, components, ERRORS_ALLOWED * error, "%s, %s: <S> = %g", place_name(where), kinds[kind].name,
               components);
    fact(dh > 0 && dh < 2, "%s, %s: |dH| is less than %.2g", place_name(where), kinds[kind].name, dh);
    run_system_free(&s);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        stationary(where);
        pseudofermions(where, 1, 2 * 12 * 128);
        pseudofermions(where, 3, 3 * 128);
        for (int kind = 0; kind < KINDS; kind++) {
            limit(where, kind);
            refresh(where, kind);
            rejection(where, kind);
        }
    }
    return facts_end();
}
