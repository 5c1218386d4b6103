/* tune_residuals.c - residuals of forces, from the change of dH that they cause.
 *
 * Solves of forces start from zero, so a loose residual leaves a trajectory reversible and changes dH alone.
 * Trajectories from the same links, momenta and pseudofermions with other residuals of the force of one monomial give
 * this change.  Loose residuals need fewer iterations; the loosest one is taken whose change of dH, with two errors, is
 * at most LARGEST_CHANGE: it adds its square to the variance of dH. */
#include "src/tune/tune_stages.h"

#include "actions/roles.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/measure/autocorrelation.h"
#include "src/tune/shared_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RESIDUALS_PART 0.9                 /* fraction of the time limit at the end of this stage */
#define LARGEST_CHANGE 0.05

/* With mixed precision or start vectors, a trajectory is reversible to this residual alone: none is made looser than
 * this. */
#define LOOSEST 1e-5

/* The residual of the comparison is the given one times the first factor, trials are times the others. */
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

static void set_residual(char set[TUNE_SET_BYTES], int term, double residual)
{
    snprintf(set, TUNE_SET_BYTES, "monomials.%d.residuals.force=%.3g", term, residual);
}

/* dH from STARTS starts on the links `from`, with a residual, and the time of a force; false if it cannot be used. */
static bool run_starts(double dh[STARTS], double *seconds, tuning *t, int term, double residual, const gauge *from)
{
    char set[TUNE_SET_BYTES];
    run_input in;
    failure why;
    set_residual(set, term, residual);
    log_progress("%s", set);
    if (!tune_read_with(&in, t, set))
        return false;
    lab *l = lab_create(&in.p, t->u, t->stop);
    hmc_set_memory(lab_hmc(l), &t->memory);
    lab_number(l, -STARTS);
    bool done = true;
    for (int n = 0; n < STARTS && done; n++) {
        gauge_copy(t->u, from);
        done = lab_begin(l, &why) && lab_run(l, t->from.level, t->from.count, &dh[n], &why) && isfinite(dh[n]);
    }
    gauge_copy(t->u, from);
    *seconds = lab_times_of(l).force[term];
    lab_free(l);
    run_input_free(&in);
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

static bool try_residuals(tuning *t, int term, const gauge *from)
{
    tune_result *r = t->r;
    const double given = residual_given(tuning_params(t), term);
    double reference[STARTS], dh[STARTS], seconds;
    int chosen = -1;
    if (!(given > 0) || !run_starts(reference, &seconds, t, term, REFERENCE * given, from))
        return true;                                         /* nothing to compare with */
    for (int i = 0; i < FACTORS && r->residual_trials < RESIDUAL_TRIALS; i++) {
        if (shared_clock_stop(t->stop))
            return fail(t->f, "stopped");
        if (!tune_has_time(t, RESIDUALS_PART)) {
            r->in_time = false;
            break;
        }
        const double residual = factors[i] * given;
        if (residual > given && residual > LOOSEST * (1 + 1e-9))
            break;
        if (!run_starts(dh, &seconds, t, term, residual, from))
            continue;
        residual_trial *trial = &r->residual_trial[r->residual_trials++];
        *trial = (residual_trial){ .term = term, .residual = residual, .force_seconds = seconds };
        set_change(trial, dh, reference);
        if (trial->largest > LARGEST_CHANGE)
            break;                                           /* looser ones are worse */
        chosen = r->residual_trials - 1;
    }
    if (chosen < 0)
        return true;
    r->residual_trial[chosen].chosen = true;
    if (r->residual_trial[chosen].residual == given || r->sets == MASS_TRIALS)
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
