/* flow.c - t^2 E and the charge along the gradient flow, and the scales t0 and w0.
 *
 *     t0:  t^2 <E> = 0.3          M. Luescher, arXiv:1006.4518
 *     w0:  t d/dt t^2 <E> = 0.3 at t = w0^2         S. Borsanyi et al., arXiv:1203.4469
 *
 * <E> is the mean over an ensemble.  The record also has the scales of each configuration; these are not averaged. */
#include "src/measure/flow.h"

#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/gauge/gauge_observables.h"
#include "src/measure/flow_reach.h"
#include "src/measure/flow_steps.h"
#include "src/measure/gauge_flow.h"
#include "src/measure/slice_densities.h"
#include "src/measure/slice_plateau.h"

#include <math.h>

#define SCALE_LEVEL 0.3                 /* of both definitions */

typedef struct {
    measurement_params common;
    int action;
    double eps, t_max, tolerance, xi;
    bool xi_given;                          /* anisotropic lattices */
    bool tolerance_given;                   /* steps adapt to it */
    int64_t measure_every;
    slice_plateau plateau;                  /* open boundaries in t */
} flow_params;

static flow_steps steps_kind(const flow_params *p)
{
    return p->tolerance_given ? FLOW_ADAPTIVE : FLOW_FIXED;
}

#define ROUNDED 1e-6               /* integer quotients up to rounding */

static int64_t steps_of(const flow_params *p)
{
    return (int64_t)ceil(p->t_max / p->eps - ROUNDED);
}

/* What a step lacks of eps: the last one ends at t_max, also where eps does not divide it. */
static double lack_of(const flow_params *p, int64_t step)
{
    const double lack = (double)step * p->eps - p->t_max;
    return lack > ROUNDED * p->eps ? lack : 0;
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const flow_params *p = params;
    if (!slice_plateau_check(&p->plateau, shape, p->common.name, "t0", f))
        return false;
    if (p->xi_given && shape->open_in_time)
        return fail(f, "%s: xi: on anisotropic lattices the flow needs periodic boundaries in time, but boundary.time "
                       "is open; remove this measurement", p->common.name);
    if (shape->open_in_time && p->action != FLOW_WILSON)
        return fail(f, "%s: open boundaries in time need action: wilson", p->common.name);
    if (p->xi_given && p->action == FLOW_ZEUTHEN)
        return fail(f, "%s: xi: on anisotropic lattices the flow has action: wilson or symanzik_tree", p->common.name);
    if (p->t_max < p->eps)
        return fail(f, "%s: t_max %g is smaller than a step, eps %g", p->common.name, p->t_max, p->eps);
    if (p->t_max / p->eps > FLOW_ROWS * (double)p->measure_every - 1)
        return fail(f, "%s: %.0f steps of eps up to t_max, measured every %lld: more than %d times", p->common.name,
                    p->t_max / p->eps, (long long)p->measure_every, FLOW_ROWS - 1);
    return true;
}

/* A flow without xi takes the lattice to be isotropic. */
static bool takes_anisotropy(const void *params, failure *f)
{
    const flow_params *p = params;
    return p->xi_given || fail(f, "%s: on an anisotropic lattice the flow needs the key xi, the ratio a_s/a_t, and "
                                  "periodic boundaries in time",
                               p->common.name);
}

static double anisotropy_given(const void *params)
{
    const flow_params *p = params;
    return p->xi_given ? p->xi : 1;
}

static void advise(text *lines, const char *key, const void *params, const lattice_shape *shape)
{
    const flow_params *p = params;
    flow_reach_advise(lines, key, p->t_max, anisotropy_given(p), shape->global);
    if (!p->tolerance_given)
        flow_steps_advise(lines, key, p->eps, (flow_action)p->action, anisotropy_given(p));
    flow_spacing_advise(lines, key, p->eps * (double)p->measure_every, p->t_max);
}

typedef struct {
    measurement base;
    const flow_params *params;
    gauge *v;
    gauge_flow *flow;
    flow_stride stride;
    flow_table table;
    slice_densities *slices;            /* open boundaries in t; else NULL */
} flow;

static measurement *create_measurement(const void *params, const gauge *u)
{
    const flow_params *p = params;
    flow *w = memory_alloc(sizeof *w, "a measurement of the gradient flow");
    w->base = (measurement){ &flow_measurement, w };
    w->params = p;
    w->v = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    w->flow = gauge_flow_create_anisotropic((flow_action)p->action, anisotropy_given(p), steps_kind(p), u);
    w->slices = lattice_is_open(u->links.lattice) ? slice_densities_create(lattice_global(u->links.lattice)[3]) : NULL;
    return &w->base;
}

static void free_flow(measurement *m)
{
    flow *w = m->data;
    slice_densities_free(w->slices);
    gauge_flow_free(w->flow);
    gauge_free(w->v);
    memory_free(w);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const flow_params *p = params;
    memory_need need = gauge_flow_bytes((flow_action)p->action, steps_kind(p), shape);
    need.lasting += field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS);
    if (shape->open_in_time)
        need.shared += slice_densities_bytes(shape);
    return need;
}

/* On an anisotropic lattice: E in units of a_s^4, and its parts. */
static void set_anisotropic(flow_table *table, int n, field_strength_means leaf, plaquette_means p, double xi)
{
    enum { PLANES_TIMES_TRACES = 3 * 3 };
    const double t2 = table->t[n] * table->t[n];
    table->space[n] = t2 * leaf.spatial;
    table->time[n] = t2 * xi * xi * leaf.temporal;
    table->clover[n] = table->space[n] + table->time[n];
    table->plaquette[n] = t2 * 2 * PLANES_TIMES_TRACES * ((1 - p.spatial) + xi * xi * (1 - p.temporal));
}

static bool measure_row(flow *w, double t, failure *f)
{
    flow_table *table = &w->table;
    const int n = table->count++;
    const field_strength_means leaf = gauge_field_strength(w->v);
    const polyakov_mean line = gauge_polyakov(w->v, 3);
    table->t[n] = t;
    if (w->params->xi_given)
        set_anisotropic(table, n, leaf, gauge_plaquette(w->v), w->params->xi);
    else {
        table->plaquette[n] = t * t * gauge_plaquette_energy(w->v);
        table->clover[n] = t * t * leaf.energy;
    }
    table->charge[n] = leaf.charge;
    table->polyakov_re[n] = line.re;
    table->polyakov_im[n] = line.im;
    return isfinite(leaf.energy) || fail(f, "non-finite links at flow time %g", t);
}

/* With open boundaries: means of the energies over the plateau, and the charge in it. */
static bool measure_plateau(flow *w, double t, failure *f)
{
    const flow_params *p = w->params;
    const int first = (int)p->plateau.first, last = (int)p->plateau.last;
    flow_table *table = &w->table;
    const int n = table->count++;
    slice_densities_measure(w->slices, w->v);
    table->t[n] = t;
    table->plaquette[n] = t * t * slice_mean(w->slices->plaquette_energy, first, last);
    table->clover[n] = t * t * slice_mean(w->slices->energy, first, last);
    table->charge[n] = slice_mean(w->slices->charge, first, last) * (last - first + 1);
    return isfinite(table->clover[n]) || fail(f, "non-finite links at flow time %g", t);
}

static bool measure_at(flow *w, double t, failure *f)
{
    return w->slices ? measure_plateau(w, t, f) : measure_row(w, t, f);
}

/* Flow from time `from` eps to `to` eps or t_max, in steps of eps or in adaptive steps. */
static bool go_on(flow *w, int64_t from, int64_t to, failure *f)
{
    const flow_params *p = w->params;
    if (p->tolerance_given)
        return gauge_flow_adapt(w->flow, w->v, (double)(to - from) * p->eps - lack_of(p, to), &w->stride, f);
    while (from < to)
        if (!gauge_flow_step(w->flow, w->v, p->eps - lack_of(p, ++from), f))
            return false;
    return true;
}

/* Follow the flow.  After a failure, the table has the rows before it. */
static bool follow_flow(flow *w, const gauge *u, failure *f)
{
    const flow_params *p = w->params;
    int64_t steps = steps_of(p), row = p->measure_every;
    w->table.count = 0;
    w->stride = (flow_stride){ .tolerance = p->tolerance, .eps = p->eps };
    gauge_copy(w->v, u);
    bool ok = measure_at(w, 0, f);
    for (int64_t from = 0, to; ok && from < steps; from = to) {
        to = from + row < steps ? from + row : steps;
        progress_set_part(from + 1, steps);
        ok = go_on(w, from, to, f) && measure_at(w, (double)to * p->eps - lack_of(p, to), f);
    }
    return ok;
}

/* The scales of both discretizations of the energy: one row per number of a curve, one table per curve. */
static const curve_scale clover_scales[] = { { "t0", CURVE_VALUE, SCALE_LEVEL, 1, "a_s\u00b2" },
                                             { "w0", CURVE_LOG_SLOPE, SCALE_LEVEL, 0.5, "a_s" }, { 0 } };
static const curve_scale plaquette_scales[] = { { "t0_plaquette", CURVE_VALUE, SCALE_LEVEL, 1, "a_s\u00b2" },
                                                { "w0_plaquette", CURVE_LOG_SLOPE, SCALE_LEVEL, 0.5, "a_s" }, { 0 } };

/* Half of E is in space on average, where xi is the anisotropy of the lattice. */
static const curve_scale space_scales[] = { { "w0_space", CURVE_LOG_SLOPE, SCALE_LEVEL / 2, 0.5, "a_s" }, { 0 } };
static const curve_scale time_scales[] = { { "w0_time", CURVE_LOG_SLOPE, SCALE_LEVEL / 2, 0.5, "a_s" }, { 0 } };

/* sqrt(t0)/w0, and the charge at the t0 of the ensemble. */
static const scale_product clover_ratio = { "sqrt_t0_over_w0", { 0.5, -1 } };
static const scale_product plaquette_ratio = { "sqrt_t0_over_w0_plaquette", { 0.5, -1 } };
static const curve_value_at charge_at_t0 = { "charge_t0", "t0" };

/* <Q^2> / V: on an anisotropic lattice of N sites V = N a_s^3 a_t, and <Q^2> xi/N is in units of a_s^-4, as t0. */
static double topological_susceptibility(double slope[2], const double mean[2], const int *extents, double xi)
{
    const double volume = (double)extents[0] * extents[1] * extents[2] * extents[3] / xi;
    slope[0] = 0;
    slope[1] = 1 / volume;
    return mean[1] / volume;
}
static const measured_moments charge_moments = { "susceptibility", "1/a_s\u2074", topological_susceptibility, NULL };
static const measured_moments charge_moments_at_t0 = { "susceptibility_t0", "1/a_s\u2074", topological_susceptibility,
                                                       NULL };

static const measured_curve clover_curve = { "along.t", "t_max", FLOW_LIMIT, flow_limit, clover_scales, &clover_ratio,
                                             NULL };
static const measured_curve plaquette_curve = { "along.t", "t_max", FLOW_LIMIT, flow_limit, plaquette_scales,
                                                &plaquette_ratio, NULL };
static const measured_curve space_curve = { "along.t", "t_max", FLOW_LIMIT, flow_limit, space_scales, NULL, NULL };
static const measured_curve time_curve = { "along.t", "t_max", FLOW_LIMIT, flow_limit, time_scales, NULL, NULL };
static const measured_curve charge_curve = { .x = "along.t", .at = &charge_at_t0 };

static const result_member flow_members[] = {
    MEMBER("t0", "a_s\u00b2", NULL, "flow time at which t^2 E of this configuration is 0.3, `clover` energy; `null` if "
           "its curve does not reach 0.3"),
    MEMBER("w0", "a_s", NULL, "w0 of this configuration: t d/dt (t^2 E) = 0.3 at t = w0^2, `clover` energy"),
    MEMBER("t0_plaquette", "a_s\u00b2", NULL, "as `t0`, with the energy of the plaquettes"),
    MEMBER("w0_plaquette", "a_s", NULL, "as `w0`, with the energy of the plaquettes"),
    MEMBER("xi", NULL, NULL, "with `xi` only: the anisotropy a_s/a_t of the input"),
    MEMBER("w0_space", "a_s", NULL, "with `xi` only: t d/dt (t^2 E_space) = 0.15 at t = w0_space^2"),
    MEMBER("w0_time", "a_s", NULL, "with `xi` only: the same with t^2 E_time; equal to w0_space where `xi` is the "
           "anisotropy of the lattice"),
    MEMBER("along.t", "a_s\u00b2", "[t]", "flow times"),
    MEMBER("along.t2E_clover", NULL, "[t]", "t^2 E, E from the clover field strength", .curve = &clover_curve),
    MEMBER("along.t2E_plaquette", NULL, "[t]", "t^2 E, E from the plaquettes", .curve = &plaquette_curve),
    MEMBER("along.t2E_space", NULL, "[t]", "with `xi` only: the part of t2E_clover from planes in space",
           .curve = &space_curve),
    MEMBER("along.t2E_time", NULL, "[t]", "with `xi` only: the part of t2E_clover from planes with t, xi^2 times that "
           "in lattice units", .curve = &time_curve),
    MEMBER("along.charge", NULL, "[t]", "Q = -(1/4 pi^2) sum_x Tr (F_01 F_23 - F_02 F_13 + F_03 F_12)", .curve =
           &charge_curve, .moments = &charge_moments_at_t0),
    MEMBER("along.charge_plateau", NULL, "[t]", "open boundaries in time: Q in the slices `plateau_first` to "
           "`plateau_last`, in place of `along.charge`; there is no Polyakov loop. E in the other lists is the mean "
           "over these slices"),
    MEMBER("along.polyakov_re", NULL, "[t]", "real part of the Polyakov loop of the flowed links"),
    MEMBER("along.polyakov_im", NULL, "[t]", "its imaginary part"),
    MEMBER("charge", NULL, NULL, "Q at `t_max`", .headline = true, .at_end = true, .moments = &charge_moments),
    MEMBER("charge_inside", NULL, NULL, "open boundaries in time, instead of `charge`: Q at `t_max` without the first "
           "and the last slice", .headline = true),
    MEMBER("slices.t2E_clover", NULL, "[slice]", "open boundaries in time: t^2 E at `t_max` of each time slice, "
           "`clover` energy; 0 in the first and the last"),
    MEMBER("slices.charge", NULL, "[slice]", "open boundaries in time: Q at `t_max` of each time slice; 0 in the first "
           "and the last"),
    MEMBER("steps", NULL, NULL, "adaptive steps only: number of accepted steps"),
    MEMBER("steps_refused", NULL, NULL, "adaptive steps only: number of refused steps"),
    { 0 }
};
static const result_group flow_results[] = { { "Gradient flow", NULL, NULL, flow_members }, { 0 } };

/* The scales of this configuration alone; null if its curve does not reach the level. */
static void scales(json *j, const curve_scale *scale, const flow_table *t, const double *y)
{
    for (; scale->key; scale++)
        json_real(j, scale->key, curve_find_crossing(scale, (curve_points){ t->count, t->t, y }).value);
}

/* Open boundaries: time slices at the last flow time `t`. */
static void slices_to_json(json *j, const slice_densities *s, double t)
{
    double *scaled = memory_alloc((size_t)s->times * sizeof *scaled, "sums over time slices");
    for (int n = 0; n < s->times; n++)
        scaled[n] = t * t * s->energy[n];
    json_real(j, "charge_inside", slice_mean(s->charge, 1, s->times - 2) * (s->times - 2));
    json_open(j, "slices", '{');
    json_reals(j, "t2E_clover", scaled, s->times);
    json_reals(j, "charge", s->charge, s->times);
    json_close(j);
    memory_free(scaled);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    flow *w = m->data;
    const flow_table *t = &w->table;
    (void)key;
    (void)clock;
    bool ok = follow_flow(w, u, f);
    if (ok) {
        scales(j, clover_scales, t, t->clover);
        scales(j, plaquette_scales, t, t->plaquette);
    }
    if (ok && w->params->xi_given) {
        json_real(j, "xi", w->params->xi);
        scales(j, space_scales, t, t->space);
        scales(j, time_scales, t, t->time);
    }
    if (ok && w->slices)
        slices_to_json(j, w->slices, t->t[t->count - 1]);
    else if (ok)
        json_real(j, "charge", t->charge[t->count - 1]);
    if (w->params->tolerance_given) {
        json_int(j, "steps", w->stride.steps);
        json_int(j, "steps_refused", w->stride.refused);
    }
    json_open(j, "along", '{');
    json_reals(j, "t", t->t, t->count);
    json_reals(j, "t2E_plaquette", t->plaquette, t->count);
    json_reals(j, "t2E_clover", t->clover, t->count);
    if (w->params->xi_given) {
        json_reals(j, "t2E_space", t->space, t->count);
        json_reals(j, "t2E_time", t->time, t->count);
    }
    json_reals(j, w->slices ? "charge_plateau" : "charge", t->charge, t->count);
    if (!w->slices) {
        json_reals(j, "polyakov_re", t->polyakov_re, t->count);
        json_reals(j, "polyakov_im", t->polyakov_im, t->count);
    }
    json_close(j);
    return ok;
}

#define PLATEAU_AT(member) offsetof(flow_params, plateau.member)
static const param_spec flow_specs[] = {
    MEASUREMENT_SPECS("flow"),
    { .key = "action", .type = PARAM_CHOICE, .offset = offsetof(flow_params, action), .fallback = "wilson",
      .choices = flow_action_names,
      .doc = "gauge action whose gradient drives the flow; zeuthen: that of symanzik_tree with the O(a^2) term of the "
             "Zeuthen flow" },
    { .key = "eps", .type = PARAM_REAL, .offset = offsetof(flow_params, eps), .fallback = "0.01", .min = 0, .max = 1,
      .flags = PARAM_ABOVE_MIN, .doc = "step in flow time t/a^2 of the third-order integrator" },
    { .key = "tolerance", .type = PARAM_REAL, .offset = offsetof(flow_params, tolerance),
      .given = offsetof(flow_params, tolerance_given), .formerly = "0", .min = 0, .max = 1,
      .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,
      .doc = "bound on the error of an adaptive step: each link of the third-order scheme may differ from the same "
             "link of an embedded second-order scheme by at most this, in the Frobenius norm; the first step is eps; "
             "without it all steps are eps" },
    { .key = "t_max", .type = PARAM_REAL, .offset = offsetof(flow_params, t_max), .min = 0, .max = 10000,
      .flags = PARAM_ABOVE_MIN, .doc = "flow time t/a^2 at which the flow ends" },
    { .key = "xi", .type = PARAM_REAL, .offset = offsetof(flow_params, xi), .given = offsetof(flow_params, xi_given),
      .min = 0, .max = 100, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,
      .doc = "anisotropic lattices, required there: the anisotropy a_s/a_t that the flow takes the lattice to have; "
             "flow times and energies are then in units of a_s; without it the flow is isotropic" },
    { .key = "measure_every", .type = PARAM_INT, .offset = offsetof(flow_params, measure_every), .fallback = "10",
      .min = 1, .max = 1000000,
      .doc = "flow time between two measurements of energy, charge and Polyakov loop, in units of eps (also with "
             "adaptive steps); the last measurement is at t_max" },
    SLICE_PLATEAU_SPECS(PLATEAU_AT, "E and Q are taken"),
    { 0 }
};

const measurement_kind flow_measurement = {
    .input = { .name = "flow",
               .doc = "gradient flow: t^2 E, the topological charge, the scales t0 and w0",
               .params = flow_specs,
               .example = "name: flow\nevery: 5\nt_max: 3\ntolerance: 1e-3",
               .see = "observables.md#gradient-flow",
               .size = sizeof(flow_params) },
    .deterministic = true,
    .open_in_time = true,
    .takes_anisotropy = takes_anisotropy,
    .lattice_anisotropy = anisotropy_given,
    .results = flow_results,
    .check = check_params,
    .advise = advise,
    .create = create_measurement,
    .free = free_flow,
    .run = run_measurement,
    .bytes = count_bytes,
};
