/* polyakov_loops.c - the mean L of the Polyakov loops of a configuration, |L|, and C(r) (gauge_lines.h). */
#include "src/measure/polyakov_loops.h"

#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/measure/gauge_lines.h"

#include <math.h>

typedef struct { measurement_params common; int64_t r_max; bool r_max_given; } polyakov_params;
typedef struct { measurement base; const polyakov_params *params; gauge_lines *lines; } polyakov_loops;

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const polyakov_params *p = params;
    const int space = shape_smallest_in_space(shape->global);
    return p->r_max < space || fail(f, "%s: r_max %d, but the smallest extent in space is %d: use at most %d",
                                    p->common.name, (int)p->r_max, space, space - 1);
}

static measurement *create_measurement(const void *params, const gauge *u)
{
    polyakov_loops *p = memory_alloc(sizeof *p, "a measurement of Polyakov loops");
    p->base = (measurement){ &polyakov_measurement, p };
    p->params = params;
    p->lines = gauge_lines_create(u);
    return &p->base;
}

static void free_measurement(measurement *m)
{
    polyakov_loops *p = m->data;
    gauge_lines_free(p->lines);
    memory_free(p);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    polyakov_loops *p = m->data;
    const int half = shape_smallest_in_space(lattice_global(u->links.lattice)) / 2;
    const int r_max = p->params->r_max_given ? (int)p->params->r_max : half;
    double *correlator = memory_alloc((size_t)(r_max + 1) * sizeof *correlator, "correlators of Polyakov loops");
    const polyakov_mean mean = gauge_polyakov(u, 3);
    (void)key;
    (void)clock;
    (void)f;
    gauge_lines_polyakov(correlator, p->lines, u, r_max);
    json_real(j, "re", mean.re);
    json_real(j, "im", mean.im);
    json_real(j, "abs", sqrt(mean.re * mean.re + mean.im * mean.im));
    json_reals(j, "correlator", correlator, r_max + 1);
    memory_free(correlator);
    return true;
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    (void)params;
    return (memory_need){ .lasting = gauge_lines_bytes(shape, PRECISION_DOUBLE) };
}

static const param_spec specs[] = {
    MEASUREMENT_SPECS("polyakov"),
    { .key = "r_max", .type = PARAM_INT, .offset = offsetof(polyakov_params, r_max),
      .given = offsetof(polyakov_params, r_max_given), .formerly = "0", .min = 0, .max = 4096,
      .flags = PARAM_OPTIONAL,
      .doc = "largest distance of the correlators; without it half of the smallest extent in space" },
    { 0 }
};

/* N^3 (<|L|^2> - <|L|>^2), N^3 the volume of space */
static double loop_susceptibility(double slope[2], const double mean[2], const int *extents, double xi)
{
    (void)xi;
    const double space = (double)extents[0] * extents[1] * extents[2];
    slope[0] = -2 * space * mean[0];
    slope[1] = space;
    return space * (mean[1] - mean[0] * mean[0]);
}
static const measured_moments size_moments = { "susceptibility", NULL, loop_susceptibility, NULL };

static const result_member members[] = {
    MEMBER("abs", NULL, NULL, "\\|L\\|", .headline = true, .moments = &size_moments),
    MEMBER("re", NULL, NULL, "Re L of the mean L of L(x) over space, as in `kind: gauge`", .headline = true),
    MEMBER("im", NULL, NULL, "Im L", .headline = true, .plane = "re"),
    MEMBER("correlator", NULL, "[r]", "C(r) = mean over x and i = x, y, z of Re [L(x) L(x + ri)^*], r = 0 ... `r_max`"),
    { 0 }
};
static const result_group results[] = { { "Polyakov loops", NULL, NULL, members }, { 0 } };

const measurement_kind polyakov_measurement = {
    .input = { .name = "polyakov",
               .doc = "Polyakov loop: mean, size, susceptibility, and correlators on the axes",
               .params = specs,
               .example = "name: polyakov\nevery: 1",
               .see = "observables.md#polyakov-loops",
               .size = sizeof(polyakov_params) },
    .takes_anisotropy = measurement_of_loops,
    .results = results,
    .check = check_params,
    .create = create_measurement,
    .free = free_measurement,
    .run = run_measurement,
    .bytes = count_bytes,
};
