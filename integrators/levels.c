/* levels.c - the levels of an integrator in an input, and their checks. */
#include "integrators/schedule.h"

#include <stdio.h>
#include <string.h>

#define QUOTE_(x) #x
#define QUOTE(x) QUOTE_(x)

/* More steps in a trajectory are probably a typing error, which would need much memory. */
#define STEPS_LIMIT 1e6

const param_spec level_specs[] = {
    { .key = "integrator", .type = PARAM_CHOICE, .offset = offsetof(level_params, integrator),
      .choices = scheme_names, .lean = "4mn5fv",
      .doc = "scheme of this level; nG1F: one fermion kick and n gauge kicks per step, only on the last level of the "
             "list" },
    { .key = "steps", .type = PARAM_INT, .offset = offsetof(level_params, steps), .min = 1, .max = STEPS_LIMIT,
      .doc = "number of steps in each drift of the next outer level (first level: in a trajectory); must be even for "
             "nG1F" },
    { .key = "lambda", .type = PARAM_REAL, .offset = offsetof(level_params, lambda),
      .fallback = QUOTE(OMELYAN_LAMBDA), .min = 0, .max = 0.5, .flags = PARAM_ABOVE_MIN,
      .choice = "integrator", .chosen = "omelyan omelyan_position",
      .doc = "free parameter of omelyan and omelyan_position, in units of the step size; the default has the smallest "
             "leading error" },
    { .key = "monomials", .type = PARAM_TEXTS, .offset = offsetof(level_params, monomials), .fallback = "[]",
      .doc = "names of the terms of the action on this level; nG1F: the terms kicked once per step, the list may be "
             "empty" },
    { .key = "gauge_monomials", .type = PARAM_TEXTS, .offset = offsetof(level_params, gauge_monomials),
      .fallback = "[]",
      .choice = "integrator", .chosen = "2g1f 3g1f 5g1f 6g1f",
      .doc = "nG1F only: names of the terms of the action kicked n times per step" },
    { 0 }
};

/* The number of times that `name` is among the first `n` names of a list. */
static int mentions(const text_list *names, int n, const char *name)
{
    int times = 0;
    for (int i = 0; i < n; i++)
        times += strcmp(names->item[i], name) == 0;
    return times;
}

/* The lists in the order of the input: the monomials of level 0, its gauge monomials, those of level 1, ... */
static const text_list *list_number(const level_params *levels, int number)
{
    const level_params *l = &levels[number / 2];
    return number % 2 == 0 ? &l->monomials : &l->gauge_monomials;
}

static void check_repeats(text *faults, const char *where, const level_params *levels, int number)
{
    const text_list *list = list_number(levels, number);
    for (int i = 0; i < list->count; i++) {
        const char *name = list->item[i];
        int before = mentions(list, i, name);
        for (int other = 0; other < number; other++)
            before += mentions(list_number(levels, other), list_number(levels, other)->count, name);
        if (before > 0)
            text_add(faults, "%s: monomial \"%s\" is listed more than once; ", where, name);
    }
}

static void check_level(text *faults, const level_params *levels, int count, int entry)
{
    const level_params *l = &levels[entry];
    const scheme *s = scheme_get(l->integrator);
    char where[64];
    snprintf(where, sizeof where, "hmc.levels.%d (%s)", entry, s->name);        /* --set counts from 0, too */

    if (s->gauge_kicks) {
        if (entry + 1 < count)
            text_add(faults, "%s: this integrator updates the links and must be the last level, hmc.levels.%d; ", where,
                     count - 1);
        if (l->gauge_monomials.count == 0)
            text_add(faults, "%s: needs gauge_monomials, whose force it applies %d times a step; ", where,
                     s->gauge_kicks);
    } else {
        if (l->monomials.count == 0)
            text_add(faults, "%s: has no monomials; ", where);
        if (l->gauge_monomials.count > 0)
            text_add(faults, "%s: gauge_monomials are for 2g1f, 3g1f, 5g1f and 6g1f only; ", where);
    }
    if (l->steps < 1 || l->steps % s->steps != 0)
        text_add(faults, "%s: steps: %lld is not a positive multiple of %d; ", where, (long long)l->steps, s->steps);
    if (l->lambda != OMELYAN_LAMBDA && !scheme_has_lambda(s))
        text_add(faults, "%s: lambda: %.17g: only omelyan and omelyan_position have this key; ", where, l->lambda);
    check_repeats(faults, where, levels, 2 * entry);
    check_repeats(faults, where, levels, 2 * entry + 1);
}

bool schedule_check(const level_params *levels, int count, failure *f)
{
    if (count < 1)
        return fail(f, "hmc.levels: an integrator needs at least one level");
    text faults = { 0 };
    for (int entry = 0; entry < count; entry++)
        check_level(&faults, levels, count, entry);
    double bound = schedule_steps_bound(levels, count);
    if (bound > STEPS_LIMIT)
        text_add(&faults, "hmc.levels: the product is %.3g steps in a trajectory, the limit is %g; ", bound,
                 STEPS_LIMIT);

    bool ok = faults.length == 0;
    if (!ok)
        fail(f, "%.*s", (int)faults.length - 2, text_string(&faults));   /* without the last "; " */
    text_free(&faults);
    return ok;
}
