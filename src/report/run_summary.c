/* run_summary.c - means, errors and autocorrelation times of the columns of a record. */
#include "src/report/run_summary.h"

#include "src/base/memory.h"
#include "src/report/headlines.h"
#include "src/report/run_phases.h"

#include <math.h>
#include <string.h>

/* Set a mean and its errors to NaN, because a value is not finite. */
static void set_nan(correlated_mean *m)
{
    m->mean = m->error = m->error_error = m->deviation = m->tau = m->tau_error = NAN;
    m->window = 0;
    m->verdict = SERIES_EMPTY;
}

static quantity quantity_of(const run_history *h, int64_t from, const char *title, history_value *value,
                            const void *context)
{
    quantity q = { .title = title, .last = NAN, .cost = { NAN, NAN, false } };
    history_series s = history_series_make(h, from, value, context);
    q.of = correlated_mean_of((chain){ s.value, 1, &s.length }, WINDOW_S);
    q.every = s.every;
    q.of.tau *= s.every;
    q.of.tau_error *= s.every;
    q.of.window = llround((double)q.of.window * s.every);
    q.count = q.made = q.of.count;
    if (h->count > 0)
        q.last = value(h, h->count - 1, context);
    history_series_free(&s);
    return q;
}

/* A column as a quantity. */
static quantity quantity_of_column(const run_history *h, int64_t from, const history_column *c)
{
    quantity q = quantity_of(h, from, c->title, history_column_value, c);
    q.count = c->reported;
    q.last = c->last;
    q.made = history_times_made(h, from, c);
    q.column = c;
    q.set = c->set >= 0 ? &h->set[c->set] : NULL;
    return q;
}

/* The number from the mean curve, with error and times from the values linearized about the mean. */
static quantity quantity_of_scale(const run_history *h, int64_t from, const mean_scale *s)
{
    quantity q = quantity_of_column(h, from, &s->series);
    q.of.mean = s->value;
    q.made = s->made;
    q.scale = s;
    return q;
}

static bool any_undefined(const run_history *h, int64_t from)
{
    for (int64_t i = from; i < h->count; i++)
        if (h->line[i].tested && !isfinite(h->line[i].dh))
            return true;
    return false;
}

static bool is_of_many(const mean_scale *s)
{
    return s->table && s->table->many;
}

static void measure(run_summary *s, const run_history *h, int64_t from, const int *extents)
{
    s->scale = mean_scales_make(&s->scales, h, from, extents);
    const size_t most = (size_t)(h->columns + s->scales + 1);
    s->measurement = memory_alloc(most * sizeof *s->measurement, "the summary of a run");
    for (int c = 0; c < h->columns; c++)
        if (h->column[c].kind == COLUMN_MEASURED)
            s->measurement[s->measured++] = quantity_of_column(h, from, &h->column[c]);
    for (int c = 0; c < s->scales; c++)
        if (!is_of_many(&s->scale[c]))
            s->measurement[s->measured++] = quantity_of_scale(h, from, &s->scale[c]);
    s->listed = s->measured;
    for (int c = 0; c < s->scales; c++)
        if (is_of_many(&s->scale[c]))
            s->measurement[s->measured++] = quantity_of_scale(h, from, &s->scale[c]);
}

static void count_costs(run_summary *s)
{
    s->plaquette.cost = independent_cost_of(&s->plaquette.of, &s->seconds_used);
    for (int i = 0; i < s->measured; i++)
        s->measurement[i].cost = independent_cost_of(&s->measurement[i].of, &s->seconds_used);
}

static void find_slowest(run_summary *s)
{
    const correlated_mean *slowest = &s->plaquette.of;
    s->slowest = s->plaquette.title;
    s->slowest_tau = s->plaquette.of.tau;
    s->slowest_cost = s->plaquette.cost;
    for (int i = 0; i < s->measured; i++)
        if (!(s->measurement[i].scale && s->measurement[i].scale->table)      /* one of many points of a figure */
            && (s->measurement[i].of.tau > s->slowest_tau || isnan(s->slowest_tau))) {
            s->slowest_tau = s->measurement[i].of.tau;
            s->slowest_cost = s->measurement[i].cost;
            s->slowest = isnan(s->slowest_tau) ? s->slowest : s->measurement[i].title;
            slowest = &s->measurement[i].of;
        }
    const bool most_have_joules = 2 * s->joules_used.count >= s->used;
    s->slowest_joules = most_have_joules ? independent_cost_of(slowest, &s->joules_used)
                                         : (independent_cost){ NAN, NAN, false };
}

static void extend_equilibrium(equilibrium *e, const run_history *h, history_value *value, const void *context)
{
    history_series s = history_series_make(h, 0, value, context);
    int64_t begin = equilibrium_begin(s.value, s.length);
    if (s.length > 0 && s.trajectory[begin] > e->trajectory)
        e->trajectory = s.trajectory[begin];
    history_series_free(&s);
}

/* Whether the trajectories from `from` on, up to the beginning of equilibrium, have another mean than later ones. */
static bool begins_late(const equilibrium *e, const correlated_mean *behind, const run_history *h, int64_t from,
                        history_value *value, const void *context)
{
    double sum = 0, n = 0;
    for (int64_t i = history_line_from(h, from); i < h->count && h->line[i].trajectory < e->trajectory; i++) {
        const double now = value(h, i, context);
        sum += isfinite(now) ? now : 0;
        n += isfinite(now);
    }
    const double tau = isfinite(behind->tau) ? fmax(behind->tau, 0.5) : 0.5, deviation = behind->deviation;
    const double error = hypot(deviation * sqrt(2 * tau / n), behind->error);
    return n > 0 && fabs(sum / n - behind->mean) > EQUILIBRIUM_SIGMAS * error;
}

static void compare(equilibrium *e, const run_history *h, int64_t from, history_value *value, const void *context)
{
    history_series s = history_series_make(h, history_line_from(h, e->trajectory), value, context);
    int64_t half = s.length / 2, rest = s.length - half;
    if (s.length > 1) {
        correlated_mean all = correlated_mean_of((chain){ s.value, 1, &s.length }, WINDOW_S);
        correlated_mean a = correlated_mean_of((chain){ s.value, 1, &half }, WINDOW_S);
        correlated_mean b = correlated_mean_of((chain){ s.value + half, 1, &rest }, WINDOW_S);
        const double error = 2 * all.error;                /* of the difference: each half has sqrt(2) all.error */
        e->apart = error > 0 ? fmax(e->apart, fabs(a.mean - b.mean) / error) : e->apart;
        e->late |= begins_late(e, &all, h, from, value, context);
    }
    history_series_free(&s);
}

static void find_equilibrium(run_summary *s, const run_history *h)
{
    equilibrium *e = &s->start;
    const history_column *slowest = NULL;
    for (int i = 0; i < s->measured; i++)
        if (s->measurement[i].title == s->slowest)
            slowest = s->measurement[i].column;
    *e = (equilibrium){ .slowest = slowest ? slowest->title : NULL };
    if (h->count < EQUILIBRIUM_LEAST)
        return;
    extend_equilibrium(e, h, history_plaquette, NULL);
    if (slowest)
        extend_equilibrium(e, h, history_column_value, slowest);
    compare(e, h, s->from, history_plaquette, NULL);
    if (slowest)
        compare(e, h, s->from, history_column_value, slowest);
    e->found = e->apart <= EQUILIBRIUM_SIGMAS;
}

static void count(run_summary *s, const run_history *h, int64_t from)
{
    s->all_joules = NAN;
    for (int64_t i = 0; i < h->count; i++) {
        const history_line *l = &h->line[i];
        s->thermalization += l->thermalization;
        s->used += i >= from;
        s->wall_seconds += isfinite(l->wall) ? l->wall : 0;
        if (isfinite(l->joules))
            s->all_joules = l->joules + (isfinite(s->all_joules) ? s->all_joules : 0);
        if (i < from || !l->tested)
            continue;
        s->tested++;
        s->accepted += l->accepted;
        s->tested_seconds += isfinite(l->wall) ? l->wall : 0;
    }
}

void run_summary_make(run_summary *s, const run_history *h, int64_t start, int64_t from, const int *extents)
{
    *s = (run_summary){ .trajectories = h->count, .last = h->count > 0 ? h->line[h->count - 1].trajectory : start };
    const int64_t line = history_line_after_thermalization(h, history_line_from(h, from));
    s->from = line < h->count ? h->line[line].trajectory : from > s->last ? from : s->last + 1;
    count(s, h, line);
    s->acceptance = quantity_of(h, line, "acceptance", history_accepted, NULL);
    s->exp_minus_dh = quantity_of(h, line, "<exp(-dH)>", history_exp_minus_dh, NULL);
    s->dh = quantity_of(h, line, "<dH>", history_dh, NULL);
    s->plaquette = quantity_of(h, line, "plaquette", history_plaquette, NULL);
    s->seconds = quantity_of(h, 0, "time", history_seconds, NULL);
    s->seconds_used = quantity_of(h, line, "time", history_seconds, NULL).of;
    s->joules = quantity_of(h, 0, "energy", history_joules, NULL);
    s->joules_used = quantity_of(h, line, "energy", history_joules, NULL).of;
    if (any_undefined(h, line)) {
        set_nan(&s->dh.of);
        set_nan(&s->exp_minus_dh.of);
    }
    s->expected_acceptance = s->dh.of.mean >= 0 ? erfc(sqrt(s->dh.of.mean) / 2) : NAN;
    s->exp_sigmas = s->exp_minus_dh.of.error > 0 ? (s->exp_minus_dh.of.mean - 1) / s->exp_minus_dh.of.error : NAN;
    measure(s, h, line, extents);
    count_costs(s);
    find_slowest(s);
    find_equilibrium(s, h);
    s->phase = run_phases_make(h, &s->phases);
}

unit_text quantity_unit(const quantity *q)
{
    const bool anisotropic = q->set && q->set->anisotropic;
    return result_unit_on(q->scale ? q->scale->unit : headlines_unit(q->set ? q->set->of : NULL, q->title),
                          anisotropic);
}

double quantity_errors_from_0(const quantity *q)
{
    const bool known = q->set && headlines_vanishes(q->set->of, q->title) && q->of.count >= SERIES_LEAST
                       && q->of.error > 0;
    return known ? q->of.mean / q->of.error : NAN;
}

void run_summary_free(run_summary *s)
{
    memory_free(s->measurement);
    mean_scales_free(s->scale, s->scales);
    run_phases_free(s->phase, s->phases);
    *s = (run_summary){ 0 };
}

const char *run_summary_verdict(const run_summary *s)
{
    if (s->tested == 0)
        return "no Metropolis test";
    if (isnan(s->exp_sigmas) || s->exp_minus_dh.of.count < SERIES_LEAST)
        return "too few trajectories for a test";
    return fabs(s->exp_sigmas) <= CONSISTENT_SIGMAS ? "consistent with 1" : "not consistent with 1";
}
