/* tune_trials.c - begin and end the stages of trials, and keep their measurements. */
#include "src/tune/tune_trials.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/tune/shared_clock.h"
#include "src/tune/tune_checkpoint.h"
#include "src/tune/tune_conditions.h"
#include "src/tune/tune_floor.h"
#include "src/tune/tune_stages.h"

/* ---- begin and end */

/* Whether the trials of an earlier call may be used; false with the reason if there are any that may not. */
static bool may_reuse(tuning *t, failure *why)
{
    const trial_store *s = &t->trials;
    if (!tune_conditions_are(t, text_string(&s->conditions), why))
        return false;
    if (s->learned != t->r->learned || s->samples > t->model.samples)
        return fail(why, "they were made on links after %d trajectories to learn from, and there are %d", s->learned,
                    t->r->learned);
    return s->number == t->number || tune_checkpoint_read_links(t, s->number, why);
}

/* Begin with trials on the links of the tuning.  False if the checkpoint cannot be written. */
static bool begin_anew(tuning *t)
{
    const int64_t before = t->trials.number;
    trial_store_clear(&t->trials);
    if (before > 0 && before != t->number && !tune_checkpoint_read_links(t, t->number, t->f))
        return false;
    t->trials.number = t->number;
    t->trials.learned = t->r->learned;
    t->trials.samples = t->model.samples;
    text_add(&t->trials.conditions, "%s", text_string(&t->conditions));
    if (!tune_checkpoint_save(t))
        return false;
    if (t->w->checkpoint && before > 0 && before != t->number)
        tune_checkpoint_remove_links(t, before);
    return true;
}

static bool begin(tuning *t)
{
    failure why = { .why = "" };
    bool done = true;
    t->learned = memory_alloc(sizeof *t->learned, "the model at the end of learning");
    *t->learned = t->model;
    t->learned_one = t->one;
    const int count = t->trials.count;
    const bool reuse = t->trials.number > 0 && may_reuse(t, &why);
    if (reuse && count > 0)
        log_line(LOG_INFO, "%s of trials are reused from %s", count_to_text(count, "measurement").s,
                 t->w->checkpoint);
    if (!reuse && count > 0)
        log_line(LOG_INFO, "trials in %s are made again: %s", t->w->checkpoint, why.why);
    if (!reuse)
        done = begin_anew(t);
    t->model.samples = t->trials.samples;
    tune_find_floor(&t->model);
    return done;
}

/* Return to the links of the tuning, and to all its trajectories if nothing has changed. */
static bool end(tuning *t)
{
    if (tune_is_as_given(t)) {
        const lab_times times = t->model.times;
        t->model = *t->learned;
        t->model.times = times;
        t->one = t->learned_one;
    }
    memory_free(t->learned);
    t->learned = NULL;
    return t->trials.number == t->number || tune_checkpoint_read_links(t, t->number, t->f);
}

/* A signal may have made the last trial of a stage fail. */
static bool run_stage(tuning *t, bool wanted, bool (*stage)(tuning *t))
{
    return !wanted || (stage(t) && tune_goes_on(t));
}

bool tune_trials(tuning *t)
{
    const tune_request *w = t->w;
    if (!w->masses && !w->solvers && !w->schemes && !w->residuals)
        return true;
    return begin(t) && run_stage(t, w->masses, tune_masses) && run_stage(t, w->solvers, tune_solvers)
           && run_stage(t, w->schemes, tune_schemes) && run_stage(t, w->residuals, tune_residuals) && end(t);
}

/* ---- measurements */

/* What is measured, with the values chosen so far. */
static text name_of(const tuning *t, const char *what)
{
    text name = { 0 };
    text_add(&name, "%s", what);
    for (int i = 0; i < t->r->sets; i++)
        text_add(&name, "; %s", t->r->set[i]);
    return name;
}

bool tune_trial_is_kept(const tuning *t, const char *what)
{
    text name = name_of(t, what);
    const bool kept = trial_store_find(&t->trials, text_string(&name)) != NULL;
    text_free(&name);
    return kept;
}

const stored_trial *tune_trial_find(tuning *t, const char *what, int count)
{
    text name = name_of(t, what);
    const stored_trial *found = trial_store_find(&t->trials, text_string(&name));
    text_free(&name);
    if (found && found->count > 0 && count != ANY_COUNT && found->count != count)
        found = NULL;
    t->r->trials_reused += found != NULL;
    return found;
}

void tune_trial_keep(tuning *t, const char *what, const double *value, int count)
{
    if (count == 0 && shared_clock_stop(t->limits))
        return;
    text name = name_of(t, what);
    trial_store_add(&t->trials, text_string(&name), value, count);
    text_free(&name);
    t->r->trials_made++;
}
