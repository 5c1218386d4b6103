/* test_anisotropic_ensembles.c - pure gauge ensembles with a bare anisotropy: HMC and heat bath satisfy the identity of
 * Schwinger and Dyson with the weights of loops, and agree; HMC keeps exp(-H).
 *
 *     sum over links of <Tr F^+F> = (8/3) beta sum over loops of <n c w Re Tr W / 3>,   n: links of a loop
 *
 * as in test_physics.c, where no loop holds a link twice.  Errors are from bins; a fact allows 4.5 of them, and how
 * large they may be is a fact too. */
#include "actions/gauge_action.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/identities.h"
#include "tests/hmc/run_system.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <math.h>

#define ERRORS_ALLOWED 4.5
#define HEAD "lattice: [4, 4, 4, 8]\nrandom: { seed: 78 }\noutput: { directory: unused }\n"

/* The sum over links of Tr F^+F less what the loops say, over that of unit links. */
static double identity(const run_params *p, const gauge *u, momentum *f, const sum_array *size)
{
    const gauge_params *g = run_monomial_params(p, 0);
    const loop_coefficients c = gauge_action_coefficients(g);
    const time_weights w = gauge_action_weights(g, false);
    const double volume = (double)lattice_volume(u->links.lattice);
    const loop_sums d = gauge_weighted_loops(u, &w, true, false);
    const double plaquettes = volume * (3 * w.plaquette[0] + 3 * w.plaquette[1]);
    const double rectangles = volume * (6 * w.rectangle[0] + 3 * w.rectangle[1] + 3 * w.rectangle[2]);
    const double force = force_norm2(g, u, f, size) / (8.0 / 3 * g->beta);
    const double loops = 4 * c.plaquette * (plaquettes - d.plaquette) + 6 * c.rectangle * (rectangles - d.rectangle);
    return (force - loops) / (4 * c.plaquette * plaquettes);
}

/* Trajectories of an ensemble; the errors of a quarter of them are twice as large. */
enum { FULL_LENGTH = 400, LENGTH = SHORTENED ? FULL_LENGTH / 4 : FULL_LENGTH };

/* The largest error of FULL_LENGTH trajectories: by heat bath, by HMC. */
typedef struct { const char *action; double error[2]; } ensemble_plan;
static const ensemble_plan plans[] = {
    { "action: wilson, beta: 5.6, xi_0: 2.5", { 0.002, 0.006 } },
    { "action: iwasaki, beta: 2.2, xi_0: 2", { 0.002, 0.006 } },
    { "action: symanzik_anisotropic, beta: 2.4, xi_0: 3, u_s: 0.8, u_t: 1", { 0.002, 0.006 } },
};
static const char *const updates[] = {
    "heatbath: { sweeps: 1, overrelaxation: 1 }\nhmc: { trajectories: 1, thermalization: 0 }\n",
    "hmc: { trajectories: 20, thermalization: 20,\n"
    "       levels: [ { integrator: omelyan, steps: 10, monomials: [gauge] } ] }\n",
};

typedef struct { estimate identity, spatial, temporal; } ensemble_means;

static ensemble_means make_ensemble(place where, const ensemble_plan *plan, const char *update)
{
    enum { THERMALIZATION = 20 };
    static double value[LENGTH], spatial[LENGTH], temporal[LENGTH];
    run_system s = run_system_create(where, PRECISION_DOUBLE, HEAD
                                     "monomials: [ { kind: gauge, name: gauge, %s } ]\n%s", plan->action, update);
    sum_array size = monomial_size_create(s.u);
    momentum *f = momentum_create(s.l, where, PRECISION_DOUBLE);
    gauge_set_random(s.u, rng_key_for(78, 0, 0, RNG_START_LINKS));
    for (int n = -THERMALIZATION; n < LENGTH; n++) {
        run_system_trajectory(&s, n + THERMALIZATION + 1);
        if (n < 0)
            continue;
        const plaquette_means p = gauge_plaquette(s.u);
        value[n] = identity(&s.in->p, s.u, f, &size);
        spatial[n] = p.spatial;
        temporal[n] = p.temporal;
    }
    momentum_free(f);
    sums_free(&size);
    run_system_free(&s);
    return (ensemble_means){ binned(value, LENGTH), binned(spatial, LENGTH), binned(temporal, LENGTH) };
}

static void same_mean(place where, const ensemble_plan *plan, const char *what, estimate a, estimate b)
{
    fact_close(a.mean, b.mean, ERRORS_ALLOWED * hypot(a.error, b.error), "%s, %s: heat bath and HMC have the same %s, "
               "%.5f (errors %.2g, %.2g)", place_name(where), plan->action, what, a.mean, a.error, b.error);
}

static void ensembles(place where, const ensemble_plan *plan)
{
    ensemble_means way[2];
    for (int w = 0; w < 2; w++) {
        way[w] = make_ensemble(where, plan, updates[w]);
        const estimate e = way[w].identity;
        const char *name = w ? "HMC" : "heat bath";
        fact_close(e.mean, 0, ERRORS_ALLOWED * e.error, "%s, %s, %s: the identity of Schwinger and Dyson (error %.2g)",
                   place_name(where), plan->action, name, e.error);
        fact(e.error < sqrt((double)FULL_LENGTH / LENGTH) * plan->error[w], "%s, %s, %s: within a small error",
             place_name(where), plan->action, name);
    }
    same_mean(where, plan, "spatial plaquette", way[0].spatial, way[1].spatial);
    same_mean(where, plan, "temporal plaquette", way[0].temporal, way[1].temporal);
    fact(way[0].temporal.mean - way[0].spatial.mean > 0.1, "%s, %s: temporal plaquettes are closer to 1 than spatial "
         "ones, %.4f and %.4f", place_name(where), plan->action, way[0].temporal.mean, way[0].spatial.mean);
}

static void area(place where)
{
    run_system s = run_system_create(where, PRECISION_DOUBLE, HEAD
        "monomials: [ { kind: gauge, name: gauge, %s } ]\n"
        "hmc: { trajectory_length: 0.7, trajectories: 5, thermalization: 5,\n"
        "       levels: [ { integrator: omelyan, steps: 4, monomials: [gauge] } ] }\n", plans[2].action);
    gauge_set_random(s.u, rng_key_for(78, 0, 0, RNG_START_LINKS));
    fact_area("anisotropic lattice", &s, 30, SHORTENED ? 100 : 300);
    run_system_free(&s);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (size_t a = 0; a < sizeof plans / sizeof *plans; a++)
            ensembles(where, &plans[a]);
        area(where);
    }
    return facts_end();
}
