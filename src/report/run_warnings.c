/* run_warnings.c - rules over the columns of a record: each finds unusual trajectories and reports them. */
#include "src/report/run_warnings.h"

#include "actions/energy_error.h"
#include "src/base/memory.h"

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MAD_TO_SIGMA 1.4826            /* 1 / median absolute deviation of the normal distribution with sigma 1 */

/* The trajectories that a rule has found. */
typedef struct { int64_t count, first, last, thermalization; double worst, sum; } hits;

static hits hits_between(int64_t count, int64_t first, int64_t last)
{
    return (hits){ .count = count, .first = first, .last = last };
}

static void count_hit(hits *found, const history_line *l, double value)
{
    found->first = found->count++ ? found->first : l->trajectory;
    found->last = l->trajectory;
    found->thermalization += l->thermalization;
    found->worst = found->count == 1 ? value : fmax(found->worst, value);
    found->sum += value;
}

text *run_warnings_add(run_warnings *w, run_warning item)
{
    w->item = realloc(w->item, (size_t)(w->count + 1) * sizeof *w->item);
    require(w->item != NULL, "out of host memory: warnings");
    w->item[w->count] = item;
    return &w->item[w->count++].words;
}

static text *add_warning(run_warnings *w, const char *kind, const hits *found)
{
    return run_warnings_add(w, (run_warning){ kind, found->count, found->first, found->last, { 0 } });
}

/* "trajectory 7", "3 trajectories from 7 to 30" */
static void add_where(text *words, const hits *found)
{
    if (found->count == 1)
        text_add(words, "trajectory %" PRId64, found->first);
    else
        text_add(words, "%" PRId64 " trajectories from %" PRId64 " to %" PRId64, found->count, found->first,
                 found->last);
    if (found->count == found->thermalization)
        text_add(words, ", in thermalization");
}

/* Median and deviation over trajectories after thermalization; NaN for fewer than SERIES_LEAST. */
typedef struct { double median, deviation; } center;

static center center_between(const run_history *h, int64_t first, int64_t last, history_value *value,
                             const void *context)
{
    double *v = memory_alloc((size_t)(h->count + 1) * sizeof *v, "values of a run");
    size_t n = 0;
    center c = { NAN, NAN };
    for (int64_t i = history_line_from(h, first); i < h->count && h->line[i].trajectory <= last; i++)
        if (!h->line[i].thermalization && isfinite(value(h, i, context)))
            v[n++] = value(h, i, context);
    if (n >= SERIES_LEAST) {
        gsl_sort(v, 1, n);
        c.median = gsl_stats_median_from_sorted_data(v, 1, n);
        for (size_t i = 0; i < n; i++)
            v[i] = fabs(v[i] - c.median);
        gsl_sort(v, 1, n);
        c.deviation = MAD_TO_SIGMA * gsl_stats_median_from_sorted_data(v, 1, n);
    }
    memory_free(v);
    return c;
}

static center center_of(const run_history *h, history_value *value, const void *context)
{
    return center_between(h, 0, INT64_MAX, value, context);
}

/* Adds outliers of dH of some trajectories.  *deviation <- at least their deviation, if there are outliers. */
static void add_dh_outliers(hits *found, double *deviation, const run_history *h, int64_t first, int64_t last)
{
    const center c = center_between(h, first, last, history_dh, NULL);
    for (int64_t i = history_line_from(h, first); i < h->count && h->line[i].trajectory <= last; i++) {
        const double dh = history_dh(h, i, NULL);
        if (isfinite(dh) && c.deviation > 0 && fabs(dh - c.median) > DH_DEVIATIONS * c.deviation) {
            count_hit(found, &h->line[i], fabs(dh));
            *deviation = fmax(*deviation, c.deviation);
        }
    }
}

/* Outliers of dH.  Other parameters (an integrator) give another median and deviation; successive segments with
 * the same parameters have one of each.  *deviation <- the largest deviation of parameters with outliers. */
static hits find_dh_outliers(double *deviation, const run_history *h, const run_folder *folder)
{
    const segments none = { 0 }, *s = folder ? &folder->segments : &none;
    hits found = { 0 };
    *deviation = 0;
    for (int k = 0; k == 0 || k < s->count;) {
        const int64_t first = k > 0 ? s->item[k].first : 0;
        const int64_t last = s->count > 0 ? segments_last_unchanged(s, k) : INT64_MAX;
        add_dh_outliers(&found, deviation, h, first, last);
        for (k++; k < s->count && s->item[k].first <= last; k++)
            ;
    }
    return found;
}

bool run_warnings_dh_is_absurd(double dh, double kinetic)
{
    return isfinite(kinetic) && !(fabs(dh) <= THERMALIZATION_DH * kinetic);
}

static void check_thermalization(run_warnings *w, const run_history *h)
{
    hits found = { 0 };
    for (int64_t i = 0; i < h->count; i++)
        if (h->line[i].thermalization && run_warnings_dh_is_absurd(h->line[i].dh, h->line[i].kinetic))
            count_hit(&found, &h->line[i], isfinite(h->line[i].dh) ? fabs(h->line[i].dh) : INFINITY);
    if (found.count == 0)
        return;
    text *words = add_warning(w, "thermalization dH", &found);
    text_add(words, "|dH| up to %.3g in thermalization, more than %g of the kinetic energy (about 1 per site): the "
             "integrator is unstable there, reduce the step size: ", found.worst, THERMALIZATION_DH);
    add_where(words, &found);
}

/* Warns of means with missing values, and of scales (for example t0) that cannot be computed from the mean of their
 * curve, or only from some of the configurations; and of means that should be 0. */
static void check_means(run_warnings *w, const run_summary *s)
{
    for (int i = 0; i < s->measured; i++) {
        const quantity *q = &s->measurement[i];
        const int64_t used = q->scale ? q->scale->used : q->of.count;
        const int64_t shorter = q->scale ? q->scale->shorter : 0;
        const hits missing = hits_between(q->made - used - shorter, s->from, s->last);
        const hits all = hits_between(q->made, s->from, s->last);
        if (missing.count > 0 && !(q->scale && q->scale->table))         /* not for points of a figure: r0 warns */
            text_add(add_warning(w, "missing values", &missing), "%s: %" PRId64 " of %" PRId64 " values are missing; a "
                     "mean of the others may be biased", q->title, missing.count, q->made);
        if (shorter > 0 && q->scale->why.length == 0)
            text_add(add_warning(w, "scale", &all),
                     "%s was computed from %" PRId64 " of %" PRId64 " configurations, %s: the others "
                     "were not measured far enough, because their parameter %s was smaller", q->title, used, q->made,
                     text_string(&q->scale->selection), q->scale->range);
        if (q->scale && q->scale->why.length > 0 && q->made > 0)
            text_add(add_warning(w, "scale", &all), "%s has no value: %s", q->title, text_string(&q->scale->why));
        if (fabs(quantity_errors_from_0(q)) > CONSISTENT_SIGMAS)
            text_add(add_warning(w, "identity", &all),
                     "%s is %.3g +- %.2g, %.1f standard errors from 0: the run is not in equilibrium yet, or its links "
                     "are not distributed as the action says", q->title, q->of.mean, q->of.error,
                     fabs(quantity_errors_from_0(q)));
    }
}

static void check_dh(run_warnings *w, const run_history *h, const run_summary *s, const run_folder *folder)
{
    double deviation;
    hits outliers = find_dh_outliers(&deviation, h, folder), undefined = { 0 };
    const hits averaged = hits_between(s->exp_minus_dh.of.count, s->from, s->last);
    for (int64_t i = 0; i < h->count; i++)
        if (h->line[i].tested && !isfinite(h->line[i].dh))
            count_hit(&undefined, &h->line[i], 1);
    if (undefined.count > 0) {
        text *words = add_warning(w, "dH undefined", &undefined);
        text_add(words, "dH is not finite: ");
        add_where(words, &undefined);
        text_add(words, "; the molecular dynamics is unstable: reduce the step size");
    }
    if (outliers.count > 0) {
        text *words = add_warning(w, "dH", &outliers);
        text_add(words, "dH deviates from its median by more than %d sigma (sigma %.2g), |dH| up to %.3g: ",
                 DH_DEVIATIONS, deviation, outliers.worst);
        add_where(words, &outliers);
    }
    if (s->exp_minus_dh.of.count >= SERIES_LEAST && fabs(s->exp_sigmas) > CONSISTENT_SIGMAS)
        text_add(add_warning(w, "exp(-dH)", &averaged),
                 "<exp(-dH)> is %.6g +- %.2g, %.1f standard errors from 1: the run is not in equilibrium yet, or "
                 "forces and actions are inconsistent", s->exp_minus_dh.of.mean, s->exp_minus_dh.of.error,
                 fabs(s->exp_sigmas));
}

/* Warns of a row of rejections that is improbable for the acceptance of the other trajectories, and of a low one. */
static void check_rejections(run_warnings *w, const run_history *h, const run_summary *s)
{
    hits row = { 0 }, longest = { 0 }, all = hits_between(s->tested, s->from, s->last);
    double tested = 0, accepted = 0;
    for (int64_t i = 0; i < h->count; i++) {
        tested += h->line[i].tested;
        accepted += h->line[i].tested && h->line[i].accepted;
        if (!h->line[i].tested || h->line[i].accepted)
            row = (hits){ 0 };
        else
            count_hit(&row, &h->line[i], 0);
        longest = row.count > longest.count ? row : longest;
    }
    const double others = tested - (double)longest.count;
    const double chance = others > 0 ? tested * pow(1 - accepted / others, (double)longest.count) : 1;
    if (longest.count >= REJECTIONS_IN_A_ROW && (chance < ROW_CHANCE || s->acceptance.of.mean < LOW_ACCEPTANCE))
        text_add(add_warning(w, "rejections", &longest),
                 "%" PRId64 " rejections in a row, trajectories %" PRId64 " to %"
                 PRId64 "%s: reduce the step size, or increase hmc.thermalization if the start was far from "
                 "equilibrium", longest.count, longest.first, longest.last,
                 longest.last == h->line[h->count - 1].trajectory ? " (the last one)" : "");
    if (s->tested >= SERIES_LEAST && s->acceptance.of.mean < LOW_ACCEPTANCE)
        text_add(add_warning(w, "acceptance", &all),
                 "acceptance %.2g: reduce the step size; rejected trajectories now cost "
                 "more than smaller steps would", s->acceptance.of.mean);
}

/* Warns of trajectories after thermalization in which a column exceeds `factor` times its median. */
static void check_peaks(run_warnings *w, const run_history *h, const history_column *c, double factor,
                        const char *kind, const char *what)
{
    hits found = { 0 };
    center middle = center_of(h, history_column_value, c);
    for (int64_t i = 0; i < h->count; i++)
        if (!h->line[i].thermalization && c->value[i] > factor * middle.median)
            count_hit(&found, &h->line[i], c->value[i]);
    if (found.count == 0)
        return;
    text *words = add_warning(w, kind, &found);
    text_add(words, "%s: %s up to %.3g, where the median is %.3g: ", c->title, what, found.worst, middle.median);
    add_where(words, &found);
}

/* Warns of trajectories in which a column of counts is not zero. */
static void check_counts(run_warnings *w, const run_history *h, const history_column *c, const char *kind,
                         const char *what)
{
    hits found = { 0 };
    for (int64_t i = 0; i < h->count; i++)
        if (c->value[i] > 0)
            count_hit(&found, &h->line[i], c->value[i]);
    if (found.count == 0)
        return;
    text *words = add_warning(w, kind, &found);
    text_add(words, "%s: %s (total %.0f): ", c->title, what, found.sum);
    add_where(words, &found);
}

static void check_new_ranges(run_warnings *w, const run_history *h, const history_column *c)
{
    hits found = { 0 };
    double now = NAN, begun = NAN;
    for (int64_t i = 0; i < h->count; i++) {
        if (isnan(c->value[i]))
            continue;
        if (isnan(now))
            begun = c->value[i];
        else if (c->value[i] != now)
            count_hit(&found, &h->line[i], c->value[i]);
        now = c->value[i];
    }
    if (found.count == 0)
        return;
    text *words = add_warning(w, "range", &found);
    text_add(words, "%s: the upper end of the range of the rational functions changed from %.4g to %.4g in ", c->title,
             begun, now);
    add_where(words, &found);
}

static void check_spectrum(run_warnings *w, const run_history *h, const history_column *largest)
{
    const history_column *end = history_find(h, COLUMN_RANGE_END, largest->title);
    hits found = { 0 };
    for (int64_t i = 0; end && i < h->count; i++)
        if (largest->value[i] > end->value[i])
            count_hit(&found, &h->line[i], largest->value[i]);
    if (found.count == 0)
        return;
    text *words = add_warning(w, "spectrum", &found);
    text_add(words, "%s: an eigenvalue of %.4g is outside the range of the rational functions: ", largest->title,
             found.worst);
    add_where(words, &found);
}

/* Warns of new pseudofermions whose action differs from |eta|^2. */
static void check_refresh(run_warnings *w, const run_history *h, const history_column *c)
{
    hits found = { 0 };
    for (int64_t i = 0; i < h->count; i++)
        if (c->value[i] > ENERGY_ERROR_MAX)
            count_hit(&found, &h->line[i], c->value[i]);
    if (found.count == 0)
        return;
    text *words = add_warning(w, "refresh", &found);
    text_add(words, "%s: the action of new pseudofermions differs from |eta|^2 by up to %.3g, more than %g: reduce "
             "residuals.refresh and residuals.action, or the errors of the rational functions: ", c->title,
             found.worst, ENERGY_ERROR_MAX);
    add_where(words, &found);
}

static void check_drift(run_warnings *w, const run_history *h, const run_summary *s, const history_column *c)
{
    int64_t from = history_line_from(h, s->from), quarter = (h->count - from) / 4;
    double first = 0, last = 0;
    if (h->count - from < DRIFT_LEAST)
        return;
    for (int64_t i = 0; i < quarter; i++) {
        first += c->value[from + i] / (double)quarter;
        last += c->value[h->count - quarter + i] / (double)quarter;
    }
    if (last > ITERATIONS_FACTOR * first)
        text_add(add_warning(w, "iterations", &(hits){ quarter, h->line[h->count - quarter].trajectory, s->last, 0, 0,
                                                       0 }),
                 "%s: %.4g iterations per trajectory in the last quarter, %.4g in the first", c->title, last, first);
}

static void check_column(run_warnings *w, const run_history *h, const run_summary *s, const history_column *c)
{
    switch (c->kind) {
    case COLUMN_FORCE_MAX:
        check_peaks(w, h, c, FORCE_FACTOR, "force", "force of a link");
        break;
    case COLUMN_RESIDUAL:
        check_peaks(w, h, c, RESIDUAL_FACTOR, "residual", "residual");
        break;
    case COLUMN_FILTERED:
        check_counts(w, h, c, "filter", "links with small eigenvalues were filtered");
        break;
    case COLUMN_CHANGES:
        check_counts(w, h, c, "mixed precision", "solves in mixed precision changed their method");
        break;
    case COLUMN_REFRESH:
        check_refresh(w, h, c);
        break;
    case COLUMN_FAILED:
        check_counts(w, h, c, "measurement", "the measurement failed");
        break;
    case COLUMN_SDC_CHECK:
        check_counts(w, h, c, "sdc_check", "two evaluations of a step do not agree in all bits: suspect the "
                     "hardware");
        break;
    case COLUMN_RANGE_END:
        check_new_ranges(w, h, c);
        break;
    case COLUMN_LARGEST:
        check_spectrum(w, h, c);
        break;
    case COLUMN_ITERATIONS:
        check_drift(w, h, s, c);
        break;
    case COLUMN_MEASURED:
    case COLUMN_SET_ASIDE:
    case COLUMN_SWAP:
    case COLUMN_UPDATE:
    case COLUMN_ORIGIN:
    case COLUMN_FORCE_RMS:
    case COLUMN_TIME:
        break;
    }
}

static void check_equilibrium(run_warnings *w, const run_history *h, const run_summary *s)
{
    const equilibrium *e = &s->start;
    hits all = hits_between(h->count, s->from, s->last);
    if (h->count < EQUILIBRIUM_LEAST || s->used == 0)
        return;
    if (!e->found)
        text_add(add_warning(w, "thermalization", &all),
                 "no equilibrium yet: the means of the first and the second half of the trajectories from %" PRId64
                 " on differ by %.1f standard errors", e->trajectory, e->apart);
    else if (e->late)
        text_add(add_warning(w, "thermalization", &all),
                 "equilibrium begins at trajectory %" PRId64 ", but the means begin "
                 "at %" PRId64 "; to average only trajectories in equilibrium, use kiln status --from %" PRId64,
                 e->trajectory, s->from, e->trajectory);
}

void run_warnings_add_all(run_warnings *w, const run_history *h, const run_summary *s, const run_folder *folder)
{
    check_equilibrium(w, h, s);
    check_thermalization(w, h);
    check_dh(w, h, s, folder);
    check_rejections(w, h, s);
    for (int c = 0; c < h->columns; c++)
        check_column(w, h, s, &h->column[c]);
    check_means(w, s);
}

void run_warnings_free(run_warnings *w)
{
    for (int i = 0; i < w->count; i++)
        text_free(&w->item[i].words);
    free(w->item);
    *w = (run_warnings){ 0 };
}
