/* condensate.c - the chiral condensate, from Gaussian sources on all sites.
 *
 *     pbp = (1/V) Tr (2m + D)^-1,   trace over colour and sites: MILC's number, the mean of its even and odd parts
 *     condensate = pbp / 2 = (1/4V) Tr (m + D/2)^-1: one taste, of the usual normalisation
 *
 * Errors are those of the mean over sources on one configuration, not of the ensemble. */
#include "src/measure/condensate.h"

#include "actions/stout_params.h"
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/measure/quark_sources.h"
#include "src/measure/quark_trace.h"

#include <math.h>
#include <string.h>

typedef struct { double mass; char *naik_epsilon; } mass_params;

typedef struct {
    measurement_params common;
    int action, projection;
    double u0, boundary;
    param_list masses;                      /* of mass_params */
    int64_t sources;
    double residual;
    int64_t max_iterations;
    stout_params stout;
    low_modes_params modes;
} condensate_params;

static const low_modes_sites modes_on = { ON_EVEN, 1 };

static const mass_params *mass_at(const condensate_params *p, int index)
{
    return (const mass_params *)p->masses.item + index;
}

/* NaN if it is neither a number nor auto. */
static double epsilon_of(const mass_params *p)
{
    double epsilon;
    return naik_epsilon_read(&epsilon, p->naik_epsilon, p->mass) ? epsilon : NAN;
}

/* The parameters of the links, and in `set` the set of links of each mass; false if there are too many sets. */
static bool plan_links(staggered_links_params *links, int set[TRACE_MASSES], const condensate_params *p)
{
    *links = (staggered_links_params){ .kind = (staggered_kind)p->action,
                                       .u0 = p->u0,
                                       .projection = (projection_group)p->projection,
                                       .boundary = p->boundary };
    for (int m = 0; m < p->masses.count; m++) {
        double epsilon = epsilon_of(mass_at(p, m));
        int s = 0;
        while (s < links->epsilons && links->epsilon[s] != epsilon)
            s++;
        if (s == EPSILONS_MAX)
            return false;
        if (s == links->epsilons)
            links->epsilon[links->epsilons++] = epsilon;
        set[m] = s;
    }
    return true;
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const condensate_params *p = params;
    const char *name = p->common.name;
    staggered_links_params links;
    int set[TRACE_MASSES];
    failure why;
    if (!stout_params_check(&p->stout, &why))
        return fail(f, "%s: %s", name, why.why);
    if (p->masses.count > TRACE_MASSES)
        return fail(f, "%s: %d masses, but at most %d are allowed", name, p->masses.count, TRACE_MASSES);
    for (int m = 0; m < p->masses.count; m++) {
        double epsilon = epsilon_of(mass_at(p, m));
        if (isnan(epsilon))
            return fail(f, "%s: naik_epsilon: \"%s\" is neither auto nor a number between -10 and 10", name,
                        mass_at(p, m)->naik_epsilon);
        if (p->action != STAGGERED_HISQ && epsilon != 0)
            return fail(f, "%s: naik_epsilon is allowed only with action hisq", name);
    }
    if (!plan_links(&links, set, p))
        return fail(f, "%s: more than %d different values of naik_epsilon", name, EPSILONS_MAX);
    return low_modes_check(&p->modes, shape, modes_on, name, f);
}

typedef struct {
    measurement base;
    const condensate_params *params;
    int set[TRACE_MASSES];                  /* of the links, for each mass */
    staggered_links_params plan;
    stout *stout;                           /* NULL: none */
    staggered_links *links;
    quark_tracer *tracer;
    low_modes *modes;                       /* of each set in turn; NULL if not requested */
    vec *eta[2];
    double *values[TRACE_MASSES][3];        /* of each source: even, odd, and their mean */
    double residual[TRACE_MASSES];          /* the largest of all sources */
} condensate;

enum { EVEN, ODD, BOTH };

/* The largest number of masses that share links. */
static int masses_at_once(const condensate_params *p, const int set[TRACE_MASSES])
{
    int count[EPSILONS_MAX] = { 0 }, most = 1;
    for (int m = 0; m < p->masses.count; m++)
        if (++count[set[m]] > most)
            most = count[set[m]];
    return most;
}

static measurement *create_measurement(const void *params, const gauge *u)
{
    condensate *c = memory_alloc(sizeof *c, "a measurement of the condensate");
    const condensate_params *p = c->params = params;
    const field *l = &u->links;
    c->base = (measurement){ &condensate_measurement, c };
    plan_links(&c->plan, c->set, p);
    c->stout = stout_create(&p->stout, u);
    c->links = staggered_links_create(&c->plan, u);
    c->tracer = quark_tracer_create(l->lattice, l->where, l->precision, masses_at_once(p, c->set));
    c->modes = low_modes_create(&p->modes, l->lattice, l->where, modes_on);
    if (low_modes_deflate(c->modes))
        quark_tracer_reserve_deflation(c->tracer);
    c->eta[EVEN] = vec_create(l->lattice, ON_EVEN, l->where, l->precision);
    c->eta[ODD] = vec_create(l->lattice, ON_ODD, l->where, l->precision);
    for (int m = 0; m < p->masses.count; m++)
        for (int i = 0; i < 3; i++)
            c->values[m][i] = memory_alloc((size_t)p->sources * sizeof(double), "results of sources");
    return &c->base;
}

static void free_condensate(measurement *m)
{
    condensate *c = m->data;
    for (int k = 0; k < c->params->masses.count; k++)
        for (int i = 0; i < 3; i++)
            memory_free(c->values[k][i]);
    vec_free(c->eta[EVEN]);
    vec_free(c->eta[ODD]);
    low_modes_free(c->modes);
    quark_tracer_free(c->tracer);
    staggered_links_free(c->links);
    stout_free(c->stout);
    memory_free(c);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const condensate_params *p = params;
    staggered_links_params links;
    int set[TRACE_MASSES];
    plan_links(&links, set, p);
    memory_need sources = { .lasting = vec_bytes(shape, PRECISION_DOUBLE, ON_ALL) };
    if (p->modes.count > 0 && p->modes.deflate)
        sources.lasting += TRACE_DEFLATION_VECTORS * vec_bytes(shape, PRECISION_DOUBLE, ON_EVEN);
    sources = memory_need_add(sources, low_modes_bytes(&p->modes, shape, modes_on));
    const memory_need tracer = quark_tracer_bytes(shape, PRECISION_DOUBLE, masses_at_once(p, set));
    const memory_need smeared = stout_bytes(&p->stout, shape, PRECISION_DOUBLE, false);
    return memory_need_add(memory_need_add(smeared, staggered_links_bytes(&links, shape, PRECISION_DOUBLE)),
                           memory_need_add(tracer, sources));
}

static staggered_terms links_of(const condensate *c, int set)
{
    return (staggered_terms){ staggered_fat(c->links, set), staggered_naik(c->links),
                              staggered_naik_coefficient(c->links, set) };
}

/* Solve for one source and all masses with the same set of links. */
static bool trace_set(condensate *c, int set, int source, int64_t *iterations, failure *f)
{
    const condensate_params *p = c->params;
    double mass[TRACE_MASSES];
    int number[TRACE_MASSES], count = 0;
    quark_trace traces[TRACE_MASSES];
    stop_rule stop = { p->residual, (int)p->max_iterations };
    for (int m = 0; m < p->masses.count; m++)
        if (c->set[m] == set) {
            number[count] = m;
            mass[count++] = mass_at(p, m)->mass;
        }
    const quark_trace_task task = { .links = links_of(c, set), .eta = c->eta, .mass = mass, .count = count,
                                    .stop = stop, .modes = c->modes };
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
    const staggered_normal_op k = quark_tracer_operator(c->tracer, links_of(c, set));
    const low_modes_task task = { .a = &k.base, .key = key, .name = c->params->common.name, .number = set,
                                  .first_draw = (uint32_t)c->params->sources * VECTOR_DRAWS };
    if (!low_modes_compute(c->modes, &task, clock, f))
        return false;
    json_open(j, NULL, '{');
    json_real(j, "naik_epsilon", c->plan.epsilon[set]);
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
    for (int set = 0; ok && set < c->plan.epsilons; set++) {
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
    json_real(j, "mass", mass_at(c->params, m)->mass);
    json_real(j, "naik_epsilon", c->plan.epsilon[c->set[m]]);
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
    staggered_links_update(c->links, stout_links(c->stout, u));
    device_wait();
    clock_end(clock);
    const bool ok = measure_sets(j, c, key, clock, &iterations, f);
    json_int(j, "iterations", iterations);
    if (!ok || c->params->sources == 0)
        return ok;
    json_open(j, "masses", '[');
    for (int k = 0; k < c->params->masses.count; k++)
        mass_to_json(j, c, k);
    json_close(j);
    return true;
}

static const param_spec mass_specs[] = {
    { .key = "mass", .type = PARAM_REAL, .offset = offsetof(mass_params, mass), .min = 0, .max = 100,
      .flags = PARAM_ABOVE_MIN, .doc = "a m, in the usual normalisation (M = m + D/2)" },
    { .key = "naik_epsilon", .type = PARAM_TEXT, .offset = offsetof(mass_params, naik_epsilon), .fallback = "0",
      .flags = PARAM_NOT_EMPTY, .doc = "action hisq: a number, or auto: the published series in the bare mass" },
    { 0 }
};

#define AT(member) offsetof(condensate_params, member)

static const param_spec condensate_specs[] = {
    MEASUREMENT_SPECS("condensate"),
    { .key = "masses", .type = PARAM_LIST, .offset = AT(masses), .flags = PARAM_NOT_EMPTY, .group = mass_specs,
      .element_size = sizeof(mass_params), .doc = "masses of the quarks",
      .example = "[ { mass: 0.013 }, { mass: 0.838, naik_epsilon: auto } ]",
      .see = "observables.md#condensate-of-staggered-quarks" },
    { .key = "sources", .type = PARAM_INT, .offset = AT(sources), .fallback = "4", .min = 0, .max = SOURCES_MAX,
      .doc = "number of Gaussian sources, each on all sites; 0: no condensate, only modes" },
    { .key = "residual", .type = PARAM_REAL, .offset = AT(residual), .fallback = "1e-8", .min = 1e-14, .max = 0.1,
      .doc = "largest relative residual |r|/|b| of a solve" },
    { .key = "max_iterations", .type = PARAM_INT, .offset = AT(max_iterations), .fallback = "20000", .min = 1,
      .max = 10000000,
      .doc = "largest number of iterations of a solve; if a solve does not converge within it, the record reports this "
             "and the run continues" },
    { .key = "action", .type = PARAM_CHOICE, .offset = AT(action), .fallback = "hisq", .choices = staggered_kind_names,
      .doc = "links of the Dirac operator" },
    { .key = "projection", .type = PARAM_CHOICE, .offset = AT(projection), .fallback = "u3",
      .choices = projection_names, .choice = "action", .chosen = "hisq",
      .doc = "action hisq: group to which the links of the first smearing are projected" },
    { .key = "u0", .type = PARAM_REAL, .offset = AT(u0), .fallback = "1", .min = 0, .max = 2, .flags = PARAM_ABOVE_MIN,
      .choice = "action", .chosen = "asqtad",
      .doc = "action asqtad: tadpole factor" },
    { .key = "boundary", .type = PARAM_REAL, .offset = AT(boundary), .fallback = "1", .min = -1, .max = 1,
      .doc = "phase of the boundary in t, in units of pi: 1 antiperiodic, 0 periodic" },
    STOUT_SPEC(AT),
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
