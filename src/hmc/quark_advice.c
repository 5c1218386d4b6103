/* quark_advice.c - compares the quarks of measurements, and quarks at the ends of chains, with the monomials. */
#include "src/hmc/quark_advice.h"

#include "actions/stout_params.h"
#include "src/config/number.h"

#include <assert.h>
#include <string.h>

static void describe_links(text *lines, const stout_params *s)
{
    text_add(lines, "%s", s->levels > 0 ? "links with " : "thin links");
    stout_params_describe(lines, s);
}

static bool has_quarks(const run_params *p)
{
    bool found = false;
    for (int m = 0; m < run_monomial_count(p); m++)
        found |= stout_params_in(run_monomial_kind(p, m)->input.params, run_monomial_params(p, m)) != NULL;
    return found;
}

/* Whether any monomial has quarks on links with this smearing. */
static bool is_simulated(const run_params *p, const stout_params *s)
{
    bool found = false;
    for (int m = 0; m < run_monomial_count(p); m++) {
        const stout_params *of = stout_params_in(run_monomial_kind(p, m)->input.params, run_monomial_params(p, m));
        found |= of && stout_params_same(of, s);
    }
    return found;
}

/* Quarks should be measured on the links of the quarks of the action, unless the action has no quarks. */
static void advise_smearing(text *lines, const run_params *p)
{
    for (int n = 0; n < p->measurements.count; n++) {
        const kind_item *item = (const kind_item *)p->measurements.item + n;
        const stout_params *measured = stout_params_in(measurement_kinds[item->kind]->params, item->params);
        if (!measured || !has_quarks(p) || is_simulated(p, measured))
            continue;
        text_add(lines, "measurements.%d.stout: %s measures on ", n, measurement_name(&p->measurements, n));
        describe_links(lines, measured);
        text_add(lines, ", but no monomial has quarks on such links; give it the stout of the quarks that it "
                        "measures\n");
    }
}

static void add_three(text *t, const double *value)
{
    for (int i = 0; i < 3; i++) {
        text_add(t, i ? ", " : "[");
        number_add_real(t, value[i]);
    }
    text_add(t, "]");
}

/* Values of keys that are not given. */
static const struct { const char *key; double value; } implied[] = { { "xi_0", 1 }, { "nu", 1 }, { "c_F", 1 } };

static void add_implied(text *t, const char *key)
{
    for (unsigned i = 0; i < sizeof implied / sizeof *implied; i++)
        if (strcmp(implied[i].key, key) == 0) {
            number_add_real(t, implied[i].value);
            return;
        }
    text_add(t, "not given");
}

/* "key value" of a number, three numbers or a word.  A kind without the key has not given it. */
static text value_of(const param_spec *specs, const void *params, const char *key)
{
    const param_spec *spec = param_find(specs, key);
    const void *at = spec ? (const char *)params + spec->offset : NULL;
    text t = { 0 };
    text_add(&t, "%s ", key);
    if (!spec || !param_is_given(spec, at))
        add_implied(&t, key);
    else if (spec->type == PARAM_CHOICE)
        text_add(&t, "%s", spec->choices[*(const int *)at]);
    else if (spec->type == PARAM_REAL3)
        add_three(&t, at);
    else
        number_add_real(&t, spec->type == PARAM_INT ? (double)*(const int64_t *)at : *(const double *)at);
    return t;
}

/* ---- keys in which quarks differ: the keys in a table of the kind of measurement, and stout */

enum { KEYS_MAX = 16 };
typedef struct { int count; const char *key[KEYS_MAX]; bool stout; } key_list;

static bool is_given(const param_spec *specs, const void *params, const char *key)
{
    const param_spec *spec = param_find(specs, key);
    return spec && param_is_given(spec, (const char *)params + spec->offset);
}

/* c_s and c_t of a kind that has both: without them, c_sw. */
static const char *key_in(const param_spec *specs, const void *params, const char *key)
{
    const bool coefficient = strcmp(key, "c_s") == 0 || strcmp(key, "c_t") == 0;
    return coefficient && !is_given(specs, params, key) ? "c_sw" : key;
}

/* Where c_s and c_t are given, c_sw is not; then these are compared. */
static bool is_compared(const char *key, bool uneven)
{
    return strcmp(key, "c_sw") == 0 ? !uneven : (strcmp(key, "c_s") != 0 && strcmp(key, "c_t") != 0) || uneven;
}

static bool values_differ(const text *a, const text *b)
{
    return strcmp(strchr(text_string(a), ' '), strchr(text_string(b), ' ')) != 0;
}

static key_list differing_keys(const char *const *keys, const param_spec *specs, const void *params,
                               const param_spec *other_specs, const void *other)
{
    const stout_params *s = stout_params_in(specs, params), *o = stout_params_in(other_specs, other);
    key_list l = { .stout = s && o && !stout_params_same(s, o) };
    const bool uneven = is_given(specs, params, "c_s") || is_given(other_specs, other, "c_s");
    for (; *keys && l.count < KEYS_MAX; keys++) {
        if (!is_compared(*keys, uneven))
            continue;
        text a = value_of(specs, params, key_in(specs, params, *keys));
        text b = value_of(other_specs, other, key_in(other_specs, other, *keys));
        if (values_differ(&a, &b))
            l.key[l.count++] = *keys;
        text_free(&a);
        text_free(&b);
    }
    return l;
}

/* The monomial whose quarks differ from the quarks of a measurement in the fewest keys; -1: there is none. */
typedef struct { int monomial; key_list keys; } nearest_monomial;

static nearest_monomial nearest_of(const run_params *p, const kind_item *item, const measurement_kind *measures)
{
    const param_kind *kind = &measures->input;
    const char *quarks = measures->quarks ? measures->quarks : kind->name;
    nearest_monomial nearest = { .monomial = -1 };
    for (int m = 0; m < run_monomial_count(p); m++) {
        const param_kind *simulated = &run_monomial_kind(p, m)->input;
        if (strcmp(simulated->name, quarks) != 0)
            continue;
        const key_list keys = differing_keys(measures->quark_keys, kind->params, item->params, simulated->params,
                                             run_monomial_params(p, m));
        if (nearest.monomial < 0 || keys.count + keys.stout < nearest.keys.count + nearest.keys.stout)
            nearest = (nearest_monomial){ m, keys };
    }
    return nearest;
}

static void advise_keys(text *lines, const run_params *p, int n)
{
    const kind_item *item = (const kind_item *)p->measurements.item + n;
    const param_kind *kind = measurement_kinds[item->kind];
    const measurement_kind *measures = measurement_kind_named(kind->name);
    if (!measures->quark_keys)
        return;
    const nearest_monomial nearest = nearest_of(p, item, measures);
    for (int k = 0; k < nearest.keys.count; k++) {
        const char *key = nearest.keys.key[k];
        text measured = value_of(kind->params, item->params, key);
        text simulated = value_of(run_monomial_kind(p, nearest.monomial)->input.params,
                                  run_monomial_params(p, nearest.monomial), key);
        text_add(lines, "measurements.%d.%s: %s measures quarks with %s, but those of the action have %s; give it the "
                        "values of the quarks that it measures\n", n, key, measurement_name(&p->measurements, n),
                 text_string(&measured), text_string(&simulated));
        text_free(&measured);
        text_free(&simulated);
    }
    const stout_params *smearing = stout_params_in(kind->params, item->params);
    if (nearest.keys.stout && is_simulated(p, smearing)) {
        text_add(lines, "measurements.%d.stout: %s measures on ", n, measurement_name(&p->measurements, n));
        describe_links(lines, smearing);
        text_add(lines, ", but the quarks of %s are on ", run_monomial_name(p, nearest.monomial));
        describe_links(lines, stout_params_in(run_monomial_kind(p, nearest.monomial)->input.params,
                                       run_monomial_params(p, nearest.monomial)));
        text_add(lines, "; give it the stout of the quarks that it measures\n");
    }
}

/* ---- masses, mu and Naik epsilons (measurement.h) */

typedef struct { text *lines; const char *name; int number; } mismatch_lines;

static void add_warning(void *out, const action_mismatch *m)
{
    const mismatch_lines *to = out;
    if (m->is_fault)
        return;
    text_add(to->lines, "measurements.%d.%s", to->number, m->list);
    if (m->index >= 0)
        text_add(to->lines, ".%d", m->index);
    if (m->key)
        text_add(to->lines, ".%s", m->key);
    text_add(to->lines, ": %s: %s\n", to->name, m->sentence);
}

/* ---- chains of determinants over several monomials */

static const char *const *quark_keys_of(const char *name)
{
    for (int k = 0; measurement_kinds[k]; k++) {
        const measurement_kind *kind = measurement_kind_named(measurement_kinds[k]->name);
        if (kind->quark_keys && strcmp(kind->quarks ? kind->quarks : kind->input.name, name) == 0)
            return kind->quark_keys;
    }
    return NULL;
}

static quark_list quarks_of(const run_params *p, int m)
{
    quark_list l = { 0 };
    failure f;
    const qcdml_term *term = run_monomial_kind(p, m)->qcdml;
    if (term && term->add_quarks)
        term->add_quarks(&l, run_monomial_params(p, m), &f);
    return l;
}

/* A denominator of monomial `end` that is a numerator of monomial `next`, which continues the chain; NULL: none. */
static const quark_count *link_of_chain(const quark_list *end, const quark_list *next)
{
    for (int i = 0; i < end->count; i++)
        for (int k = 0; k < next->count; k++) {
            const quark_count *a = &end->quark[i], *b = &next->quark[k];
            if (a->flavors < 0 && b->flavors > 0 && quark_count_same(a, b))
                return a;
        }
    return NULL;
}

static void add_side(text *lines, const run_params *p, int m, const char *key)
{
    const param_kind *kind = &run_monomial_kind(p, m)->input;
    text value = { 0 };
    if (key)
        value = value_of(kind->params, run_monomial_params(p, m), key);
    else
        describe_links(&value, stout_params_in(kind->params, run_monomial_params(p, m)));
    text_add(lines, "%s has %s", run_monomial_name(p, m), text_string(&value));
    text_free(&value);
}

/* key NULL: stout */
static void add_broken_chain(text *lines, const run_params *p, int end, int next, const quark_count *at,
                             const char *key)
{
    text_add(lines, "monomials.%d.%s: %s ends with the denominator ", end, key ? key : "stout", run_monomial_name(p,
        end));
    action_quark_describe(lines, at);
    text_add(lines, ", with which %s continues, but ", run_monomial_name(p, next));
    add_side(lines, p, end, key);
    text_add(lines, " and ");
    add_side(lines, p, next, key);
    text_add(lines, ": their intermediate determinants do not cancel; give both the same value\n");
}

static void advise_chain(text *lines, const run_params *p, int end, int next)
{
    const param_kind *kind = &run_monomial_kind(p, end)->input;
    const char *const *keys = quark_keys_of(kind->name);
    if (end == next || !keys || run_monomial_kind(p, next) != run_monomial_kind(p, end))
        return;
    const quark_list a = quarks_of(p, end), b = quarks_of(p, next);
    const quark_count *at = link_of_chain(&a, &b);
    if (!at)
        return;
    const key_list differ = differing_keys(keys, kind->params, run_monomial_params(p, end), kind->params,
                                           run_monomial_params(p, next));
    for (int k = 0; k < differ.count; k++)
        add_broken_chain(lines, p, end, next, at, differ.key[k]);
    if (differ.stout)
        add_broken_chain(lines, p, end, next, at, NULL);
}

void quark_advice_add_measured(text *lines, const run_params *p)
{
    advise_smearing(lines, p);
    for (int n = 0; n < p->measurements.count; n++) {
        advise_keys(lines, p, n);
        measurement_compare(&p->measurements, n, &p->monomials, add_warning,
                            &(mismatch_lines){ lines, measurement_name(&p->measurements, n), n });
    }
}

void quark_advice_add(text *lines, const run_params *p)
{
    quark_advice_add_measured(lines, p);
    for (int end = 0; end < run_monomial_count(p); end++)
        for (int next = 0; next < run_monomial_count(p); next++)
            advise_chain(lines, p, end, next);
}
