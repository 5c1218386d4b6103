/* test_deflation.c - stochastic traces of staggered quarks that start from low modes: what counts as an iteration, as
 * converged, and as a zero mode. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAIVE "kind: condensate, action: naive, "

static double iterations_of(const yaml_node *tree)
{
    return measured_number(measured_member(tree, "iterations"));
}

static bool has_converged(const yaml_node *tree)
{
    return strcmp(measured_member(tree, "converged")->scalar, "true") == 0;
}

/* ---- solves that do not converge */

/* Of M masses each system has its own iterations after those in the common Krylov space; all of them stop at the
 * limit. */
static void iterations(const gauge *u)
{
    enum { LIMIT = 7 };
    static const char *const masses[] = { "{ mass: 0.1 }", "{ mass: 0.1 }, { mass: 0.2 }",
                                          "{ mass: 0.1 }, { mass: 0.2 }, { mass: 0.3 }" };
    for (int count = 1; count <= 3; count++) {
        char keys[512];
        snprintf(keys, sizeof keys, NAIVE "sources: 1, residual: 1e-12, max_iterations: %d, masses: [ %s ], "
                                          "modes: { count: 6, deflate: true }", LIMIT, masses[count - 1]);
        yaml_node *tree = measured(u, keys);
        fact(!has_converged(tree) && iterations_of(tree) == (1 + count) * LIMIT,
             "%d iterations: %d in the common Krylov space and %d for each of the masses, %d here (%g)",
             (1 + count) * LIMIT, LIMIT, LIMIT, count, iterations_of(tree));
        yaml_tree_free(tree);
    }
}

/* Eight iterations are enough for a quark of mass 20 and too few for one of mass 0.005, in whatever order they are
 * given. */
static void convergence(const gauge *u)
{
    static const char *const masses[] = { "{ mass: 20 }, { mass: 0.005 }", "{ mass: 0.005 }, { mass: 20 }",
                                          "{ mass: 20 }, { mass: 0.005 }, { mass: 30 }" };
    for (size_t i = 0; i < sizeof masses / sizeof *masses; i++) {
        char keys[512];
        snprintf(keys, sizeof keys, NAIVE "sources: 1, residual: 1e-8, max_iterations: 8, masses: [ %s ], "
                                          "modes: { count: 6, deflate: true }", masses[i]);
        yaml_node *tree = measured(u, keys);
        const yaml_node *why = measured_member(tree, "why");
        fact(!has_converged(tree) && why && strstr(why->scalar, "mass 0.005:"),
             "{ %s }: the light quark has not converged: %s", masses[i], why ? why->scalar : "no reason");
        yaml_tree_free(tree);
    }
    yaml_node *tree = measured(u, NAIVE "sources: 1, residual: 1e-8, max_iterations: 8, masses: [ { mass: 20 } ], "
                                        "modes: { count: 6, deflate: true }");
    fact(has_converged(tree), "the heavy one has");
    yaml_tree_free(tree);
}

/* ---- zero modes */

/* Periodic free quarks on 4^4: lambda = 4 sum sin^2 p is one of 0, 4, 8, 12, 16, and conjugate gradients have as many
 * iterations as there are eigenvalues.  24 modes of the even sites are the zero modes, without which there are four.
 * Their images D x_i on the odd sites vanish, so that those solves remain as they are. */

static void zero_modes(place where)
{
    enum { SOURCES = 2, MASSES = 2 };
    lattice *l = lattice_create_single((const int[]){ 4, 4, 4, 4 });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    const char *keys = NAIVE "boundary: 0, sources: 2, residual: 1e-10, masses: [ { mass: 0.1 }, { mass: 0.3 } ]";
    char with[512];
    snprintf(with, sizeof with, "%s, modes: { count: 24, deflate: true }", keys);
    yaml_node *plain = measured(u, keys), *deflated = measured(u, with);
    fact(has_converged(plain) && iterations_of(plain) == SOURCES * (5 + 5),
         "%s, free quarks: %g iterations, one for each eigenvalue", place_name(where), iterations_of(plain));
    fact(has_converged(deflated) && iterations_of(deflated) == SOURCES * (4 + 5),
         "%s: %g where the zero modes of even sites are known", place_name(where), iterations_of(deflated));
    double worst = 0;
    for (int m = 0; m < MASSES; m++)
        for (int source = 0; source < SOURCES; source++)
            worst = worse(worst, fabs(measured_item(deflated, m, "pbp_sources", source)
                                      / measured_item(plain, m, "pbp_sources", source) - 1));
    fact(worst < 1e-9, "%s: with the same condensates (%g)", place_name(where), worst);
    yaml_tree_free(plain);
    yaml_tree_free(deflated);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        lattice *l = lattice_create_single((const int[]){ 4, 4, 4, 4 });
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_set_random(u, rng_key_for(11, 0, 0, RNG_TEST));
        iterations(u);
        convergence(u);
        gauge_free(u);
        lattice_free(l);
        zero_modes(where);
    }
    return facts_end();
}
