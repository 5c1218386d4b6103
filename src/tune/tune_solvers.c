/* tune_solvers.c - time the kinds of solvers, and then their methods, on the same links.
 *
 * `adaptive` takes a kind from a constant table measured on one GPU model.  On other devices another kind may be
 * faster: each fixed kind of a monomial makes the same refreshes, energies and forces, and a clearly faster one is
 * written into the input.  The best of many that were timed once may be the best by chance: it is timed again in turns
 * with the present one, and taken if the mean of these comparisons is below TUNE_GAIN and below 1 by more than ERRORS
 * of its errors, from their scatter.  All kinds reach the same residuals, so the model of dH does not change. */
#include "src/tune/tune_stages.h"

#include "src/solvers/solver_choice.h"
#include "src/solvers/solver_kinds.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/tune/shared_clock.h"
#include "src/tune/tune_checkpoint.h"
#include "src/tune/tune_time.h"
#include "src/tune/tune_trials.h"
#include "src/comm/comm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SOLVERS_PART 0.85                  /* fraction of the time limit at the end of this stage */

#define ERRORS 2

enum { CALLS = 3, TURNS = 6 };

/* Seconds of one force, and of the refresh and energy of all terms. */
typedef struct { double force, refresh, energy; } kind_times;

/* False if a solve of this input fails. */
static bool time_calls(kind_times *times, tuning *t, const run_input *in, int term)
{
    failure why;
    bool done = true;
    lab *l = lab_create(&in->p, t->u, t->limits);
    hmc_set_memory(lab_hmc(l), &t->memory);
    lab_number(l, -CALLS);
    for (int i = 0; i < CALLS && done; i++)
        done = lab_begin(l, &why) && lab_time_term(l, term, &why);
    const lab_times all = lab_times_of(l);
    *times = (kind_times){ all.alone[term], all.refresh, all.energy };
    lab_free(l);
    return done;
}

static bool fits(const tuning *t, const run_params *p)
{
    const size_t available = hmc_memory_available(t->u->links.where), needed = lab_bytes(p);
    return comm_agree(comm_world(), available == 0 || needed <= available, NULL);
}

/* Make the calls with this kind; false if it cannot be used, which may change if it does not fit into memory. */
static bool call_with(bool *in_memory, kind_times *times, tuning *t, int term, const char *set)
{
    run_input in;
    *in_memory = true;
    if (!tune_read_with(&in, t, set))
        return false;
    *in_memory = fits(t, &in.p);
    const bool done = *in_memory && time_calls(times, t, &in, term);
    run_input_free(&in);
    return done;
}

enum { TIMES_REALS = sizeof(kind_times) / sizeof(double), NAME_BYTES = 3 * TUNE_SET_BYTES };

static void name_times(char what[NAME_BYTES], const char *set)
{
    snprintf(what, NAME_BYTES, "times with %s", set);
}

static void name_comparison(char what[NAME_BYTES], int n, const char *set, const char *present)
{
    snprintf(what, NAME_BYTES, "comparison %d of %s with %s", n, set, present);
}

/* The times with this kind, of this or of an earlier call; false if it cannot be used. */
static bool times_with(kind_times *times, tuning *t, int term, const char *set)
{
    char what[NAME_BYTES];
    name_times(what, set);
    const stored_trial *kept = tune_trial_find(t, what, TIMES_REALS);
    if (kept) {
        if (kept->count > 0)
            memcpy(times, kept->value, sizeof *times);
        return kept->count > 0 && tune_can_read_with(t, set);
    }
    bool in_memory;
    const bool done = call_with(&in_memory, times, t, term, set);
    if (in_memory)
        tune_trial_keep(t, what, (const double *)times, done ? TIMES_REALS : 0);
    return done;
}

static double cost_with(const tuning *t, int term, const kind_times *times, const kind_times *now)
{
    tune_model *m = memory_alloc(sizeof *m, "a model of dH");
    *m = t->model;
    m->times.force[term] *= times->force / now->force;
    m->times.refresh *= times->refresh / now->refresh;
    m->times.energy *= times->energy / now->energy;
    const double cost = tune_best_of(t, m).cost;
    memory_free(m);
    return cost;
}

/* Comparison n of the cost with a kind with that of the present one: their ratio.  The order alternates.  False if a
 * call fails. */
static bool compare(double *ratio, tuning *t, const solver_trial *trial, int n, const char *set, const char *present)
{
    kind_times both[2], *times = &both[0], *now = &both[1];
    char what[NAME_BYTES];
    if (t->w->kind_costs) {
        *ratio = t->w->kind_costs[trial->kind] * (1 + (n % 2 == 0 ? 1 : -1) * t->w->kind_scatter);
        return true;
    }
    name_comparison(what, n, set, present);
    const stored_trial *kept = tune_trial_find(t, what, 2 * TIMES_REALS);
    if (kept && kept->count > 0)
        memcpy(both, kept->value, sizeof both);
    else {
        bool in_memory;
        if ((n % 2 == 0 && !call_with(&in_memory, now, t, trial->term, present))
            || !call_with(&in_memory, times, t, trial->term, set)
            || (n % 2 == 1 && !call_with(&in_memory, now, t, trial->term, present)))
            return false;
        tune_trial_keep(t, what, (const double *)both, 2 * TIMES_REALS);
    }
    *ratio = cost_with(t, trial->term, times, now) / cost_with(t, trial->term, now, now);
    return tune_checkpoint_save(t);
}

/* The mean of TURNS comparisons, and its error from their scatter; false if a call fails. */
static bool compare_again(solver_trial *trial, tuning *t, const char *set, const char *present)
{
    double ratio, sum = 0, squares = 0;
    for (int n = 0; n < TURNS; n++) {
        if (!compare(&ratio, t, trial, n, set, present))
            return false;
        sum += ratio / TURNS;
        squares += ratio * ratio / TURNS;
    }
    trial->relative_cost = sum;
    trial->error = sqrt(fmax(squares - sum * sum, 0) / (TURNS - 1));
    return true;
}

/* Keys of a monomial, with the number of their values that are tried. */
static const struct { const char *key, *const *names; int count; } choices[] = {
    { "solver", solver_names, SOLVER_ADAPTIVE },
    { "method", solver_kind_names, SOLVER_KINDS },
};
enum { CHOICES = sizeof choices / sizeof *choices };

/* The value that the input names; -1 for a monomial without this key. */
static int kind_given(const tuning *t, int term, int of)
{
    const run_params *p = tuning_params(t);
    for (const param_spec *s = run_monomial_kind(p, term)->input.params; s->key; s++)
        if (strcmp(s->key, choices[of].key) == 0 && s->choices == choices[of].names)
            return *(const int *)((const char *)run_monomial_params(p, term) + s->offset);
    return -1;
}

static void leave_out(tune_result *r, int term, const char *key, const char *name, const char *again)
{
    char path[TUNE_SET_BYTES];
    snprintf(path, sizeof path, "monomials.%d.%s", term, key);
    left_out_add(&r->left_out, "solvers", path, "%s%s", name, again);
}

/* Try the values of a key of one monomial; the lab is closed meanwhile. */
static bool try_kinds(tuning *t, int term, int of)
{
    tune_result *r = t->r;
    const char *key = choices[of].key, *const *names = choices[of].names;
    const int given = kind_given(t, term, of);
    const int first = r->solver_trials;
    kind_times now, times;
    char set[TUNE_SET_BYTES], what[NAME_BYTES];
    int chosen = -1;
    bool late = false;
    double least = 1, began = shared_clock_now();
    snprintf(set, sizeof set, "monomials.%d.%s=%s", term, key, names[given]);
    if (!times_with(&now, t, term, set))
        return true;                                         /* nothing to compare with */
    if (!tune_checkpoint_save(t))
        return false;
    const double cost = cost_with(t, term, &now, &now);
    const double seconds = fmax(shared_clock_now() - began, CALLS * (now.force + now.refresh + now.energy));
    for (int kind = 0; kind < choices[of].count && r->solver_trials < SOLVER_TRIALS; kind++) {
        if (kind == given)
            continue;
        if (!tune_goes_on(t))
            return false;
        snprintf(set, sizeof set, "monomials.%d.%s=%s", term, key, names[kind]);
        name_times(what, set);
        if (!tune_trial_is_kept(t, what) && (late = late || !tune_time_to_try(t, SOLVERS_PART, seconds))) {
            leave_out(r, term, key, names[kind], "");
            continue;
        }
        log_progress("%s", set);
        const bool possible = times_with(&times, t, term, set);
        if (!tune_checkpoint_save(t))
            return false;
        if (!possible)
            continue;
        solver_trial *trial = &r->solver_trial[r->solver_trials++];
        *trial = (solver_trial){ .term = term, .kind = kind, .before = given, .key = key, .names = names,
                                 .force_seconds = times.force, .refresh_seconds = times.refresh, .error = NAN };
        trial->relative_cost = t->w->kind_costs && of == 0 ? t->w->kind_costs[kind]
                                                           : cost_with(t, term, &times, &now) / cost;
        if (trial->relative_cost < TUNE_GAIN && trial->relative_cost < least) {
            least = trial->relative_cost;
            chosen = r->solver_trials - 1;
        }
    }
    if (chosen < first)
        return true;
    solver_trial *best = &r->solver_trial[chosen];
    char present[TUNE_SET_BYTES];
    snprintf(present, sizeof present, "monomials.%d.%s=%s", term, key, names[given]);
    snprintf(set, sizeof set, "monomials.%d.%s=%s", term, key, names[best->kind]);
    name_comparison(what, TURNS - 1, set, present);
    if (!tune_trial_is_kept(t, what) && !tune_time_to_try(t, SOLVERS_PART, 2 * TURNS * seconds)) {
        leave_out(r, term, key, names[best->kind], " again");
        return true;
    }
    log_progress("%s again", set);
    if (!compare_again(best, t, set, present))
        return tune_checkpoint_save(t) && tune_goes_on(t);
    if (!(best->relative_cost < TUNE_GAIN && 1 - best->relative_cost > ERRORS * best->error))
        return true;
    best->chosen = true;
    snprintf(r->set[r->sets++], TUNE_SET_BYTES, "%s", set);
    return tune_apply_sets(t);
}

bool tune_solvers(tuning *t)
{
    bool done = true;
    hmc_get_memory(lab_hmc(t->l), &t->memory);
    lab_free(t->l);
    t->l = NULL;
    for (int term = 0; term < t->r->terms && done; term++)
        for (int of = 0; of < CHOICES && done; of++)
            if (kind_given(t, term, of) >= 0 && t->r->sets < MASS_TRIALS)
                done = try_kinds(t, term, of);
    return done && tune_open_lab(t);
}
