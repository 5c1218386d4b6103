/* plot_axis.c - the range of an axis and its ticks, as SVG. */
#include "src/report/plot_axis.h"

#include "src/report/plot_words.h"

#include <math.h>

enum { TICKS_MOST = 8, TICKS_MOST_COMPACT = 5, FEW_DECADES = 3, DIGITS = 4 };
enum { RADIUS = 3, RADIUS_COMPACT = 2 };

int plot_marker_radius(const plot_frame *in)
{
    return in->legend_above ? RADIUS_COMPACT : RADIUS;
}

bool plot_has_line(plot_style s) { return s != PLOT_POINTS && s != PLOT_BARS && s != PLOT_BAND; }
bool plot_has_points(plot_style s)
{
    return s == PLOT_POINTS || s == PLOT_LINE_AND_POINTS || s == PLOT_DASHES_AND_POINTS;
}

bool plot_drawable(double value, bool log)
{
    return isfinite(value) && (!log || value > 0);
}

static double on_axis(const plot_axis *a, double value)
{
    return a->log ? log10(value) : value;
}

static double pixel(const plot_axis *a, double v)
{
    return a->from + (a->to - a->from) * (v - a->least) / (a->most - a->least);
}

double plot_pixel(const plot_axis *a, double value)
{
    return pixel(a, on_axis(a, value));
}

static void stretch_to(plot_axis *a, double value)
{
    if (!plot_drawable(value, a->log))
        return;
    a->least = fmin(a->least, on_axis(a, value));
    a->most = fmax(a->most, on_axis(a, value));
}

/* Half of the extent of a point along the axis: its error, or half the width of a bar. */
static double half_extent(const plot_axis *a, const plot_series *s, int i)
{
    if (a->vertical)
        return s->error ? s->error[i] : 0;
    return s->style == PLOT_BARS && s->count > 1 ? (s->x[1] - s->x[0]) / 2 : 0;
}

static void stretch_over(plot_axis *a, const plot_series *s, const plot *p)
{
    for (int i = 0; i < s->count; i++) {
        if (!plot_drawable(s->x[i], p->log_x) || !plot_drawable(s->y[i], p->log_y))
            continue;
        const double value = a->vertical ? s->y[i] : s->x[i], half = half_extent(a, s, i);
        stretch_to(a, value);
        stretch_to(a, value - half);
        stretch_to(a, value + half);
        if (a->vertical && s->style == PLOT_BARS)
            stretch_to(a, 0);
    }
}

static void stretch(plot_axis *a, const plot *p)
{
    for (int n = 0; n < p->count; n++)
        stretch_over(a, &p->series[n], p);
}

/* Keep the ends of the data inside the box, by the size of a marker. */
static void inset_ends(plot_axis *a, const plot *p)
{
    const int inset = plot_marker_radius(a->in) + 1;
    for (int n = 0; n < p->count; n++)
        if (plot_has_points(p->series[n].style)) {
            a->from += a->from < a->to ? inset : -inset;
            a->to += a->from < a->to ? -inset : inset;
            return;
        }
}

/* Ticks at multiples of 1, 2 or 5 times a power of ten.  The ends of a vertical axis are ticks; a horizontal axis ends
 * with the data. */
static void tick_evenly(plot_axis *a)
{
    static const double factors[] = { 1, 2, 5, 10 };
    const int most = a->in->legend_above ? TICKS_MOST_COMPACT : TICKS_MOST;
    double span = a->most - a->least, power = a->log ? 1 : pow(10, floor(log10(span / most)));
    int n = 0;
    while (n < 3 && span / (power * factors[n]) > most)
        n++;
    double step = power * factors[n], small = step / 1e6;
    double first = floor((a->least + small) / step), last = ceil((a->most - small) / step);
    a->least = fmin(a->least, step * first);
    if (a->vertical || a->log)
        a->most = step * last;
    for (double k = first; k * step <= a->most + small && a->ticks < PLOT_TICKS; k++)
        a->tick[a->ticks++] = k * step;
    const int apart = 1 + (int)ceil(log10(fmax(fabs(a->least), fabs(a->most)) / step));
    a->digits = apart > DIGITS ? apart : DIGITS;
}

/* The logarithm of number n among ..., 0.2, 0.5, 1, 2, 5, 10, 20, ...; 1 has number 0. */
static double round_number(int n)
{
    static const double digits[] = { 1, 2, 5 };
    int decade = n >= 0 ? n / 3 : (n - 2) / 3;
    return decade + log10(digits[n - 3 * decade]);
}

static void tick_few_decades(plot_axis *a)
{
    const double small = 1e-6;
    int first = 3 * (int)floor(a->least), last;
    while (round_number(first + 1) <= a->least + small)
        first++;
    for (last = first; round_number(last) < a->most - small; last++)
        ;
    for (int n = first; n <= last && a->ticks < PLOT_TICKS; n++)
        a->tick[a->ticks++] = round_number(n);
    a->least = round_number(first);
    a->most = round_number(last);
}

plot_axis plot_axis_make(const plot *p, const plot_frame *in, bool vertical)
{
    plot_axis a = { .log = p->log_x, .in = in, .from = in->left, .to = in->right, .label = p->x_label,
                    .digits = DIGITS };
    if (vertical)
        a = (plot_axis){ .log = p->log_y, .vertical = true, .in = in, .from = in->bottom, .to = in->top,
                    .label = p->y_label, .digits = DIGITS };
    a.least = INFINITY;
    a.most = -INFINITY;
    inset_ends(&a, p);
    stretch(&a, p);
    if (vertical && (p->y_least != 0 || p->y_most != 0)) {
        a.least = fmax(a.least, on_axis(&a, p->y_least));
        a.most = fmin(a.most, on_axis(&a, p->y_most));
    }
    if (!(a.least <= a.most))
        a.least = a.most = 0;
    if (a.least == a.most) {
        const double around = a.least != 0 && !a.log ? fabs(a.least) / 10 : 0.5;
        a.least -= around;
        a.most += around;
    }
    a.few = a.log && a.most - a.least < FEW_DECADES;
    (a.few ? tick_few_decades : tick_evenly)(&a);
    return a;
}

static void add_tick(text *out, const plot_axis *a, double v)
{
    const plot_frame *in = a->in;
    double at = pixel(a, v);
    if (a->vertical)
        text_add(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                 in->left, at, in->right, in->left - 6, at + 4);
    else
        text_add(out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
                 at, in->top, in->bottom, at, in->bottom + 17);
    if (a->log && !a->few)
        text_add(out, "1e%.0f</text>\n", v);
    else
        text_add(out, "%.*g</text>\n", a->digits, a->log ? pow(10, v) : v);
}

void plot_axis_add(text *out, const plot_axis *a)
{
    const plot_frame *in = a->in;
    for (int n = 0; n < a->ticks; n++)
        add_tick(out, a, a->tick[n]);
    if (!a->label)
        return;
    if (a->vertical)
        text_add(out, "<text transform=\"translate(%d %d) rotate(-90)\" text-anchor=\"middle\"",
                 in->legend_above ? 13 : 20, (in->top + in->bottom) / 2);
    else
        text_add(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\"", (in->left + in->right) / 2,
                 in->bottom + (in->legend_above ? 35 : 42));
    plot_add_limit(out, a->label, a->vertical ? in->bottom - in->top : in->right - in->left);
    text_add(out, ">");
    plot_add_text(out, a->label);
    text_add(out, "</text>\n");
}

