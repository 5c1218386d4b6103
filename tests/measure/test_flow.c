/* test_flow.c - field strength and gradient flow: known fields, golden numbers, order, invariance. */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/io/configuration.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "src/measure/gauge_flow.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/measure/abelian_field.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int extents[4] = { 4, 4, 6, 8 };

/* The analytic field along the Wilson flow, eps 0.02: an independent implementation in NumPy. */
static const struct {
    double width;
    struct { double t, plaquette, plaquette_energy, energy, spatial, temporal, charge; } at[3];
} golden[] = {
    { 1.2, { { 0.0, 0.24843308793006535, 27.056408834517647, 2.0641869704627425, 1.0337941962925727,
               1.0303927741701697, -0.08116187880756288 },
             { 0.1, 0.590323872618586, 14.748340585730904, 1.9322748803743608, 0.9613433977450393, 0.9709314826293216,
               -0.0342246692786629 },
             { 0.2, 0.8232457635153339, 6.363152513447981, 1.272799835148017, 0.6271591275741758, 0.6456407075738412,
               0.03855024245988606 } } },
    { 0.4, { { 0.0, 0.8661312100035964, 4.81927643987053, 0.5604863494378981, 0.2807264811899588,
               0.27975986824793925, -0.010175092053523712 },
             { 0.1, 0.9710816317144216, 1.0410612582808212, 0.18483180047479195, 0.09177384805902968,
               0.09305795241576226, -9.489694312606998e-05 },
             { 0.2, 0.9926116547507922, 0.2659804289714822, 0.06473243237200678, 0.03174522842439586,
               0.03298720394761091, 0.000250409848315026 } } },
};

static gauge *analytic_gauge(lattice *l, place where, precision p, double width)
{
    double *links = analytic_links(lattice_global(l), width);
    gauge *u = gauge_create(l, where, p);
    gauge_import(u, links);
    memory_free(links);
    return u;
}

static void follow(gauge *u, flow_action action, double eps, int steps)
{
    failure f;
    gauge_flow *g = gauge_flow_create(action, FLOW_FIXED, u);
    for (int i = 0; i < steps; i++)
        require(gauge_flow_step(g, u, eps, &f), "%s", f.why);
    gauge_flow_free(g);
}

static void golden_numbers(lattice *l, place where, precision p)
{
    double tolerance = p == PRECISION_DOUBLE ? 2e-14 : 2e-6;
    const char *name = p == PRECISION_DOUBLE ? "double" : "single";
    for (int n = 0; n < 2; n++) {
        gauge *u = analytic_gauge(l, where, p, golden[n].width);
        for (int i = 0; i < 3; i++) {
            field_strength_means leaf = gauge_field_strength(u);
            fact_close(gauge_plaquette(u).average, golden[n].at[i].plaquette, tolerance,
                       "%s, %s, width %g, flow time %g: plaquette", place_name(where), name, golden[n].width,
                       golden[n].at[i].t);
            fact_close(gauge_plaquette_energy(u), golden[n].at[i].plaquette_energy, 36 * tolerance, "its energy");
            fact_close(leaf.energy, golden[n].at[i].energy, 4 * tolerance, "energy of the clover leaf");
            fact_close(leaf.spatial, golden[n].at[i].spatial, 4 * tolerance, "in space");
            fact_close(leaf.temporal, golden[n].at[i].temporal, 4 * tolerance, "with time");
            fact_close(leaf.charge, golden[n].at[i].charge, 10 * tolerance, "charge");
            follow(u, FLOW_WILSON, 0.02, 5);
        }
        gauge_free(u);
    }
}

/* Fluxes B_xy = 2 pi / (Nx Ny) and B_zt = sign 2 pi / (Nz Nt), constant: one quantum through each torus. */
static double two_fluxes(const int x[4], int mu, double sign)
{
    double xy = 2 * M_PI / (extents[0] * extents[1]), zt = sign * 2 * M_PI / (extents[2] * extents[3]);
    switch (mu) {
    case 0:  return x[0] == extents[0] - 1 ? -xy * extents[0] * x[1] : 0;
    case 1:  return xy * x[0];
    case 2:  return x[2] == extents[2] - 1 ? -zt * extents[2] * x[3] : 0;
    default: return zt * x[2];
    }
}

static void constant_fields(lattice *l)
{
    double xy = 2 * M_PI / (extents[0] * extents[1]), zt = 2 * M_PI / (extents[2] * extents[3]);
    for (int sign = -1; sign <= 1; sign += 2) {
        gauge *u = abelian_gauge(l, PLACE_CPU, two_fluxes, sign);
        field_strength_means leaf = gauge_field_strength(u);
        double charge = sign * 2 * sin(xy) * sin(zt) / (xy * zt);
        fact_close(leaf.spatial, 2 * sin(xy) * sin(xy), 1e-14, "constant field: energy 2 sin^2 B in space");
        fact_close(leaf.temporal, 2 * sin(zt) * sin(zt), 1e-14, "and with time");
        fact_close(gauge_plaquette_energy(u), 4 * (2 - cos(xy) - cos(zt)), 1e-13, "from plaquettes 4 (1 - cos B)");
        fact_close(leaf.charge, charge, 1e-13, "two fluxes, parallel or not: charge +-2 but for sin B / B");
        follow(u, FLOW_WILSON, 0.05, 20);
        fact_close(gauge_field_strength(u).charge, charge, 1e-12, "the flow leaves a constant field as it is");
        gauge_free(u);
    }
}

static double wave(const int x[4], int mu, double amplitude)
{
    return mu == 1 ? amplitude * cos(2 * M_PI * x[3] / extents[3]) : 0;
}

/* A weak transverse wave of momentum k decays like exp(-t w), w = khat^2 for Wilson's action, khat^2 + khat^4/12 for
 * the tree-level Symanzik action; the energy like its square. */
static void plane_waves(lattice *l)
{
    double khat2 = 4 * pow(sin(M_PI / extents[3]), 2), time = 0.5;
    for (int action = FLOW_WILSON; action <= FLOW_SYMANZIK; action++) {
        double rate = action == FLOW_WILSON ? khat2 : khat2 + khat2 * khat2 / 12;
        gauge *u = abelian_gauge(l, PLACE_CPU, wave, 1e-3);
        double before = gauge_plaquette_energy(u);
        follow(u, (flow_action)action, 0.01, 50);
        fact_close(gauge_plaquette_energy(u) / before, exp(-2 * time * rate), 2e-6,
                   "%s: a weak wave decays as the propagator says", flow_action_names[action]);
        gauge_free(u);
    }
}

static double action_of(const gauge_params *params, const gauge *u)
{
    monomial *m = monomial_create(&gauge_monomial, params, u);
    monomial_call call = { .clock = NULL };
    double action;
    require(monomial_action(&action, m, u, &call), "%s", call.failure.why);
    monomial_free(m);
    return action;
}

static double force_norm2(const gauge_params *params, const gauge *u)
{
    monomial *m = monomial_create(&gauge_monomial, params, u);
    momentum *force = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    sum_array size = monomial_size_create(u);
    monomial_call call = { .clock = NULL };
    require(monomial_add_force(m, u, force, 1, size.cells, &call), "%s", call.failure.why);
    double norm2 = momentum_measure(force).sum_norm2;
    sums_free(&size);
    momentum_free(force);
    monomial_free(m);
    return norm2;
}

static void descent(lattice *l)
{
    const double h = 1e-4;
    for (int action = FLOW_WILSON; action <= FLOW_SYMANZIK; action++) {
        gauge_params params = { .action = gauge_action_find(flow_action_names[action]), .beta = FLOW_BETA };
        gauge *u = analytic_gauge(l, PLACE_CPU, PRECISION_DOUBLE, 1.2);
        double before = action_of(&params, u), last = before;
        follow(u, (flow_action)action, h, 1);
        double slope = -force_norm2(&params, u);
        follow(u, (flow_action)action, h, 1);
        fact_close((action_of(&params, u) - before) / (2 * h) / slope, 1, 1e-6,
                   "%s: the action falls at the rate sum Tr Z^+Z", flow_action_names[action]);
        bool falls = true;
        for (int i = 0; i < 20; i++) {
            follow(u, (flow_action)action, 0.02, 1);
            double now = action_of(&params, u);
            falls = falls && now < last;
            last = now;
        }
        fact(falls, "%s: step after step", flow_action_names[action]);
        gauge_free(u);
    }
}

/* The largest difference of a real of two gauge fields. */
static double distance(const gauge *u, const gauge *v)
{
    size_t n = (size_t)lattice_volume(u->links.lattice) * GAUGE_REALS;
    double *a = memory_alloc(n * sizeof *a, "links"), *b = memory_alloc(n * sizeof *b, "links"), worst = 0;
    gauge_export(a, u);
    gauge_export(b, v);
    for (size_t i = 0; i < n; i++)
        worst = worse(worst, fabs(a[i] - b[i]));
    memory_free(a);
    memory_free(b);
    return worst;
}

static void order(lattice *l, flow_action action)
{
    gauge *u[3];
    for (int i = 0; i < 3; i++) {
        u[i] = analytic_gauge(l, PLACE_CPU, PRECISION_DOUBLE, 0.8);
        follow(u[i], action, 0.02 / (1 << i), 10 << i);
    }
    double coarse = distance(u[0], u[1]), fine = distance(u[1], u[2]), power = log2(coarse / fine);
    note("differences %.3g, %.3g of steps 0.02, 0.01, 0.005: order %.3f", coarse, fine, power);
    fact(power > 2.8 && power < 3.2, "%s: the error of the links falls as the third power of the step",
         flow_action_names[action]);
    for (int i = 0; i < 3; i++)
        gauge_free(u[i]);
}

/* Steps that meet a tolerance, to flow time `time`. */
static flow_stride adapt(gauge *u, flow_action action, double tolerance, double time)
{
    failure f;
    gauge_flow *g = gauge_flow_create(action, FLOW_ADAPTIVE, u);
    flow_stride s = { .tolerance = tolerance, .eps = 0.01 };
    require(gauge_flow_adapt(g, u, time, &s, &f), "%s", f.why);
    gauge_flow_free(g);
    return s;
}

static void adaptive(lattice *l, place where)
{
    enum { TOLERANCES = 3 };
    const double time = 0.6;
    double off[TOLERANCES], early = 0, late = 0;
    gauge *exact = analytic_gauge(l, where, PRECISION_DOUBLE, 1.2);
    follow(exact, FLOW_WILSON, 0.0025, 240);
    for (int i = 0; i < TOLERANCES; i++) {
        gauge *u = analytic_gauge(l, where, PRECISION_DOUBLE, 1.2);
        flow_stride first = adapt(u, FLOW_WILSON, 1e-3 * pow(0.1, i), time / 4), s = first;
        if (i == 0)
            early = first.eps;
        failure f;
        gauge_flow *g = gauge_flow_create(FLOW_WILSON, FLOW_ADAPTIVE, u);
        require(gauge_flow_adapt(g, u, time - time / 4, &s, &f), "%s", f.why);
        gauge_flow_free(g);
        if (i == 0)
            late = s.eps;
        off[i] = distance(u, exact);
        note("%s, tolerance %g: %d steps, %d refused, the last %.4f, off by %.2g", place_name(where), s.tolerance,
             (int)s.steps, (int)s.refused, s.eps, off[i]);
        fact(off[i] < s.tolerance, "%s: the flow with tolerance %g is within it of one of small steps",
             place_name(where), s.tolerance);
        gauge_free(u);
    }
    fact(off[1] < 0.3 * off[0] && off[2] < 0.3 * off[1], "a smaller tolerance: nearer");
    fact(late > 1.5 * early, "steps grow as the links become smooth");
    gauge_free(exact);

    /* One step of one length, in two tolerances: what it allows next goes with their third root. */
    gauge *u = analytic_gauge(l, where, PRECISION_DOUBLE, 0.4), *v = analytic_gauge(l, where, PRECISION_DOUBLE, 0.4);
    double wide = adapt(u, FLOW_WILSON, 8e-6, 0.01).eps, narrow = adapt(v, FLOW_WILSON, 1e-6, 0.01).eps;
    fact_close(wide / narrow, 2, 0.1, "the length of a step goes with the third root of the tolerance");
    failure f;
    gauge_flow *g = gauge_flow_create(FLOW_WILSON, FLOW_ADAPTIVE, u);
    flow_stride s = { .tolerance = 1e-19, .eps = 0.01 };
    fact(!gauge_flow_adapt(g, u, 0.1, &s, &f) && strstr(f.why, "cannot reach its tolerance"),
         "a tolerance below rounding is told, not tried for ever");
    gauge_flow_free(g);
    gauge_free(u);
    gauge_free(v);
}

/* An interval is divided into equal steps, as few as there can be of the allowed length. */
static void equal_steps(lattice *l, place where)
{
    static const struct { double steps; int parts; } of[] = { { 0.5, 1 }, { 1, 1 }, { 1.5, 2 }, { 1.02, 2 } };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        gauge *u = analytic_gauge(l, where, PRECISION_DOUBLE, 0.8), *v = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_copy(v, u);
        const double time = of[i].steps * 0.01;
        const flow_stride s = adapt(u, FLOW_WILSON, 1, time);
        follow(v, FLOW_WILSON, time / of[i].parts, of[i].parts);
        fact(s.steps == of[i].parts && s.refused == 0 && distance(u, v) < 1e-15,
             "%s: %g steps are made as %d of one length (off by %g)", place_name(where), of[i].steps, of[i].parts,
             distance(u, v));
        gauge_free(u);
        gauge_free(v);
    }
}

/* MILC's sample configuration along the flow, eps 0.02: the implementation in NumPy again. */
static void sample(place where)
{
    static const double clover[] = { 1.862879292233738, 1.2260734148082704, 0.6614955661292299 };
    static const double plaquette[] = { 14.58539427790256, 6.02965340318826, 2.392222656955372 };
    static const double charge[] = { -0.03073690862997759, -0.023063521991020512, -0.014046117918841493 };
    char path[1024];
    failure f;
    if (!reference_folder()) {
        skip("the flow of a sample configuration", "there is no folder of reference data");
        return;
    }
    snprintf(path, sizeof path, "%s/conf/l4444.ildg", reference_folder());
    configuration_facts facts;
    gauge *u = configuration_open(where, &facts, path, &f);
    require(u != NULL, "%s", f.why);
    for (int i = 0; i < 3; i++) {
        field_strength_means leaf = gauge_field_strength(u);
        fact_close(leaf.energy, clover[i], 1e-12, "%s, the sample at flow time %.1f: energy of the clover leaf",
                   place_name(where), 0.1 * i);
        fact_close(gauge_plaquette_energy(u), plaquette[i], 1e-12, "energy from plaquettes");
        fact_close(leaf.charge, charge[i], 1e-12, "charge");
        follow(u, FLOW_WILSON, 0.02, 5);
    }
    configuration_close(u);
}

static void invariance(lattice *l, place where)
{
    gauge *u = analytic_gauge(l, where, PRECISION_DOUBLE, 1.2), *v = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(5, 0, 0, RNG_GAUGE_ROTATION));
    gauge_copy(v, u);
    gauge_rotate(v, g);
    fact_close(gauge_field_strength(v).energy, gauge_field_strength(u).energy, 1e-13,
               "%s: the energy does not depend on the gauge", place_name(where));
    fact_close(gauge_field_strength(v).charge, gauge_field_strength(u).charge, 1e-13, "nor does the charge");
    gauge_rotation_free(g);
    for (int action = FLOW_SYMANZIK; action <= FLOW_ZEUTHEN; action++) {
        g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(6, 0, 0, RNG_GAUGE_ROTATION));
        gauge_copy(v, u);
        gauge_rotate(v, g);
        follow(u, (flow_action)action, 0.02, 5);
        follow(v, (flow_action)action, 0.02, 5);
        gauge_rotate(u, g);
        fact_close(distance(u, v), 0, 1e-13, "%s: a change of gauge and the flow %s commute", place_name(where),
                   flow_action_names[action]);
        gauge_rotation_free(g);
    }
    gauge_free(u);
    gauge_free(v);
}

static void same_bits(lattice *l, place where)
{
    gauge *u = analytic_gauge(l, PLACE_CPU, PRECISION_DOUBLE, 1.2);
    gauge *v = analytic_gauge(l, where, PRECISION_DOUBLE, 1.2);
    for (int action = FLOW_WILSON; action <= FLOW_ZEUTHEN; action++) {
        follow(u, (flow_action)action, 0.02, 3);
        follow(v, (flow_action)action, 0.02, 3);
        field_strength_means a = gauge_field_strength(u), b = gauge_field_strength(v);
        fact(memcmp(&a, &b, sizeof a) == 0, "%s: %s flow, energy and charge have the bits of the CPU",
             place_name(where), flow_action_names[action]);
        double on_cpu = adapt(u, (flow_action)action, 1e-5, 0.1).eps;
        double there = adapt(v, (flow_action)action, 1e-5, 0.1).eps;
        a = gauge_field_strength(u);
        b = gauge_field_strength(v);
        fact(memcmp(&a, &b, sizeof a) == 0 && on_cpu == there, "and with adaptive steps, which are the same");
    }
    gauge_free(u);
    gauge_free(v);
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where) {
        golden_numbers(l, where, PRECISION_SINGLE);
        golden_numbers(l, where, PRECISION_DOUBLE);
        invariance(l, where);
        same_bits(l, where);
        adaptive(l, where);
        equal_steps(l, where);
        sample(where);
    }
    constant_fields(l);
    plane_waves(l);
    descent(l);
    order(l, FLOW_WILSON);
    order(l, FLOW_ZEUTHEN);
    lattice_free(l);
    return facts_end();
}
