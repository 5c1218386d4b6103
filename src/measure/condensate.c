/* condensate.c - the chiral condensate, from Gaussian sources on all sites.
 *
 *     pbp = (1/V) Tr (2m + D)^-1,   trace over colour and sites: MILC's number, the mean of its even and odd parts
 *     condensate = pbp / 2 = (1/4V) Tr (m + D/2)^-1: one taste, of the usual normalisation
 *
 * Errors are those of the mean over sources on one configuration, not of the ensemble. */
#include "src/measure/condensate.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/measure/quark_sources.h"
#include "src/measure/quark_trace.h"
#include "src/measure/staggered_masses.h"

#include <math.h>
#include <string.h>

typedef struct {
    measurement_params common;
    staggered_quarks quarks;
    int64_t sources;
    double residual;
    int64_t max_iterations;
    low_modes_params modes;
} condensate_params;

static const low_modes_sites modes_on = { ON_EVEN, 1 };

static double mass_at(const condensate_params *p, int index)
{
    return staggered_mass_at(&p->quarks, index);
}

static int masses_of(const condensate_params *p)
{
    return p->quarks.masses.count;
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const condensate_params *p = params;
    const char *name = p->common.name;
    return staggered_quarks_check(&p->quarks, name, f) && low_modes_check(&p->modes, shape, modes_on, name, f);
}

typedef struct {
    measurement base;
    const condensate_params *params;
    staggered_measured quarks;
    quark_tracer *tracer;
    low_modes *modes;                       /* of each set in turn; NULL if not requested */
    vec *eta[2];
    double *values[TRACE_MASSES][3];        /* of each source: even, odd, and their mean */
    double residual[TRACE_MASSES];          /* the largest of all sources */
} condensate;

enum { EVEN, ODD, BOTH };

static measurement *create_measurement(const void *params, const gauge *u)
{
    condensate *c = memory_alloc(sizeof *c, "a measurement of the condensate");
    const condensate_params *p = c->params = params;
    const field *l = &u->links;
    c->base = (measurement){ &condensate_measurement, c };
    c->quarks = staggered_measured_create(&p->quarks, u);
    c->tracer = quark_tracer_create(l->lattice, l->where, l->precision, staggered_masses_at_once(&p->quarks));
    c->modes = low_modes_create(&p->modes, l->lattice, l->where, modes_on);
    if (low_modes_deflate(c->modes))
        quark_tracer_reserve_deflation(c->tracer);
    c->eta[EVEN] = vec_create(l->lattice, ON_EVEN, l->where, l->precision);
    c->eta[ODD] = vec_create(l->lattice, ON_ODD, l->where, l->precision);
    for (int m = 0; m < masses_of(p); m++)
        for (int i = 0; i < 3; i++)
            c->values[m][i] = memory_alloc((size_t)p->sources * sizeof(double), "results of sources");
    return &c->base;
}

static void free_condensate(measurement *m)
{
    condensate *c = m->data;
    for (int k = 0; k < masses_of(c->params); k++)
        for (int i = 0; i < 3; i++)
            memory_free(c->values[k][i]);
    vec_free(c->eta[EVEN]);
    vec_free(c->eta[ODD]);
    low_modes_free(c->modes);
    quark_tracer_free(c->tracer);
    staggered_measured_free(&c->quarks);
    memory_free(c);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const condensate_params *p = params;
    memory_need sources = { .lasting = vec_bytes(shape, PRECISION_DOUBLE, ON_ALL) };
    if (p->modes.count > 0 && p->modes.deflate)
        sources.lasting += TRACE_DEFLATION_VECTORS * vec_bytes(shape, PRECISION_DOUBLE, ON_EVEN);
    sources = memory_need_add(sources, low_modes_bytes(&p->modes, shape, modes_on));
    const memory_need tracer = quark_tracer_bytes(shape, PRECISION_DOUBLE, staggered_masses_at_once(&p->quarks));
    return memory_need_add(staggered_measured_bytes(&p->quarks, shape), memory_need_add(tracer, sources));
}

/* Solve for one source and all masses with the same set of links. */
static bool trace_set(condensate *c, int set, int source, int64_t *iterations, failure *f)
{
    const condensate_params *p = c->params;
    double mass[TRACE_MASSES];
    int number[TRACE_MASSES], count = 0;
    quark_trace traces[TRACE_MASSES];
    stop_rule stop = { p->residual, (int)p->max_iterations };
    for (int m = 0; m < masses_of(p); m++)
        if (c->quarks.set[m] == set) {
            number[count] = m;
            mass[count++] = mass_at(p, m);
        }
    const quark_trace_task task = { .links = staggered_measured_terms(&c->quarks, set), .eta = c->eta, .mass = mass,
                                    .count = count, .stop = stop, .modes = c->modes };
    if (!quark_tracer_run(traces, c->tracer, &task, iterations, f))
        return false;
    for (int k = 0; k < count; k++) {
        int m = number[k];
        c->values[m][EVEN][source] = traces[k].parity[EVEN].re;
        c->values[m][ODD][source] = traces[k].parity[ODD].re;
        c->values[m][BOTH][source] = (traces[k].parity[EVEN].re + traces[k].parity[ODD].re) / 2;
        c->residual[m] = fmax(c->residual[m], traces[k].residual);
    }
    return true;
}

static bool trace_sources(condensate *c, int set, rng_key key, int64_t *iterations, failure *f)
{
    for (int n = 0; n < (int)c->params->sources; n++) {
        for (int parity = 0; parity < 2; parity++)
            vec_set_gaussian(c->eta[parity], key, (uint32_t)(n * VECTOR_DRAWS));
        if (!trace_set(c, set, n, iterations, f))
            return false;
    }
    return true;
}

/* The low modes of a set of links, as an item of a list; start vectors are drawn after the sources. */
static bool measure_modes(json *j, condensate *c, int set, rng_key key, clock_tree *clock, failure *f)
{
    const staggered_normal_op k = quark_tracer_operator(c->tracer, staggered_measured_terms(&c->quarks, set));
    const low_modes_task task = { .a = &k.base, .key = key, .name = c->params->common.name, .number = set,
                                  .first_draw = (uint32_t)c->params->sources * VECTOR_DRAWS };
    if (!low_modes_compute(c->modes, &task, clock, f))
        return false;
    json_open(j, NULL, '{');
    json_real(j, "naik_epsilon", c->quarks.plan.epsilon[set]);
    low_modes_to_json(j, c->modes);
    json_close(j);
    return true;
}

/* All sets of links in turn. */
static bool measure_sets(json *j, condensate *c, rng_key key, clock_tree *clock, int64_t *iterations, failure *f)
{
    bool ok = true;
    memset(c->residual, 0, sizeof c->residual);
    if (c->modes)
        json_open(j, "links", '[');
    for (int set = 0; ok && set < c->quarks.plan.epsilons; set++) {
        ok = !c->modes || measure_modes(j, c, set, key, clock, f);
        clock_begin(clock, "solves");
        ok = ok && trace_sources(c, set, key, iterations, f);
        clock_end(clock);
    }
    if (c->modes)
        json_close(j);
    return ok;
}

static void mass_to_json(json *j, const condensate *c, int m)
{
    int sources = (int)c->params->sources;
    const source_mean pbp = source_mean_of(c->values[m][BOTH], sources);
    json_open(j, NULL, '{');
    json_real(j, "mass", mass_at(c->params, m));
    json_real(j, "naik_epsilon", c->quarks.plan.epsilon[c->quarks.set[m]]);
    json_real(j, "condensate", pbp.value / 2);
    json_real(j, "condensate_error", pbp.error / 2);
    json_real(j, "pbp", pbp.value);
    json_real(j, "pbp_error", pbp.error);
    json_real(j, "pbp_even", source_mean_of(c->values[m][EVEN], sources).value);
    json_real(j, "pbp_odd", source_mean_of(c->values[m][ODD], sources).value);
    json_reals(j, "pbp_sources", c->values[m][BOTH], sources);
    json_real(j, "residual", c->residual[m]);
    json_close(j);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    condensate *c = m->data;
    int64_t iterations = 0;
    clock_begin(clock, "links");
    staggered_measured_update(&c->quarks, u);
    device_wait();
    clock_end(clock);
    const bool ok = measure_sets(j, c, key, clock, &iterations, f);
    json_int(j, "iterations", iterations);
    if (!ok || c->params->sources == 0)
        return ok;
    json_open(j, "masses", '[');
    for (int k = 0; k < masses_of(c->params); k++)
        mass_to_json(j, c, k);
    json_close(j);
    return true;
}

#define AT(member) offsetof(condensate_params, member)
#define AT_QUARKS(member) offsetof(condensate_params, quarks.member)

static const param_spec condensate_specs[] = {
    MEASUREMENT_SPECS("condensate"),
    STAGGERED_MASSES_SPEC(AT_QUARKS, "observables.md#condensate-of-staggered-quarks"),
    { .key = "sources", .type = PARAM_INT, .offset = AT(sources), .fallback = "4", .min = 0, .max = SOURCES_MAX,
      .doc = "number of Gaussian sources, each on all sites; 0: no condensate, only modes" },
    { .key = "residual", .type = PARAM_REAL, .offset = AT(residual), .fallback = "1e-8", .min = 1e-14, .max = 0.1,
      .doc = "largest relative residual |r|/|b| of a solve" },
    { .key = "max_iterations", .type = PARAM_INT, .offset = AT(max_iterations), .fallback = "20000", .min = 1,
      .max = 10000000,
      .doc = "largest number of iterations of a solve; if a solve does not converge within it, the record reports this "
             "and the run continues" },
    STAGGERED_LINKS_SPECS(AT_QUARKS),
    LOW_MODES_SPEC(AT),
    { 0 }
};

static const headline condensate_headlines[] = {
    { "masses", "mass", "condensate" }, { "links", "naik_epsilon", "modes.smallest" }, { 0 }
};

const measurement_kind condensate_measurement = {
    .hops = 3,
    .input = { .name = "condensate",
               .doc = "chiral condensate of staggered quarks, from stochastic sources",
               .params = condensate_specs,
               .example = "name: pbp\nevery: 5\nsources: 4\nmasses: [ { mass: 0.013 }, { mass: 0.065 } ]",
               .see = "observables.md#condensate-of-staggered-quarks",
               .size = sizeof(condensate_params) },
    .headlines = condensate_headlines,
    .check = check_params,
    .create = create_measurement,
    .free = free_condensate,
    .run = run_measurement,
    .bytes = count_bytes,
};
