/* test_dynamics.c - molecular dynamics of gauge fields: the order of every scheme, reversibility, and the same
 * bits from any number of threads and at any place.
 *
 * The field is a random one after a few trajectories, the momenta are fixed; the energy difference of a
 * trajectory of fixed length falls as dt^p. */
#include "src/base/memory.h"
#include "src/hmc/hmc.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static const int extents[4] = { 4, 4, 2, 4 };

#define INPUT(levels) \
    "lattice: [4, 4, 2, 4]\n" \
    "random: { seed: 77 }\n" \
    "monomials:\n" \
    "  - { kind: gauge, name: squares, action: wilson, beta: 5.4 }\n" \
    "  - { kind: gauge, name: loops, action: rectangle, c1: -0.05, beta: 0.6 }\n" \
    "hmc:\n" \
    "  trajectory_length: %g\n" \
    "  trajectories: 5\n" \
    "  thermalization: 5\n" \
    "  reunitarize_every: 0\n" \
    "  levels: [" levels "]\n" \
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
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    double *links = memory_alloc(GAUGE_REALS * (size_t)lattice_volume(l) * sizeof *links, "links");
    clock_tree clock = { 0 };
    run_input in;
    run_from_text(&in, integrators[2].input, 1.0, 20);
    gauge_set_random(u, rng_key_for(77, 0, 0, RNG_START_LINKS));
    hmc *h = hmc_create(&in.p, u);
    for (int64_t n = 1; n <= 5; n++)
        hmc_trajectory(h, u, n, &clock, NULL);
    note("links with plaquette %.4f", gauge_plaquette(u).average);
    gauge_reunitarize(u);
    gauge_export(links, u);
    hmc_free(h);
    run_input_free(&in);
    gauge_free(u);
    lattice_free(l);
    return links;
}

typedef struct { lattice *l; gauge *u; momentum *p; hmc *h; run_input *in; } system_state;   /* h borrows in */

static system_state state_create(lattice *l, place where, precision p, const double *links, int which, double length,
                                 int steps)
{
    system_state s = { .l = l, .in = memory_alloc(sizeof *s.in, "an input") };
    run_from_text(s.in, integrators[which].input, length, steps);
    s.u = gauge_create(l, where, p);
    s.p = momentum_create(l, where, p);
    gauge_import(s.u, links);
    momentum_set_gaussian(s.p, rng_key_for(78, 0, 0, RNG_MOMENTA));
    s.h = hmc_create(&s.in->p, s.u);
    return s;
}

static void state_free(system_state *s)
{
    hmc_free(s->h);
    momentum_free(s->p);
    gauge_free(s->u);
    run_input_free(s->in);
    memory_free(s->in);
}

static double run(system_state *s)
{
    hmc_energies before, after;
    hmc_trouble trouble;
    bool done = hmc_hamiltonian(&before, s->h, s->u, s->p, NULL, &trouble)
                && hmc_evolve(s->h, s->u, s->p, NULL, NULL, &trouble) == EVOLVE_DONE
                && hmc_hamiltonian(&after, s->h, s->u, s->p, NULL, &trouble);
    require(done, "%s", trouble.why.why);
    double dh = after.kinetic - before.kinetic;
    for (int t = 0; t < hmc_term_count(s->h); t++)
        dh += after.term[t] - before.term[t];
    return dh;
}

static void order(lattice *l, place where, const double *links, int which)
{
    enum { SIZES = 3 };
    double dh[SIZES];
    for (int n = 0; n < SIZES; n++) {
        system_state s = state_create(l, where, PRECISION_DOUBLE, links, which, 0.5, integrators[which].steps << n);
        dh[n] = run(&s);
        state_free(&s);
    }
    double p = log2(dh[1] / dh[2]);
    fact_close(p, integrators[which].order, 0.12, "%s, %s: dH falls as dt^%d (dH %.3g, %.3g, %.3g)", place_name(where),
               integrators[which].name, integrators[which].order, dh[0], dh[1], dh[2]);
}

static double link_difference(const gauge *u, const double *links)
{
    size_t count = GAUGE_REALS * (size_t)lattice_volume(u->links.lattice);
    double *now = memory_alloc(count * sizeof *now, "links"), worst = 0;
    gauge_export(now, u);
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, fabs(now[i] - links[i]));
    memory_free(now);
    return worst;
}

static void reversibility(lattice *l, place where, precision p, const double *links, int which)
{
    bool wide = p == PRECISION_DOUBLE;
    system_state s = state_create(l, where, p, links, which, 1, integrators[which].steps);
    momentum *start = momentum_create(l, where, p);
    momentum_copy(start, s.p);
    double forth = run(&s), moved = link_difference(s.u, links);
    momentum_axpy(s.p, -2, s.p);
    double back = run(&s);
    fact(moved > 0.1, "%s, %s: a trajectory of length 1 moves the links", place_name(where), integrators[which].name);
    fact_close(link_difference(s.u, links), 0, wide ? 1e-12 : 1e-4, "%s, %s, %s: with the momenta reversed they return",
               place_name(where), wide ? "double" : "single", integrators[which].name);
    momentum_axpy(s.p, 1, start);
    fact_close(sqrt(momentum_measure(s.p).max_norm2), 0, wide ? 1e-11 : 1e-3, "%s, %s, %s: and so do the momenta",
               place_name(where), wide ? "double" : "single", integrators[which].name);
    fact_close(forth + back, 0, wide ? 1e-9 : 0.02, "%s, %s, %s: dH forth + dH back = 0 (dH %.4g)", place_name(where),
               wide ? "double" : "single", integrators[which].name, forth);
    momentum_free(start);
    state_free(&s);
}

typedef struct { double dh, random, kinetic, force[2][2]; } trajectory_bits;

/* Two whole trajectories: links in `out`, numbers in the answer. */
static trajectory_bits trajectories(lattice *l, place where, const double *links, int which, double *out)
{
    system_state s = state_create(l, where, PRECISION_DOUBLE, links, which, 0.6, integrators[which].steps);
    clock_tree clock = { 0 };
    hmc_outcome o;
    for (int64_t n = 6; n <= 7; n++)
        o = hmc_trajectory(s.h, s.u, n, &clock, NULL);
    trajectory_bits bits = { o.dh, o.random, o.after.kinetic, { { o.force[0].rms, o.force[0].max },
                                                                { o.force[1].rms, o.force[1].max } } };
    gauge_export(out, s.u);
    state_free(&s);
    return bits;
}

static void same_bits(lattice *l, const double *links, int which)
{
    size_t bytes = GAUGE_REALS * (size_t)lattice_volume(l) * sizeof(double);
    double *first = memory_alloc(bytes, "links"), *out = memory_alloc(bytes, "links");
    trajectory_bits want;
    FOR_EVERY_PLACE(where) {
        if (where == PLACE_CPU) {
            static const int threads[] = { 1, 2, 3, 7 };
            bool same = true;
            int before = omp_get_max_threads();
            want = trajectories(l, where, links, which, first);
            for (int n = 0; n < 4; n++) {
                omp_set_num_threads(threads[n]);
                trajectory_bits got = trajectories(l, where, links, which, out);
                same &= memcmp(&got, &want, sizeof got) == 0 && memcmp(out, first, bytes) == 0;
            }
            omp_set_num_threads(before);
            fact(same, "%s: links, dH, energies and sizes of forces have the same bits with 1, 2, 3 and 7 threads",
                 integrators[which].name);
        } else {
            trajectory_bits got = trajectories(l, where, links, which, out);
            fact(memcmp(&got, &want, sizeof got) == 0 && memcmp(out, first, bytes) == 0,
                 "%s: links, dH, energies and sizes of forces have the same bits on CPU and GPU",
                 integrators[which].name);
        }
    }
    memory_free(out);
    memory_free(first);
}

static bool leave_at_once(void *of)
{
    (void)of;
    return true;
}

static void interruption(lattice *l, place where, const double *links)
{
    const evolve_watch watch = { leave_at_once, NULL };
    clock_tree clock = { 0 };
    system_state s = state_create(l, where, PRECISION_DOUBLE, links, 2, 1, 8);
    hmc_outcome o = hmc_trajectory(s.h, s.u, 6, &clock, &watch);
    fact(o.interrupted && !o.accepted && link_difference(s.u, links) == 0,
         "%s: a trajectory that is asked to stop leaves the links as they were", place_name(where));
    state_free(&s);
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
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where) {
        for (int which = 0; which < INTEGRATORS; which++) {
            order(l, where, links, which);
            for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++)
                reversibility(l, where, p, links, which);
        }
        interruption(l, where, links);
    }
    for (int which = 0; which < INTEGRATORS; which++)
        same_bits(l, links, which);
    lattice_free(l);
    memory_free(links);
    return facts_end();
}
