/* mean_derived.c - derived quantities, and their values linearized about the means, by line of the record. */
#include "src/report/mean_derived.h"

#include "src/base/memory.h"
#include "src/report/headlines.h"

#include <math.h>
#include <string.h>

/* A number without values. */
static mean_scale empty(const run_history *h, const history_curve *c, const char *key)
{
    text title = history_curve_title(c, key);
    double *value = memory_alloc((size_t)(h->count + 1) * sizeof *value, "a series of a run");
    for (int64_t i = 0; i < h->count; i++)
        value[i] = NAN;
    return (mean_scale){ .series = { .kind = COLUMN_MEASURED, .title = title.s, .value = value,
                                     .last = NAN, .owner = -1, .set = c->set },
                         .value = NAN, .x = NAN,
                         .needed_x = NAN };
}

static void set_value(mean_scale *s, int64_t line, double value)
{
    s->series.reported++;
    s->series.last = s->series.value[line] = isfinite(value) ? value : NAN;
}

int mean_product(mean_scale *made, const run_history *h, const history_curve *c, const mean_scale *factor)
{
    const scale_product *p = c->of->curve->product;
    if (!isfinite(factor[0].value) || !isfinite(factor[1].value))
        return 0;
    mean_scale s = empty(h, c, p->key);
    s.value = pow(factor[0].value, p->power[0]) * pow(factor[1].value, p->power[1]);
    s.used = factor[0].used < factor[1].used ? factor[0].used : factor[1].used;
    s.made = s.used;
    for (int64_t i = 0; i < h->count; i++) {
        double change = 0;
        for (int k = 0; k < 2; k++)
            change += p->power[k] * (factor[k].series.value[i] - factor[k].value) / factor[k].value;
        if (isfinite(change))
            set_value(&s, i, s.value * (1 + change));
    }
    *made = s;
    return 1;
}

/* NaN if the curve ends before x. */
static double value_at(const history_points *p, double x)
{
    int i = 1;
    while (i < p->count && p->x[i] < x)
        i++;
    if (i >= p->count || p->x[i - 1] > x)
        return NAN;
    return p->y[i - 1] + (p->y[i] - p->y[i - 1]) * (x - p->x[i - 1]) / (p->x[i] - p->x[i - 1]);
}

int mean_value_at(mean_scale *made, const run_history *h, int64_t from, const history_curve *c, const mean_scale *known,
                  int count)
{
    const curve_value_at *at = c->of->curve->at;
    text wanted = history_curve_title(c, at->scale);
    double x = NAN, sum = 0;
    for (int k = 0; k < count; k++)
        if (strcmp(known[k].series.title, text_string(&wanted)) == 0)
            x = known[k].x;
    text_free(&wanted);
    if (!isfinite(x))
        return 0;
    mean_scale s = empty(h, c, at->key);
    for (int64_t i = 0; i < c->count; i++) {
        const double y = value_at(&c->item[i], x);
        if (!isfinite(y))
            continue;
        set_value(&s, c->item[i].line, y);
        sum += c->item[i].line >= from ? y : 0;
        s.used += c->item[i].line >= from;
    }
    s.made = s.used;
    s.value = sum / (double)s.used;
    *made = s;
    return 1;
}

double *mean_points_by_line(const run_history *h, const history_curve *c, bool of_x)
{
    double *value = memory_alloc((size_t)(h->count + 1) * sizeof *value, "a series of a run");
    for (int64_t i = 0; i < h->count; i++)
        value[i] = NAN;
    for (int64_t i = 0; i < c->count; i++)
        if (c->item[i].count > 0)
            value[c->item[i].line] = of_x ? c->item[i].x[0] : c->item[i].y[0];
    return value;
}

int mean_of_moments(mean_scale *made, const run_history *h, int64_t from, const history_curve *c, const double *y,
                    const double *y2, const int *extents)
{
    const measured_moments *m = c->of->moments;
    double mean[2] = { 0, 0 }, slope[2];
    int64_t used = 0;
    for (int64_t i = from; i < h->count; i++)
        if (isfinite(y[i])) {
            mean[0] += y[i];
            mean[1] += y2 ? y2[i] : y[i] * y[i];
            used++;
        }
    if (used == 0)
        return 0;
    mean[0] /= (double)used;
    mean[1] /= (double)used;
    mean_scale s = empty(h, c, m->key);
    s.value = m->of(slope, mean, extents, h->set[c->set].xi);
    s.unit = m->unit;
    s.used = s.made = used;
    for (int64_t i = 0; i < h->count; i++)
        if (isfinite(y[i]))
            set_value(&s, i, s.value + slope[0] * (y[i] - mean[0])
                                 + slope[1] * ((y2 ? y2[i] : y[i] * y[i]) - mean[1]));
    *made = s;
    return 1;
}
