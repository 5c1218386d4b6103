/* run_advice.c - warnings about values that are allowed but probably a mistake. */
#include "src/hmc/run_advice.h"

#include "actions/stout_params.h"
#include "src/base/log.h"
#include "src/config/number.h"

#include <inttypes.h>
#include <string.h>

/* A warning only: a user may begin with a part of the thermalization, and extend the ensemble later. */
static void advise_thermalization(text *lines, const run_params *p)
{
    const int64_t all = p->hmc.trajectories, first = p->hmc.thermalization;
    if (all > 0 && first > all)
        text_add(lines, "hmc.thermalization: %" PRId64 " is larger than hmc.trajectories: %" PRId64 ": no trajectories "
                        "follow thermalization; raise hmc.trajectories, or lower hmc.thermalization before the "
                        "ensemble begins\n", first, all);
}

/* The smearing of quarks in the parameters of a table; NULL: it has no such key. */
static const stout_params *stout_of(const param_spec *specs, const void *params)
{
    for (; specs->key; specs++)
        if (specs->group == stout_specs)
            return (const stout_params *)((const char *)params + specs->offset);
    return NULL;
}

/* Quarks are measured on the links of the quarks of the action, unless there are none. */
static void advise_smearing(text *lines, const run_params *p)
{
    for (int n = 0; n < p->measurements.count; n++) {
        const kind_item *item = (const kind_item *)p->measurements.item + n;
        const stout_params *measured = stout_of(measurement_kinds[item->kind]->params, item->params);
        bool has_quarks = false, has_these = false;
        for (int m = 0; measured && m < run_monomial_count(p); m++) {
            const stout_params *s = stout_of(run_monomial_kind(p, m)->input.params, run_monomial_params(p, m));
            has_quarks |= s != NULL;
            has_these |= s && stout_params_same(s, measured);
        }
        if (!has_quarks || has_these)
            continue;
        text_add(lines, "measurements.%d.stout: %s measures on ", n, measurement_name(&p->measurements, n));
        if (measured->levels > 0)
            text_add(lines, "links with ");
        stout_params_describe(lines, measured);
        text_add(lines, "%s, but no monomial has quarks on such links; give it the stout of the quarks that it "
                        "measures\n", measured->levels > 0 ? "" : "thin links");
    }
}

static const param_spec *spec_of(const param_spec *specs, const char *key)
{
    while (specs->key && strcmp(specs->key, key) != 0)
        specs++;
    return specs->key ? specs : NULL;
}

static void add_three(text *t, const double *value)
{
    for (int i = 0; i < 3; i++) {
        text_add(t, i ? ", " : "[");
        number_add_real(t, value[i]);
    }
    text_add(t, "]");
}

/* "key value" of a number, three numbers or a word. */
static text value_of(const param_spec *specs, const void *params, const char *key)
{
    const param_spec *spec = spec_of(specs, key);
    const void *at = (const char *)params + spec->offset;
    text t = { 0 };
    text_add(&t, "%s ", key);
    if (spec->type == PARAM_CHOICE)
        text_add(&t, "%s", spec->choices[*(const int *)at]);
    else if (spec->type == PARAM_REAL3)
        add_three(&t, at);
    else
        number_add_real(&t, spec->type == PARAM_INT ? (double)*(const int64_t *)at : *(const double *)at);
    return t;
}

/* The first of the keys whose values in the measurement and in a monomial differ; NULL: none. */
static const char *differing_key(const char *const *keys, const param_spec *measured, const void *of_measurement,
                                 const param_spec *simulated, const void *of_monomial)
{
    for (; *keys; keys++) {
        text a = value_of(measured, of_measurement, *keys), b = value_of(simulated, of_monomial, *keys);
        const bool same = strcmp(text_string(&a), text_string(&b)) == 0;
        text_free(&a);
        text_free(&b);
        if (!same)
            return *keys;
    }
    return NULL;
}

/* A monomial of the quarks of a measurement, and a key by which its quarks are others; -1 if there is no such monomial,
 * or if one has the quarks of the measurement. */
typedef struct { int monomial; const char *key; } difference;

static difference difference_of(const run_params *p, const kind_item *item, const measurement_kind *measures)
{
    const difference none = { -1, NULL };
    const param_kind *kind = &measures->input;
    const char *quarks = measures->quarks ? measures->quarks : kind->name;
    difference d = none;
    for (int m = 0; m < run_monomial_count(p); m++) {
        const param_kind *simulated = &run_monomial_kind(p, m)->input;
        if (strcmp(simulated->name, quarks) != 0)
            continue;
        d.monomial = m;
        d.key = differing_key(measures->quark_keys, kind->params, item->params, simulated->params,
                              run_monomial_params(p, m));
        if (!d.key)
            return none;
    }
    return d;
}

static void advise_quarks(text *lines, const run_params *p)
{
    for (int n = 0; n < p->measurements.count; n++) {
        const kind_item *item = (const kind_item *)p->measurements.item + n;
        const param_kind *kind = measurement_kinds[item->kind];
        const measurement_kind *measures = measurement_kind_named(kind->name);
        const difference d = measures->quark_keys ? difference_of(p, item, measures) : (difference){ -1, NULL };
        if (d.monomial < 0)
            continue;
        text measured = value_of(kind->params, item->params, d.key);
        text simulated = value_of(run_monomial_kind(p, d.monomial)->input.params, run_monomial_params(p, d.monomial),
                                  d.key);
        text_add(lines, "measurements.%d.%s: %s measures quarks with %s, but those of the action have %s; give it the "
                        "values of the quarks that it measures\n", n, d.key, measurement_name(&p->measurements, n),
                 text_string(&measured), text_string(&simulated));
        text_free(&measured);
        text_free(&simulated);
    }
}

void run_advice_add(const run_params *p, advice_listener *tell_one, void *out)
{
    const lattice_shape shape = run_shape(p);
    text lines = { 0 };
    advise_thermalization(&lines, p);
    advise_smearing(&lines, p);
    advise_quarks(&lines, p);
    for (int m = 0; m < run_monomial_count(p); m++) {
        const monomial_kind *kind = run_monomial_kind(p, m);
        energy_errors errors = { 0 };
        if (kind->advise)
            kind->advise(&lines, run_monomial_params(p, m));
        if (!kind->energy_errors || run_is_pure_gauge(p))
            continue;
        kind->energy_errors(&errors, kind, run_monomial_params(p, m), &shape);
        energy_errors_advise(&lines, &errors, run_monomial_name(p, m));
    }
    char *rest = NULL;                               /* strtok has one for all threads, and ranks may be threads */
    for (char *line = lines.length ? strtok_r(lines.s, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
        tell_one(out, line);
    text_free(&lines);
}

static void log_warning(void *nothing, const char *sentence)
{
    (void)nothing;
    log_line(LOG_WARNING, "%s", sentence);
}

void run_advice_warn(const run_params *p)
{
    run_advice_add(p, log_warning, NULL);
}
