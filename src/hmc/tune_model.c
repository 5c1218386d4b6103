/* tune_model.c - what a setting of the integrator would give, and the cheapest one. */
#include "src/hmc/tune_model.h"

#include <math.h>

/* Steps of the outermost level, and of others within a drift, at most. */
enum { OUTER_MOST = 4096, INNER_MOST = 10 };

/* Values of lambda that are tried; where the least error is depends on how large the brackets are. */
#define LAMBDA_LEAST 0.13
#define LAMBDA_MOST 0.25
#define LAMBDA_STEP 0.005

enum { SWEEPS = 8 };                       /* through all variables of a setting */

double tune_acceptance(double variance)
{
    return erfc(sqrt(variance / 8));
}

int64_t tune_granularity(const level_params *level)
{
    return scheme_get(level->integrator)->steps;
}

static double dh_of(const tune_model *m, const shadow *h, const brackets *change)
{
    double dh = 0;
    for (int s = 0; s < m->terms; s++) {
        dh -= h->b[m->level[s]] * change->d[s];
        for (int t = 0; t < m->terms; t++)
            dh -= h->a[m->level[s]][m->level[t]] * change->ff[s][t];
    }
    return dh;
}

static schedule *schedule_with(const tune_model *m, const tune_setting *s, int64_t outer)
{
    tune_setting with = *s;
    with.level[0].steps = outer;
    return schedule_create(with.level, with.count, m->length);
}

double tune_predict_dh(const tune_model *m, const tune_setting *s, const brackets *change)
{
    schedule *plan = schedule_with(m, s, s->level[0].steps);
    const shadow h = shadow_of(plan);
    schedule_free(plan);
    return dh_of(m, &h, change);
}

void tune_add(tune_model *m, const tune_setting *s, const brackets *change, double dh)
{
    if (m->samples == TUNE_SAMPLES)
        return;
    m->sample[m->samples++] = (tune_sample){ *change, dh, tune_predict_dh(m, s, change),
                                             m->length / (double)s->level[0].steps };
}

/* All settings that differ in the number of outermost steps n alone: dH of each sample is second (1/n)^2 + fourth
 * (1/n)^4, and the evaluations grow linearly with n. */
typedef struct {
    double second[TUNE_SAMPLES], fourth[TUNE_SAMPLES];
    double fixed, per_step;                /* seconds */
} family;

static double seconds_of(const tune_model *m, const schedule *s)
{
    double seconds = m->times.heat_bath + 2 * m->times.energy + m->times.rest + (double)s->drifts * m->times.drift;
    for (int t = 0; t < m->terms; t++)
        seconds += (double)s->level[m->level[t]].force_evaluations * m->times.force[t];
    return seconds;
}

static void family_make(family *f, const tune_model *m, const tune_setting *s)
{
    const int64_t g = tune_granularity(&s->level[0]);
    schedule *one = schedule_with(m, s, g), *two = schedule_with(m, s, 2 * g);
    const shadow h = shadow_of(one);
    const double n = (double)g;
    f->per_step = (seconds_of(m, two) - seconds_of(m, one)) / n;
    f->fixed = seconds_of(m, one) - n * f->per_step;
    for (int i = 0; i < m->samples; i++) {
        const tune_sample *x = &m->sample[i];
        f->second[i] = n * n * dh_of(m, &h, &x->change);
        f->fourth[i] = (x->dh - x->predicted) * pow(m->length / x->step, 4);
    }
    schedule_free(one);
    schedule_free(two);
}

static tune_prediction prediction_of(const family *f, const tune_model *m, int64_t steps)
{
    const double n2 = 1 / ((double)steps * (double)steps), count = m->samples > 0 ? m->samples : NAN;
    double two = 0, four = 0;
    for (int i = 0; i < m->samples; i++) {
        const double dh = n2 * (f->second[i] + n2 * f->fourth[i]);
        two += dh * dh / count;
        four += dh * dh * dh * dh / count;
    }
    tune_prediction p = { .variance = two, .error = sqrt(fmax(four - two * two, 0) / count) };
    p.acceptance = tune_acceptance(two);
    p.acceptance_error = (tune_acceptance(fmax(two - p.error, 0)) - tune_acceptance(two + p.error)) / 2;
    p.seconds = f->fixed + (double)steps * f->per_step;
    p.cost = p.seconds / (p.acceptance * m->length);
    return p;
}

tune_prediction tune_predict(const tune_model *m, const tune_setting *s)
{
    family f;
    family_make(&f, m, s);
    return prediction_of(&f, m, s->level[0].steps);
}

/* The best number of outermost steps; false where none reaches the target. */
static bool choose_steps(tune_setting *s, const tune_model *m, double target, tune_prediction *best)
{
    const int64_t g = tune_granularity(&s->level[0]);
    family f;
    bool found = false;
    family_make(&f, m, s);
    for (int64_t n = g; n <= OUTER_MOST; n += g) {
        const tune_prediction p = prediction_of(&f, m, n);
        if (!(p.acceptance >= target))
            continue;
        if (found && p.cost >= best->cost)
            break;                         /* beyond the target more steps gain ever less */
        *best = p;
        s->level[0].steps = n;
        found = true;
    }
    return found;
}

typedef struct { tune_setting s; tune_prediction p; bool found; } choice;

static void consider(choice *c, const tune_setting *s, const tune_model *m, double target)
{
    tune_setting with = *s;
    tune_prediction p;
    if (!choose_steps(&with, m, target, &p) || (c->found && p.cost >= c->p.cost))
        return;
    *c = (choice){ with, p, true };
}

/* One variable after the other, until none gains anything. */
static void descend(choice *c, const tune_model *m, double target, bool lambdas)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const double before = c->found ? c->p.cost : INFINITY;
        for (int e = 0; e < c->s.count; e++) {
            tune_setting s = c->s;
            const int64_t g = tune_granularity(&s.level[e]);
            for (int64_t n = g; e > 0 && n <= INNER_MOST; n += g) {
                s.level[e].steps = n;
                consider(c, &s, m, target);
            }
            s = c->s;
            if (!lambdas || !scheme_has_lambda(scheme_get(s.level[e].integrator)))
                continue;
            for (double l = LAMBDA_LEAST; l <= LAMBDA_MOST; l += LAMBDA_STEP) {
                s.level[e].lambda = round(l / LAMBDA_STEP) * LAMBDA_STEP;
                consider(c, &s, m, target);
            }
        }
        if (!(c->found && c->p.cost < before * (1 - 1e-6)))
            break;
    }
}

tune_setting tune_find(const tune_model *m, const tune_setting *from, double target, bool lambdas,
                       tune_prediction *found)
{
    static const int64_t inner[] = { 0, 1, 3 };                /* where to begin: 0, as the input has it */
    choice best = { .s = *from };
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        choice c = { .s = *from };
        for (int e = 1; inner[i] > 0 && e < c.s.count; e++)
            c.s.level[e].steps = inner[i] * tune_granularity(&c.s.level[e]);
        consider(&c, &c.s, m, target);
        descend(&c, m, target, lambdas);
        if (c.found && (!best.found || c.p.cost < best.p.cost))
            best = c;
    }
    *found = best.found ? best.p : tune_predict(m, from);
    return best.s;
}
