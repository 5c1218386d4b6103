/* test_uniform_norm.c - residual_norm of a monomial reaches its solves: every family needs more iterations for the
 * uniform norm of all its residuals than for their 2-norm, and dH changes by no more than the residuals explain. */
#include "actions/solve_report.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/on_every_backend.h"

#include <math.h>


#define RESIDUALS "residuals: { refresh: 1e-8, action: 1e-8, force: 1e-7 }, solver: double"

static const struct { const char *name, *monomial; } kinds[] = {
    { "Wilson quarks, two flavors", "kind: wilson, determinants: [ { flavors: 2, mass: -0.6 } ]" },
    { "Wilson quarks, one flavor", "kind: wilson, determinants: [ { flavors: 1, mass: 0.3 } ]" },
    { "a doublet", "kind: wilson_doublet, mass: -0.5, mu_sigma: 0.2, mu_delta: 0.1" },
    { "domain-wall quarks", "kind: domain_wall, action: mobius, Ls: 4, b: 1.25, c: 0.25, "
      "determinants: [ { flavors: 2, mass: 0.3 } ]" },
    { "one flavor exactly", "kind: domain_wall, action: mobius, Ls: 4, b: 1.25, c: 0.25, "
      "determinants: [ { flavors: 1, mass: 0.3, method: exact } ]" },
    { "HISQ", "kind: staggered, action: hisq, determinants: [ { quarks: [ { flavors: 2, mass: 0.05 } ] } ]" },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct { int64_t iterations; double dh; } result;

static result run(place where, int kind, const char *norm)
{
    run_system s = run_system_create(where, PRECISION_DOUBLE,
                                     "lattice: [4, 4, 4, 4]\nrandom: { seed: 6 }\nmonomials:\n"
                                     "  - { kind: gauge, name: g, action: wilson, beta: 5.6 }\n"
                                     "  - { %s, name: q, " RESIDUALS ", residual_norm: %s }\n"
                                     "hmc:\n  trajectory_length: 0.2\n  trajectories: 1\n  thermalization: 1\n"
                                     "  levels: [ { integrator: omelyan, steps: 6, monomials: [g, q] } ]\n"
                                     "output: { directory: unused }\n", kinds[kind].monomial, norm);
    gauge_set_random(s.u, rng_key_for(7, 0, 0, RNG_START_LINKS));
    const int64_t before = solve_iterations_so_far();
    const double dh = run_system_trajectory(&s, 1).dh;
    const result r = { solve_iterations_so_far() - before, dh };
    run_system_free(&s);
    return r;
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        for (int kind = 0; kind < KINDS; kind++) {
            const result two = run(where, kind, "two"), uniform = run(where, kind, "uniform");
            fact(uniform.iterations > two.iterations, "%s, %s: %lld iterations in the uniform norm, %lld in the 2-norm",
                 place_name(where), kinds[kind].name, (long long)uniform.iterations, (long long)two.iterations);
            fact_close(uniform.dh, two.dh, 1e-3 * fabs(two.dh), "%s, %s: and the same dH", place_name(where),
                       kinds[kind].name);
        }
    return facts_end();
}
