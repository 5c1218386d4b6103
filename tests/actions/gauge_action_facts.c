/* gauge_action_facts.c - a gauge action beside its derivative, in another gauge, and after overrelaxation. */
#include "tests/actions/gauge_action_facts.h"

#include "src/gauge/gauge_observables.h"
#include "src/gauge/heatbath.h"
#include "src/lattice/rng.h"
#include "tests/actions/derivative.h"
#include "tests/facts.h"

#define LARGEST_STEP 0.05       /* in units where P has norm sqrt(8) a link */

/* The action depends on the gauge neither in the bulk nor at open ends. */
static void rotated(monomial *m, const gauge *u, const char *name)
{
    lattice *l = u->links.lattice;
    gauge *turned = gauge_create(l, u->links.where, PRECISION_DOUBLE);
    gauge_rotation *g = gauge_rotation_create(l, u->links.where, PRECISION_DOUBLE,
                                              rng_key_for(5, 0, 0, RNG_GAUGE_ROTATION));
    gauge_copy(turned, u);
    gauge_rotate(turned, g);
    fact_close(action_of(m, turned) / action_of(m, u), 1, 1e-13, "%s: the action is invariant under gauge rotations",
               name);
    gauge_rotation_free(g);
    gauge_free(turned);
}

void gauge_action_facts(const gauge_params *params, monomial *m, const gauge *u, const momentum *p,
                        const double *links, const char *name)
{
    derivative_facts(m, u, p, LARGEST_STEP, 5e-10, name);
    weight_facts(m, u, p, name);
    single_precision_facts(&gauge_monomial, params, u, links, name);
    rotated(m, u, name);
}

gauge *overrelaxation_facts(const loop_weights *w, monomial *m, const gauge *u, const char *name)
{
    gauge *v = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    heatbath *h = heatbath_create(u, w);
    gauge_copy(v, u);
    heatbath_overrelax(h, v);
    fact(gauge_distance(u, v) > 0.5, "%s: overrelaxation moves the links", name);
    fact_close(action_of(m, v) / action_of(m, u), 1, 1e-12, "%s: and keeps the action", name);
    heatbath_free(h);
    return v;
}
