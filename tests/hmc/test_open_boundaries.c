/* test_open_boundaries.c - ensembles with open boundaries in time: molecular dynamics is of its order, reversible, and
 * keeps exp(-S); HMC and heat bath satisfy the identity of Schwinger and Dyson with the weights of the ends.
 *
 *     sum over links of <Tr F^+F> = (8/3) beta sum over loops of <n c w Re Tr W / 3>,   n: links of a loop
 *
 * as in test_physics.c, where no loop holds a link twice; w: the weight of a loop.  Errors are from bins; a
 * fact allows 4.5 of them, and how large they may be is a fact too. */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/identities.h"
#include "tests/hmc/run_system.h"
#include "tests/hmc/run_text.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <math.h>

#define ERRORS_ALLOWED 4.5
#define OPEN "lattice: [4, 4, 4, 6]\nboundary: { time: open }\nrandom: { seed: 77 }\noutput: { directory: unused }\n"
#define TWO_TERMS                                                                 \
    "monomials:\n"                                                                \
    "  - { kind: gauge, name: squares, action: wilson, beta: 5.4, c_G: 1.2 }\n"   \
    "  - { kind: gauge, name: loops, action: rectangle, c1: -0.05, beta: 0.6 }\n"

static run_system dynamics_create(place where, const double *links, double length, int steps)
{
    run_system s = run_system_create(where, PRECISION_DOUBLE, OPEN TWO_TERMS
        "hmc: { trajectory_length: %g, trajectories: 5, thermalization: 5, reunitarize_every: 0,\n"
        "       levels: [ { integrator: omelyan, steps: %d, monomials: [squares, loops] } ] }\n", length, steps);
    if (links)
        gauge_import(s.u, links);
    else
        gauge_set_random(s.u, rng_key_for(77, 0, 0, RNG_START_LINKS));
    return s;
}

/* With quarks of Wilson type. */
static run_system quarks_create(place where, const double *links, double length, int steps)
{
    run_system s = run_system_create(where, PRECISION_DOUBLE, OPEN
        "monomials:\n"
        "  - { kind: gauge, name: gauge, action: wilson, beta: 5.4, c_G: 1.2 }\n"
        "  - { kind: wilson, name: quarks, c_sw: 1.2, c_F: 1.1, solver: double,\n"
        "      residuals: { refresh: 1e-12, action: 1e-12, force: 1e-11 }, determinants: [ { mass: 0.4 } ] }\n"
        "hmc: { trajectory_length: %g, trajectories: 5, thermalization: 5, reunitarize_every: 0,\n"
        "       levels: [ { integrator: omelyan, steps: %d, monomials: [gauge, quarks] } ] }\n", length, steps);
    if (links)
        gauge_import(s.u, links);
    return s;
}

static double *rough_links(void)
{
    run_system s = dynamics_create(PLACE_CPU, NULL, 1, 20);
    for (int64_t n = 1; n <= 5; n++)
        run_system_trajectory(&s, n);
    gauge_reunitarize(s.u);
    double *links = links_of(s.u);
    run_system_free(&s);
    return links;
}

typedef run_system creator(place where, const double *links, double length, int steps);

/* Quarks get their fields in a trajectory that is not used. */
static void draw_fields(run_system *s, const double *links)
{
    run_system_trajectory(s, 1);
    gauge_import(s->u, links);
}

static void order(place where, const double *links, creator *create, double length, int steps, const char *name)
{
    double dh[3];
    for (int n = 0; n < 3; n++) {
        run_system s = create(where, links, length, steps << n);
        draw_fields(&s, links);
        dh[n] = run_system_evolve(&s);
        run_system_free(&s);
    }
    fact_close(log2(dh[1] / dh[2]), 2, 0.12, "%s, %s: dH falls as dt^2 (dH %.3g, %.3g, %.3g)", place_name(where), name,
               dh[0], dh[1], dh[2]);
}

static void reversibility(place where, const double *links, creator *create, const char *name)
{
    run_system s = create(where, links, 1, 8);
    draw_fields(&s, links);
    double forth = run_system_evolve(&s), moved = link_difference(s.u, links);
    momentum_axpy(s.p, -2, s.p);
    double back = run_system_evolve(&s);
    fact(moved > 0.1, "%s, %s: a trajectory of length 1 moves the links", place_name(where), name);
    fact_close(link_difference(s.u, links), 0, 1e-12, "%s, %s: with the momenta reversed they return",
               place_name(where), name);
    fact_close(forth + back, 0, 1e-9, "%s, %s: dH forth + dH back = 0 (dH %.4g)", place_name(where), name, forth);
    run_system_free(&s);
}

/* Kinetic energy of 8 normal numbers a link, of active links alone. */
static void temperature(place where, const double *links)
{
    enum { DRAWS = 50 };
    run_system s = dynamics_create(where, links, 1, 8);
    const double active = (double)lattice_volume(s.l) * (4 - 1.0 / 6);
    double mean = 0;
    for (int n = 0; n < DRAWS; n++) {
        momentum_set_gaussian(s.p, rng_key_for(77, 0, (uint64_t)n, RNG_MOMENTA));
        mean += momentum_kinetic(s.p) / (4 * active) / DRAWS;
    }
    fact_close(mean, 1, ERRORS_ALLOWED * sqrt(2 / (8 * active * DRAWS)), "%s: kinetic energy of active links, 4 a link",
               place_name(where));
    run_system_free(&s);
}

static void area(place where)
{
    run_system s = dynamics_create(where, NULL, 1, 6);
    fact_area("open boundaries", &s, 30, 200);
    run_system_free(&s);
    s = quarks_create(where, NULL, 0.8, 4);
    fact_area("open boundaries, quarks", &s, 5, SHORTENED ? 40 : 150);
    run_system_free(&s);
}

/* The sum over links of Tr F^+F less what the loops say, over that of unit links. */
static double identity(const run_params *p, const gauge *u, momentum *f, const sum_array *size)
{
    const gauge_params *g = run_monomial_params(p, 0);
    const loop_coefficients c = gauge_action_coefficients(g);
    const double ends = (g->given.c_G ? g->c_G : 1) / 2, volume = (double)lattice_volume(u->links.lattice);
    const int times = lattice_global(u->links.lattice)[3];
    const double slice = volume / times, once = (times - 1) * slice, twice = (times - 2) * slice;
    const double in_space = (times - 2 + 2 * ends) * slice;
    const time_weights w = time_weights_open(ends);
    const loop_sums d = gauge_weighted_loops(u, &w, true, true);
    const double plaquettes = 3 * in_space + 3 * once, rectangles = 6 * in_space + 3 * once + 3 * twice;
    const double bent = 4 * in_space + 12 * once;
    const double force = force_norm2(g, u, f, size) / (8.0 / 3 * g->beta);
    const double loops = 4 * c.plaquette * (plaquettes - d.plaquette) + 6 * c.rectangle * (rectangles - d.rectangle)
                         + 6 * c.parallelogram * (bent - d.parallelogram);
    return (force - loops) / (4 * plaquettes);
}

/* Trajectories of an ensemble; the errors of a quarter of them are twice as large. */
enum { FULL_LENGTH = 400, LENGTH = SHORTENED ? FULL_LENGTH / 4 : FULL_LENGTH };

/* The largest error of FULL_LENGTH trajectories: by heat bath, by HMC. */
typedef struct { const char *action; double error[2]; } ensemble_plan;

static const ensemble_plan plans[] = {
    { "action: wilson, beta: 5.5, c_G: 1.4", { 0.002, 0.006 } },
    { "action: iwasaki, beta: 2.2, c_G: 0.6", { 0.002, 0.006 } },
    { "action: symanzik_1loop, beta: 6.6, u0: 0.86", { 0.002, 0.006 } },
};
static const char *const updates[] = {
    "heatbath: { sweeps: 1, overrelaxation: 1 }\nhmc: { trajectories: 1, thermalization: 0 }\n",
    "hmc: { trajectories: 20, thermalization: 20,\n"
    "       levels: [ { integrator: omelyan, steps: 7, monomials: [gauge] } ] }\n",
};

static estimate make_ensemble(place where, const ensemble_plan *plan, const char *update, estimate *plaquette)
{
    enum { THERMALIZATION = 20 };
    static double value[LENGTH], mean[LENGTH];
    run_system s = run_system_create(where, PRECISION_DOUBLE, OPEN
                                     "monomials: [ { kind: gauge, name: gauge, %s } ]\n%s", plan->action, update);
    sum_array size = monomial_size_create(s.u);
    momentum *f = momentum_create(s.l, where, PRECISION_DOUBLE);
    gauge_set_random(s.u, rng_key_for(77, 0, 0, RNG_START_LINKS));
    for (int n = -THERMALIZATION; n < LENGTH; n++) {
        run_system_trajectory(&s, n + THERMALIZATION + 1);
        if (n >= 0) {
            value[n] = identity(&s.in->p, s.u, f, &size);
            mean[n] = gauge_plaquette(s.u).average;
        }
    }
    momentum_free(f);
    sums_free(&size);
    run_system_free(&s);
    *plaquette = binned(mean, LENGTH);
    return binned(value, LENGTH);
}

static void ensembles(place where)
{
    for (size_t a = 0; a < sizeof plans / sizeof *plans; a++) {
        estimate plaquette[2];
        for (int way = 0; way < 2; way++) {
            const estimate e = make_ensemble(where, &plans[a], updates[way], &plaquette[way]);
            const char *name = way ? "HMC" : "heat bath";
            fact_close(e.mean, 0, ERRORS_ALLOWED * e.error, "%s, %s, %s: the identity of Schwinger and Dyson "
                       "(error %.2g)", place_name(where), plans[a].action, name, e.error);
            fact(e.error < sqrt((double)FULL_LENGTH / LENGTH) * plans[a].error[way],
                 "%s, %s, %s: within a small error", place_name(where), plans[a].action, name);
        }
        fact_close(plaquette[0].mean, plaquette[1].mean, ERRORS_ALLOWED * hypot(plaquette[0].error, plaquette[1].error),
                   "%s, %s: heat bath and HMC have the same plaquette, %.5f", place_name(where), plans[a].action,
                   plaquette[0].mean);
    }
}

int main(void)
{
    double *links = rough_links();
    FOR_EVERY_PLACE(where) {
        order(where, links, dynamics_create, 0.5, 8, "gauge field");
        order(where, links, quarks_create, 0.8, 16, "quarks");
        reversibility(where, links, dynamics_create, "gauge field");
        reversibility(where, links, quarks_create, "quarks");
        temperature(where, links);
        area(where);
        ensembles(where);
    }
    memory_free(links);
    return facts_end();
}
