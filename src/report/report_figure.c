/* report_figure.c - figures of a report: thin out the curves of a record and draw them. */
#include "src/report/report_figure.h"

#include "src/base/memory.h"
#include "src/report/report_picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

curve curve_make(int64_t count, bool errors)
{
    const size_t bytes = (size_t)(count + 1) * sizeof(double);
    return (curve){ (int)count, memory_alloc(bytes, "a curve"), memory_alloc(bytes, "a curve"),
                    errors ? memory_alloc(bytes, "a curve") : NULL };
}

void curve_free(curve *c)
{
    memory_free(c->x);
    memory_free(c->y);
    memory_free(c->error);
    *c = (curve){ 0 };
}

/* Keep the smallest and the largest point of each bin, in their order. */
static curve thin_out(curve all)
{
    enum { BINS = CURVE_POINTS / 2 };
    if (all.count <= CURVE_POINTS)
        return all;
    curve thin = curve_make(CURVE_POINTS, false);
    thin.count = 0;
    for (int b = 0; b < BINS; b++) {
        const int begin = (int)((int64_t)b * all.count / BINS), end = (int)((int64_t)(b + 1) * all.count / BINS);
        int least = begin, most = begin;
        for (int i = begin; i < end; i++) {
            least = all.y[i] < all.y[least] ? i : least;
            most = all.y[i] > all.y[most] ? i : most;
        }
        const int order[2] = { least < most ? least : most, least < most ? most : least };
        for (int k = 0; k < 2; k++) {
            thin.x[thin.count] = all.x[order[k]];
            thin.y[thin.count++] = all.y[order[k]];
        }
    }
    curve_free(&all);
    return thin;
}

curve curve_of_history(const run_history *h, int64_t from, history_value *value, const void *context)
{
    curve c = curve_make(h->count - from, false);
    c.count = 0;
    for (int64_t i = from; i < h->count; i++) {
        double v = value(h, i, context);
        if (!isfinite(v))
            continue;
        c.x[c.count] = (double)h->line[i].trajectory;
        c.y[c.count++] = v;
    }
    return thin_out(c);
}

curve curve_histogram(const double *value, int64_t count, double mean, double deviation)
{
    enum { BINS_LEAST = 8, BINS_MOST = 40 };
    int64_t values = 0;
    for (int64_t i = 0; i < count; i++)
        values += isfinite(value[i]);
    if (values < 2 || !(deviation > 0))
        return curve_make(0, false);
    const int bins = (int)fmin(fmax(sqrt((double)values), BINS_LEAST), BINS_MOST);
    const double width = 8 * deviation / bins, least = mean - 4 * deviation;
    curve bars = curve_make(bins, false);
    for (int b = 0; b < bins; b++) {
        bars.x[b] = least + (b + 0.5) * width;
        bars.y[b] = 0;
    }
    for (int64_t i = 0; i < count; i++) {
        const double at = (value[i] - least) / width;
        if (at >= 0 && at < bins)
            bars.y[(int)at] += 1 / ((double)values * width);
    }
    return bars;
}

curve curve_line(double x0, double y0, double x1, double y1)
{
    curve c = curve_make(2, false);
    c.x[0] = x0;
    c.y[0] = y0;
    c.x[1] = x1;
    c.y[1] = y1;
    return c;
}

static curve mean_with_error(double x0, double x1, double mean, double error)
{
    curve c = curve_make(2, true);
    c.x[0] = x0;
    c.x[1] = x1;
    c.y[0] = c.y[1] = mean;
    c.error[0] = c.error[1] = error;
    return c;
}

text figure_unit(const quantity *q)
{
    text words = { 0 };
    const unit_text unit = quantity_unit(q);
    if (*unit.s)
        text_add(&words, "in units of %s", unit.s);
    return words;
}

void figure_begin(figure *f, const char *title, const char *x_label, const char *y_label)
{
    *f = (figure){ .p = { .title = title, .x_label = x_label, .y_label = y_label, .compact = true } };
}

/* Whether any point is visible: a logarithmic axis does not show zeros, such as the force of a heat bath. */
static bool is_visible(const curve *c, bool log_y)
{
    for (int i = 0; i < c->count; i++)
        if (!log_y || c->y[i] > 0)
            return true;
    return false;
}

void figure_add(figure *f, const char *name, plot_style style, int color, curve c)
{
    if (f->p.count == PLOT_SERIES || !is_visible(&c, f->p.log_y)) {
        curve_free(&c);
        return;
    }
    f->of[f->p.count] = c;
    plot_series *s = plot_add(&f->p, name, style, color % PLOT_GREY);
    s->color = color == PLOT_GREY ? PLOT_GREY : s->color;
    s->count = c.count;
    s->x = c.x;
    s->y = c.y;
    s->error = c.error;
}

void figure_add_mean(figure *f, const char *name, int color, double x0, double x1, const correlated_mean *of)
{
    if (!isfinite(of->mean))
        return;
    if (isfinite(of->error))
        figure_add(f, NULL, PLOT_BAND, color, mean_with_error(x0, x1, of->mean, of->error));
    figure_add(f, name, PLOT_FIT, color, curve_line(x0, of->mean, x1, of->mean));
}

void figure_end(figure *f, report *r)
{
    if (f->p.count > 0) {
        char id[32];
        snprintf(id, sizeof id, "box%d", r->figures++);
        f->p.id = id;
        text_add(&r->out, "<figure>");
        plot_to_text(&r->out, &f->p);
        text_add(&r->out, "</figure>\n");
        if (r->picture)
            report_picture_add(r->picture, &f->p);
    }
    for (int i = 0; i < f->p.count; i++)
        curve_free(&f->of[i]);
}
