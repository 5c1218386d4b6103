/* tune_schemes.c - other integrators for the levels of the input, one level after the other, by trajectories with them.
 *
 * Brackets give the second order of dH for any scheme, but the rest, which is all of dH for a scheme of fourth order,
 * belongs to the scheme.  A candidate is therefore learned from trajectories of its own.  Schemes of second order whose
 * second order alone does not lower the cost are left out.
 *
 * A candidate is taken if its cost is below TUNE_GAIN times the present one, and lower by more than twice the combined
 * error of both, the root of the sum of their squares: several candidates compete on each level.  One whose terms fail,
 * in a solve for example, is not possible.  All begin on the same links, so that a trial does not depend on others. */
#include "src/tune/tune_stages.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/measure/autocorrelation.h"
#include "src/tune/tune_checkpoint.h"
#include "src/tune/tune_report.h"
#include "src/tune/tune_time.h"
#include "src/tune/tune_trials.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SCHEMES_PART 0.9                   /* fraction of the time limit at the end of this stage */
/* Trajectory numbers of the trial of a scheme: beyond those of a tuning. */
#define FIRST_NUMBER 100000000
enum { NUMBERS = 1000, SCHEMES_MOST = 32 };

#define ERRORS 2                           /* the least difference of two costs in combined errors */

/* The statistical error of a cost: that of the acceptance in its denominator. */
static double error_of(const tune_prediction *p)
{
    return p->cost * p->acceptance_error / p->acceptance;
}

/* The values of --set for a scheme of a level.  A scheme without lambda allows its default alone. */
static void add_sets(tune_result *r, int entry, const level_params *l)
{
    snprintf(r->set[r->sets++], TUNE_SET_BYTES, "hmc.levels.%d.integrator=%s", entry, scheme_names[l->integrator]);
    if (r->before.level[entry].lambda != OMELYAN_LAMBDA && !scheme_has_lambda(scheme_get(l->integrator)))
        snprintf(r->set[r->sets++], TUNE_SET_BYTES, "hmc.levels.%d.lambda=%.17g", entry, OMELYAN_LAMBDA);
}

/* Whether the input with the values chosen so far and this scheme is valid, and fits the memory. */
static bool is_possible(const tuning *t, int entry, const level_params *l)
{
    run_input in;
    const int sets = t->r->sets;
    add_sets(t->r, entry, l);
    const bool valid = tune_read_with(&in, t, NULL);
    t->r->sets = sets;
    if (!valid)
        return false;
    const size_t available = hmc_memory_available(t->u->links.where), needed = lab_bytes(&in.p);
    run_input_free(&in);
    return comm_agree(comm_world(), available == 0 || needed <= available, NULL);
}

static int64_t evaluations(const tuning *t, const tune_setting *s)
{
    schedule *plan = schedule_create(s->level, s->count, t->model.length);
    const int64_t count = plan->level[0].force_evaluations;
    schedule_free(plan);
    return count;
}

/* The setting with another scheme on a level, with about as many forces of the outermost level. */
static tune_setting setting_with(const tuning *t, int entry, int integrator)
{
    tune_setting s = t->from;
    const double before = (double)evaluations(t, &t->from);
    s.level[entry].integrator = integrator;
    s.level[entry].lambda = OMELYAN_LAMBDA;
    const int64_t g = tune_granularity(&s.level[0]);
    const double steps = (double)s.level[0].steps * before / (double)evaluations(t, &s);
    s.level[0].steps = (int64_t)fmax(1, round(steps / (double)g)) * g;
    return s;
}

/* A scheme of second order that is no better to second order needs no trajectories. */
static bool is_hopeless(const tuning *t, const tune_setting *s, int entry, const tune_prediction *now)
{
    tune_prediction found;
    if (scheme_get(s->level[entry].integrator)->order > 2)
        return false;
    tune_find(&t->model, s, t->w->target, t->w->lambdas, &found);
    return !(found.cost < TUNE_GAIN * now->cost);
}

/* The trajectories of a trial that the time did not allow. */
static void leave_out_rest(tuning *t, const scheme_trial *trial, int64_t missing)
{
    char key[TUNE_SET_BYTES];
    snprintf(key, sizeof key, "hmc.levels.%d.integrator", trial->entry);
    left_out_add(&t->r->left_out, "integrators", key, "%s (%" PRId64 " of %" PRId64 " trajectories)",
                 scheme_names[trial->integrator], missing, t->w->learn);
}

/* ---- trajectories with a scheme, of this or of an earlier call */

/* The name of their measurement: trajectories, and the setting with which they began. */
static text name_of(const tuning *t, const tune_setting *s)
{
    text what = { 0 };
    text_add(&what, "%" PRId64 " trajectories that begin with ", t->w->learn);
    setting_to_text(&what, s);
    return what;
}

/* A measurement: times, the steps and lambdas of the trajectories, and for each of these dH, seconds and brackets. */
enum { BRACKET_REALS = sizeof(brackets) / sizeof(double), TIME_REALS = sizeof(lab_times) / sizeof(double),
       SAMPLE_REALS = 2 + BRACKET_REALS };

static int head_reals(const tune_setting *s)
{
    return TIME_REALS + 2 * s->count;
}

static void keep_trajectories(tuning *t, const char *what, const tune_setting *s)
{
    const tune_model *m = &t->model;
    const int count = head_reals(s) + m->samples * SAMPLE_REALS;
    double *value = memory_alloc((size_t)count * sizeof *value, "trajectories of a trial"), *to = value;
    memcpy(to, &m->times, sizeof m->times);
    to += TIME_REALS;
    for (int e = 0; e < s->count; e++) {
        *to++ = (double)s->level[e].steps;
        *to++ = s->level[e].lambda;
    }
    for (int i = 0; i < m->samples; i++, to += BRACKET_REALS) {
        *to++ = m->sample[i].dh;
        *to++ = m->sample[i].seconds;
        memcpy(to, &m->sample[i].change, sizeof m->sample[i].change);
    }
    tune_trial_keep(t, what, value, count);
    memory_free(value);
}

/* False if the trial was not possible. */
static bool reuse_trajectories(tuning *t, const stored_trial *kept, tune_setting *s)
{
    if (kept->count < head_reals(s))
        return fail(t->f, "a term failed in an earlier call (--checkpoint)");
    const double *from = kept->value + TIME_REALS, *end = kept->value + kept->count;
    memcpy(&t->model.times, kept->value, sizeof t->model.times);
    for (int e = 0; e < s->count; e++) {
        s->level[e].steps = (int64_t)*from++;
        s->level[e].lambda = *from++;
    }
    for (; end - from >= SAMPLE_REALS; from += SAMPLE_REALS) {
        brackets change;
        memcpy(&change, from + 2, sizeof change);
        tune_sample *added = tune_add(&t->model, s, &change, from[0]);
        if (added)
            added->seconds = from[1];
    }
    return true;
}

/* Run trajectories with the scheme; those that the time allows. */
static bool run_trajectories(tuning *t, const scheme_trial *trial, tune_setting *s, const char *what)
{
    if (!tune_find_steps(t, s))
        return false;
    int64_t n = 0;
    for (; n < t->w->learn && (n < 2 || tune_has_time(t, SCHEMES_PART)); n++) {
        double dh;
        if (!tune_learn_one(t, s, &dh))
            return false;
        log_progress("%s %lld/%lld  %lld steps  dH %+.4g", scheme_names[trial->integrator], (long long)n + 1,
                     (long long)t->w->learn, (long long)s->level[0].steps, dh);
        lab_accept(t->l, dh);
    }
    t->model.times = tune_times_of(t);
    if (n < t->w->learn)
        leave_out_rest(t, trial, t->w->learn - n);
    else
        keep_trajectories(t, what, s);
    return true;
}

/* Learns the scheme; t->model is then that of it alone.  False if a term fails or tuning is stopped. */
static bool learn_scheme(tuning *t, scheme_trial *trial, tune_setting *s, tune_prediction *found)
{
    text what = name_of(t, s);
    const stored_trial *kept = tune_trial_find(t, text_string(&what), ANY_COUNT);
    t->model.samples = 0;
    const bool done = kept ? reuse_trajectories(t, kept, s) : run_trajectories(t, trial, s, text_string(&what));
    if (!done && !kept)
        tune_trial_keep(t, text_string(&what), NULL, 0);
    text_free(&what);
    if (!done)
        return false;
    trial->learned = t->model.samples;
    if (trial->learned < 2)
        return true;
    *s = tune_find(&t->model, s, t->w->target, t->w->lambdas, found);
    trial->setting = *s;
    trial->cost = found->cost;
    trial->error = error_of(found);
    return true;
}

/* The same on the links `from`, with random numbers that belong to this trial alone; back on these links, save it. */
static bool learn_from(const gauge *from, tuning *t, scheme_trial *trial, tune_setting *s, tune_prediction *found)
{
    const int64_t number = t->number;
    t->number = FIRST_NUMBER + NUMBERS * (SCHEMES_MOST * trial->entry + trial->integrator);
    lab_number(t->l, t->number);
    const bool done = learn_scheme(t, trial, s, found);
    gauge_copy(t->u, from);
    t->number = number;
    return done;
}

/* Tries a scheme, and takes it if it is better; `now` is then its prediction.  False if tuning is stopped. */
static bool try_scheme(tuning *t, int entry, int integrator, tune_prediction *now, const gauge *from)
{
    tune_result *r = t->r;
    tune_setting s = setting_with(t, entry, integrator);
    tune_prediction found;
    if (is_hopeless(t, &s, entry, now))
        return true;
    scheme_trial *trial = &r->scheme_trial[r->scheme_trials++];
    *trial = (scheme_trial){ .entry = entry, .integrator = integrator, .cost = NAN, .error = NAN,
                             .before = now->cost, .before_error = error_of(now) };
    tune_model *kept = memory_alloc(sizeof *kept, "a model of dH");
    *kept = t->model;
    const bool possible = is_possible(t, entry, &s.level[entry]);
    const bool done = possible && learn_from(from, t, trial, &s, &found);
    const bool saved = tune_checkpoint_save(t);
    if (!saved || (possible && !done)) {
        if (!saved || !tune_goes_on(t)) {
            memory_free(kept);
            return false;
        }
        log_progress("%s is not possible: %s", scheme_names[integrator], t->f->why);
    }
    if (trial->learned >= 2) {                               /* both costs with the same times */
        kept->times = t->model.times;
        tune_find(kept, &t->from, t->w->target, t->w->lambdas, now);
        trial->before = now->cost;
        trial->before_error = error_of(now);
    }
    const double apart = now->cost - trial->cost;
    trial->chosen = done && trial->learned >= SERIES_LEAST && tune_reaches(&found, t->w->target)
                    && apart > ERRORS * hypot(trial->error, trial->before_error) && trial->cost < TUNE_GAIN * now->cost;
    if (trial->chosen) {
        t->from = s;
        *now = found;
    } else
        t->model = *kept;
    memory_free(kept);
    return true;
}

/* Whether there is time to try a scheme, or no need of time. */
static bool may_try(const tuning *t, int entry, int integrator)
{
    const tune_setting s = setting_with(t, entry, integrator);
    text what = name_of(t, &s);
    const bool may = tune_trial_is_kept(t, text_string(&what))
                     || tune_time_to_try(t, SCHEMES_PART, (double)(t->w->learn + 1) * tune_time_of(t, &t->from));
    text_free(&what);
    return may;
}

/* A scheme that time would have allowed to try. */
static void leave_out(tuning *t, int entry, int integrator, const tune_prediction *now)
{
    const tune_setting s = setting_with(t, entry, integrator);
    char key[TUNE_SET_BYTES];
    snprintf(key, sizeof key, "hmc.levels.%d.integrator", entry);
    if (!is_hopeless(t, &s, entry, now))
        left_out_add(&t->r->left_out, "integrators", key, "%s", scheme_names[integrator]);
}

/* The best prediction for the present scheme, whose cost others are compared with. */
static bool try_level(tuning *t, int entry, const gauge *from)
{
    const int given = t->from.level[entry].integrator;
    tune_prediction now;
    if (scheme_get(given)->gauge_kicks > 0)
        return true;
    tune_find(&t->model, &t->from, t->w->target, t->w->lambdas, &now);
    for (int i = 0; scheme_names[i] && t->r->scheme_trials < SCHEME_TRIALS; i++) {
        if (i == given || scheme_get(i)->gauge_kicks > 0 || t->r->sets + 2 > MASS_TRIALS)
            continue;
        if (!tune_goes_on(t))
            return false;
        if (!may_try(t, entry, i))
            leave_out(t, entry, i, &now);
        else if (!try_scheme(t, entry, i, &now, from))
            return false;
    }
    if (t->from.level[entry].integrator != given)
        add_sets(t->r, entry, &t->from.level[entry]);
    /* Of several that were taken one after the other, the last one stays. */
    for (int i = 0; i < t->r->scheme_trials; i++) {
        scheme_trial *trial = &t->r->scheme_trial[i];
        trial->chosen &= trial->entry != entry || trial->integrator == t->from.level[entry].integrator;
    }
    return true;
}

bool tune_schemes(tuning *t)
{
    t->given = memory_alloc(sizeof *t->given, "a model of dH");
    *t->given = t->model;
    gauge *from = gauge_create(t->u->links.lattice, t->u->links.where, PRECISION_DOUBLE);
    gauge_copy(from, t->u);
    bool done = true;
    for (int e = 0; e < t->from.count && done; e++)
        done = try_level(t, e, from);
    gauge_free(from);
    return done && tune_apply_sets(t) && tune_open_lab(t);
}
