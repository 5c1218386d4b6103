/* test_dynamics.c - molecular dynamics of gauge fields: the order of every scheme, reversibility, and the same
 * bits from any number of threads and at any place.
 *
 * The field is a random one after a few trajectories, the momenta are fixed; the energy difference of a
 * trajectory of fixed length falls as dt^p. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

#define INPUT(levels)                                                             \
    "lattice: [4, 4, 2, 4]\n"                                                     \
    "random: { seed: 77 }\n"                                                      \
    "monomials:\n"                                                                \
    "  - { kind: gauge, name: squares, action: wilson, beta: 5.4 }\n"             \
    "  - { kind: gauge, name: loops, action: rectangle, c1: -0.05, beta: 0.6 }\n" \
    "hmc:\n"                                                                      \
    "  trajectory_length: %g\n"                                                   \
    "  trajectories: 5\n"                                                         \
    "  thermalization: 5\n"                                                       \
    "  reunitarize_every: 0\n"                                                    \
    "  levels: [" levels "]\n"                                                    \
    "output: { directory: unused }\n"

/* %d: number of steps, of the outermost level */
static const struct { const char *name; int order, steps; const char *input; } integrators[] = {
    { "leapfrog", 2, 12, INPUT("{ integrator: leapfrog, steps: %d, monomials: [squares, loops] }") },
    { "leapfrog_position", 2, 12,
      INPUT("{ integrator: leapfrog_position, steps: %d, monomials: [squares, loops] }") },
    { "omelyan", 2, 8, INPUT("{ integrator: omelyan, steps: %d, monomials: [squares, loops] }") },
    { "omelyan, lambda 1/6", 2, 8,
      INPUT("{ integrator: omelyan, lambda: 0.16666666666666666, steps: %d, monomials: [squares, loops] }") },
    { "omelyan_position", 2, 8, INPUT("{ integrator: omelyan_position, steps: %d, monomials: [squares, loops] }") },
    { "4mn4fp", 4, 6, INPUT("{ integrator: 4mn4fp, steps: %d, monomials: [squares, loops] }") },
    { "4mn5fv", 4, 6, INPUT("{ integrator: 4mn5fv, steps: %d, monomials: [squares, loops] }") },
    { "force_gradient", 4, 6, INPUT("{ integrator: force_gradient, steps: %d, monomials: [squares, loops] }") },
    { "force_gradient_position", 4, 6,
      INPUT("{ integrator: force_gradient_position, steps: %d, monomials: [squares, loops] }") },
    { "2g1f", 2, 16, INPUT("{ integrator: 2g1f, steps: %d, monomials: [loops], gauge_monomials: [squares] }") },
    { "3g1f", 2, 16, INPUT("{ integrator: 3g1f, steps: %d, monomials: [loops], gauge_monomials: [squares] }") },
    { "5g1f", 2, 16, INPUT("{ integrator: 5g1f, steps: %d, monomials: [loops], gauge_monomials: [squares] }") },
    { "6g1f", 2, 16, INPUT("{ integrator: 6g1f, steps: %d, monomials: [loops], gauge_monomials: [squares] }") },
    { "omelyan around leapfrog", 2, 6,
      INPUT("{ integrator: omelyan, steps: %d, monomials: [loops] }, "
            "{ integrator: leapfrog, steps: 2, monomials: [squares] }") },
    { "4mn5fv around 4mn4fp", 4, 4,
      INPUT("{ integrator: 4mn5fv, steps: %d, monomials: [loops] }, "
            "{ integrator: 4mn4fp, steps: 1, monomials: [squares] }") },
    { "leapfrog around 4mn5fv", 2, 8,
      INPUT("{ integrator: leapfrog, steps: %d, monomials: [loops] }, "
            "{ integrator: 4mn5fv, steps: 1, monomials: [squares] }") },
};
enum { INTEGRATORS = sizeof integrators / sizeof integrators[0] };

/* A random start after five trajectories without Metropolis test: links neither smooth nor random. */
static double *rough_links(void)
{
    run_system s = run_system_create(PLACE_CPU, PRECISION_DOUBLE, integrators[2].input, 1.0, 20);
    gauge_set_random(s.u, rng_key_for(77, 0, 0, RNG_START_LINKS));
    for (int64_t n = 1; n <= 5; n++)
        run_system_trajectory(&s, n);
    note("links with plaquette %.4f", gauge_plaquette(s.u).average);
    gauge_reunitarize(s.u);
    double *links = links_of(s.u);
    run_system_free(&s);
    return links;
}

static run_system state_create(place where, precision p, const double *links, int which, double length, int steps)
{
    run_system s = run_system_create(where, p, integrators[which].input, length, steps);
    gauge_import(s.u, links);
    return s;
}

static void order(place where, const double *links, int which)
{
    enum { SIZES = 3 };
    double dh[SIZES];
    for (int n = 0; n < SIZES; n++) {
        run_system s = state_create(where, PRECISION_DOUBLE, links, which, 0.5, integrators[which].steps << n);
        dh[n] = run_system_evolve(&s);
        run_system_free(&s);
    }
    double p = log2(dh[1] / dh[2]);
    fact_close(p, integrators[which].order, 0.12, "%s, %s: dH falls as dt^%d (dH %.3g, %.3g, %.3g)", place_name(where),
               integrators[which].name, integrators[which].order, dh[0], dh[1], dh[2]);
}

static void reversibility(place where, precision p, const double *links, int which)
{
    bool wide = p == PRECISION_DOUBLE;
    run_system s = state_create(where, p, links, which, 1, integrators[which].steps);
    momentum *start = momentum_create(s.l, where, p);
    momentum_copy(start, s.p);
    double forth = run_system_evolve(&s), moved = link_difference(s.u, links);
    momentum_axpy(s.p, -2, s.p);
    double back = run_system_evolve(&s);
    fact(moved > 0.1, "%s, %s: a trajectory of length 1 moves the links", place_name(where), integrators[which].name);
    fact_close(link_difference(s.u, links), 0, wide ? 1e-12 : 1e-4, "%s, %s, %s: with the momenta reversed they return",
               place_name(where), wide ? "double" : "single", integrators[which].name);
    momentum_axpy(s.p, 1, start);
    fact_close(sqrt(momentum_measure(s.p).max_norm2), 0, wide ? 1e-11 : 1e-3, "%s, %s, %s: and so do the momenta",
               place_name(where), wide ? "double" : "single", integrators[which].name);
    fact_close(forth + back, 0, wide ? 1e-9 : 0.02, "%s, %s, %s: dH forth + dH back = 0 (dH %.4g)", place_name(where),
               wide ? "double" : "single", integrators[which].name, forth);
    momentum_free(start);
    run_system_free(&s);
}

/* Of rough links, for the dynamics of an integrator. */
typedef struct { const double *links; int which; } rough;

static run_system rough_create(place where, const void *context)
{
    const rough *r = context;
    return state_create(where, PRECISION_DOUBLE, r->links, r->which, 0.6, integrators[r->which].steps);
}

static bool leave_at_once(void *of)
{
    (void)of;
    return true;
}

static void interruption(place where, const double *links)
{
    const evolve_watch watch = { leave_at_once, NULL };
    clock_tree clock = { 0 };
    run_system s = state_create(where, PRECISION_DOUBLE, links, 2, 1, 8);
    hmc_outcome o = hmc_trajectory(s.h, s.u, 6, &clock, &watch);
    fact(o.interrupted && !o.accepted && link_difference(s.u, links) == 0,
         "%s: a trajectory that is asked to stop leaves the links as they were", place_name(where));
    run_system_free(&s);
}

static void every_scheme_is_here(void)
{
    for (int i = 0; scheme_names[i]; i++) {
        bool found = false;
        for (int n = 0; n < INTEGRATORS; n++)
            found |= strcmp(integrators[n].name, scheme_names[i]) == 0 &&
                     integrators[n].order == scheme_get(i)->order;
        fact(found, "scheme %s, of order %d, is tested here", scheme_names[i], scheme_get(i)->order);
    }
}

int main(void)
{
    every_scheme_is_here();
    double *links = rough_links();
    FOR_EVERY_PLACE(where) {
        for (int which = 0; which < INTEGRATORS; which++) {
            order(where, links, which);
            for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++)
                reversibility(where, p, links, which);
        }
        interruption(where, links);
    }
    for (int which = 0; which < INTEGRATORS; which++)
        fact_same_bits(integrators[which].name, rough_create, &(rough){ links, which }, 6, 7);
    memory_free(links);
    return facts_end();
}
