/* schedule.c - from nested levels to a flat list of steps.
 *
 * The recursion of Sexton and Weingarten, run once before the first trajectory:
 *     integrate(level, time) = for each step and factor of the level's scheme: kick, or integrate(level + 1, ...)
 * and a drift below the innermost level.  Kicks of all levels commute, so that two kicks of one level without
 * a drift between them become one kick. */
#include "integrators/schedule.h"

#include "src/base/memory.h"

#include <assert.h>
#include <math.h>

/* Times that differ by less than this fraction of the trajectory length differ only by rounding. */
#define NO_TIME 1e-14

typedef struct {
    schedule *out;
    const level_params *levels;
    int entries;
    double no_time;
} builder;

static void add_drift(builder *b, double dt)
{
    schedule *s = b->out;
    if (fabs(dt) < b->no_time)
        return;
    if (s->count > 0 && s->step[s->count - 1].what == MD_DRIFT)
        s->step[s->count - 1].dt += dt;
    else
        s->step[s->count++] = (md_step){ MD_DRIFT, 0, dt, 0 };
}

/* Inserts a kick among the kicks since the last drift, which are sorted by level. */
static void add_kick(builder *b, md_step kick)
{
    schedule *s = b->out;
    if (fabs(kick.dt) < b->no_time || s->level[kick.level].monomials.count == 0)
        return;
    int place = s->count;
    while (place > 0 && s->step[place - 1].what != MD_DRIFT && s->step[place - 1].level > kick.level)
        place--;
    md_step *before = place > 0 ? &s->step[place - 1] : NULL;
    if (before && before->what == MD_KICK && kick.what == MD_KICK && before->level == kick.level) {
        before->dt += kick.dt;
        return;
    }
    for (int i = s->count++; i > place; i--)
        s->step[i] = s->step[i - 1];
    s->step[place] = kick;
}

static void integrate_level(builder *b, int entry, double time)
{
    if (entry == b->entries) {
        add_drift(b, time);
        return;
    }
    const level_params *l = &b->levels[entry];
    const scheme *s = scheme_get(l->integrator);
    md_step cycle[SCHEME_FACTORS];
    int factors = scheme_cycle(cycle, s, l->lambda);
    double step = time / (double)l->steps;

    for (int64_t done = 0; done < l->steps; done += s->steps)
        for (int i = 0; i < factors; i++) {
            const md_step *f = &cycle[i];
            if (f->what == MD_DRIFT)
                integrate_level(b, entry + 1, f->dt * step);
            else
                add_kick(b, (md_step){ f->what, entry + f->level, f->dt * step, f->displacement * step * step });
        }
}

static double bound_from(const level_params *levels, int count, int entry)
{
    if (entry == count)
        return 1;
    const scheme *s = scheme_get(levels[entry].integrator);
    md_step cycle[SCHEME_FACTORS];
    int factors = scheme_cycle(cycle, s, levels[entry].lambda);
    double within = bound_from(levels, count, entry + 1), sum = 0;
    for (int i = 0; i < factors; i++)
        sum += cycle[i].what == MD_DRIFT ? within : 1;
    return sum * (double)levels[entry].steps / s->steps;
}

double schedule_steps_bound(const level_params *levels, int count)
{
    return bound_from(levels, count, 0);
}

static void count_work(schedule *s)
{
    for (int i = 0; i < s->count; i++)
        switch (s->step[i].what) {
        case MD_KICK:           s->level[s->step[i].level].force_evaluations += 1; break;
        case MD_FORCE_GRADIENT: s->level[s->step[i].level].force_evaluations += 2; break;
        case MD_DRIFT:          s->drifts++; break;
        }
}

schedule *schedule_create(const level_params *levels, int count, double trajectory_length)
{
    assert(count > 0 && trajectory_length > 0);
    const scheme *innermost = scheme_get(levels[count - 1].integrator);
    schedule *s = memory_alloc(sizeof *s, "schedule");
    s->levels = count + (innermost->gauge_kicks > 0);
    s->level = memory_alloc((size_t)s->levels * sizeof *s->level, "schedule levels");
    for (int i = 0; i < s->levels; i++) {
        const level_params *l = &levels[i < count ? i : count - 1];
        s->level[i].integrator = scheme_get(l->integrator)->name;
        s->level[i].monomials = i < count ? l->monomials : l->gauge_monomials;
    }
    s->step = memory_alloc((size_t)schedule_steps_bound(levels, count) * sizeof *s->step, "schedule steps");
    builder b = { s, levels, count, NO_TIME * trajectory_length };
    integrate_level(&b, 0, trajectory_length);
    count_work(s);
    return s;
}

void schedule_free(schedule *s)
{
    if (!s)
        return;
    memory_free(s->step);
    memory_free(s->level);
    memory_free(s);
}
