/* test_force_derivative.c - the force of every gauge action is minus its derivative. */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/derivative.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <stdio.h>

#define LARGEST_STEP 0.08       /* in units where P has norm sqrt(8) a link */

static const gauge_params actions[] = {
    { .action = 0, .beta = 6 },
    { .action = 1, .beta = 4.2 },
    { .action = 2, .beta = 2.6 },
    { .action = 3, .beta = 1.04 },
    { .action = 4, .beta = 5, .c1 = -0.2 },
    { .action = 5, .beta = 6.7, .u0 = 0.87, .flavors = 4 },
    { .action = 5, .beta = 8, .u0 = 0.8788, .flavors = 0 },
};

static void check(const gauge_params *params, const gauge *u, const momentum *p, const char *name)
{
    monomial *m = monomial_create(&gauge_monomial, params, u);
    derivative_facts(m, u, p, LARGEST_STEP, 5e-10, name);
    weight_facts(m, u, p, name);
    monomial_free(m);
}

int main(void)
{
    static const int shapes[][4] = { { 4, 4, 4, 6 }, { 2, 2, 2, 2 }, { 2, 4, 2, 6 } };
    for (int shape = 0; shape < 3; shape++) {
        const int *n = shapes[shape];
        lattice *l = lattice_create_single(n);
        double *links = analytic_links(n, 1.5);
        FOR_EVERY_PLACE(where) {
            gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
            momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
            gauge_import(u, links);
            momentum_set_gaussian(p, rng_key_for(61, 0, (uint64_t)shape, RNG_MOMENTA));
            for (size_t a = 0; a < sizeof actions / sizeof actions[0]; a++) {
                char name[96];
                snprintf(name, sizeof name, "%s, %dx%dx%dx%d, %s", place_name(where), n[0], n[1], n[2], n[3],
                         gauge_action_names[actions[a].action]);
                check(&actions[a], u, p, name);
                single_precision_facts(&gauge_monomial, &actions[a], u, links, name);
            }
            momentum_free(p);
            gauge_free(u);
        }
        memory_free(links);
        lattice_free(l);
    }
    return facts_end();
}
