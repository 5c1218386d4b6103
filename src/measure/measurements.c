/* measurements.c - the registry of measurement kinds, and the measurements of a run. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/condensate.h"
#include "src/measure/flow.h"
#include "src/measure/gauge_measurement.h"
#include "src/measure/measurement.h"
#include "src/measure/dwf_measurement.h"

#include <assert.h>
#include <string.h>

const param_kind *const measurement_kinds[] = { &flow_measurement.input, &condensate_measurement.input,
                                                &dwf_measurement.input, &gauge_observables_measurement.input, NULL };

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

bool measurement_check(const param_list *list, int index, const lattice_shape *shape, failure *f)
{
    return kind_of(list, index)->check(params_of(list, index), shape, f);
}

size_t measurements_bytes(const param_list *list, const lattice_shape *shape)
{
    size_t bytes = 0;
    for (int i = 0; i < list->count; i++)
        bytes += kind_of(list, i)->bytes(params_of(list, i), shape);
    return bytes;
}

struct measurements {
    const param_list *list;
    measurement *item[MEASUREMENTS_MAX];
};

measurements *measurements_create(const param_list *list, const gauge *u)
{
    measurements *m = memory_alloc(sizeof *m, "measurements");
    assert(list->count <= MEASUREMENTS_MAX);
    m->list = list;
    for (int i = 0; i < list->count; i++)
        m->item[i] = kind_of(list, i)->create(params_of(list, i), u);
    return m;
}

void measurements_free(measurements *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->list->count; i++)
        m->item[i]->kind->free(m->item[i]);
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

static void run_one(measurements *m, int index, const gauge *u, rng_key key, json *j, clock_tree *clock)
{
    const char *name = measurement_name(m->list, index);
    failure f = { "" };
    clock_begin(clock, name);
    json_open(j, name, '{');
    json_text(j, "kind", m->item[index]->kind->input.name);
    bool ok = m->item[index]->kind->run(m->item[index], u, key, j, clock, &f);
    json_bool(j, "converged", ok);
    if (!ok) {
        json_text(j, "why", f.why);
        log_line(LOG_WARNING, "measurement %s: %s", name, f.why);
    }
    json_close(j);
    clock_end(clock);
}

void measurements_run(measurements *m, bool all, const gauge *u, const measurement_point *point, json *j,
                      clock_tree *clock)
{
    for (int i = 0; i < m->list->count; i++)
        if (all || is_due(m, i, point->trajectory))
            run_one(m, i, u,
                    rng_key_for(point->seed, point->stream, (uint64_t)point->trajectory, RNG_MEASUREMENT + (unsigned)i),
                    j, clock);
}
