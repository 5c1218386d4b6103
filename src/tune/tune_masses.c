/* tune_masses.c - Hasenbusch masses, twists and numbers of pseudofermions, changed one at a time on the same links.
 *
 * The effect of a value on the variance of dH is computed from the means of the brackets of its monomial, which a few
 * refreshes determine well: |F|^2 and the second derivative of the monomial scale the changes seen in the learning
 * trajectories, products with other forces scale with the square root.  The effect on the time is measured. */
#include "src/tune/tune_stages.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/tune/shared_clock.h"
#include "src/tune/tune_checkpoint.h"
#include "src/tune/tune_time.h"
#include "src/tune/tune_trials.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MASSES_PART 0.8                    /* fraction of the time limit at the end of this stage */

/* Required relative cost of another mass: times and means have errors. */
#define GAIN 0.93

enum { KEYS = 32 };

/* Trial values: a mass by these factors, numbers of pseudofermions. */
enum { CANDIDATES = 4 };
static const double factors[CANDIDATES] = { 0.6, 1.6, 0.4, 2.5 }, counts[CANDIDATES] = { 1, 2, 3, 4 };

/* The paths of masses in the input; of_term: where that within the monomial begins. */
typedef struct { char key[96]; int term, of_term; bool is_count; double value; } mass_key;
typedef struct { int count, term; mass_key key[KEYS]; } mass_keys;

static bool add_mass(const char *key, const param_spec *spec, const void *value, void *context)
{
    mass_keys *found = context;
    if (!(spec->flags & PARAM_TUNABLE) || !param_is_given(spec, value) || found->count == KEYS)
        return true;
    mass_key *k = &found->key[found->count++];
    k->of_term = snprintf(k->key, sizeof k->key, "monomials.%d.", found->term);
    snprintf(k->key + k->of_term, sizeof k->key - (size_t)k->of_term, "%s", key);
    k->term = found->term;
    k->is_count = spec->type == PARAM_INT;
    k->value = k->is_count ? (double)*(const int64_t *)value : *(const double *)value;
    return true;
}

static mass_keys find_masses(const run_params *p)
{
    mass_keys found = { .count = 0 };
    for (; found.term < run_monomial_count(p); found.term++)
        schema_each(run_monomial_kind(p, found.term)->input.params, run_monomial_params(p, found.term), add_mass,
                    &found);
    return found;
}

/* Two digits of a mass are enough, four of one that is measured from another. */
static double rounded(double mass, int digits)
{
    const double unit = pow(10, floor(log10(fabs(mass))) - digits + 1);
    return mass == 0 ? 0 : round(mass / unit) * unit;
}

static double candidate_value(const tuning *t, const mass_key *k, int i)
{
    const run_params *p = &t->in->p;
    const monomial_kind *kind = run_monomial_kind(p, k->term);
    if (k->is_count)
        return counts[i];
    if (!kind->tuned_value)
        return rounded(k->value * factors[i], 2);
    return rounded(kind->tuned_value(run_monomial_params(p, k->term), k->key + k->of_term, k->value, factors[i]), 4);
}

static void write_set(char set[TUNE_SET_BYTES], const mass_key *k, double value)
{
    snprintf(set, TUNE_SET_BYTES, "%.95s=%.6g", k->key, value);
}

/* Whether the input may have a value for a key: a number of pseudofermions is for some determinants alone. */
static bool applies(const tuning *t, const mass_key *k)
{
    char set[TUNE_SET_BYTES];
    write_set(set, k, k->value);
    return tune_can_read_with(t, set);
}

/* Means of brackets, and seconds, on the same links. */
typedef struct { brackets mean; lab_times times; } mass_measurement;

/* A value, with its prediction. */
typedef struct { mass_measurement m; tune_model model; tune_prediction best; } candidate;

enum { MEASUREMENT_REALS = sizeof(mass_measurement) / sizeof(double) };

/* A measurement of an earlier call; *possible: it did not fail. */
static bool find_measurement(bool *possible, mass_measurement *m, tuning *t, const char *what)
{
    const stored_trial *kept = tune_trial_find(t, what, MEASUREMENT_REALS);
    *possible = kept && kept->count > 0;
    if (*possible)
        memcpy(m, kept->value, sizeof *m);
    return kept != NULL;
}

/* Measure with a lab, and keep it; false if a term fails, or at a signal. */
static bool measure(mass_measurement *m, tuning *t, lab *l, const char *what, failure *why)
{
    const bool done = lab_mean_brackets(l, &m->mean, why);
    if (done)
        m->times = lab_times_of(l);
    tune_trial_keep(t, what, (const double *)m, done ? MEASUREMENT_REALS : 0);
    return done;
}

/* The measurement with a value; false if it cannot be used. */
static bool measure_value(mass_measurement *m, tuning *t, const char *set)
{
    run_input in;
    failure why;
    bool done;
    if (find_measurement(&done, m, t, set))
        return done && tune_can_read_with(t, set);
    if (!tune_read_with(&in, t, set))
        return false;
    lab *l = lab_create(&in.p, t->u, t->limits);
    hmc_set_memory(lab_hmc(l), &t->memory);
    done = measure(m, t, l, set, &why);
    lab_free(l);
    run_input_free(&in);
    return done;
}

/* Try a value; `c` is the result.  False if it cannot be used. */
static bool try_mass(tuning *t, candidate *c, const mass_key *k, double value, const candidate *now)
{
    mass_trial *trial = &t->r->trial[t->r->trials++];
    char set[TUNE_SET_BYTES];
    *trial = (mass_trial){ .value = value, .cost = NAN, .force = NAN, .force_seconds = NAN };
    memcpy(trial->key, k->key, sizeof trial->key);
    write_set(set, k, value);
    log_progress("mass %s", set);
    if (!measure_value(&c->m, t, set))
        return false;
    c->model = now->model;
    if (!t->w->times)
        tune_rescale_times(&c->model.times, k->term, &c->m.times, &now->m.times);
    tune_rescale(&c->model, k->term, &c->m.mean, &now->m.mean);
    c->best = tune_best_of(t, &c->model);
    trial->force = sqrt(c->m.mean.ff[k->term][k->term] / (4 * (double)lattice_volume(t->u->links.lattice)));
    trial->force_seconds = c->model.times.force[k->term];
    trial->cost = c->best.cost;
    return true;
}

static void set_mass(tuning *t, const mass_key *k, double value)
{
    tune_result *r = t->r;
    int n = 0;
    while (n < r->sets && strncmp(r->set[n], k->key, strlen(k->key)) != 0)
        n++;
    if (n == r->sets)
        r->sets++;
    write_set(r->set[n], k, value);
    for (int i = 0; i < r->trials; i++)
        if (strcmp(r->trial[i].key, k->key) == 0)
            r->trial[i].chosen = r->trial[i].value == value;
}

static bool is_kept(const tuning *t, const mass_key *k, double value)
{
    char set[TUNE_SET_BYTES];
    write_set(set, k, value);
    return tune_trial_is_kept(t, set);
}

static void leave_out(tuning *t, const mass_key *k, double value)
{
    left_out_add(&t->r->left_out, "masses", k->key, "%.6g", value);
}

static void leave_out_all(tuning *t, const mass_keys *keys)
{
    for (int k = 0; k < keys->count; k++)
        for (int i = 0; i < CANDIDATES && applies(t, &keys->key[k]); i++) {
            const double value = candidate_value(t, &keys->key[k], i);
            if (value != keys->key[k].value)
                leave_out(t, &keys->key[k], value);
        }
}

/* The present value, the best trial of a mass, and the current trial; the seconds of one. */
typedef struct { candidate now, best, tried; double seconds; } candidates;

static bool scan_masses(tuning *t, candidates *c, const mass_key *keys, int count)
{
    for (int k = 0; k < count; k++) {
        double chosen = keys[k].value;
        bool late = false;
        c->best = c->now;
        if (!applies(t, &keys[k]))
            continue;
        for (int i = 0; i < CANDIDATES && t->r->trials < MASS_TRIALS; i++) {
            const double value = candidate_value(t, &keys[k], i);
            if (value == keys[k].value)
                continue;
            if (!is_kept(t, &keys[k], value) && (late = late || !tune_time_to_try(t, MASSES_PART, c->seconds))) {
                leave_out(t, &keys[k], value);
                continue;
            }
            if (!tune_goes_on(t))
                return false;
            const bool possible = try_mass(t, &c->tried, &keys[k], value, &c->now);
            if (!tune_checkpoint_save(t))
                return false;
            if (possible && c->tried.best.cost < GAIN * c->best.best.cost) {
                c->best = c->tried;
                chosen = value;
            }
        }
        if (chosen != keys[k].value)
            set_mass(t, &keys[k], chosen);
        c->now = c->best;
    }
    return true;
}

/* A prediction: a few refreshes, each with three forces of every term. */
static double seconds_of_trial(const tune_model *m)
{
    enum { REFRESHES = 3, FORCES = 3 };
    double seconds = m->times.refresh + m->times.rest;
    for (int t = 0; t < m->terms; t++)
        seconds += FORCES * m->times.force[t];
    return REFRESHES * seconds;
}

bool tune_masses(tuning *t)
{
    static const char as_given[] = "masses of the input";
    const mass_keys keys = find_masses(&t->in->p);
    if (keys.count == 0)
        return true;
    if (!tune_trial_is_kept(t, as_given)
        && !tune_time_to_try(t, MASSES_PART, (1 + CANDIDATES) * seconds_of_trial(&t->model))) {
        leave_out_all(t, &keys);
        return true;
    }
    candidates *c = memory_alloc(sizeof *c, "masses to be tried");
    const double began = shared_clock_now();
    bool done, kept = find_measurement(&done, &c->now.m, t, as_given);
    done = done || measure(&c->now.m, t, t->l, as_given, t->f);
    c->seconds = kept ? seconds_of_trial(&t->model) : shared_clock_now() - began;
    done = tune_checkpoint_save(t) && done;
    if (done) {
        c->now.model = t->model;
        c->now.best = tune_best_of(t, &t->model);
        hmc_get_memory(lab_hmc(t->l), &t->memory);
        lab_free(t->l);
        t->l = NULL;
        done = scan_masses(t, c, keys.key, keys.count);
        t->model = c->now.model;
    }
    memory_free(c);
    return done && tune_apply_sets(t) && tune_open_lab(t);
}
