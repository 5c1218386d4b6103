/* tune_residuals.c - residuals of forces, from the change of dH that they cause.
 *
 * Solves in double precision that start from zero make a force a function of the links alone: a loose residual changes
 * dH, but a trajectory stays reversible.  With mixed precision, start vectors (`chronological`) or multigrid, whose
 * vectors come from the links at the start, it is reversible only to the residual of the force.
 *
 * Trajectories from the same links, momenta and pseudofermions with other residuals of the force of one monomial give
 * this change.  Loose residuals need fewer iterations; the loosest one is taken whose change of dH, with two errors, is
 * at most LARGEST_CHANGE: it adds its square to the variance of dH. */
#include "src/tune/tune_stages.h"

#include "actions/roles.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/measure/autocorrelation.h"
#include "src/solvers/solver_choice.h"
#include "src/solvers/solver_kinds.h"
#include "src/tune/shared_clock.h"
#include "src/tune/tune_checkpoint.h"
#include "src/tune/tune_report.h"
#include "src/tune/tune_time.h"
#include "src/tune/tune_trials.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RESIDUALS_PART 0.9                 /* fraction of the time limit at the end of this stage */
#define LARGEST_CHANGE 0.05

/* No residual is made looser than this: the first where a trajectory is reversible whatever the residual, the others
 * where it is reversible only to the residual.  With start vectors, looser ones cause a warning (actions/quarks.c). */
#define LOOSEST 1e-5
#define LOOSEST_IRREVERSIBLE 1e-7
#define LOOSEST_CHRONOLOGICAL 1e-8

/* Reference: REFERENCE times the given residual, or the least that an input allows.  Trials: `factors` times the given
 * residual. */
#define REFERENCE 0.01
static const double factors[] = { 0.1, 1, 10, 100 };
enum { FACTORS = sizeof factors / sizeof *factors };

enum { STARTS = SERIES_LEAST };

/* The residual of forces that the input gives; 0 for a monomial without solves. */
static double residual_given(const run_params *p, int term)
{
    for (const param_spec *s = run_monomial_kind(p, term)->input.params; s->key; s++)
        if (s->type == PARAM_GROUP && s->group == role_residual_specs)
            return ((const role_values *)((const char *)run_monomial_params(p, term) + s->offset))->of[ROLE_FORCE];
    return 0;
}

static bool find_limit(const char *key, const param_spec *spec, const void *value, void *limit)
{
    double *loosest = limit;
    (void)key;
    if (spec->type == PARAM_CHOICE && spec->choices == solver_names && *(const int *)value != SOLVER_DOUBLE)
        *loosest = fmin(*loosest, LOOSEST_IRREVERSIBLE);
    if (spec->type == PARAM_CHOICE && spec->choices == solver_kind_names && *(const int *)value == SOLVER_MULTIGRID)
        *loosest = fmin(*loosest, LOOSEST_IRREVERSIBLE);
    if (spec->type == PARAM_INT && strcmp(spec->key, "chronological") == 0 && *(const int64_t *)value > 0)
        *loosest = fmin(*loosest, LOOSEST_CHRONOLOGICAL);
    return true;
}

/* The loosest residual that may be chosen for a monomial. */
static double loosest_of(const run_params *p, int term)
{
    double limit = LOOSEST;
    schema_each(run_monomial_kind(p, term)->input.params, run_monomial_params(p, term), find_limit, &limit);
    return limit;
}

PRINTF_LIKE(3, 4) static void add_note(tune_result *r, int term, const char *format, ...)
{
    residual_note *note = &r->residual_note[r->residual_notes++];
    va_list arguments;
    va_start(arguments, format);
    note->term = term;
    vsnprintf(note->why, sizeof note->why, format, arguments);
    va_end(arguments);
}

static void set_residual(char set[TUNE_SET_BYTES], int term, double residual)
{
    snprintf(set, TUNE_SET_BYTES, "monomials.%d.residuals.force=%.3g", term, residual);
}

/* The name of the measurement with a residual: that, and the setting of the trajectories. */
static text name_of(const tuning *t, int term, double residual)
{
    char set[TUNE_SET_BYTES];
    text what = { 0 };
    set_residual(set, term, residual);
    text_add(&what, "dH with %s from %d starts with ", set, STARTS);
    setting_to_text(&what, &t->from);
    return what;
}

static bool is_kept(const tuning *t, int term, double residual)
{
    text what = name_of(t, term, residual);
    const bool kept = tune_trial_is_kept(t, text_string(&what));
    text_free(&what);
    return kept;
}

/* Run STARTS starts on the links `from`, with a residual: dH, and the time of a force; false with the reason if it
 * cannot be used. */
static bool make_starts(double dh[STARTS], double *seconds, tuning *t, int term, double residual, const gauge *from,
                        failure *why)
{
    char set[TUNE_SET_BYTES];
    run_input in;
    set_residual(set, term, residual);
    log_progress("%s", set);
    if (!tune_read_with(&in, t, set))
        return fail(why, "%s is not valid", set);
    lab *l = lab_create(&in.p, t->u, t->limits);
    hmc_set_memory(lab_hmc(l), &t->memory);
    lab_number(l, -STARTS);
    bool done = true;
    for (int n = 0; n < STARTS && done; n++) {
        gauge_copy(t->u, from);
        done = lab_begin(l, why) && lab_run(l, t->from.level, t->from.count, &dh[n], why)
               && (isfinite(dh[n]) || fail(why, "dH is not finite"));
    }
    gauge_copy(t->u, from);
    *seconds = lab_times_of(l).force[term];
    lab_free(l);
    run_input_free(&in);
    return done;
}

static bool may_reuse(const stored_trial *kept, const tuning *t, int term, double residual, failure *why)
{
    char set[TUNE_SET_BYTES];
    set_residual(set, term, residual);
    if (!tune_can_read_with(t, set))
        return fail(why, "%s is not valid", set);
    return kept->count > 0 || fail(why, "it failed in an earlier call (--checkpoint)");
}

/* The same, of this or of an earlier call. */
static bool run_starts(double dh[STARTS], double *seconds, tuning *t, int term, double residual, const gauge *from,
                       failure *why)
{
    double value[STARTS + 1];
    text what = name_of(t, term, residual);
    const stored_trial *kept = tune_trial_find(t, text_string(&what), STARTS + 1);
    bool done = kept ? may_reuse(kept, t, term, residual, why)
                     : make_starts(value, seconds, t, term, residual, from, why);
    if (kept && done) {
        memcpy(dh, kept->value, STARTS * sizeof *dh);
        *seconds = kept->value[STARTS];
    } else if (!kept) {
        if (done)
            memcpy(dh, value, STARTS * sizeof *dh);
        value[STARTS] = done ? *seconds : 0;
        tune_trial_keep(t, text_string(&what), value, done ? STARTS + 1 : 0);
    }
    text_free(&what);
    return done;
}

/* The root of the mean square of the change, with two errors of the mean square. */
static void set_change(residual_trial *trial, const double dh[STARTS], const double reference[STARTS])
{
    double two = 0, four = 0;
    for (int n = 0; n < STARTS; n++) {
        const double d = dh[n] - reference[n];
        two += d * d / STARTS;
        four += d * d * d * d / STARTS;
    }
    const double error = sqrt(fmax(four - two * two, 0) / (STARTS - 1));
    trial->change = sqrt(two);
    trial->largest = sqrt(two + 2 * error);
}

/* Tries residuals looser and tighter than the given one; the index of the best trial, -1 if there is none.  False if
 * tuning is stopped. */
static bool run_trials(int *chosen, tuning *t, int term, double given, const gauge *from)
{
    tune_result *r = t->r;
    const double compared = fmax(REFERENCE * given, role_residual_specs[ROLE_FORCE].min);
    const int first = r->residual_trials;
    double reference[STARTS], dh[STARTS], seconds;
    failure why;
    bool used = false, in_time = true;
    char key[TUNE_SET_BYTES];
    snprintf(key, sizeof key, "monomials.%d.residuals.force", term);
    *chosen = -1;
    const bool comparable = run_starts(reference, &seconds, t, term, compared, from, &why);
    if (!tune_checkpoint_save(t))
        return false;
    if (!comparable) {
        if (!shared_clock_stop(t->limits))
            add_note(r, term, "not tried: with %.3g, which the others are compared with: %.120s", compared, why.why);
        return tune_goes_on(t);
    }
    for (int i = 0; i < FACTORS && r->residual_trials < RESIDUAL_TRIALS; i++) {
        const double residual = factors[i] * given;
        if (residual < compared * (1 + 1e-9))
            continue;
        if (residual > given && residual > loosest_of(tuning_params(t), term) * (1 + 1e-9))
            break;
        if (!tune_goes_on(t))
            return false;
        in_time = in_time && (is_kept(t, term, residual)
                              || tune_time_to_try(t, RESIDUALS_PART, STARTS * tune_time_of(t, &t->from)));
        if (!in_time) {
            left_out_add(&r->left_out, "residuals", key, "%.3g", residual);
            continue;
        }
        const bool possible = run_starts(dh, &seconds, t, term, residual, from, &why);
        if (!tune_checkpoint_save(t))
            return false;
        if (!possible)
            continue;
        residual_trial *trial = &r->residual_trial[r->residual_trials++];
        *trial = (residual_trial){ .term = term, .residual = residual, .force_seconds = seconds };
        set_change(trial, dh, reference);
        used = used || memcmp(dh, reference, sizeof dh) != 0;
        if (trial->largest > LARGEST_CHANGE)
            break;                                           /* looser ones are worse */
        *chosen = r->residual_trials - 1;
    }
    if (r->residual_trials == first)
        add_note(r, term, "not tried: %s", in_time ? "no trajectory was possible" : "no time left (--minutes)");
    else if (!used) {
        add_note(r, term, "not used: dH is the same with %.3g and %.3g", compared,
                 r->residual_trial[r->residual_trials - 1].residual);
        r->residual_trials = first;
        *chosen = -1;
    } else if (*chosen < 0)
        add_note(r, term, "none chosen: each one tried changes dH by more than %g", LARGEST_CHANGE);
    return true;
}

static bool try_residuals(tuning *t, int term, const gauge *from)
{
    tune_result *r = t->r;
    const double given = residual_given(tuning_params(t), term);
    int chosen;
    if (!(given > 0))
        return true;
    if (r->sets == MASS_TRIALS) {
        add_note(r, term, "not tried: %d values are changed already", r->sets);
        return true;
    }
    if (!run_trials(&chosen, t, term, given, from))
        return false;
    if (chosen < 0)
        return true;
    r->residual_trial[chosen].chosen = true;
    if (r->residual_trial[chosen].residual == given)
        return true;
    set_residual(r->set[r->sets++], term, r->residual_trial[chosen].residual);
    return tune_apply_sets(t);
}

bool tune_residuals(tuning *t)
{
    bool done = true;
    gauge *from = gauge_create(t->u->links.lattice, t->u->links.where, PRECISION_DOUBLE);
    gauge_copy(from, t->u);
    t->from = tune_find(&t->model, &t->from, t->w->target, t->w->lambdas, &(tune_prediction){ 0 });
    hmc_get_memory(lab_hmc(t->l), &t->memory);
    lab_free(t->l);
    t->l = NULL;
    for (int term = 0; term < t->r->terms && done; term++)
        done = try_residuals(t, term, from);
    gauge_free(from);
    return done && tune_open_lab(t);
}
