/* test_doublet_ensembles.c - a non-degenerate doublet of twisted-mass quarks on 2^4 as one determinant, and as ratios
 * in two monomials: equal mean plaquettes, which differ from that without quarks.
 *
 * Random numbers have fixed seeds, so a fact that holds once holds always.  The error is from bins of successive
 * trajectories. */
#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/hmc/identities.h"
#include "tests/hmc/run_system.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#define ERRORS_ALLOWED 3.5
#define ERROR_MOST 7e-3
enum { THERMALIZATION = 50, TRAJECTORIES = 250, LONGER = 8 };

#define DOUBLET "kind: wilson_doublet, c_sw: 1, kappa: 0.16, mu_delta: 0.2, residuals: { force: 1e-4 }"
#define RATIOS                                                                                                         \
    "  - { name: quarks, " DOUBLET ", mu_sigma: 0.3, hasenbusch: [ { mu_sigma: 0.6 } ], heavy_mu_sigma: 1 }\n"         \
    "  - { name: heavy, " DOUBLET ", mu_sigma: 1 }\n"

typedef struct { const char *name, *monomials, *terms; } row;
static const row rows[] = {
    { "without quarks", "", "" },
    { "one determinant", "  - { name: quarks, " DOUBLET ", mu_sigma: 0.3 }\n", ", quarks" },
    { "two ratios and a determinant", RATIOS, ", quarks, heavy" },
};
enum { FREE, WHOLE, SPLIT, ROWS };

#define INPUT                                                                                                          \
    "lattice: [2, 2, 2, 2]\n"                                                                                          \
    "random: { seed: 2027 }\n"                                                                                         \
    "monomials:\n"                                                                                                     \
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.0 }\n"                                                    \
    "%s"                                                                                                               \
    "hmc:\n"                                                                                                           \
    "  trajectory_length: 1\n"                                                                                         \
    "  trajectories: 1\n"                                                                                              \
    "  thermalization: 20\n"                                                                                           \
    "  levels: [ { integrator: omelyan, steps: 4, monomials: [ gauge%s ] } ]\n"                                        \
    "output: { directory: unused }\n"

static estimate plaquette(const row *r, place where)
{
    const int count = nightly() ? LONGER * TRAJECTORIES : SHORTENED ? TRAJECTORIES / 10 : TRAJECTORIES;
    run_system s = run_system_create(where, PRECISION_DOUBLE, INPUT, r->monomials, r->terms);
    double *value = memory_alloc((size_t)count * sizeof *value, "a history");
    double *exp_dh = memory_alloc((size_t)count * sizeof *exp_dh, "a history");
    for (int n = 1; n <= THERMALIZATION; n++)
        run_system_trajectory(&s, n);
    for (int n = 0; n < count; n++) {
        exp_dh[n] = exp(-run_system_trajectory(&s, THERMALIZATION + 1 + n).dh);
        value[n] = gauge_plaquette(s.u).average;
    }
    const estimate mean = binned(value, count), unity = binned(exp_dh, count);
    note("%s, %s: plaquette %.5f +- %.5f", place_name(where), r->name, mean.mean, mean.error);
    fact_close(unity.mean, 1, ERRORS_ALLOWED * unity.error, "%s, %s: <exp(-dH)> = 1", place_name(where), r->name);
    memory_free(exp_dh);
    memory_free(value);
    run_system_free(&s);
    return mean;
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        estimate of[ROWS];
        for (int n = 0; n < ROWS; n++)
            of[n] = plaquette(&rows[n], where);
        const double error = hypot(of[WHOLE].error, of[SPLIT].error);
        const double most = nightly() ? ERROR_MOST / 3 : SHORTENED ? 4 * ERROR_MOST : ERROR_MOST;
        fact_close(of[SPLIT].mean, of[WHOLE].mean, ERRORS_ALLOWED * error, "%s: ratios of doublets have the plaquette "
                   "of the whole determinant", place_name(where));
        fact(error < most, "%s: the error %.2g is less than %.2g", place_name(where), error, most);
        fact(of[WHOLE].mean - of[FREE].mean > 5 * hypot(of[WHOLE].error, of[FREE].error) || SHORTENED,
             "%s: which is larger than without quarks", place_name(where));
    }
    return facts_end();
}
