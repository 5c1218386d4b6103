/* test_physics.c - the ensembles that come out: against the strong-coupling expansion, published plaquettes, and
 * identities that hold for every action.
 *
 * Random numbers have fixed seeds, so a fact that holds once holds always.  Errors are from bins of successive
 * trajectories; a fact allows 4.5 of them.  How large they may be is a fact too: a chain that decorrelates worse,
 * or conserves energy worse, would otherwise pass all the more easily.
 *
 *     strong coupling     Wilson's action: with u = <Re Tr U / 3> for the single-plaquette weight
 *                         exp(beta Re Tr U / 3), the free energy per site is 6 ln z + 72 u^6 + O(u^10) (the
 *                         surface of a cube, in two orientations, four cubes a site), so
 *                         P = u + 72 u^5 u'(beta) + ...; J.-M. Drouffe and J.-B. Zuber, Phys. Rep. 102 (1983) 1
 *     Schwinger-Dyson     the integral over links of D_a (e^-S D_a S) vanishes: <(D_a S)^2> = <D_a D_a S>.  Where no
 *                         loop holds a link twice, sum_a D_a D_a Re Tr (U A) = -(4/3) Re Tr (U A), so
 *                         <Tr F^+F> a link = (2/3) beta (24 c_plaq P + 72 c_rect R + 96 c_par C)
 *     area                M. Creutz, Phys. Rev. D 38 (1988) 1228: <exp(-dH)> = 1; and from it, for a narrow
 *                         distribution of dH, acceptance = erfc(sqrt(<dH>) / 2) (S. Gupta et al., Phys. Lett. B 242
 *                         (1990) 437)
 */
#include "src/base/memory.h"
#include "src/hmc/hmc.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/identities.h"
#include "tests/hmc/run_text.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <math.h>

enum { TRAJECTORIES_MAX = 1000 };
#define ERRORS_ALLOWED 4.5

typedef struct {
    const char *name, *action;      /* YAML of the monomial */
    int extents[4];
    const char *integrator;
    int steps;
    double length;
    int thermalization, trajectories;
    struct { double plaquette, area, force; } error;    /* at most: of the plaquette, <exp(-dH)>, Schwinger-Dyson */
} ensemble_plan;

/* What every trajectory leaves: one list a quantity. */
enum { PLAQUETTE, EXP_DH, DH, ACCEPTED, KINETIC, SCHWINGER_DYSON, QUANTITIES };
typedef struct { int count; double value[QUANTITIES][TRAJECTORIES_MAX]; } history;

static estimate estimate_of(const history *h, int quantity)
{
    return binned(h->value[quantity], h->count);
}

static void make_ensemble(history *h, const ensemble_plan *plan, place where)
{
    const int *n = plan->extents;
    run_input in;
    run_from_text(&in, "lattice: [%d, %d, %d, %d]\nrandom: { seed: 2024 }\nmonomials:\n"
                  "  - { kind: gauge, name: gauge, %s }\n"
                  "hmc:\n  trajectory_length: %g\n  trajectories: 1\n  thermalization: %d\n"
                  "  levels: [ { integrator: %s, steps: %d, monomials: [gauge] } ]\noutput: { directory: unused }\n",
                  n[0], n[1], n[2], n[3], plan->action, plan->length, plan->thermalization, plan->integrator,
                      plan->steps);
    lattice *l = lattice_create_single(n);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    momentum *f = momentum_create(l, where, PRECISION_DOUBLE);
    sum_array size = monomial_size_create(u);
    clock_tree clock = { 0 };
    gauge_set_random(u, rng_key_for(2024, 0, 0, RNG_START_LINKS));
    hmc *hybrid = hmc_create(&in.p, u);
    h->count = plan->trajectories;
    for (int t = 1; t <= plan->thermalization + plan->trajectories; t++) {
        hmc_outcome o = hmc_trajectory(hybrid, u, t, &clock, NULL);
        int at = t - plan->thermalization - 1;
        if (at < 0)
            continue;
        h->value[PLAQUETTE][at] = gauge_plaquette(u).average;
        h->value[EXP_DH][at] = exp(-o.dh);
        h->value[DH][at] = o.dh;
        h->value[ACCEPTED][at] = o.accepted;
        h->value[KINETIC][at] = o.before.kinetic / (4 * (double)lattice_volume(l));
        h->value[SCHWINGER_DYSON][at] = schwinger_dyson(&in.p, u, f, &size);
    }
    hmc_free(hybrid);
    sums_free(&size);
    momentum_free(f);
    gauge_free(u);
    lattice_free(l);
    run_input_free(&in);
}

static void error_is_small(double error, double most, const char *quantity, const char *where, const char *name)
{
    fact(error > 0 && error < most, "%s, %s: the error of %s is %.2g, less than %.2g", where, name, quantity, error,
         most);
}

/* What holds for every ensemble. */
static void identities(const history *h, const ensemble_plan *plan, const char *where)
{
    const char *name = plan->name;
    estimate area = estimate_of(h, EXP_DH), dh = estimate_of(h, DH), accepted = estimate_of(h, ACCEPTED);
    estimate force = estimate_of(h, SCHWINGER_DYSON), p = estimate_of(h, PLAQUETTE);
    note("%s, %s: plaquette %.6f +- %.6f, acceptance %.3f, <dH> %.4f +- %.4f", where, name, p.mean, p.error,
         accepted.mean, dh.mean, dh.error);
    fact_close(area.mean, 1, ERRORS_ALLOWED * area.error, "%s, %s: <exp(-dH)> = 1", where, name);
    fact_close(force.mean, 0, ERRORS_ALLOWED * force.error, "%s, %s: <Tr F^+F> is what Schwinger and Dyson say", where,
               name);
    error_is_small(p.error, plan->error.plaquette, "the plaquette", where, name);
    error_is_small(area.error, plan->error.area, "<exp(-dH)>", where, name);
    error_is_small(force.error, plan->error.force, "<Tr F^+F>", where, name);
}

/* Eight normal numbers a link, drawn anew for every trajectory: mean 4 and variance 4. */
static void kinetic_energy(const history *h, const ensemble_plan *plan, const char *where)
{
    const int *n = plan->extents;
    double links = 4.0 * n[0] * n[1] * n[2] * n[3];
    estimate kinetic = estimate_of(h, KINETIC);
    fact_close(kinetic.mean, 4, ERRORS_ALLOWED * 2 / sqrt(links * h->count), "%s, %s: the kinetic energy is 4 a link",
               where, plan->name);
}

static double strong_coupling(double beta)
{
    double u = single_plaquette(beta), h = 1e-3;
    double slope = (single_plaquette(beta + h) - single_plaquette(beta - h)) / (2 * h);
    return u + 72 * pow(u, 5) * slope;
}

/* beta/18 + beta^2/216 - 5 beta^4/93312 + O(beta^5), Drouffe and Zuber */
static void single_plaquette_series(void)
{
    for (double beta = 0.05; beta < 0.3; beta *= 2) {
        double series = beta / 18 + beta * beta / 216 - 5 * pow(beta, 4) / 93312;
        fact_close(single_plaquette(beta), series, 2e-5 * pow(beta, 5),
                   "the integral at beta %g has the published series", beta);
    }
}

/* Ensembles whose plaquette the expansion knows; the cube's 72 u^5 u' shows where the coupling is not too strong. */
typedef struct { ensemble_plan plan; double beta; bool cube_shows; } strong_plan;
static const strong_plan strong[] = {
    { { "strong coupling, beta 1", "action: wilson, beta: 1", { 4, 4, 4, 4 }, "omelyan", 5, 2, 20, 800,
        { 4e-4, 0.02, 0.01 } }, 1, false },
    { { "strong coupling, beta 3", "action: wilson, beta: 3", { 6, 6, 6, 6 }, "omelyan", 8, 2, 20, 500,
        { 4e-4, 0.1, 0.01 } }, 3, true },
};

/* The plaquette of large lattices at Wilson's beta 6.0; one of 8^4 differs from it by less than FINITE_SIZE. */
#define PLAQUETTE_AT_6 0.5937
#define FINITE_SIZE 5e-4
static const ensemble_plan weak = { "Wilson 6.0", "action: wilson, beta: 6.0", { 8, 8, 8, 8 }, "omelyan", 11, 1.4, 50,
                                    125, { 9e-4, 0.2, 0.02 } };

static const ensemble_plan each_action[] = {
    { "symanzik_tree", "action: symanzik_tree, beta: 4", { 4, 4, 4, 4 }, "omelyan", 6, 1, 50, 150,
      { 3e-3, 0.1, 0.1 } },
    { "iwasaki", "action: iwasaki, beta: 2.2", { 4, 4, 4, 4 }, "4mn5fv", 3, 1, 50, 150, { 3e-3, 0.1, 0.2 } },
    { "dbw2", "action: dbw2, beta: 0.7", { 4, 4, 4, 4 }, "4mn4fp", 4, 1, 50, 150, { 3e-3, 0.1, 0.6 } },
    { "rectangle", "action: rectangle, c1: -0.2, beta: 3", { 4, 4, 4, 4 }, "force_gradient", 4, 1, 50, 150,
      { 3e-3, 0.1, 0.2 } },
    { "symanzik_1loop", "action: symanzik_1loop, beta: 7, u0: 0.87, flavors: 4", { 4, 4, 4, 4 },
      "omelyan_position", 6, 1, 50, 150, { 3e-3, 0.1, 0.1 } },
};

/* Large steps: half of the trajectories are rejected. */
static const ensemble_plan coarse = { "large steps", "action: wilson, beta: 5.5", { 4, 4, 4, 4 }, "leapfrog", 11, 1, 60,
                                      1000, { 4e-3, 0.1, 0.03 } };

static void strong_ensemble(history *h, const strong_plan *known, place where)
{
    const char *name = place_name(where);
    make_ensemble(h, &known->plan, where);
    estimate p = estimate_of(h, PLAQUETTE);
    fact_close(p.mean, strong_coupling(known->beta), ERRORS_ALLOWED * p.error, "%s, %s: the plaquette", name,
               known->plan.name);
    if (known->cube_shows)
        fact(fabs(p.mean - single_plaquette(known->beta)) > ERRORS_ALLOWED * p.error,
             "%s, %s: which is not that of a single plaquette", name, known->plan.name);
    identities(h, &known->plan, name);
    kinetic_energy(h, &known->plan, name);
}

static void weak_ensemble(history *h, place where)
{
    const char *name = place_name(where);
    make_ensemble(h, &weak, where);
    estimate p = estimate_of(h, PLAQUETTE);
    fact_close(p.mean, PLAQUETTE_AT_6, ERRORS_ALLOWED * p.error + FINITE_SIZE, "%s, %s: the published plaquette", name,
               weak.name);
    identities(h, &weak, name);
}

static void coarse_ensemble(history *h, place where)
{
    const char *name = place_name(where);
    make_ensemble(h, &coarse, where);
    identities(h, &coarse, name);
    estimate dh = estimate_of(h, DH), accepted = estimate_of(h, ACCEPTED);
    fact_close(accepted.mean, erfc(sqrt(dh.mean) / 2), ERRORS_ALLOWED * accepted.error + 0.01,
               "%s, %s: acceptance = erfc(sqrt(<dH>)/2)", name, coarse.name);
}

int main(void)
{
    static history h;
    single_plaquette_series();
    FOR_EVERY_PLACE(where) {
        strong_ensemble(&h, &strong[0], where);
        if (SHORTENED)
            continue;
        strong_ensemble(&h, &strong[1], where);
        weak_ensemble(&h, where);
        for (size_t n = 0; n < sizeof each_action / sizeof each_action[0]; n++) {
            make_ensemble(&h, &each_action[n], where);
            identities(&h, &each_action[n], place_name(where));
        }
        coarse_ensemble(&h, where);
    }
    return facts_end();
}
