/* monomials.c - the registry of monomials. */
#include "actions/gauge_action.h"
#include "actions/monomial.h"
#include "actions/staggered_quarks.h"
#include "actions/doublet_params.h"
#include "actions/dwf_params.h"
#include "actions/wilson_params.h"
#include "gpu/device.h"
#include "src/base/log.h"
#include "src/base/text.h"

#include <string.h>

const param_kind *const monomial_kinds[] = { &gauge_monomial.input, &staggered_monomial.input,
                                             &dwf_monomial.input, &wilson_monomial.input,
                                             &doublet_monomial.input, NULL };

const monomial_kind *monomial_kind_at(int index)
{
    return (const monomial_kind *)monomial_kinds[index];
}

bool monomial_check(const monomial_kind *kind, const void *params, const lattice_shape *shape, failure *f)
{
    if (shape->open_in_time && !kind->open_in_time)
        return fail(f, "monomials of kind %s need periodic boundaries in time, but boundary.time is open",
                    kind->input.name);
    return kind->check(kind, params, shape, f);
}

monomial *monomial_create(const monomial_kind *kind, const void *params, const gauge *u)
{
    return kind->create(kind, params, u);
}

memory_need monomial_need(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    return kind->bytes(kind, params, shape);
}

size_t monomial_pseudofermion_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    return kind->pseudofermion_bytes ? kind->pseudofermion_bytes(kind, params, shape) : 0;
}

size_t monomial_start_vector_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    return kind->start_vector_bytes ? kind->start_vector_bytes(kind, params, shape) : 0;
}

bool monomial_refresh(monomial *m, const gauge *u, rng_key key, monomial_call *c)
{
    c->drawn = 0;
    return !m->kind->refresh || m->kind->refresh(m, u, key, c);
}

bool monomial_action(double *value, monomial *m, const gauge *u, monomial_call *c)
{
    return m->kind->action(value, m, u, c);
}

bool monomial_add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *c)
{
    return m->kind->add_force(m, u, p, weight, size, c);
}

sum_array monomial_size_create(const gauge *u)
{
    return sums_create(u->links.lattice, u->links.where, FORCE_SUMS, FORCE_MAXIMA);
}

bool monomial_prepare(monomial *m, const gauge *u, int64_t number, monomial_call *c)
{
    return !m->kind->prepare || m->kind->prepare(m, u, number, c);
}

int monomial_get_memory(const monomial *m, double values[MONOMIAL_MEMORY])
{
    return m->kind->get_memory ? m->kind->get_memory(m, values) : 0;
}

void monomial_set_memory(monomial *m, const double *values, int count)
{
    if (m->kind->set_memory)
        m->kind->set_memory(m, values, count);
}

void monomial_report(monomial *m, json *j)
{
    if (m->kind->report)
        m->kind->report(m, j);
}

void monomial_log_warnings(monomial *m, const char *where)
{
    text lines = { 0 };
    if (m->kind->warn)
        m->kind->warn(m, &lines);
    for (const char *at = text_string(&lines), *end; (end = strchr(at, '\n')); at = end + 1)
        log_line(LOG_WARNING, "%s: %.*s", where, (int)(end - at), at);
    text_free(&lines);
}

field *monomial_pseudofermion(monomial *m, int index, const char **name)
{
    return m->kind->pseudofermion_at ? m->kind->pseudofermion_at(m, index, name) : NULL;
}

void monomial_mixed(monomial *m)
{
    if (m->kind->mixed)
        m->kind->mixed(m);
}

void monomial_progress(monomial *m, number_row *row)
{
    if (m->kind->progress)
        m->kind->progress(m, row);
}

field *monomial_start_vector(monomial *m, int index)
{
    return m->kind->start_vector_at ? m->kind->start_vector_at(m, index) : NULL;
}

void monomial_free(monomial *m)
{
    if (m)
        m->kind->free(m);
}

void monomial_time_begin(monomial_call *c, const char *part)
{
    clock_begin(c->clock, part);
}

void monomial_time_end(monomial_call *c)
{
    if (c->clock)
        device_wait();
    clock_end(c->clock);
}
