/* gauge_measurement.c - the observables of `kiln measure` as a measurement of a run. */
#include "src/measure/gauge_measurement.h"

#include "src/base/memory.h"
#include "src/measure/observable.h"

#include <string.h>

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
    if (!select_all(&set, p, &why))
        return fail(f, "%s: observables: %s", p->common.name, why.why);
    return !shape->open_in_time || !observables_have(&set, OBSERVABLE_OVER_SLICES)
           || fail(f, "%s: observables: " OBSERVABLES_OVER_SLICES "; with open boundaries use kind: flow, which has a "
                      "plateau, and list the other observables here, for example [plaquette, rectangle]",
                   p->common.name);
}

/* All but the energy, whose planes with t would need the factor xi^2. */
static bool takes_anisotropy(const void *params, failure *f)
{
    const gauge_measurement_params *p = params;
    observable_set set;
    failure why;
    if (!select_all(&set, p, &why))
        return fail(f, "%s: observables: %s", p->common.name, why.why);
    return !observables_have(&set, OBSERVABLE_ISOTROPIC)
           || fail(f, "%s: observables: " OBSERVABLES_ISOTROPIC "; use kind: flow, which has the key xi, and list the "
                      "other observables here", p->common.name);
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

static const result_member members[] = {
    MEMBER("plaquette.average", NULL, NULL, "mean of Re Tr / 3 of the plaquettes, over all planes; 1 for unit links",
           .headline = true),
    MEMBER("plaquette.spatial", NULL, NULL, "the same over xy, xz and yz"),
    MEMBER("plaquette.temporal", NULL, NULL, "the same over xt, yt and zt"),
    MEMBER("rectangle", NULL, NULL, "mean of Re Tr / 3 of the 2x1 loops, 12 orientations", .headline = true),
    MEMBER("parallelogram", NULL, NULL, "mean of Re Tr / 3 of the bent six-link loops, 16 orientations"),
    MEMBER("polyakov.re", NULL, NULL, "Re of Tr / 3 of the product of the links along t, averaged over a time slice; "
           "without the phases of the boundary", .headline = true),
    MEMBER("polyakov.im", NULL, NULL, "its imaginary part", .headline = true),
    MEMBER("polyakov_directions.x_re", NULL, NULL, "as `polyakov.re`, along x"),
    MEMBER("polyakov_directions.x_im", NULL, NULL, "as `polyakov.im`, along x"),
    MEMBER("polyakov_directions.y_re", NULL, NULL, "as `polyakov.re`, along y"),
    MEMBER("polyakov_directions.y_im", NULL, NULL, "as `polyakov.im`, along y"),
    MEMBER("polyakov_directions.z_re", NULL, NULL, "as `polyakov.re`, along z"),
    MEMBER("polyakov_directions.z_im", NULL, NULL, "as `polyakov.im`, along z"),
    MEMBER("polyakov_directions.t_re", NULL, NULL, "as `polyakov.re`, along t"),
    MEMBER("polyakov_directions.t_im", NULL, NULL, "as `polyakov.im`, along t"),
    MEMBER("energy.plaquette", "1/a\u2074", NULL, "density of (1/4) F^a F^a: 2 sum over planes of Re Tr (1 - U_P), "
           "U_P the product of the links around the plaquette"),
    MEMBER("energy.clover", "1/a\u2074", NULL, "the same: (-1) times the sum over planes of Tr F F, with F from the "
           "clover leaves", .headline = true),
    MEMBER("charge", NULL, NULL, "topological charge from the clover field strength, on the links without gradient "
           "flow", .headline = true),
    MEMBER("link_trace", NULL, NULL, "mean of Re Tr U / 3; depends on the gauge"),
    MEMBER("unitarity", NULL, NULL, "largest \\|(U^+U - 1)_ij\\| or \\|det U - 1\\|"),
    { 0 }
};
static const result_group results[] = { { "Gauge observables: `kind: gauge`", NULL, NULL, members }, { 0 } };

const measurement_kind gauge_observables_measurement = {
    .input = { .name = "gauge",
               .doc = "plaquettes, larger loops, Polyakov loops, energy and charge of the links without gradient flow",
               .params = specs,
               .example = "name: loops\nevery: 2\nobservables: [plaquette, polyakov]",
               .see = "observables.md#gauge-observables-kind-gauge",
               .size = sizeof(gauge_measurement_params) },
    .deterministic = true,
    .open_in_time = true,
    .takes_anisotropy = takes_anisotropy,
    .results = results,
    .check = check_params,
    .create = create_measurement,
    .free = free_measurement,
    .run = run_measurement,
    .bytes = count_bytes,
};
