/* gauge_measurement.c - the observables of `kiln measure` as a measurement of a run. */
#include "src/measure/gauge_measurement.h"

#include "src/base/memory.h"
#include "src/measure/observable.h"

typedef struct {
    measurement_params common;
    text_list observables;
} gauge_measurement_params;

typedef struct { measurement base; observable_set set; } gauge_measurement;

static bool select_all(observable_set *set, const gauge_measurement_params *p, failure *f)
{
    text names = { 0 };
    for (int i = 0; i < p->observables.count; i++)
        text_add(&names, "%s%s", i ? "," : "", p->observables.item[i]);
    bool ok = observables_select(set, text_string(&names), f);
    text_free(&names);
    return ok;
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const gauge_measurement_params *p = params;
    observable_set set;
    failure why;
    (void)shape;
    return select_all(&set, p, &why) || fail(f, "%s: observables: %s", p->common.name, why.why);
}

static measurement *create_measurement(const void *params, const gauge *u)
{
    gauge_measurement *g = memory_alloc(sizeof *g, "a measurement of gauge observables");
    failure why;
    (void)u;
    g->base = (measurement){ &gauge_observables_measurement, g };
    require(select_all(&g->set, params, &why), "%s", why.why);          /* the input has been checked */
    return &g->base;
}

static void free_measurement(measurement *m)
{
    memory_free(m->data);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    const gauge_measurement *g = m->data;
    (void)key;
    (void)clock;
    (void)f;
    observables_to_json(j, &g->set, u);
    return true;
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    (void)params;
    (void)shape;
    return (memory_need){ 0 };
}

static const param_spec specs[] = {
    MEASUREMENT_SPECS("gauge"),
    { .key = "observables", .type = PARAM_TEXTS, .offset = offsetof(gauge_measurement_params, observables),
      .fallback = "[plaquette, rectangle, polyakov, charge]", .flags = PARAM_NOT_EMPTY,
      .doc = "names of observables; `kiln measure --help` lists them" },
    { 0 }
};

static const headline headlines[] = {
    { NULL, NULL, "plaquette.average", NULL }, { NULL, NULL, "rectangle", NULL },
    { NULL, NULL, "polyakov.re", NULL },       { NULL, NULL, "polyakov.im", NULL },
    { NULL, NULL, "energy.clover", "1/a\u2074" }, { NULL, NULL, "charge", NULL },
    { 0 }
};

const measurement_kind gauge_observables_measurement = {
    .input = { .name = "gauge",
               .doc = "plaquettes, larger loops, Polyakov loops, energy and charge of the links without gradient flow",
               .params = specs,
               .example = "name: loops\nevery: 2\nobservables: [plaquette, polyakov]",
               .see = "observables.md#gauge-observables-kind-gauge",
               .size = sizeof(gauge_measurement_params) },
    .deterministic = true,
    .headlines = headlines,
    .check = check_params,
    .create = create_measurement,
    .free = free_measurement,
    .run = run_measurement,
    .bytes = count_bytes,
};
