/* wilson_loops.c - W(r, t) on the axes and off them (gauge_lines.h), with lines in space from links with APE smearing
 * (operators/ape.h), and lines in time from thin links or with hypercubic smearing (operators/hyp.h).
 * The static potential comes from the means over an ensemble: V(r) = log [<W(r, t)> / <W(r, t+1)>] at large t. */
#include "src/measure/wilson_loops.h"

#include "src/base/memory.h"
#include "src/measure/gauge_lines.h"
#include "src/measure/static_potential.h"
#include "src/operators/ape.h"
#include "src/operators/hyp.h"

#include <stdio.h>

typedef struct {
    measurement_params common;
    ape_params ape;
    int64_t r_max, t_max;
    int64_t t_potential;
    double xi;
    struct { bool r_max, t_max, t_potential, xi; } given;
    int distance, time_links;
    bool off_axis;
} wilson_loops_params;

typedef struct { measurement base; const wilson_loops_params *params; gauge *smeared, *scratch; gauge_lines *lines;
                 hyp_levels *levels; gauge *time; } wilson_loops;        /* the last two: NULL for thin lines in time */

static const char *const time_links_names[] = { "thin", "hyp1", "hyp2", NULL };
static const hyp_params *const time_smearing[] = { NULL, &hyp1, &hyp2 };

/* r_max of the input, or half of the extent. */
static int r_max_of(const wilson_loops_params *p, const int *extents)
{
    return p->given.r_max ? (int)p->r_max : shape_smallest_in_space(extents) / 2;
}

static int t_max_of(const wilson_loops_params *p, const int *extents)
{
    return p->given.t_max ? (int)p->t_max : extents[3] / 2;
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const wilson_loops_params *p = params;
    const int space = shape_smallest_in_space(shape->global), time = shape->global[3];
    if (p->r_max >= space)
        return fail(f, "%s: r_max %d, but the smallest extent in space is %d: use at most %d", p->common.name,
                    (int)p->r_max, space, space - 1);
    if (p->t_max >= time)
        return fail(f, "%s: t_max %d, but the extent in time is %d: use at most %d", p->common.name, (int)p->t_max,
                    time, time - 1);
    const int t_max = t_max_of(p, shape->global);
    if (p->given.t_potential && p->t_potential >= t_max)
        return fail(f, "%s: t_potential %d, but the potential at t needs loops at t + 1, and t_max is %d: use at most "
                       "%d", p->common.name, (int)p->t_potential, t_max, t_max - 1);
    if (p->distance == FORCE_AT_WILSON_TREE && time_smearing[p->time_links])
        return fail(f, "%s: distance wilson is that of thin links in time, but time_links is %s: use distance midpoint",
                    p->common.name, time_links_names[p->time_links]);
    if (p->distance == FORCE_AT_WILSON_TREE && p->given.xi)
        return fail(f, "%s: distance wilson is that of the isotropic action, but xi is given: use distance midpoint",
                    p->common.name);
    return true;
}

/* Without xi the energies of the potential are in units of 1/a_t, but distances in units of a_s. */
static bool takes_anisotropy(const void *params, failure *f)
{
    const wilson_loops_params *p = params;
    return p->given.xi || fail(f, "%s: on an anisotropic lattice the static potential needs the key xi, the ratio "
                                  "a_s/a_t", p->common.name);
}

static double anisotropy_given(const void *params)
{
    const wilson_loops_params *p = params;
    return p->given.xi ? p->xi : 1;
}

static measurement *create_measurement(const void *params, const gauge *u)
{
    wilson_loops *w = memory_alloc(sizeof *w, "a measurement of Wilson loops");
    w->base = (measurement){ &wilson_loops_measurement, w };
    w->params = params;
    w->smeared = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    w->scratch = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    w->lines = gauge_lines_create(u);
    if (time_smearing[w->params->time_links]) {
        w->time = gauge_create(u->links.lattice, u->links.where, u->links.precision);
        w->levels = hyp_levels_create(u);
    }
    return &w->base;
}

static void free_measurement(measurement *m)
{
    wilson_loops *w = m->data;
    hyp_levels_free(w->levels);
    if (w->time)
        gauge_free(w->time);
    gauge_lines_free(w->lines);
    gauge_free(w->scratch);
    gauge_free(w->smeared);
    memory_free(w);
}

/* "loops", "loops_110" */
static void write_loops(json *j, const char *direction, const double *loops, int rows, int t_max)
{
    char key[16];
    snprintf(key, sizeof key, *direction ? "loops_%s" : "loops", direction);
    json_open(j, key, '[');
    for (int row = 0; row < rows; row++)
        json_reals(j, NULL, loops + row * t_max, t_max);
    json_close(j);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    wilson_loops *w = m->data;
    const int *extents = lattice_global(u->links.lattice);
    const int r_max = r_max_of(w->params, extents), t_max = t_max_of(w->params, extents);
    double *loops = memory_alloc((size_t)(r_max * t_max) * sizeof *loops, "Wilson loops");
    (void)key;
    (void)f;
    clock_begin(clock, "smearing");
    gauge_copy(w->smeared, u);
    ape_smear(w->smeared, w->scratch, &w->params->ape);
    if (w->time)
        hyp_smear(w->time, u, w->levels, time_smearing[w->params->time_links]);
    clock_end(clock);
    const gauge *time = w->time ? w->time : u;
    gauge_lines_loops(loops, w->lines, w->smeared, time, r_max, t_max);
    json_int(j, "r_max", r_max);
    json_int(j, "t_max", t_max);
    json_int(j, "t_potential", static_potential_time((int)w->params->t_potential, t_max));
    json_text(j, "distance", force_distance_names[w->params->distance]);
    if (w->params->given.xi)
        json_real(j, "xi", w->params->xi);
    write_loops(j, "", loops, r_max, t_max);
    for (int d = 0; w->params->off_axis && d < LINE_DIRECTIONS; d++) {
        const int n_max = r_max / line_directions[d].vector[0];
        gauge_lines_loops_along(loops, w->lines, w->smeared, time, &line_directions[d], n_max, t_max);
        if (n_max > 0)
            write_loops(j, line_directions[d].name, loops, n_max, t_max);
    }
    memory_free(loops);
    return true;
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const wilson_loops_params *p = params;
    const size_t links = field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS);
    const size_t hyp = time_smearing[p->time_links] ? links + hyp_levels_bytes(shape, PRECISION_DOUBLE) : 0;
    return (memory_need){ .lasting = 2 * links + gauge_lines_bytes(shape, PRECISION_DOUBLE) + hyp };
}

static const param_spec specs[] = {
    MEASUREMENT_SPECS("wilson_loops"),
    { .key = "ape_levels", .type = PARAM_INT, .offset = offsetof(wilson_loops_params, ape.levels), .fallback = "20",
      .min = 0, .max = 1000, .doc = "levels of APE smearing of the links in space, for the lines in space" },
    { .key = "ape_alpha", .type = PARAM_REAL, .offset = offsetof(wilson_loops_params, ape.alpha), .fallback = "0.5",
      .min = 0, .max = 1, .doc = "share alpha of the staples in a level" },
    { .key = "r_max", .type = PARAM_INT, .offset = offsetof(wilson_loops_params, r_max),
      .given = offsetof(wilson_loops_params, given.r_max), .formerly = "0", .min = 1, .max = 4096,
      .flags = PARAM_OPTIONAL,
      .doc = "longest side of the loops in space; without it half of the smallest extent in space" },
    { .key = "t_max", .type = PARAM_INT, .offset = offsetof(wilson_loops_params, t_max),
      .given = offsetof(wilson_loops_params, given.t_max), .formerly = "0", .min = 1, .max = 4096,
      .flags = PARAM_OPTIONAL,
      .doc = "longest side of the loops in time; without it half of the extent in time" },
    { .key = "off_axis", .type = PARAM_BOOL, .offset = offsetof(wilson_loops_params, off_axis), .fallback = "false",
      .doc = "measure loops along (1,1,0), (1,1,1) and (2,1,0), too" },
    { .key = "time_links", .type = PARAM_CHOICE, .offset = offsetof(wilson_loops_params, time_links),
      .fallback = "thin", .choices = time_links_names,
      .doc = "links of the lines in time: as they are, or hypercubically smeared with alpha = 0.75, 0.6, 0.3 (hyp1) or "
             "1, 1, 0.5 (hyp2)" },
    { .key = "t_potential", .type = PARAM_INT, .offset = offsetof(wilson_loops_params, t_potential),
      .given = offsetof(wilson_loops_params, given.t_potential), .formerly = "0", .min = 1, .max = 4096,
      .flags = PARAM_OPTIONAL,
      .doc = "time t of the static potential V(r) = log W(r, t)/W(r, t+1) in kiln status and kiln report; without "
             "it 3, or t_max - 1 if that is smaller" },
    { .key = "distance", .type = PARAM_CHOICE, .offset = offsetof(wilson_loops_params, distance),
      .fallback = "midpoint", .choices = force_distance_names,
      .doc = "distance at which the force V(r) - V(r-1) holds, for r0 and r1: r - 1/2, or where it has its tree-level "
             "value with the Wilson gauge action and thin lines in time" },
    { .key = "xi", .type = PARAM_REAL, .offset = offsetof(wilson_loops_params, xi),
      .given = offsetof(wilson_loops_params, given.xi), .min = 0, .max = 100,
      .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,
      .doc = "anisotropic lattices, required there: the anisotropy a_s/a_t; V(r) is then xi log W(r, t)/W(r, t+1), and "
             "V, r0 and r1 are in units of a_s" },
    { 0 }
};

static const result_member members[] = {
    MEMBER("r_max", NULL, NULL, "number of distances of `loops`; by default half of the smallest extent in space"),
    MEMBER("t_max", NULL, NULL, "number of times; by default half of the extent in time"),
    MEMBER("t_potential", NULL, NULL, "t of the potential of the run, below"),
    MEMBER("distance", NULL, NULL, "distance of a force of the run, below"),
    MEMBER("xi", NULL, NULL, "anisotropic lattices: a_s/a_t of the input, a factor of the potential, below"),
    MEMBER("loops", NULL, "[r][t]", "`loops[r - 1][t - 1]` = W(r, t), r = 1 ... `r_max`, t = 1 ... `t_max`", .table =
           &static_potential_on_axis, .first = "W(1,1)"),
    MEMBER("loops_110", NULL, "[n][t]", "`loops_110[n - 1][t - 1]` = W(n (1,1,0), t); n up to `r_max`", .table =
           &static_potential_110),
    MEMBER("loops_111", NULL, "[n][t]", "the same along (1,1,1)", .table = &static_potential_111),
    MEMBER("loops_210", NULL, "[n][t]", "the same along (2,1,0); n up to `r_max`/2", .table = &static_potential_210),
    { 0 }
};
static const result_group results[] = { { "Wilson loops", NULL, NULL, members }, { 0 } };

const measurement_kind wilson_loops_measurement = {
    .input = { .name = "wilson_loops",
               .doc = "Wilson loops in space and time, with smeared lines in space: the static potential",
               .params = specs,
               .example = "name: loops\nevery: 10\nape_levels: 20\nt_max: 6",
               .see = "observables.md#wilson-loops",
               .size = sizeof(wilson_loops_params) },
    .takes_anisotropy = takes_anisotropy,
    .lattice_anisotropy = anisotropy_given,
    .results = results,
    .check = check_params,
    .create = create_measurement,
    .free = free_measurement,
    .run = run_measurement,
    .bytes = count_bytes,
};
