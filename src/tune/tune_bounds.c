/* tune_bounds.c - the longest steps that the trajectories of a model allow. */
#include "src/tune/tune_bounds.h"

#include "integrators/stability.h"

#include <math.h>

enum { ERRORS = 2 };
#define SMALL_DH 1.5                       /* rms; about the largest dH from which a tuning learns */

static double drifts_of_step(const level_params *l)
{
    const scheme *s = scheme_get(l->integrator);
    md_step cycle[SCHEME_FACTORS];
    const int factors = scheme_cycle(cycle, s, l->lambda);
    double drifts = 0;
    for (int i = 0; i < factors; i++)
        drifts += cycle[i].what == MD_DRIFT;
    return drifts / s->steps;
}

double step_count(const tune_setting *s, int level)
{
    double count = (double)s->level[level].steps;
    for (int e = 0; e < level; e++)
        count *= (double)s->level[e].steps * drifts_of_step(&s->level[e]);
    return count;
}

/* The drifts of each level in one step of the outermost level: a measure of steps that other schemes share. */
typedef struct { double of[SHADOW_LEVELS]; } nesting;

static nesting nesting_of(const tune_setting *s)
{
    nesting n;
    double drifts = 1;
    for (int e = 0; e < s->count; e++) {
        drifts *= (e > 0 ? (double)s->level[e].steps : 1) * drifts_of_step(&s->level[e]);
        n.of[e] = drifts;
    }
    return n;
}

static bool same_nesting(const tune_setting *a, const tune_setting *b)
{
    for (int e = 1; e < a->count; e++)
        if (a->level[e].steps != b->level[e].steps)
            return false;
    return true;
}

bool tune_is_measured(const tune_sample *x)
{
    return fabs(x->dh) < TUNE_DH_LOST;
}

/* The mean of n^8 rest^2 over the samples with the nesting of this one that are not on the floor; false if there are
 * none, or an earlier sample has the same nesting. */
static bool rest_of_nesting(const tune_model *m, int first, double *rest, int *count)
{
    *rest = 0;
    *count = 0;
    for (int i = 0; i < m->samples; i++) {
        const tune_sample *x = &m->sample[i];
        if (!tune_is_measured(x) || x->on_floor || !same_nesting(&x->made, &m->sample[first].made))
            continue;
        if (i < first)
            return false;
        *rest += pow(x->dh - x->predicted, 2) * pow((double)x->made.level[0].steps, 8);
        ++*count;
    }
    *rest /= *count;
    return *count > 0;
}

/* Whether dH is small with the steps of a sample; false if an earlier one has the same. */
static bool has_small_dh(const tune_model *m, int sample)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < m->samples; i++) {
        const tune_sample *x = &m->sample[i];
        if (!same_nesting(&x->made, &m->sample[sample].made)
            || x->made.level[0].steps != m->sample[sample].made.level[0].steps)
            continue;
        if (i < sample)
            return false;
        sum += x->dh * x->dh;
        count++;
    }
    return sum <= SMALL_DH * SMALL_DH * count;
}

/* A nesting bounds the rest on every level.  On the outermost one it grows with the step as in the prediction. */
typedef struct { double rest, likely; int measured; } level_bound;

static void bound_rest(level_bound *b, double *at_least, const tune_model *m, int sample, const nesting *here,
                       int levels)
{
    double rest;
    int count;
    if (!rest_of_nesting(m, sample, &rest, &count))
        return;
    const nesting of = nesting_of(&m->sample[sample].made);
    const double error = 1 + ERRORS * sqrt(2. / count);
    double least = rest;
    for (int e = 0; e < levels; e++) {
        const double grown = e > 0 ? rest * pow(of.of[e] / here->of[e], 8) : rest;
        least = fmin(least, grown);
        b[e].likely = fmin(b[e].likely, grown * error);
        if (grown < b[e].rest) {
            b[e].rest = grown;
            b[e].measured = sample;
        }
    }
    *at_least = fmax(*at_least, least / error);
}

/* The largest omega dt of a level. */
static double limit_of(const level_params *l)
{
    return TUNE_STABLE * scheme_stability(scheme_get(l->integrator), l->lambda);
}

/* omega dt of a level with one outermost step, from the terms between it and the innermost given level. */
static double omega_dt(const tune_model *m, const tune_setting *s, int level, int innermost)
{
    double longest[SHADOW_LEVELS], omega2 = 0;
    tune_setting one = *s;
    one.level[0].steps = 1;
    longest_steps(longest, one.level, one.count);
    for (int t = 0; t < m->terms; t++)
        if (m->level[t] >= level && m->level[t] <= innermost)
            omega2 += m->omega2[t];
    return sqrt(omega2) * m->length * longest[level];
}

/* The number of outermost steps that the bounds of stability and growth ask for.  With `measured` of them a level has
 * the longest step that was measured (infinite: none). */
static void bound_steps(step_bounds *b, const tune_model *m, const tune_setting *s, const double *measured)
{
    for (int e = 0; e < s->count; e++) {
        const double limit = limit_of(&s->level[e]);
        const double own = fmin(omega_dt(m, s, e, e < s->count - 1 ? e : SHADOW_LEVELS) / limit, measured[e]);
        const double all = omega_dt(m, s, e, SHADOW_LEVELS), stable = fmin(all / limit, measured[e]);
        const double grown = isfinite(measured[e]) ? measured[e] / TUNE_GROWTH : 0;
        b->least_to_measure = fmax(b->least_to_measure, fmax(own, grown));
        if (fmax(stable, grown) <= b->least)
            continue;
        b->least = fmax(stable, grown);
        b->least_level = e;
        b->is_stability = stable > grown;
        b->omega_dt = all;
        b->limit = limit;
    }
}

double step_ratio(const tune_setting *s, const tune_setting *than)
{
    const nesting a = nesting_of(s), b = nesting_of(than);
    double ratio = 0;
    for (int e = 0; e < s->count; e++)
        ratio = fmax(ratio, b.of[e] * (double)than->level[0].steps / (a.of[e] * (double)s->level[0].steps));
    return ratio;
}

/* The number of outermost steps up to which all steps are at least as long as those of a setting. */
static double steps_as_long(const tune_setting *made, const nesting *here, int levels)
{
    const nesting of = nesting_of(made);
    double steps = INFINITY;
    for (int e = 0; e < levels; e++)
        steps = fmin(steps, (double)made->level[0].steps * of.of[e] / here->of[e]);
    return steps;
}

step_bounds step_bounds_of(const tune_model *m, const tune_setting *s)
{
    const nesting here = nesting_of(s);
    step_bounds b = { .likely = INFINITY, .measured = -1 };
    level_bound level[SHADOW_LEVELS];
    double steps[SHADOW_LEVELS];
    for (int e = 0; e < s->count; e++) {
        level[e] = (level_bound){ INFINITY, INFINITY, -1 };
        steps[e] = INFINITY;
    }
    for (int i = 0; i < m->samples; i++) {
        const tune_setting *made = &m->sample[i].made;
        if (!tune_is_measured(&m->sample[i])) {
            b.lost = fmax(b.lost, steps_as_long(made, &here, s->count));
            continue;
        }
        bound_rest(level, &b.at_least, m, i, &here, s->count);
        if (!has_small_dh(m, i))
            continue;
        const nesting of = nesting_of(made);
        for (int e = 0; e < s->count; e++)
            steps[e] = fmin(steps[e], (double)made->level[0].steps * of.of[e] / here.of[e]);
    }
    if (!isfinite(level[0].rest))
        return b;
    b.likely = 0;
    bound_steps(&b, m, s, steps);
    for (int e = 0; e < s->count; e++) {
        if (level[e].rest > b.rest) {
            b.rest = level[e].rest;
            b.rest_level = e;
            b.measured = level[e].measured;
        }
        b.likely = fmax(b.likely, level[e].likely);
    }
    b.rest = fmax(b.rest, b.at_least);
    return b;
}
