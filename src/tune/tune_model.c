/* tune_model.c - predict the results of a setting of the integrator, and find the cheapest setting. */
#include "src/tune/tune_model.h"

#include "src/tune/tune_bounds.h"
#include "src/tune/tune_floor.h"

#include <math.h>

/* Largest numbers of steps: of the outermost level, and of the others within a drift. */
enum { OUTER_MOST = 4096, INNER_MOST = 10 };

/* The trial values of lambda; the best one depends on the sizes of the brackets. */
#define LAMBDA_LEAST 0.13
#define LAMBDA_MOST 0.25
#define LAMBDA_STEP 0.005

#define FLOOR_PART 0.25                    /* of the floor, that steps add at most where the floor limits acceptance */

enum { SWEEPS = 8 };                       /* largest number of sweeps through all variables of a setting */

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

tune_sample *tune_add(tune_model *m, const tune_setting *s, const brackets *change, double dh)
{
    if (m->samples == TUNE_SAMPLES)
        return NULL;
    tune_sample *added = &m->sample[m->samples++];
    *added = (tune_sample){ .change = *change, .dh = dh, .predicted = tune_predict_dh(m, s, change), .made = *s };
    tune_find_floor(m);
    return added;
}

void tune_add_lost(tune_model *m, const tune_setting *s)
{
    const brackets none = { .d = { 0 } };
    tune_add(m, s, &none, TUNE_DH_LOST);
}

bool tune_same_setting(const tune_setting *a, const tune_setting *b)
{
    for (int e = 0; e < a->count; e++)
        if (a->level[e].integrator != b->level[e].integrator || a->level[e].steps != b->level[e].steps
            || a->level[e].lambda != b->level[e].lambda)
            return false;
    return true;
}

void tune_rescale(tune_model *m, int term, const brackets *to, const brackets *from)
{
    const double f = to->ff[term][term] / from->ff[term][term], d = to->d[term] / from->d[term];
    m->omega2[term] *= fabs(d);
    for (int i = 0; i < m->samples; i++) {
        brackets *b = &m->sample[i].change;
        for (int t = 0; t < m->terms; t++)
            if (t != term) {
                b->ff[term][t] *= sqrt(f);
                b->ff[t][term] *= sqrt(f);
            }
        b->ff[term][term] *= f;
        b->d[term] *= d;
    }
}

void tune_rescale_times(lab_times *model, int term, const lab_times *to, const lab_times *from)
{
    model->force[term] *= to->alone[term] / from->alone[term];
    model->refresh *= to->refresh / from->refresh;
}

/* All settings that differ in the number of outermost steps n alone: dH of each sample is p (1/n)^2 + q (1/n)^4, and
 * the evaluations grow linearly with n. */
typedef struct {
    double pp, pq, qq;                     /* means over the samples, of q over those that are not on the floor */
    double pp_error, qq_error;
    double floor, floor_error;
    double fixed, per_step;                /* seconds */
    double samples;
    step_bounds bounds;
} family;

/* Whether nothing but the outermost steps differs. */
static bool same_family(const tune_setting *a, const tune_setting *b)
{
    for (int e = 0; e < a->count; e++)
        if (a->level[e].lambda != b->level[e].lambda || (e > 0 && a->level[e].steps != b->level[e].steps))
            return false;
    return true;
}

static double seconds_of(const tune_model *m, const schedule *s)
{
    double seconds = m->times.refresh + (2 - m->times.spared) * m->times.energy + m->times.rest;
    seconds += (double)s->drifts * m->times.drift;
    for (int t = 0; t < m->terms; t++)
        seconds += (double)s->level[m->level[t]].force_evaluations * m->times.force[t];
    return seconds;
}

/* The rest of trajectories with longer or shorter steps on an inner level is not that of this setting. */
static void limit_rest(family *f)
{
    const double qq = fmax(fmin(f->qq, f->bounds.likely), f->bounds.at_least);
    if (qq == f->qq || !(f->qq > 0))
        return;
    f->qq_error *= qq / f->qq;
    f->qq = qq;
    f->pq = fmin(f->pq, sqrt(f->pp * f->qq));
}

int tune_measured(const tune_model *m)
{
    int count = 0;
    for (int i = 0; i < m->samples; i++)
        count += tune_is_measured(&m->sample[i]);
    return count;
}

static int count_on_floor(const tune_model *m)
{
    int count = 0;
    for (int i = 0; i < m->samples; i++)
        count += m->sample[i].on_floor;
    return count;
}

static void family_make(family *f, const tune_model *m, const tune_setting *s)
{
    const int64_t g = tune_granularity(&s->level[0]);
    schedule *one = schedule_with(m, s, g), *two = schedule_with(m, s, 2 * g);
    const shadow h = shadow_of(one);
    const double n = (double)g, count = tune_measured(m) > 0 ? tune_measured(m) : NAN;
    const double above = count - count_on_floor(m);
    bool own = true;
    double p4 = 0, q4 = 0;
    f->per_step = (seconds_of(m, two) - seconds_of(m, one)) / n;
    f->fixed = seconds_of(m, one) - n * f->per_step;
    f->pp = f->pq = f->qq = 0;
    for (int i = 0; i < m->samples; i++) {
        const tune_sample *x = &m->sample[i];
        if (!tune_is_measured(x))
            continue;
        const double p = n * n * dh_of(m, &h, &x->change);
        const double q = (x->dh - x->predicted) * pow((double)x->made.level[0].steps, 4);
        own &= same_family(s, &x->made);
        f->pp += p * p / count;
        p4 += p * p * p * p / count;
        if (x->on_floor)
            continue;
        f->pq += p * q / above;
        f->qq += q * q / above;
        q4 += q * q * q * q / above;
    }
    if (!own && f->pq < 0)
        f->pq = 0;
    f->pp_error = sqrt(fmax(p4 - f->pp * f->pp, 0) / count);
    f->qq_error = sqrt(fmax(q4 - f->qq * f->qq, 0) / above);
    f->samples = count;
    f->floor = m->floor;
    f->floor_error = m->floor_error;
    f->bounds = step_bounds_of(m, s);
    limit_rest(f);
    schedule_free(one);
    schedule_free(two);
}

/* The change of the acceptance by an error of <dH^2>. */
static double acceptance_change(double variance, double error)
{
    return (tune_acceptance(fmax(variance - error, 0)) - tune_acceptance(variance + error)) / 2;
}

/* A few samples underestimate their scatter: the stated errors are at least those of a normal dH. */
static tune_prediction prediction_of(const family *f, const tune_model *m, int64_t steps)
{
    const double n4 = pow((double)steps, -4), n6 = pow((double)steps, -6), n8 = n4 * n4;
    const double scatter = hypot(hypot(n4 * f->pp_error, n8 * f->qq_error), f->floor_error);
    tune_prediction p = { .variance = n4 * f->pp + 2 * n6 * f->pq + n8 * f->qq + f->floor };
    p.error = fmax(scatter, sqrt(2 / f->samples) * (p.variance - f->floor));
    p.acceptance = tune_acceptance(p.variance);
    p.acceptance_error = acceptance_change(p.variance, p.error);
    p.margin = acceptance_change(p.variance, scatter);
    p.largest = p.variance + n8 * fmax(f->bounds.rest - f->qq, 0);
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

bool tune_reaches(const tune_prediction *p, double target)
{
    return p->acceptance - p->margin >= target;
}

/* What a search looks for. */
typedef struct { const tune_model *m; observed_bounds bounds; double target; bool lambdas, without_floor; } search;

static bool is_allowed(const family *f, const search *of, int64_t steps, const tune_prediction *p)
{
    return tune_reaches(p, of->target)
           && (of->bounds == BOUND_NONE || (double)steps > f->bounds.lost * (1 + 1e-9))
           && (of->bounds != BOUND_TO_MEASURE || (double)steps >= f->bounds.least_to_measure * (1 - 1e-9))
           && (of->bounds != BOUND_ALL || (double)steps >= f->bounds.least * (1 - 1e-9))
           && (of->bounds != BOUND_ALL || tune_acceptance(p->largest) >= of->target);
}

/* The best number of outermost steps; false if none reaches the target. */
static bool choose_steps(tune_setting *s, const search *of, tune_prediction *best)
{
    const int64_t g = tune_granularity(&s->level[0]);
    family f;
    bool found = false;
    family_make(&f, of->m, s);
    if (of->without_floor)
        f.floor = f.floor_error = 0;
    for (int64_t n = g; n <= OUTER_MOST; n += g) {
        const tune_prediction p = prediction_of(&f, of->m, n);
        if (!is_allowed(&f, of, n, &p))
            continue;
        if (found && p.cost >= best->cost)
            break;                         /* beyond the target, further steps increase the cost */
        *best = p;
        s->level[0].steps = n;
        found = true;
    }
    return found;
}

typedef struct { tune_setting s; tune_prediction p; bool found; } choice;

static void consider_setting(choice *c, const tune_setting *s, const search *of)
{
    tune_setting with = *s;
    tune_prediction p;
    if (!choose_steps(&with, of, &p) || (c->found && p.cost >= c->p.cost))
        return;
    *c = (choice){ with, p, true };
}

/* Optimize one variable after the other, until none improves the cost. */
static void descend_cost(choice *c, const search *of)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const double before = c->found ? c->p.cost : INFINITY;
        for (int e = 0; e < c->s.count; e++) {
            tune_setting s = c->s;
            const int64_t g = tune_granularity(&s.level[e]);
            for (int64_t n = g; e > 0 && n <= INNER_MOST; n += g) {
                s.level[e].steps = n;
                consider_setting(c, &s, of);
            }
            s = c->s;
            if (!of->lambdas || !scheme_has_lambda(scheme_get(s.level[e].integrator)))
                continue;
            for (double l = LAMBDA_LEAST; l <= LAMBDA_MOST; l += LAMBDA_STEP) {
                s.level[e].lambda = round(l / LAMBDA_STEP) * LAMBDA_STEP;
                consider_setting(c, &s, of);
            }
        }
        if (!(c->found && c->p.cost < before * (1 - 1e-6)))
            break;
    }
}

static tune_setting run_search(const search *of, const tune_setting *from, tune_prediction *found)
{
    static const int64_t inner[] = { 0, 1, 3 };                /* initial values; 0: that of the input */
    choice best = { .s = *from };
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        choice c = { .s = *from };
        for (int e = 1; inner[i] > 0 && e < c.s.count; e++)
            c.s.level[e].steps = inner[i] * tune_granularity(&c.s.level[e]);
        consider_setting(&c, &c.s, of);
        descend_cost(&c, of);
        if (c.found && (!best.found || c.p.cost < best.p.cost))
            best = c;
    }
    *found = best.found ? best.p : tune_predict(of->m, from);
    return best.s;
}

tune_setting tune_find_within(const tune_model *m, observed_bounds bounds, const tune_setting *from, double target,
                              bool lambdas, tune_prediction *found)
{
    return run_search(&(search){ m, bounds, target, lambdas, false }, from, found);
}

tune_setting tune_find_on_floor(const tune_model *m, const tune_setting *from, bool lambdas, tune_prediction *found)
{
    const search of = { m, BOUND_ALL, tune_acceptance(FLOOR_PART * m->floor), lambdas, true };
    const tune_setting s = run_search(&of, from, found);
    *found = tune_predict(m, &s);
    return s;
}

tune_setting tune_find(const tune_model *m, const tune_setting *from, double target, bool lambdas,
                       tune_prediction *found)
{
    return tune_find_within(m, BOUND_ALL, from, target, lambdas, found);
}
