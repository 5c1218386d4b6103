/* test_smd_average.c - stochastic molecular dynamics with Wilson quarks has the averages of hybrid Monte Carlo.
 *
 * The plaquette of both on 4^4, with one action and fixed seeds, so a fact that holds once holds always; a fact allows
 * 4.5 errors.  Trajectories of SMD are a third as long, and refresh a part of momenta and pseudofermions: a wrong law
 * of either, or of what follows a rejection, adds up over many of them.  Without quarks the plaquette is lower by many
 * errors, so that the comparison is one of quarks.  With KILN_NIGHTLY=1 twelve times as many trajectories. */
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "tests/facts.h"
#include "tests/hmc/identities.h"
#include "tests/hmc/run_system.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <math.h>

#define ERRORS_ALLOWED 4.5
#define LENGTH 0.9
#define GAMMA 0.3

/* LONGER: how much longer nightly ensembles are; SHORTER: trajectories of SMD in the length of one of HMC; BINS: for
 * errors, with at least ten units of LENGTH in each. */
enum { THERMALIZATION = 40, TRAJECTORIES = 100, LONGER = 12, SHORTER = 3, BINS = 10 };

/* The largest error of a plaquette from TRAJECTORIES units; it falls with their square root. */
#define LARGEST_ERROR 4e-3

#define QUARKS \
    "  - { kind: wilson, name: quarks, determinants: [ { flavors: 2, mass: -0.6, hasenbusch: [ { mass: 0.2 } ] },\n" \
    "      { flavors: 2, mass: -0.5 } ],\n" \
    "      solver: double, residuals: { refresh: 1e-10, action: 1e-10, force: 1e-5 } }\n"

typedef struct { estimate plaquette, area, accepted; } averages;

/* `each` trajectories in a unit of LENGTH; gamma 0: hybrid Monte Carlo. */
static averages sample(place where, bool quarks, int each, double gamma, int steps)
{
    const int units = nightly() ? LONGER * TRAJECTORIES : TRAJECTORIES;
    const int count = units * each;
    char smd[64] = "";
    if (gamma > 0)
        snprintf(smd, sizeof smd, "smd: { gamma: %g }\n", gamma);
    run_system s = run_system_create(where, PRECISION_DOUBLE,
                                     "lattice: [4, 4, 4, 4]\nrandom: { seed: 2027 }\n%smonomials:\n"
                                     "  - { kind: gauge, name: gauge, action: wilson, beta: 5.2 }\n%s"
                                     "hmc:\n  trajectory_length: %g\n  trajectories: 1\n  thermalization: 20\n"
                                     "  levels: [ { integrator: omelyan, steps: %d, monomials: [ %s ] } ]\n"
                                     "output: { directory: unused }\n", smd, quarks ? QUARKS : "", LENGTH / each,
                                     steps, quarks ? "gauge, quarks" : "gauge");
    double *value[3];
    for (int q = 0; q < 3; q++)
        value[q] = memory_alloc((size_t)count * sizeof(double), "a history");
    for (int n = 1; n <= THERMALIZATION * each; n++)
        run_system_trajectory(&s, n);
    for (int n = 0; n < count; n++) {
        const hmc_outcome o = run_system_trajectory(&s, THERMALIZATION * each + 1 + n);
        value[0][n] = gauge_plaquette(s.u).average;
        value[1][n] = exp(-o.dh);
        value[2][n] = o.accepted;
    }
    const averages a = { binned_in(BINS, value[0], count), binned_in(BINS, value[1], count),
                         binned_in(BINS, value[2], count) };
    for (int q = 0; q < 3; q++)
        memory_free(value[q]);
    run_system_free(&s);
    note("%s, gamma %g: plaquette %.6f +- %.6f, <exp(-dH)> %.4f +- %.4f, acceptance %.3f", quarks ? "quarks" : "none",
         gamma, a.plaquette.mean, a.plaquette.error, a.area.mean, a.area.error, a.accepted.mean);
    return a;
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        const char *here = place_name(where);
        const averages whole = sample(where, true, 1, 0, 6), part = sample(where, true, SHORTER, GAMMA, 2);
        const averages none = sample(where, false, 1, 0, 6);
        const double error = hypot(whole.plaquette.error, part.plaquette.error);
        const double most = LARGEST_ERROR / sqrt(nightly() ? LONGER : 1);
        fact_close(part.plaquette.mean, whole.plaquette.mean, ERRORS_ALLOWED * error,
                   "%s: with Wilson quarks, SMD and HMC have the same plaquette", here);
        fact(error < M_SQRT2 * most, "%s: the error of the difference is %.2g", here, error);
        const double effect = whole.plaquette.mean - none.plaquette.mean;
        fact(effect > ERRORS_ALLOWED * hypot(whole.plaquette.error, none.plaquette.error),
             "%s: quarks change the plaquette by %.4f, which is more than errors", here, effect);
        fact(part.accepted.mean > 0.6 && part.accepted.mean < 1, "%s: some trajectories of SMD are rejected: %.3f",
             here, 1 - part.accepted.mean);
        fact_close(part.area.mean, 1, ERRORS_ALLOWED * part.area.error, "%s: <exp(-dH)> = 1", here);
    }
    return facts_end();
}
