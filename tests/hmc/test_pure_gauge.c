/* test_pure_gauge.c - the ensembles that heat bath and overrelaxation make: against identities and expansions that hold
 * for every correct one, and against hybrid Monte Carlo.
 *
 *     strong coupling     the plaquette is that of the weight exp(beta Re Tr U / 3) of one plaquette, but for
 *                         72 u^5 u'(beta), here below the errors (test_physics.c)
 *     Schwinger-Dyson     <Tr F^+F> a link = (2/3) beta (24 c_plaq P + 72 c_rect R + 96 c_par C) where no loop holds a
 *                         link twice (test_physics.c)
 *
 * Random numbers have fixed seeds, so a fact that holds once holds always.  Errors are from bins of successive
 * compound sweeps; a fact allows 4.5 of them, and how large they may be is a fact too. */
#include "src/base/memory.h"
#include "src/hmc/hmc.h"
#include "src/hmc/pure_gauge.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/identities.h"
#include "tests/hmc/run_text.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <math.h>

enum { LENGTH_MAX = 1000 };
#define ERRORS_ALLOWED 4.5

/* What makes the links, of an input: sections `quenched` and `hmc`. */
#define SWEEPS "heatbath: { sweeps: 1, overrelaxation: 2 }\nhmc: { trajectories: 1, thermalization: 0 }\n"
#define TRAJECTORIES "hmc: { trajectories: 1, levels: [ { integrator: omelyan, steps: 6, monomials: [gauge] } ] }\n"

typedef struct {
    const char *action;             /* YAML of the monomial */
    int extents[4], thermalization, length;
    double error_plaquette, error_force;       /* at most */
} ensemble_plan;

typedef struct { estimate plaquette, force; double unitarity; bool all_accepted; } ensemble_facts;

static ensemble_facts make_ensemble(const ensemble_plan *plan, const char *updates, place where)
{
    static double plaquette[LENGTH_MAX], force[LENGTH_MAX];
    const int *n = plan->extents;
    ensemble_facts e = { .all_accepted = true };
    run_input in;
    run_from_text(&in, "lattice: [%d, %d, %d, %d]\nrandom: { seed: 2025 }\nmonomials:\n"
                  "  - { kind: gauge, name: gauge, %s }\n%soutput: { directory: unused }\n",
                  n[0], n[1], n[2], n[3], plan->action, updates);
    lattice *l = lattice_create_single(n);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    momentum *f = momentum_create(l, where, PRECISION_DOUBLE);
    sum_array size = monomial_size_create(u);
    clock_tree clock = { 0 };
    gauge_set_random(u, rng_key_for(2025, 0, 0, RNG_START_LINKS));
    hmc *updater = hmc_create(&in.p, u);
    for (int t = 1; t <= plan->thermalization + plan->length; t++) {
        hmc_outcome o = hmc_trajectory(updater, u, t, &clock, NULL);
        int at = t - plan->thermalization - 1;
        e.all_accepted &= o.accepted && o.dh == 0;
        e.unitarity = worse(e.unitarity, o.unitarity);
        if (at < 0)
            continue;
        plaquette[at] = gauge_plaquette(u).average;
        force[at] = schwinger_dyson(&in.p, u, f, &size);
    }
    e.plaquette = binned(plaquette, plan->length);
    e.force = binned(force, plan->length);
    hmc_free(updater);
    sums_free(&size);
    momentum_free(f);
    gauge_free(u);
    lattice_free(l);
    run_input_free(&in);
    return e;
}

/* What holds for every ensemble of sweeps. */
static ensemble_facts swept(const ensemble_plan *plan, place where)
{
    const char *name = place_name(where), *action = plan->action;
    ensemble_facts e = make_ensemble(plan, SWEEPS, where);
    note("%s, %s: plaquette %.6f +- %.6f", name, action, e.plaquette.mean, e.plaquette.error);
    fact_close(e.force.mean, 0, ERRORS_ALLOWED * e.force.error, "%s, %s: <Tr F^+F> is what Schwinger and Dyson say",
               name, action);
    fact(e.force.error < plan->error_force, "%s, %s: the error of <Tr F^+F> is %.2g, less than %.2g", name, action,
         e.force.error, plan->error_force);
    fact(e.plaquette.error < plan->error_plaquette, "%s, %s: the error of the plaquette is %.2g, less than %.2g", name,
         action, e.plaquette.error, plan->error_plaquette);
    fact(e.all_accepted && e.unitarity < 1e-13, "%s, %s: sweeps need no test, and links stay in SU(3)", name, action);
    return e;
}

static const ensemble_plan strong = { "action: wilson, beta: 1", { 4, 4, 4, 4 }, 20, 300, 5e-4, 0.02 };

static const ensemble_plan each_action[] = {
    { "action: symanzik_tree, beta: 4", { 4, 4, 4, 4 }, 40, 200, 3e-3, 0.1 },
    { "action: iwasaki, beta: 2.2", { 4, 4, 4, 6 }, 30, 100, 2e-3, 0.2 },
    { "action: dbw2, beta: 0.7", { 4, 4, 4, 4 }, 40, 150, 3e-3, 0.4 },
    { "action: symanzik_1loop, beta: 7, u0: 0.87, flavors: 4", { 4, 4, 4, 4 }, 40, 100, 3e-3, 0.2 },
};

/* The same ensemble by sweeps and by trajectories. */
static const ensemble_plan compared = { "action: wilson, beta: 5.7", { 4, 4, 4, 4 }, 50, 400, 3e-3, 0.1 };

static void as_by_trajectories(const ensemble_plan *plan, place where)
{
    ensemble_facts sweeps = make_ensemble(plan, SWEEPS, where), hybrid = make_ensemble(plan, TRAJECTORIES, where);
    double error = hypot(sweeps.plaquette.error, hybrid.plaquette.error);
    fact_close(sweeps.plaquette.mean, hybrid.plaquette.mean, ERRORS_ALLOWED * error,
               "%s, %s: sweeps and hybrid Monte Carlo have the same plaquette", place_name(where), plan->action);
    fact(error < plan->error_plaquette, "%s, %s: within an error of %.2g", place_name(where), plan->action, error);
}

/* Sweeps over start links: what they do depends on the input alone, and brings the plaquette near its mean. */
static void start_near_equilibrium(place where)
{
    run_input in;
    run_from_text(&in, "lattice: [4, 4, 4, 4]\nrandom: { seed: 5 }\nstart: { heatbath: { sweeps: 30 } }\nmonomials:\n"
                  "  - { kind: gauge, action: symanzik_tree, beta: 4 }\n"
                  "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 4, monomials: [gauge] } ] }\n"
                  "output: { directory: unused }\n");
    lattice *l = lattice_create_single(in.p.extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    pure_gauge_start(&in.p, u, NULL, NULL);
    double first = gauge_plaquette(u).average;
    gauge_set_unit(u);
    pure_gauge_start(&in.p, u, NULL, NULL);
    fact(gauge_plaquette(u).average == first, "%s: the same sweeps over the same start give the same links",
         place_name(where));
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_START_LINKS));
    pure_gauge_start(&in.p, u, NULL, NULL);
    fact_close(gauge_plaquette(u).average, first, 0.04, "%s: cold and hot starts come near one another",
               place_name(where));
    in.p.start.heatbath.beta = 40;
    in.p.start.heatbath.beta_given = true;
    gauge_set_unit(u);
    pure_gauge_start(&in.p, u, NULL, NULL);
    fact(gauge_plaquette(u).average > 0.9, "%s: a coupling of their own replaces that of the action",
         place_name(where));
    in.p.start.heatbath.settle = 30;
    pure_gauge_start(&in.p, u, NULL, NULL);
    fact_close(gauge_plaquette(u).average, first, 0.04, "%s: until that of the action has its turn", place_name(where));
    gauge_free(u);
    lattice_free(l);
    run_input_free(&in);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        start_near_equilibrium(where);
        ensemble_facts e = swept(&strong, where);
        fact_close(e.plaquette.mean, single_plaquette(1), ERRORS_ALLOWED * e.plaquette.error,
                   "%s: the plaquette at strong coupling", place_name(where));
        for (size_t n = 0; n < sizeof each_action / sizeof *each_action && !SHORTENED; n++)
            swept(&each_action[n], where);
        if (!SHORTENED)
            as_by_trajectories(&compared, where);
    }
    return facts_end();
}
