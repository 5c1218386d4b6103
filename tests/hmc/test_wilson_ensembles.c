/* test_wilson_ensembles.c - plaquettes of 4^4 with Wilson quarks against those that tmLQCD's authors give for its
 * sample inputs: a twisted mass alone and as a chain; with KILN_NIGHTLY=1 also two doublets, a clover term, and a ratio
 * of twisted masses, in ensembles that are twelve times longer.
 *
 * tmLQCD gives 2 kappa mu: mu = (2 kappa mu) / (2 kappa).  Random numbers have fixed seeds, so a fact that holds once
 * holds always.  The error is from bins of successive trajectories; how large it may be is a fact too.  The short
 * ensembles find a missing factor of the chain or a wrong force, the long ones a mass that is off by some percent. */
#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/hmc/identities.h"
#include "tests/hmc/run_system.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#define ERRORS_ALLOWED 3.5
enum { THERMALIZATION = 40, TRAJECTORIES = 250, LONGER = 12 };

typedef struct { double mean, error; } published;
typedef struct {
    const char *name, *gauge, *quarks;      /* members of both monomials */
    int steps;
    bool long_only;
    published plaquette, rectangle;         /* error 0: not given */
} row;

static const row rows[] = {
    { "twisted mass, tmLQCD's hmc0", "action: wilson, beta: 6.0", "determinants: [ { kappa: 0.177, mu: 0.5 } ]", 3,
      false, { 0.62450, 5e-5 }, { 0, 0 } },
    { "twisted mass in a chain, hmc1", "action: wilson, beta: 6.0",
      "determinants: [ { kappa: 0.177, mu: 0.5, hasenbusch: [ { kappa: 0.15 } ] } ]", 2, false, { 0.62450, 5e-5 },
      { 0, 0 } },
    { "two doublets, hmc3", "action: iwasaki, beta: 1.95",
      "determinants: [ { kappa: 0.16326, mu: 0.0083944659 }, { kappa: 0.16326, mu: 0.0083944659 } ]", 4, true,
      { 0.59515, 8e-5 }, { 0.3637, 1e-4 } },
    { "twisted clover, tmcloverdet", "action: wilson, beta: 5.6",
      "c_sw: 1.0, determinants: [ { kappa: 0.138, mu: 0.036231884 } ]", 3, true, { 0.57375, 7e-5 }, { 0, 0 } },
    { "twisted clover over rho, tmcloverdetratio", "action: wilson, beta: 5.6",
      "c_sw: 1.0, determinants: [ { kappa: 0.138, mu: 0.036231884, hasenbusch: [ { rho: 0.1 } ] } ]", 3, true,
      { 0.57375, 7e-5 }, { 0, 0 } },
    { "a ratio of twisted masses, hmc4", "action: iwasaki, beta: 2.3",
      "determinants: [ { kappa: 0.208333333, heavy_mu: 0.2 } ]", 4, true, { 0.62597, 8e-5 }, { 0.3935, 1e-4 } },
};

#define INPUT \
    "lattice: [4, 4, 4, 4]\n" \
    "random: { seed: 2026 }\n" \
    "monomials:\n" \
    "  - { kind: gauge, name: gauge, %s }\n" \
    "  - { kind: wilson, name: quarks, %s, solver: double,\n" \
    "      residuals: { refresh: 1e-10, action: 1e-10, force: 1e-3 } }\n" \
    "hmc:\n" \
    "  trajectory_length: 0.75\n" \
    "  trajectories: 1\n" \
    "  thermalization: 20\n" \
    "  levels: [ { integrator: omelyan, steps: %d, monomials: [ quarks ] },\n" \
    "            { integrator: omelyan, steps: 2, monomials: [ gauge ] } ]\n" \
    "output: { directory: unused }\n"

enum { PLAQUETTE, RECTANGLE, EXP_DH, ACCEPTED, QUANTITIES };

static void agrees(estimate got, published want, const char *quantity, const char *where, const char *name)
{
    if (want.error > 0)
        fact_close(got.mean, want.mean, ERRORS_ALLOWED * hypot(got.error, want.error), "%s, %s: %s with error %.2g",
                   where, name, quantity, got.error);
}

static void ensemble(const row *r, place where)
{
    const int count = nightly() ? LONGER * TRAJECTORIES : SHORTENED ? TRAJECTORIES / 10 : TRAJECTORIES;
    run_system s = run_system_create(where, PRECISION_DOUBLE, INPUT, r->gauge, r->quarks, r->steps);
    double *value[QUANTITIES];
    estimate of[QUANTITIES];
    for (int q = 0; q < QUANTITIES; q++)
        value[q] = memory_alloc((size_t)count * sizeof(double), "a history");
    for (int n = 1; n <= THERMALIZATION; n++)
        run_system_trajectory(&s, n);
    for (int n = 0; n < count; n++) {
        const hmc_outcome o = run_system_trajectory(&s, THERMALIZATION + 1 + n);
        value[PLAQUETTE][n] = gauge_plaquette(s.u).average;
        value[RECTANGLE][n] = r->rectangle.error > 0 ? gauge_rectangle(s.u) : 0;
        value[EXP_DH][n] = exp(-o.dh);
        value[ACCEPTED][n] = o.accepted;
    }
    for (int q = 0; q < QUANTITIES; q++) {
        of[q] = binned(value[q], count);
        memory_free(value[q]);
    }
    run_system_free(&s);
    const char *name = place_name(where);
    note("%s, %s: plaquette %.6f +- %.6f, acceptance %.3f", name, r->name, of[PLAQUETTE].mean, of[PLAQUETTE].error,
         of[ACCEPTED].mean);
    agrees(of[PLAQUETTE], r->plaquette, "the published plaquette", name, r->name);
    agrees(of[RECTANGLE], r->rectangle, "the published rectangle", name, r->name);
    fact_close(of[EXP_DH].mean, 1, ERRORS_ALLOWED * of[EXP_DH].error, "%s, %s: <exp(-dH)> = 1", name, r->name);
    const double most = 2e-3 * sqrt((double)TRAJECTORIES / count);
    fact(of[PLAQUETTE].error < most && of[ACCEPTED].mean > 0.7, "%s, %s: the error is less than %.2g; acceptance %.2f",
         name, r->name, most, of[ACCEPTED].mean);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++)
            if (nightly() || !rows[n].long_only)
                ensemble(&rows[n], where);
    return facts_end();
}
