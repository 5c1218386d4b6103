/* measurements.c - the registry of measurement kinds, and the measurements of a run. */
#include "src/base/checksum.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/condensate.h"
#include "src/measure/doublet_measurement.h"
#include "src/measure/fixed_gauge.h"
#include "src/measure/flow.h"
#include "src/measure/gauge_measurement.h"
#include "src/measure/measurement.h"
#include "src/measure/dwf_measurement.h"
#include "src/measure/overlap_measurement.h"
#include "src/measure/polyakov_loops.h"
#include "src/measure/schwinger_dyson.h"
#include "src/measure/staggered_mesons.h"
#include "src/measure/wilson_loops.h"
#include "src/measure/wilson_measurement.h"
#include "src/measure/wilson_reweighting.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const param_kind *const measurement_kinds[] = { &flow_measurement.input, &condensate_measurement.input,
                                                &dwf_measurement.input, &wilson_measurement.input,
                                                &wilson_reweighting.input, &gauge_observables_measurement.input,
                                                &wilson_loops_measurement.input, &polyakov_measurement.input,
                                                &gauge_fixing_measurement.input, &staggered_mesons_measurement.input,
                                                &overlap_measurement.input, &doublet_measurement.input,
                                                &schwinger_dyson_measurement.input, NULL };

static const measurement_kind *measurement_kind_at(int index)
{
    return (const measurement_kind *)measurement_kinds[index];
}

const measurement_kind *measurement_kind_named(const char *name)
{
    for (int i = 0; measurement_kinds[i]; i++)
        if (strcmp(measurement_kinds[i]->name, name) == 0)
            return measurement_kind_at(i);
    return NULL;
}

static const kind_item *item_at(const param_list *list, int index)
{
    return (const kind_item *)list->item + index;
}

static const measurement_kind *kind_of(const param_list *list, int index)
{
    return measurement_kind_at(item_at(list, index)->kind);
}

static const measurement_params *params_of(const param_list *list, int index)
{
    return item_at(list, index)->params;
}

const char *measurement_name(const param_list *list, int index)
{
    return params_of(list, index)->name;
}

int measurement_hops(measurement_input in, int index)
{
    const measurement_kind *kind = kind_of(in.list, index);
    int hops = kind->hops;
    for (int t = 0; kind->set_action && t < in.monomials->count; t++) {
        const int of_term = monomial_kind_at(item_at(in.monomials, t)->kind)->hops;
        hops = of_term > hops ? of_term : hops;
    }
    return hops;
}

bool measurement_is_deterministic(const param_list *list, int index)
{
    return kind_of(list, index)->deterministic;
}

/* The rows of a table after those of MEASUREMENT_SPECS. */
static const param_spec *own_specs(const measurement_kind *kind)
{
    const param_spec *specs = kind->input.params;
    while (specs->key && specs->offset < sizeof(measurement_params))
        specs++;
    return specs;
}

typedef void echo_function(text *out, const param_spec *specs, const void *values);

static void echo_digest(text *out, const param_spec *specs, const void *values)
{
    schema_echo(out, specs, values, true);
}

/* For digests: kind and parameters, and those of the monomials if the kind measures with the action. */
static void add_parameters(text *out, measurement_input in, int index, echo_function *echo)
{
    const measurement_kind *kind = kind_of(in.list, index);
    text_add(out, "kind: %s\n", kind->input.name);
    echo(out, own_specs(kind), params_of(in.list, index));
    for (int t = 0; kind->set_action && t < in.monomials->count; t++) {
        const kind_item *item = item_at(in.monomials, t);
        const param_kind *of = &monomial_kind_at(item->kind)->input;
        text_add(out, "monomial: %s\n", of->name);
        echo(out, of->params, item->params);
    }
}

uint64_t measurement_settings(measurement_input in, int index)
{
    text what = { 0 };
    add_parameters(&what, in, index, schema_echo_physical);
    const uint64_t digest = digest64(DIGEST64_START, text_string(&what), what.length);
    text_free(&what);
    return digest;
}

uint64_t measurement_digest(measurement_input in, int index)
{
    text what = { 0 };
    text_add(&what, "name: %s\n", measurement_name(in.list, index));
    add_parameters(&what, in, index, echo_digest);
    const uint64_t digest = digest64(DIGEST64_START, text_string(&what), what.length);
    text_free(&what);
    return digest;
}

void measurement_add_text(text *out, measurement_input in, int index)
{
    static const param_spec action[] = { { .key = "monomials", .type = PARAM_KINDS, .kinds = monomial_kinds }, { 0 } };
    const measurement_kind *kind = kind_of(in.list, index);
    text_add(out, "kind: %s\n", kind->input.name);
    schema_echo(out, own_specs(kind), params_of(in.list, index), false);
    if (kind->set_action)
        schema_echo(out, action, in.monomials, false);
}

void measurement_list_parameters(text *out, const param_list *list, int index)
{
    const measurement_kind *kind = kind_of(list, index);
    text_add(out, "kind: %s\nevery: %" PRId64 "\n", kind->input.name, params_of(list, index)->every);
    schema_list_fixed(out, own_specs(kind), params_of(list, index));
}

void measurement_compare(const param_list *list, int index, const param_list *monomials, action_listener *emit,
                         void *out)
{
    const measurement_kind *kind = kind_of(list, index);
    if (kind->compare)
        kind->compare(params_of(list, index), monomials, emit, out);
}

void measurement_advise(text *lines, const param_list *list, int index, const lattice_shape *shape)
{
    char key[32];
    snprintf(key, sizeof key, "measurements.%d", index);
    if (kind_of(list, index)->advise)
        kind_of(list, index)->advise(lines, key, params_of(list, index), shape);
}

/* The path of the files that a measurement writes; empty: none. */
static const char *saves_to(const param_list *list, int index)
{
    const measurement_kind *kind = kind_of(list, index);
    const char *path = kind->saves ? kind->saves(params_of(list, index)) : NULL;
    return path ? path : "";
}

/* Whether no earlier measurement writes the same files. */
static bool check_saves(const param_list *list, int index, failure *f)
{
    const char *path = saves_to(list, index);
    for (int i = 0; path[0] && i < index; i++)
        if (strcmp(saves_to(list, i), path) == 0)
            return fail(f, "%s: propagators.save is also that of %s: give another path", measurement_name(list, index),
                        measurement_name(list, i));
    return true;
}

bool measurement_check(const param_list *list, int index, const lattice_shape *shape, failure *f)
{
    const measurement_kind *kind = kind_of(list, index);
    if (shape->open_in_time && !kind->open_in_time)
        return fail(f, "%s: measurements of kind %s need periodic boundaries in time, but boundary.time is open; "
                       "remove this measurement", params_of(list, index)->name, kind->input.name);
    return kind->check(params_of(list, index), shape, f) && check_saves(list, index, f);
}

bool measurement_of_loops(const void *params, failure *f)
{
    (void)params;
    (void)f;
    return true;
}

static bool has_anisotropy(const char *name, double own, double xi, failure *f)
{
    if (own == xi)
        return true;
    return own == 1 ? fail(f, "%s: the measured quarks are isotropic", name)
                    : fail(f, "%s: the measured quarks have xi_0: %g", name, own);
}

double measurements_anisotropy_of(const param_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(params_of(list, i)->name, name) == 0 && kind_of(list, i)->lattice_anisotropy)
            return kind_of(list, i)->lattice_anisotropy(params_of(list, i));
    return 1;
}

bool measurement_takes_anisotropy(const param_list *list, int index, double xi, failure *f)
{
    const measurement_kind *kind = kind_of(list, index);
    if (kind->anisotropy)
        return has_anisotropy(params_of(list, index)->name, kind->anisotropy(params_of(list, index)), xi, f);
    const double given = kind->lattice_anisotropy ? kind->lattice_anisotropy(params_of(list, index)) : 1;
    if (xi == 1)
        return given == 1 || fail(f, "%s: xi: %g is given", params_of(list, index)->name, given);
    return kind->takes_anisotropy ? kind->takes_anisotropy(params_of(list, index), f)
                                  : fail(f, "%s: measurements of kind %s need an isotropic action",
                                         params_of(list, index)->name, kind->input.name);
}

bool measurement_takes_action(const param_list *list, int index, const param_list *monomials,
                              const lattice_shape *shape, failure *f)
{
    const measurement_kind *kind = kind_of(list, index);
    return !kind->takes_action || kind->takes_action(params_of(list, index), monomials, shape, f);
}

memory_need measurement_need(measurement_input in, int index, const lattice_shape *shape)
{
    const measurement_kind *kind = kind_of(in.list, index);
    return kind->action_bytes ? kind->action_bytes(in.monomials, shape)
                              : memory_need_in_turn(kind->bytes(params_of(in.list, index), shape));
}

memory_need measurements_bytes(measurement_input in, const lattice_shape *shape)
{
    memory_need most = { 0 };
    for (int i = 0; i < in.list->count; i++)
        most = memory_need_either(most, measurement_need(in, i, shape));
    return most;
}

struct measurements {
    const param_list *list, *monomials;
    workspace *memory;                   /* of all of them; borrowed */
};

measurements *measurements_create(measurement_input in, const gauge *u)
{
    measurements *m = memory_alloc(sizeof *m, "measurements");
    assert(in.list->count <= MEASUREMENTS_MAX);
    m->list = in.list;
    m->monomials = in.monomials;
    m->memory = lattice_workspace(u->links.lattice, u->links.where);
    workspace_join(m->memory, measurements_bytes(in, lattice_shape_of(u->links.lattice)).shared);
    return m;
}

void measurements_free(measurements *m)
{
    if (!m)
        return;
    workspace_leave(m->memory);
    memory_free(m);
}

static bool is_due(const measurements *m, int index, int64_t trajectory)
{
    return trajectory % params_of(m->list, index)->every == 0;
}

bool measurements_due(const measurements *m, int64_t trajectory)
{
    bool due = false;
    for (int i = 0; i < m->list->count; i++)
        due |= is_due(m, i, trajectory);
    return due;
}

/* A measurement for one run: solvers and forces overwrite its memory afterwards. */
static measurement *create_measurement(measurements *m, int index, const gauge *u)
{
    const bool was = workspace_begin(m->memory);
    measurement *one = kind_of(m->list, index)->create(params_of(m->list, index), u);
    workspace_end(m->memory, was);
    if (one->kind->set_action)
        one->kind->set_action(one, m->monomials);
    return one;
}

/* The 64 bits of the seed in the key include a digest of the name: two names have the same random numbers only if their
 * digests of 64 bits are equal. */
rng_key measurement_key(const measurement_point *point, const char *name)
{
    const uint64_t digest = digest64(DIGEST64_START, name, strlen(name));
    return rng_key_for(point->seed ^ digest, point->stream, (uint64_t)point->trajectory, RNG_MEASUREMENT);
}

bool measurements_run_one(measurements *m, int index, const gauge *u, const measurement_point *point, json *result,
                          clock_tree *clock)
{
    const char *name = measurement_name(m->list, index);
    failure f = { .why = "" };
    clock_begin(clock, name);
    json_open(result, NULL, '{');
    measurement *one = create_measurement(m, index, u);
    json_text(result, "kind", one->kind->input.name);
    json_hex(result, "settings", measurement_settings((measurement_input){ m->list, m->monomials }, index));
    const bool ok = one->kind->run(one, u, measurement_key(point, name), result, clock, &f);
    one->kind->free(one);
    json_bool(result, "converged", ok);
    if (!ok) {
        json_text(result, "why", f.why);
        log_line(LOG_WARNING, "measurement %s: %s", name, f.why);
    }
    json_close(result);
    clock_end(clock);
    return ok;
}

void measurements_run(measurements *m, bool all, const gauge *u, const measurement_point *point, json *j,
                      clock_tree *clock)
{
    for (int i = 0; i < m->list->count; i++) {
        json result = { 0 };
        if (!all && !is_due(m, i, point->trajectory))
            continue;
        measurements_run_one(m, i, u, point, &result, clock);
        json_insert(j, measurement_name(m->list, i), &result);
        json_free(&result);
    }
}
