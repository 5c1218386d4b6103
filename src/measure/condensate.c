/* condensate.c - the chiral condensate, from Gaussian sources on all sites.
 *
 *     pbp = (1/V) Tr (2m + D)^-1,   trace over color and sites: MILC's number, the mean of its even and odd parts
 *     condensate = pbp / 2 = (1/4V) Tr (m + D/2)^-1: one taste, of the usual normalization
 *
 * From the same solves: susceptibilities and the quark number density (condensate_results.h, quark_trace.h).
 * Errors belong to the mean over sources on one configuration, not to the ensemble. */
#include "src/measure/condensate.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/measure/condensate_params.h"
#include "src/measure/condensate_results.h"
#include "src/operators/quark_current.h"
#include "src/measure/quark_members.h"

typedef struct {
    measurement base;
    const condensate_params *params;
    const gauge *u;                         /* the links of the measurement that runs */
    staggered_measured quarks;
    quark_current *current;                 /* of each set in turn; NULL if not requested */
    quark_tracer *tracer;
    low_modes *modes;                       /* of each set in turn; NULL if not requested */
    vec *eta[2];
    condensate_results *results;
} condensate;

enum { EVEN, ODD };

static measurement *create_measurement(const void *params, const gauge *u)
{
    condensate *c = memory_alloc(sizeof *c, "a measurement of the condensate");
    const condensate_params *p = c->params = params;
    const field *l = &u->links;
    c->base = (measurement){ &condensate_measurement, c };
    c->quarks = staggered_measured_create(&p->quarks, u);
    c->current = p->number_density ? quark_current_create(c->quarks.op.links.kind, u) : NULL;
    c->tracer = quark_tracer_create(l->lattice, l->where, l->precision, staggered_masses_at_once(&p->quarks));
    c->modes = low_modes_create(&p->modes, l->lattice, l->where, condensate_modes_on);
    if (low_modes_deflation(c->modes))
        quark_tracer_reserve_deflation(c->tracer);
    c->eta[EVEN] = vec_create(l->lattice, ON_EVEN, l->where, l->precision);
    c->eta[ODD] = vec_create(l->lattice, ON_ODD, l->where, l->precision);
    c->results = condensate_results_create(p);
    return &c->base;
}

static void free_condensate(measurement *m)
{
    condensate *c = m->data;
    condensate_results_free(c->results);
    vec_free(c->eta[EVEN]);
    vec_free(c->eta[ODD]);
    low_modes_free(c->modes);
    quark_tracer_free(c->tracer);
    quark_current_free(c->current);
    staggered_measured_free(&c->quarks);
    memory_free(c);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const condensate_params *p = params;
    memory_need sources = { .lasting = vec_bytes(shape, PRECISION_DOUBLE, ON_ALL) };
    if (p->modes.count > 0 && p->modes.deflate)
        sources.lasting += TRACE_DEFLATION_VECTORS * vec_bytes(shape, PRECISION_DOUBLE, ON_EVEN);
    sources = memory_need_add(sources, low_modes_bytes(&p->modes, shape, condensate_modes_on));
    if (p->number_density)
        sources = memory_need_add(sources, quark_current_bytes((staggered_kind)p->quarks.of.action, shape,
                                                               PRECISION_DOUBLE));
    const memory_need tracer = quark_tracer_bytes(shape, PRECISION_DOUBLE, staggered_masses_at_once(&p->quarks));
    return memory_need_add(staggered_measured_bytes(&p->quarks, shape), memory_need_add(tracer, sources));
}

/* Solve for one source and all masses with the same set of links; current NULL: not requested. */
static bool trace_set(condensate *c, int set, const staggered_terms *current, int source, int64_t *iterations,
                      failure *f)
{
    const condensate_params *p = c->params;
    double mass[TRACE_MASSES];
    int number[TRACE_MASSES], count = 0;
    quark_trace traces[TRACE_MASSES];
    stop_rule stop = { p->residual, (int)p->max_iterations };
    for (int m = 0; m < p->quarks.masses.count; m++)
        if (c->quarks.set[m] == set) {
            number[count] = m;
            mass[count++] = staggered_mass_at(&p->quarks, m);
        }
    const quark_trace_task task = { .links = staggered_measured_terms(&c->quarks, set), .current = current,
                                    .eta = c->eta, .mass = mass, .count = count, .stop = stop,
                                    .modes = low_modes_deflation(c->modes) };
    if (!quark_tracer_run(traces, c->tracer, &task, iterations, f))
        return false;
    for (int k = 0; k < count; k++)
        condensate_results_set(c->results, number[k], source, &traces[k]);
    return true;
}

static bool trace_sources(condensate *c, int set, rng_key key, int64_t *iterations, failure *f)
{
    staggered_terms current = { 0 };
    if (c->current)
        current = quark_current_update(c->current, staggered_measured_terms(&c->quarks, set));
    for (int n = 0; n < (int)c->params->sources; n++) {
        progress_set_part(n + 1, c->params->sources);
        for (int parity = 0; parity < 2; parity++)
            vec_set_gaussian(c->eta[parity], key, (uint32_t)(n * VECTOR_DRAWS));
        if (!trace_set(c, set, c->current ? &current : NULL, n, iterations, f))
            return false;
    }
    return true;
}

/* The low modes of a set of links, as an item of a list; start vectors are drawn after the sources. */
static bool measure_modes(json *j, condensate *c, int set, rng_key key, clock_tree *clock, failure *f)
{
    const staggered_normal_op k = quark_tracer_operator(c->tracer, staggered_measured_terms(&c->quarks, set));
    const low_modes_task task = { .a = &k.base, .u = c->u, .key = key, .name = c->params->common.name, .number = set,
                                  .first_draw = (uint32_t)c->params->sources * VECTOR_DRAWS };
    if (!low_modes_compute(c->modes, &task, clock, f))
        return false;
    json_open(j, NULL, '{');
    json_real(j, "naik_epsilon", c->quarks.op.links.epsilon[set]);
    low_modes_to_json(j, c->modes);
    json_close(j);
    return true;
}

/* All sets of links in turn. */
static bool measure_sets(json *j, condensate *c, rng_key key, clock_tree *clock, int64_t *iterations, failure *f)
{
    bool ok = true;
    condensate_results_begin(c->results);
    if (c->modes)
        json_open(j, "links", '[');
    for (int set = 0; ok && set < c->quarks.op.links.epsilons; set++) {
        ok = !c->modes || measure_modes(j, c, set, key, clock, f);
        clock_begin(clock, "solves");
        ok = ok && trace_sources(c, set, key, iterations, f);
        clock_end(clock);
    }
    if (c->modes)
        json_close(j);
    return ok;
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    condensate *c = m->data;
    int64_t iterations = 0;
    c->u = u;
    clock_begin(clock, "links");
    staggered_measured_update(&c->quarks, u);
    device_wait();
    clock_end(clock);
    const bool ok = measure_sets(j, c, key, clock, &iterations, f);
    json_int(j, "iterations", iterations);
    if (!ok || c->params->sources == 0)
        return ok;
    condensate_results_to_json(j, c->results, c->quarks.op.links.epsilon, c->quarks.set);
    return true;
}

/* V (<c^2> - <c>^2) of one flavor (condensate_results.h) */
static double disconnected(double slope[2], const double mean[2], const int *extents, double xi)
{
    (void)xi;
    const double volume = (double)extents[0] * extents[1] * extents[2] * extents[3];
    slope[0] = -2 * volume * mean[0];
    slope[1] = volume;
    return volume * (mean[1] - mean[0] * mean[0]);
}
static const measured_moments condensate_moments = { "susceptibility_disconnected", "1/a\u00b2", disconnected,
                                                     "condensate_squared" };

static const result_member of_mass[] = {
    MEMBER("mass", "1/a", NULL, "m"),
    MEMBER("naik_epsilon", NULL, NULL, "of the links"),
    MEMBER("condensate", "1/a\u00b3", NULL, "`pbp`/2 = (1/4V) Tr (m + D/2)^-1: condensate of one taste, in the usual "
           "normalization", .headline = true, .moments = &condensate_moments),
    MEMBER("condensate_error", "1/a\u00b3", NULL, "its error over the sources"),
    MEMBER("condensate_squared", "1/a\u2076", NULL, "square of the condensate of this configuration, from products of "
           "different sources: their mean has no contribution of the noise. `null` for one source"),
    MEMBER("subtracted", "1/a\u00b3", NULL, "with `strange: m_s`, for masses m < m_s: `condensate` - (m/m_s) "
           "(`condensate` of m_s), from the same sources", .headline = true),
    MEMBER("subtracted_error", "1/a\u00b3", NULL, "its error over the sources"),
    NOISE_MEMBERS("susceptibility_connected", "1/a\u00b2", "-(1/4V) Tr (m + D/2)^-2, the derivative of `condensate` "
                  "by the mass on this configuration", .headline = true),
    NOISE_MEMBERS("number_density", "1/a\u00b3", "with `number_density: true`: imaginary part of the [quark number "
                  "density](#quark-number-density)", .headline = true),
    MEMBER("pbp", "1/a\u00b3", NULL, "(1/V) Tr (2m + D)^-1, trace over color and sites: the number that MILC prints"),
    MEMBER("pbp_error", "1/a\u00b3", NULL, "its error over the sources"),
    MEMBER("pbp_even", "1/a\u00b3", NULL, "(2/V) Re sum of eta^+ M^-1 eta over even sites, as MILC prints it"),
    MEMBER("pbp_odd", "1/a\u00b3", NULL, "the same over odd sites"),
    MEMBER("pbp_sources", "1/a\u00b3", "[source]", "values of `pbp` for the single sources"),
    RESIDUAL_MEMBER,
    { 0 }
};
static const result_member of_links[] = {
    MEMBER("naik_epsilon", NULL, NULL, "of the links"),
    MODES_MEMBERS,
    { 0 }
};
static const result_member of_all[] = { ITERATIONS_MEMBER, { 0 } };
static const result_group results[] = {
    { "Condensate of staggered quarks", "masses", "mass [naik_epsilon=]", of_mass },
    { NULL, NULL, NULL, of_all },
    { "Low modes", "links", "naik_epsilon=", of_links },
    { 0 }
};

static void compare_action(const void *params, const param_list *monomials, action_listener *emit, void *out)
{
    staggered_quarks_compare(&((const condensate_params *)params)->quarks, true, monomials, emit, out);
}

static const char *const quark_keys[] = STAGGERED_QUARK_KEYS;

const measurement_kind condensate_measurement = {
    .hops = 3,
    .quarks = "staggered",
    .quark_keys = quark_keys,
    .compare = compare_action,
    .input = { .name = "condensate",
               .doc = "chiral condensate, susceptibility and number density of staggered quarks, from random sources",
               .params = condensate_specs,
               .example = "name: pbp\nevery: 5\nsources: 4\nmasses: [ { mass: 0.013 }, { mass: 0.065 } ]",
               .see = "observables.md#condensate-of-staggered-quarks",
               .size = sizeof(condensate_params) },
    .results = results,
    .check = condensate_params_check,
    .create = create_measurement,
    .free = free_condensate,
    .run = run_measurement,
    .bytes = count_bytes,
};
