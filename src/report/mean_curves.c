/* mean_curves.c - the mean of curves at their common x, and scales such as t0 read off it. */
#include "src/report/mean_curves.h"

#include "src/base/memory.h"
#include "src/report/headlines.h"
#include "src/report/mean_derived.h"
#include "src/report/mean_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Configurations may have different x, for example in different segments.  The mean uses their common x. */
typedef struct { int count; int64_t used, shorter, made; double *x, *mean, *y; } mean_curve;

static bool same_x(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(a);                  /* equal multiples of a step up to rounding */
}

/* Keep the x[0 ... count - 1] that the points have, too.  Returns the number of the remaining x. */
static int keep_common(double *x, int count, const history_points *p)
{
    int kept = 0;
    for (int i = 0, k = 0; i < count; i++) {
        while (k < p->count && p->x[k] < x[i] && !same_x(p->x[k], x[i]))
            k++;
        if (k < p->count && same_x(p->x[k], x[i]))
            x[kept++] = x[i];
    }
    return kept;
}

/* The y of a configuration at the x of the mean; false if some are missing. */
static bool select_points(double *y, const double *x, int count, const history_points *p)
{
    int found = 0;
    for (int k = 0; k < p->count && found < count; k++)
        if (same_x(p->x[k], x[found]))
            y[found++] = p->y[k];
    return count > 0 && found == count;
}

/* Whether the curve is measured as far as `reach`. */
static bool reaches(const history_points *p, double reach)
{
    return p->count > 0 && (p->x[p->count - 1] >= reach || same_x(reach, p->x[p->count - 1]));
}

/* The mean of the curves from line `from` on that are measured as far as `reach`. */
static mean_curve mean_of(const history_curve *c, int64_t from, double reach)
{
    mean_curve m = { 0 };
    int most = 0;
    for (int64_t i = 0; i < c->count; i++)
        most = c->item[i].count > most ? c->item[i].count : most;
    double *all = memory_alloc((size_t)(3 * most + 1) * sizeof *all, "the mean of a curve");
    m.x = all;
    m.mean = all + most;
    m.y = all + 2 * most;
    for (int64_t i = 0; i < c->count; i++) {
        const history_points *p = &c->item[i];
        if (p->line < from)
            continue;
        m.made++;
        m.shorter += p->count > 0 && !reaches(p, reach);
        if (!reaches(p, reach))
            continue;
        if (m.used++ == 0) {
            m.count = p->count;
            memcpy(m.x, p->x, (size_t)p->count * sizeof *p->x);
        }
        m.count = keep_common(m.x, m.count, p);
    }
    for (int64_t i = 0; i < c->count; i++)
        if (c->item[i].line >= from && reaches(&c->item[i], reach)
            && select_points(m.y, m.x, m.count, &c->item[i]))
            for (int k = 0; k < m.count; k++)
                m.mean[k] += m.y[k] / (double)m.used;
    return m;
}

/* The smallest end of a curve beyond `reach`, from line `from` on; NaN if there is none. */
static double next_reach(const history_curve *c, int64_t from, double reach)
{
    double next = NAN;
    for (int64_t i = 0; i < c->count; i++) {
        const history_points *p = &c->item[i];
        if (p->line < from || p->count == 0)
            continue;
        const double end = p->x[p->count - 1];
        if (end > reach && !same_x(end, reach) && !(end >= next))
            next = end;
    }
    return next;
}

/* "t" of "along.t" */
static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* Print three digits, or more if they are needed to show that the value is below the level. */
static void add_below(text *out, double value, double level)
{
    enum { ALL_DIGITS = 17 };
    char words[32];
    for (int digits = 3; digits <= ALL_DIGITS; digits++) {
        snprintf(words, sizeof words, "%.*g", digits, value);
        if (strtod(words, NULL) < level)
            break;
    }
    text_add(out, "%s", words);
}

/* Say how far the curve should be measured, or that the lattice is too small. */
static void advise(mean_scale *s, const measured_curve *of, const char *key, double needed, const int *extents)
{
    const int extent = extents ? shape_smallest_in_space(extents) : 0;
    if (!isfinite(needed)) {
        text_add(&s->why, "; it does not rise at its end, so a larger %s will probably not help; %s", of->range,
                 of->limit);
    } else if (extent > 0 && needed > of->limit_of(extent)) {
        text_add(&s->why, "; this needs %s = %g (extrapolated), but %s, which is %g for the extent %d: ", of->range,
                 needed, of->limit, of->limit_of(extent), extent);
        text_add(&s->why, "this lattice is too small for %s at this coupling", key);
    } else {
        s->needed_x = needed;
        text_add(&s->why, "; set %s to %g (extrapolated); %s", of->range, needed, of->limit);
    }
}

static void explain(mean_scale *s, const mean_curve *m, const result_member *of, const curve_scale *scale,
                    const curve_crossing *c, const int *extents)
{
    const char *x = last_name(of->curve->x);
    text what = { 0 };
    if (scale->of == CURVE_LOG_SLOPE)
        text_add(&what, "%s d/d%s of ", x, x);
    text_add(&what, "the mean of %s over %" PRId64 " configurations", last_name(of->key), m->used);
    if (m->shorter > 0)
        text_add(&what, " (%s)", text_string(&s->selection));
    if (m->used == 0) {
        text_add(&s->why, "no configuration has been measured yet");
    } else if (c->verdict == CURVE_TOO_FEW_POINTS) {
        text_add(&s->why, "the %" PRId64 " configurations have %d values of %s in common, but a curve needs %d",
                 m->used, m->count, x, CURVE_LEAST);
    } else if (c->verdict == CURVE_COMES_FROM_ABOVE) {
        text_add(&s->why, "%s begins above %g, at %s = %g, and does not reach it from below", text_string(&what),
                 scale->level, x, m->x[0]);
    } else {
        text_add(&s->why, "%s stays below %g: its largest value is ", text_string(&what), scale->level);
        add_below(&s->why, c->most, scale->level);
        text_add(&s->why, ", at %s = %g of %g", x, c->most_x, m->x[m->count - 1]);
        advise(s, of->curve, scale->key, c->needed_x, extents);
    }
    text_free(&what);
}

/* The mean of all configurations, if it crosses the level.  Otherwise, if t_max was raised during the run, the mean of
 * the configurations that were measured at least as far as `reach`: the smallest `reach` with a crossing, else the
 * largest one.  This mean has no bias, because the end of a curve is a setting, independent of its values. */
static mean_curve find_mean(curve_crossing *crossing, double *reach, const history_curve *c, int64_t from,
                            const curve_scale *scale)
{
    *reach = 0;
    mean_curve m = mean_of(c, from, 0);
    *crossing = curve_find_crossing(scale, (curve_points){ m.count, m.x, m.mean });
    for (double next = next_reach(c, from, 0);
         (crossing->verdict == CURVE_STAYS_BELOW || crossing->verdict == CURVE_TOO_FEW_POINTS) && isfinite(next);
         next = next_reach(c, from, next)) {
        memory_free(m.x);
        *reach = next;
        m = mean_of(c, from, next);
        *crossing = curve_find_crossing(scale, (curve_points){ m.count, m.x, m.mean });
    }
    return m;
}

static void read_scale(mean_scale *s, const run_history *h, int64_t from, const history_curve *c,
                       const curve_scale *scale, const int *extents)
{
    curve_crossing crossing;
    double reach;
    mean_curve m = find_mean(&crossing, &reach, c, from, scale);
    text title = history_curve_title(c, scale->key);
    double *value = memory_alloc((size_t)(h->count + 1) * sizeof *value, "a series of a run");
    *s = (mean_scale){ .series = { .kind = COLUMN_MEASURED, .title = title.s, .value = value,
                                   .last = NAN, .owner = -1, .set = c->set },
                       .value = crossing.value, .unit = scale->unit,
                       .x = crossing.verdict == CURVE_CROSSES ? crossing.x : NAN,
                       .used = m.used, .shorter = m.shorter, .made = m.made, .range = c->of->curve->range,
                       .needed_x = NAN };
    if (m.shorter > 0)
        text_add(&s->selection, "those measured up to %s = %g", last_name(c->of->curve->x), reach);
    for (int64_t i = 0; i < h->count; i++)
        value[i] = NAN;
    for (int64_t i = 0; i < c->count; i++) {
        const history_points *p = &c->item[i];
        s->series.reported++;
        s->series.last = NAN;
        if (crossing.verdict == CURVE_CROSSES && reaches(p, reach) && select_points(m.y, m.x, m.count, p)) {
            const double linear = curve_linearized(scale, &crossing, (curve_points){ m.count, m.x, m.y });
            s->series.last = value[p->line] = isfinite(linear) ? linear : NAN;
        }
    }
    if (crossing.verdict != CURVE_CROSSES)
        explain(s, &m, c->of, scale, &crossing, extents);
    memory_free(m.x);
}

static bool has_points(const history_curve *c)
{
    for (int64_t i = 0; i < c->count; i++)
        if (c->item[i].count > 0)
            return true;
    return false;
}

/* The moments of a number of each result, or of the values `at` of a curve. */
static int read_moments(mean_scale *made, const run_history *h, int64_t from, const history_curve *c,
                        const mean_scale *at, const int *extents)
{
    if (at)
        return mean_of_moments(made, h, from, c, at->series.value, NULL, extents);
    double *y = mean_points_by_line(h, c, false);
    double *y2 = c->of->moments->square ? mean_points_by_line(h, c, true) : NULL;
    const int count = mean_of_moments(made, h, from, c, y, y2, extents);
    memory_free(y2);
    memory_free(y);
    return count;
}

/* The largest number of scales and derived quantities of a curve. */
static int numbers_of(const history_curve *c)
{
    const measured_curve *of = c->of->curve;
    int count = (c->of->table ? mean_table_most(c) : 0) + (c->of->moments != NULL);
    if (of)
        count += (of->product != NULL) + (of->at != NULL);
    for (const curve_scale *s = of ? of->scales : NULL; s && s->key; s++)
        count++;
    return count;
}

/* Append the scales of a curve, their product, and its value at a scale among known[0 ... count - 1] to `known`.
 * Returns the new count.  *value <- the value at a scale, or NULL. */
static int read_curve(mean_scale *known, int count, const run_history *h, int64_t from, const history_curve *c,
                      const int *extents, const mean_scale **value)
{
    const measured_curve *of = c->of->curve;
    const int first = count;
    for (const curve_scale *s = of->scales; s && s->key; s++)
        read_scale(&known[count++], h, from, c, s, extents);
    if (of->product)
        count += mean_product(&known[count], h, c, &known[first]);
    *value = of->at && mean_value_at(&known[count], h, from, c, known, count) ? &known[count] : NULL;
    return count + (*value != NULL);
}

mean_scale *mean_scales_make(int *count, const run_history *h, int64_t from, const int *extents)
{
    int most = 0, n = 0;
    for (int c = 0; c < h->curves; c++)
        most += numbers_of(&h->curve[c]);
    mean_scale *scale = memory_alloc((size_t)(most + 1) * sizeof *scale, "numbers of mean curves");
    for (int c = 0; c < h->curves; c++) {
        if (!has_points(&h->curve[c]))
            continue;
        const result_member *of = h->curve[c].of;
        const mean_scale *value = NULL;
        if (of->table)
            n += mean_table_numbers(&scale[n], h, from, &h->curve[c], extents);
        if (of->curve)
            n = read_curve(scale, n, h, from, &h->curve[c], extents, &value);
        if (of->moments && extents && (value || !of->curve))
            n += read_moments(&scale[n], h, from, &h->curve[c], value, extents);
    }
    *count = n;
    return scale;
}

void mean_scales_free(mean_scale *s, int count)
{
    for (int i = 0; i < count; i++) {
        free(s[i].series.title);
        memory_free(s[i].series.value);
        text_free(&s[i].why);
        text_free(&s[i].selection);
    }
    memory_free(s);
}
