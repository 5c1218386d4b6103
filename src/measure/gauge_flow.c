/* gauge_flow.c - the third-order Runge-Kutta scheme of the gradient flow with an embedded second-order scheme.
 *
 *     W1 = exp(eps Z0/4) W0,   W2 = exp(eps (8/9 Z1 - 17/36 Z0)) W1,   W3 = exp(eps (3/4 Z2 - 8/9 Z1 + 17/36 Z0)) W2
 *
 * M. Luescher, arXiv:1006.4518, appendix C.  The exponents are 1/4, -17/36 and 17/36 times
 *     P0 = Z0,   P1 = P0 - 32/17 Z1,   P2 = P1 + 27/17 Z2,
 * so that a step needs only one momentum field, to which forces are added.
 *
 * The embedded second-order scheme (P. Fritzsch and A. Ramos, arXiv:1301.4388, appendix D):
 *     V' = exp(eps (2 Z1 - Z0)) W0,   2 Z1 - Z0 = P0/16 - 17/16 P1
 * Its distance from W3 is of third order in eps, which gives the length of a step with a given distance. */
#include "src/measure/gauge_flow.h"

#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/halo/exchange.h"
#include "src/kernels/zeuthen_args.h"
#include "src/lattice/kernels.h"

#include <math.h>

MAP_KERNEL(zeuthen_force);

const char *const flow_action_names[] = { "wilson", "symanzik_tree", "zeuthen", NULL };

static const struct { double force, drift, second; } stages[] = {
    { 1, 1.0 / 4, 1.0 / 16 },
    { -32.0 / 17, -17.0 / 36, -17.0 / 16 },
    { 27.0 / 17, 17.0 / 36, 0 },
};
enum { STAGES = sizeof stages / sizeof *stages };

/* With open boundaries in t: the factor of the derivative for links in space of the first and the last slice
 * (M. Luescher and S. Schaefer, arXiv:1206.2809, appendix B).  A power of 2: it can be taken back without rounding. */
#define OPEN_ENDS 2.0

/* Limits on the ratio of a new step to the last one, and a safety factor. */
#define STRIDE_CHANGE 4.0
#define STRIDE_CAUTION 0.95
#define SHORTEST_STEP 1e-9          /* shorter steps are dominated by rounding */

struct gauge_flow {
    monomial *action;
    momentum *p, *q;                /* q: 2 Z1 - Z0; these and the next are NULL for fixed steps */
    momentum *z;                    /* force of the action; NULL if the flow has no other force */
    gauge *start, *second;          /* of a step: W0, V' */
    double xi;                      /* a_s/a_t; 1: isotropic */
    sum_array size;                 /* size of the force: computed with the force, not used here */
};

/* The factors of the gauge action are 1/xi and xi: FLOW_BETA xi makes them 1 and xi^2. */
static gauge_params params_of(flow_action action, double xi)
{
    const flow_action of = action == FLOW_ZEUTHEN ? FLOW_SYMANZIK : action;
    return (gauge_params){ .action = gauge_action_find(flow_action_names[of]), .beta = FLOW_BETA * xi, .xi_0 = xi,
                           .given = { .xi_0 = xi != 1 } };
}

gauge_flow *gauge_flow_create(flow_action action, flow_steps steps, const gauge *u)
{
    return gauge_flow_create_anisotropic(action, 1, steps, u);
}

gauge_flow *gauge_flow_create_anisotropic(flow_action action, double xi, flow_steps steps, const gauge *u)
{
    gauge_flow *g = memory_alloc(sizeof *g, "a gradient flow");
    lattice *l = u->links.lattice;
    gauge_params params = params_of(action, xi);
    g->xi = xi;
    g->action = monomial_create(&gauge_monomial, &params, u);
    g->p = momentum_create(l, u->links.where, u->links.precision);
    g->size = monomial_size_create(u);
    if (action == FLOW_ZEUTHEN)
        g->z = momentum_create_near(l, u->links.where, u->links.precision);
    if (steps == FLOW_ADAPTIVE) {
        g->q = momentum_create(l, u->links.where, u->links.precision);
        g->start = gauge_create(l, u->links.where, u->links.precision);
        g->second = gauge_create(l, u->links.where, u->links.precision);
    }
    return g;
}

void gauge_flow_free(gauge_flow *g)
{
    if (!g)
        return;
    sums_free(&g->size);
    momentum_free(g->p);
    momentum_free(g->q);
    momentum_free(g->z);
    gauge_free(g->start);
    gauge_free(g->second);
    monomial_free(g->action);
    memory_free(g);
}

memory_need gauge_flow_bytes(flow_action action, flow_steps steps, const lattice_shape *shape)
{
    gauge_params params = params_of(action, 1);
    size_t momenta = momentum_bytes(shape, PRECISION_DOUBLE);
    size_t adaptive = momenta + 2 * field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS);
    const memory_need flow = { .lasting = momenta + (steps == FLOW_ADAPTIVE ? adaptive : 0)
                                          + (action == FLOW_ZEUTHEN ? momentum_near_bytes(shape, PRECISION_DOUBLE) : 0),
                               .cells = sums_bytes(FORCE_SUMS, FORCE_MAXIMA) };
    return memory_need_add(flow, monomial_need(&gauge_monomial, &params, shape));
}

/* P <- P + weight Z.  False if the force is not finite. */
static bool add_force(gauge_flow *g, gauge *v, double weight, failure *f)
{
    monomial_call call = { .clock = NULL };
    const double first = g->z ? 1 : weight;
    if (g->z)
        momentum_zero(g->z);
    if (!monomial_add_force(g->action, v, g->z ? g->z : g->p, first, g->size.cells, &call))
        return fail(f, "%s", call.failure.why);
    if (!g->z)
        return true;
    lattice *l = v->links.lattice;
    const zeuthen_args args = { lattice_on(l, v->links.where), gauge_view_of(v), momentum_view_of(g->p),
                                momentum_view_of(g->z), weight };
    field_exchange(&g->z->f, GHOSTS_NEAR);
    gauge_exchange(v, GHOSTS_NEAR);
    run_map(&zeuthen_force, v->links.where, v->links.precision, &args, lattice_all(l));
    return true;
}

/* With `q`, it also accumulates the exponent of the second-order links there. */
static bool step(gauge_flow *g, gauge *v, double eps, momentum *q, failure *f)
{
    sums_zero(&g->size);
    momentum_zero(g->p);
    for (int s = 0; s < STAGES; s++) {
        if (!add_force(g, v, stages[s].force, f))
            return false;
        momentum_scale_ends(g->p, OPEN_ENDS);
        if (g->xi != 1)
            momentum_scale_time(g->p, 1 / (g->xi * g->xi));
        gauge_drift(v, stages[s].drift * eps, g->p);
        if (q && stages[s].second != 0)
            momentum_axpy(q, stages[s].second, g->p);
        if (g->xi != 1)
            momentum_scale_time(g->p, g->xi * g->xi);
        momentum_scale_ends(g->p, 1 / OPEN_ENDS);
    }
    return true;
}

bool gauge_flow_step(gauge_flow *g, gauge *v, double eps, failure *f)
{
    return step(g, v, eps, NULL, f);
}

/* A step from g->start into v, and its distance from the second-order links. */
static bool try_step(gauge_flow *g, gauge *v, double eps, double *distance, failure *f)
{
    momentum_zero(g->q);
    gauge_copy(v, g->start);
    if (!step(g, v, eps, g->q, f))
        return false;
    gauge_copy(g->second, g->start);
    gauge_drift(g->second, eps, g->q);
    *distance = gauge_distance(v, g->second);
    return isfinite(*distance) || fail(f, "non-finite links after a step of %g of the flow", eps);
}

/* The cube root of 1/64 <= a <= 64 by Newton's iteration, because library functions differ in their last bits. */
static double cube_root(double a)
{
    enum { ITERATIONS = 24 };
    double x = STRIDE_CHANGE;
    for (int n = 0; n < ITERATIONS; n++)
        x = (2 * x + a / (x * x)) / 3;
    return x;
}

static double next_step(double eps, double tolerance, double distance)
{
    const double most = STRIDE_CHANGE * STRIDE_CHANGE * STRIDE_CHANGE;
    double ratio = distance > tolerance / most ? tolerance / distance : most;
    return eps * STRIDE_CAUTION * cube_root(ratio > 1 / most ? ratio : 1 / most);
}

bool gauge_flow_adapt(gauge_flow *g, gauge *v, double time, flow_stride *stride, failure *f)
{
    double left = time;
    while (left > 0) {
        double parts = ceil(left / stride->eps), eps = left / parts, distance;
        gauge_copy(g->start, v);
        if (!try_step(g, v, eps, &distance, f))
            return false;
        stride->eps = next_step(eps, stride->tolerance, distance);
        if (distance <= stride->tolerance) {
            stride->steps++;
            left = parts > 1 ? left - eps : 0;
            continue;
        }
        stride->refused++;
        gauge_copy(v, g->start);
        if (stride->eps < SHORTEST_STEP)
            return fail(f, "the adaptive flow cannot reach its tolerance %g: even with a step of %g, the third-order "
                           "and the second-order scheme differ by %g", stride->tolerance, eps, distance);
    }
    return true;
}
