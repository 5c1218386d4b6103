/* test_flow_steps.c - the longest stable step of the gradient flow: a weak field of the shortest wavelength keeps its
 * size with it, becomes smaller with a shorter step and larger with a longer one; and advice about such steps. */
#include "src/base/memory.h"
#include "src/measure/flow_steps.h"
#include "tests/facts.h"
#include "tests/measure/abelian_field.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 4, 4, 4 };
#define AMPLITUDE 1e-4

/* Momentum (pi, pi, pi, pi), transverse. */
static double shortest_wave(const int x[4], int mu, double amplitude)
{
    const double sign = (x[0] + x[1] + x[2] + x[3]) % 2 ? -1 : 1;
    return mu == 0 ? sign * amplitude : mu == 1 ? -sign * amplitude : 0;
}

/* The factor of a step of this many longest steps. */
static double factor_of(lattice *l, flow_action action, double xi, double steps)
{
    failure f;
    gauge *u = abelian_gauge(l, PLACE_CPU, shortest_wave, AMPLITUDE);
    gauge_flow *g = gauge_flow_create_anisotropic(action, xi, FLOW_FIXED, u);
    double *before = abelian_angles(u);
    require(gauge_flow_step(g, u, steps * flow_longest_step(action, xi), &f), "%s", f.why);
    double *after = abelian_angles(u);
    const double factor = after[0] / before[0];
    memory_free(before);
    memory_free(after);
    gauge_flow_free(g);
    gauge_free(u);
    return factor;
}

static bool advises(double eps, flow_action action)
{
    text lines = { 0 };
    flow_steps_advise(&lines, "measurements.0", eps, action, 1);
    const bool given = strncmp(text_string(&lines), "measurements.0.eps: ", 20) == 0;
    text_free(&lines);
    return given;
}

static bool advises_spacing(double spacing, double t_max)
{
    text lines = { 0 };
    flow_spacing_advise(&lines, "measurements.0", spacing, t_max);
    const bool given = strncmp(text_string(&lines), "measurements.0.measure_every: ", 30) == 0;
    text_free(&lines);
    return given;
}

int main(void)
{
    static const struct { flow_action action; double xi; } flows[] = {
        { FLOW_WILSON, 1 }, { FLOW_SYMANZIK, 1 }, { FLOW_ZEUTHEN, 1 }, { FLOW_WILSON, 2 }, { FLOW_SYMANZIK, 2 },
    };
    lattice *l = lattice_create_single(extents);
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
        const flow_action a = flows[i].action;
        const char *name = flow_action_names[a];
        fact_close(factor_of(l, a, flows[i].xi, 1), -1, 1e-5, "%s, xi %g: the longest step keeps the size of the field",
                   name, flows[i].xi);
        fact(fabs(factor_of(l, a, flows[i].xi, 0.9)) < 0.8, "a shorter one makes it smaller");
        fact(fabs(factor_of(l, a, flows[i].xi, 1.1)) > 1.2, "a longer one larger");
    }
    fact(advises(0.16, FLOW_WILSON) && !advises(0.15, FLOW_WILSON), "advice from 0.157 on: wilson");
    fact(advises(0.1, FLOW_SYMANZIK) && !advises(0.09, FLOW_SYMANZIK), "symanzik_tree: from 0.0942 on");
    fact(advises(0.15, FLOW_ZEUTHEN) && !advises(0.14, FLOW_ZEUTHEN), "zeuthen: from 0.141 on");
    fact(advises_spacing(0.5, 3) && !advises_spacing(0.3, 3), "and on measurements more than 0.3 apart");
    fact(!advises_spacing(0.5, 20), "but not if there are many");
    lattice_free(l);
    return facts_end();
}
