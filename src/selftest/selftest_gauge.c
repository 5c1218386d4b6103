/* selftest_gauge.c - gauge invariance, and forces against finite differences of their actions. */
#include "src/selftest/selftest.h"

#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"

#include <math.h>

static const int extents[4] = { 4, 4, 6, 4 };

/* Gauge-invariant quantities. */
enum { INVARIANTS = 6 };
static const char *const invariant_names[INVARIANTS] = { "plaquette", "rectangle", "parallelogram", "Re Polyakov loop",
                                                         "Im Polyakov loop", "action" };

static double action_of(const gauge_params *params, const gauge *u)
{
    monomial *m = monomial_create(&gauge_monomial, params, u);
    monomial_call call = { .clock = NULL };
    double action;
    require(monomial_action(&action, m, u, &call), "%s", call.failure.why);
    monomial_free(m);
    return action;
}

static void measure_invariants(double *value, const gauge_params *action, const gauge *u)
{
    polyakov_mean polyakov = gauge_polyakov(u, 3);
    value[0] = gauge_plaquette(u).average;
    value[1] = gauge_rectangle(u);
    value[2] = gauge_parallelogram(u);
    value[3] = polyakov.re;
    value[4] = polyakov.im;
    value[5] = action_of(action, u) / (double)lattice_volume(u->links.lattice);
}

/* The largest element-wise size of a - b, relative to b. */
static double relative_difference(momentum *a, const momentum *b)
{
    momentum_axpy(a, -1, b);
    return sqrt(momentum_measure(a).max_norm2 / momentum_measure(b).max_norm2);
}

void selftest_gauge(selftest *t)
{
    gauge_params action = selftest_action(gauge_action_find("symanzik_1loop"), 6);
    double before[INVARIANTS], after[INVARIANTS];
    selftest_fields f = selftest_fields_create(t->where, extents);
    rng_key key = rng_key_for(3, 0, 0, RNG_GAUGE_ROTATION);
    gauge_rotation *g = gauge_rotation_create(f.l, t->where, PRECISION_DOUBLE, key);
    measure_invariants(before, &action, f.u);
    momentum *force = selftest_force_of(&action, f.u);
    momentum_rotate(force, g);
    gauge_rotate(f.u, g);
    measure_invariants(after, &action, f.u);
    momentum *force_after = selftest_force_of(&action, f.u);
    for (int i = 0; i < INVARIANTS; i++)
        selftest_close(t, after[i], before[i], 1e-13 * fmax(1, fabs(before[i])), "gauge invariance: %s",
                       invariant_names[i]);
    selftest_close(t, relative_difference(force_after, force), 0, 1e-13,
                   "gauge covariance: the force of rotated links is the rotated force, relative");
    gauge_rotation_free(g);
    momentum_free(force);
    momentum_free(force_after);
    selftest_fields_free(&f);
}

/* (S(exp(h P) U) - S(exp(-h P) U)) / 2h */
static double difference_quotient(const gauge_params *action, const gauge *u, const momentum *p, double h)
{
    double s[2];
    gauge *moved = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    for (int side = 0; side < 2; side++) {
        gauge_copy(moved, u);
        gauge_drift(moved, side == 0 ? h : -h, p);
        s[side] = action_of(action, moved);
    }
    gauge_free(moved);
    return (s[0] - s[1]) / (2 * h);
}

/* (T(P + F) - T(P - F)) / 2, with T(P) = (1/2) sum Tr P^+P */
double selftest_inner_product(momentum *p, const momentum *f)
{
    momentum_axpy(p, 1, f);
    double plus = momentum_kinetic(p);
    momentum_axpy(p, -2, f);
    double minus = momentum_kinetic(p);
    momentum_axpy(p, 1, f);
    return (plus - minus) / 2;
}

void selftest_force(selftest *t)
{
    const double h = 0.005;
    for (int a = 0; gauge_action_names[a]; a++) {
        gauge_params action = selftest_action(a, 6);
        selftest_fields f = selftest_fields_create(t->where, extents);
        momentum *force = selftest_force_of(&action, f.u);
        double slope = -selftest_inner_product(f.p, force);
        double coarse = difference_quotient(&action, f.u, f.p, h), fine = difference_quotient(&action, f.u, f.p, h / 2);
        selftest_close(t, log2(fabs((coarse - slope) / (fine - slope))), 2, 0.05,
                       "force of %s: order of the error of finite differences in the step",
                       gauge_action_names[a]);
        selftest_close(t, (4 * fine - coarse) / 3 / slope, 1, 1e-7,
                       "force of %s is minus the derivative of the action, relative", gauge_action_names[a]);
        momentum_free(force);
        selftest_fields_free(&f);
    }
}
