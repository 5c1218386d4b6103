/* tuning.c - the time limit of a tuning, its lab, and the values that it changes in the input. */
#include "src/tune/tuning.h"

#include "src/tune/shared_clock.h"

bool tune_read_with(run_input *in, const tuning *t, const char *set)
{
    char *sets[TUNE_SETS];
    int count = 0;
    fault_list faults = { 0 };
    for (int i = 0; i < t->source->given; i++)
        sets[count++] = t->source->set[i];
    for (int i = 0; i < t->r->sets && count < TUNE_SETS - 1; i++)
        sets[count++] = t->r->set[i];
    if (set)
        sets[count++] = (char *)set;
    const bool read = run_input_read(in, t->source->path, sets, count, &faults);
    fault_list_free(&faults);
    if (!read)
        run_input_free(in);
    return read;
}

bool tune_can_read_with(const tuning *t, const char *set)
{
    run_input in;
    const bool read = tune_read_with(&in, t, set);
    if (read)
        run_input_free(&in);
    return read;
}

bool tune_apply_sets(tuning *t)
{
    run_input in;
    if (t->r->sets == 0)
        return true;
    if (!tune_read_with(&in, t, NULL))
        return fail(t->f, "the chosen values do not make a valid input");
    if (t->tuned.tree)
        run_input_free(&t->tuned);
    t->tuned = in;
    return true;
}

bool tune_is_as_given(const tuning *t)
{
    for (int e = 0; e < t->from.count; e++)
        if (t->from.level[e].integrator != t->r->before.level[e].integrator)
            return false;
    return t->r->sets == 0;
}

/* A new lab has no times. */
lab_times tune_times_of(const tuning *t)
{
    const lab_times measured = lab_times_of(t->l);
    return t->w->times ? *t->w->times : measured.energy > 0 ? measured : t->model.times;
}

tune_prediction tune_best_of(const tuning *t, const tune_model *m)
{
    tune_prediction best;
    tune_find(m, &t->from, t->w->target, t->w->lambdas, &best);
    return best;
}

bool tune_has_time(const tuning *t, double part)
{
    return t->w->seconds == 0 || shared_clock_now() - t->began < part * t->w->seconds;
}

bool tune_goes_on(const tuning *t)
{
    return shared_clock_goes_on(t->limits, "stopped", t->f);
}

const run_params *tuning_params(const tuning *t)
{
    return t->tuned.tree ? &t->tuned.p : &t->in->p;
}

bool tune_open_lab(tuning *t)
{
    if (t->l)
        hmc_get_memory(lab_hmc(t->l), &t->memory);
    lab_free(t->l);
    t->l = lab_create(tuning_params(t), t->u, t->limits);
    hmc_set_memory(lab_hmc(t->l), &t->memory);
    lab_number(t->l, t->number);
    return true;
}
