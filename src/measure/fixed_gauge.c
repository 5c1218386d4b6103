/* fixed_gauge.c - Landau or Coulomb gauge of the links after a trajectory: the value of the functional and the
 * quality.  The links do not change; `kiln gaugefix` writes fixed links. */
#include "src/measure/fixed_gauge.h"

#include "src/base/memory.h"

typedef struct { measurement_params common; gauge_fixing_params fixing; } fixed_gauge_params;
typedef struct { measurement base; const gauge_fixing_params *fixing; gauge_rotation *g; } fixed_gauge;

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    (void)params;
    (void)shape;
    (void)f;
    return true;
}

/* The functional of Landau gauge has the same weight for all directions. */
static bool takes_anisotropy(const void *params, failure *f)
{
    const fixed_gauge_params *p = params;
    return p->fixing.condition == GAUGE_COULOMB
           || fail(f, "%s: Landau's gauge needs an isotropic action; use gauge: coulomb", p->common.name);
}

static measurement *create_measurement(const void *params, const gauge *u)
{
    fixed_gauge *m = memory_alloc(sizeof *m, "a measurement in a fixed gauge");
    m->base = (measurement){ &gauge_fixing_measurement, m };
    m->fixing = &((const fixed_gauge_params *)params)->fixing;
    m->g = gauge_rotation_create_unit(u->links.lattice, u->links.where, u->links.precision);
    return &m->base;
}

static void free_measurement(measurement *m)
{
    fixed_gauge *of = m->data;
    gauge_rotation_free(of->g);
    memory_free(of);
}

void gauge_fixing_to_json(json *j, const gauge_fixing_result *r, gauge_condition condition)
{
    json_real(j, "functional", r->functional);
    json_real(j, "theta", r->theta);
    if (condition == GAUGE_COULOMB)
        json_real(j, "theta_slice", r->theta_slice);
    json_real(j, "theta_largest", r->theta_largest);
    json_int(j, "sweeps", r->sweeps);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    fixed_gauge *of = m->data;
    (void)key;
    (void)clock;
    const gauge_fixing_result r = gauge_fixing_search(of->g, u, of->fixing);
    json_text(j, "gauge", gauge_condition_names[of->fixing->condition]);
    gauge_fixing_to_json(j, &r, (gauge_condition)of->fixing->condition);
    return gauge_fixing_check(&r, of->fixing, f);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const gauge_condition condition = (gauge_condition)((const fixed_gauge_params *)params)->fixing.condition;
    return (memory_need){ .lasting = field_bytes(shape, PRECISION_DOUBLE, MATRIX_REALS),
                          .cells = gauge_fixing_bytes(condition, shape) };
}

#define OFFSET(member) offsetof(fixed_gauge_params, fixing.member)
static const param_spec specs[] = {
    MEASUREMENT_SPECS("gauge_fixing"),
    { .key = "gauge", .type = PARAM_CHOICE, .offset = OFFSET(condition), .fallback = "landau",
      .choices = gauge_condition_names,
      .doc = "gauge condition: all four directions (landau) or those of space (coulomb)" },
    { .key = "quality", .type = PARAM_REAL, .offset = OFFSET(quality), .fallback = "1e-14", .min = 0, .max = 1,
      .flags = PARAM_ABOVE_MIN, .doc = "the search ends where theta, in Coulomb's gauge the largest theta of a time "
                                      "slice, is below this" },
    { .key = "overrelaxation", .type = PARAM_REAL, .offset = OFFSET(overrelaxation), .fallback = "1.7", .min = 1,
      .max = 1.99, .doc = "parameter omega of the overrelaxation; 1: none" },
    { .key = "sweeps", .type = PARAM_INT, .offset = OFFSET(sweeps), .fallback = "20000", .min = 1, .max = 10000000,
      .flags = PARAM_NUMERICAL,
      .doc = "largest number of sweeps; if they do not reach the quality, the measurement has failed" },
    { 0 }
};

static const result_member members[] = {
    MEMBER("gauge", NULL, NULL, "`landau` or `coulomb`"),
    MEMBER("functional", NULL, NULL, "F at the end", .headline = true),
    MEMBER("theta", NULL, NULL, "theta at the end"),
    MEMBER("theta_slice", NULL, NULL, "Coulomb's gauge: the largest theta of a time slice, V then being the sites of "
           "the slice"),
    MEMBER("theta_largest", NULL, NULL, "largest Tr D^+D / 3 of a site"),
    MEMBER("sweeps", NULL, NULL, "number of sweeps", .headline = true),
    { 0 }
};
static const result_group results[] = { { "Gauge fixing", NULL, NULL, members }, { 0 } };

const measurement_kind gauge_fixing_measurement = {
    .input = { .name = "gauge_fixing",
               .doc = "maximum of the functional of Landau's or Coulomb's gauge, and the sweeps that it takes",
               .params = specs,
               .example = "name: landau\nevery: 10\ngauge: landau",
               .see = "observables.md#gauge-fixing",
               .size = sizeof(fixed_gauge_params) },
    .takes_anisotropy = takes_anisotropy,
    .results = results,
    .check = check_params,
    .create = create_measurement,
    .free = free_measurement,
    .run = run_measurement,
    .bytes = count_bytes,
};
