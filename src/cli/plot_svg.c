/* plot_svg.c - curves as SVG: axes, ticks, legend; colours from a style sheet that knows light and dark pages. */
#include "src/cli/plot_svg.h"

#include "src/base/text.h"
#include "src/io/safe_file.h"

#include <assert.h>
#include <math.h>

/* Pixels: the picture; the box of the axes in it; the legend on the right of the box. */
enum { WIDTH = 800, HEIGHT = 440, LEFT = 78, RIGHT = 570, TOP = 44, BOTTOM = 384, LEGEND = 588, LEGEND_LINE = 21 };
enum { TICKS_MOST = 8, TICKS = 32, FEW_DECADES = 3 };
#define CLOSE 0.7                              /* points of a line nearer than this are one */

static const char style[] =
    "<style>\n"
    "svg{--page:#ffffff;--ink:#24292f;--faint:#d8dee4;--c0:#0b62b0;--c1:#c9431a;--c2:#7a4fb5;--c3:#9a6c00;\n"
    "--c4:#00805f;--c5:#b3306f;--c6:#2a8aa8;--c7:#6a737d;font:13px sans-serif}\n"
    "@media(prefers-color-scheme:dark){svg{--page:#0d1117;--ink:#e6edf3;--faint:#30363d;--c0:#6cb2f5;--c1:#ff8f66;\n"
    "--c2:#b99af0;--c3:#e0b43a;--c4:#45cfa6;--c5:#f07fb4;--c6:#7fd3ea;--c7:#9aa4af}}\n"
    ".page{fill:var(--page)}text{fill:var(--ink)}.axis{stroke:var(--ink);fill:none}.grid{stroke:var(--faint)}\n"
    ".line{fill:none;stroke-width:1.5;stroke-linejoin:round}.dash{stroke-dasharray:6 4}\n"
    "</style>\n";

typedef struct {
    bool log, vertical, few;                   /* few: decades, of a logarithmic axis */
    double least, most;                        /* logarithms of base 10 on a logarithmic axis, as are ticks */
    int from, to;                              /* pixels */
    const char *label;
    int ticks;
    double tick[TICKS];
} axis;

plot_series *plot_add(plot *p, const char *name, plot_style style_of_it, int color)
{
    assert(p->count < PLOT_SERIES && color < PLOT_COLORS);
    plot_series *s = &p->series[p->count++];
    *s = (plot_series){ .name = name, .style = style_of_it, .color = color };
    return s;
}

static bool drawable(double value, bool log)
{
    return isfinite(value) && (!log || value > 0);
}

static double on_axis(const axis *a, double value)
{
    return a->log ? log10(value) : value;
}

static double pixel(const axis *a, double v)
{
    return a->from + (a->to - a->from) * (v - a->least) / (a->most - a->least);
}

static void stretch(axis *a, const plot *p)
{
    for (int n = 0; n < p->count; n++)
        for (int i = 0; i < p->series[n].count; i++) {
            const plot_series *s = &p->series[n];
            if (!drawable(s->x[i], p->log_x) || !drawable(s->y[i], p->log_y))
                continue;
            double v = on_axis(a, a->vertical ? s->y[i] : s->x[i]);
            a->least = fmin(a->least, v);
            a->most = fmax(a->most, v);
        }
}

/* Multiples of 1, 2 or 5 times a power of ten, and ends of the axis that are among them; a horizontal one ends where
 * the data do. */
static void tick_evenly(axis *a)
{
    static const double factors[] = { 1, 2, 5, 10 };
    double span = a->most - a->least, power = a->log ? 1 : pow(10, floor(log10(span / TICKS_MOST)));
    int n = 0;
    while (n < 3 && span / (power * factors[n]) > TICKS_MOST)
        n++;
    double step = power * factors[n], small = step / 1e6;
    double first = floor((a->least + small) / step), last = ceil((a->most - small) / step);
    a->least = fmin(a->least, step * first);
    if (a->vertical || a->log)
        a->most = step * last;
    for (double k = first; k * step <= a->most + small && a->ticks < TICKS; k++)
        a->tick[a->ticks++] = k * step;
}

/* The logarithm of number n among ..., 0.2, 0.5, 1, 2, 5, 10, 20, ...; 1 has number 0. */
static double round_number(int n)
{
    static const double digits[] = { 1, 2, 5 };
    int decade = n >= 0 ? n / 3 : (n - 2) / 3;
    return decade + log10(digits[n - 3 * decade]);
}

static void tick_few_decades(axis *a)
{
    const double small = 1e-6;
    int first = 3 * (int)floor(a->least), last;
    while (round_number(first + 1) <= a->least + small)
        first++;
    for (last = first; round_number(last) < a->most - small; last++)
        ;
    for (int n = first; n <= last && a->ticks < TICKS; n++)
        a->tick[a->ticks++] = round_number(n);
    a->least = round_number(first);
    a->most = round_number(last);
}

static axis axis_make(const plot *p, bool vertical)
{
    axis a = vertical ? (axis){ .log = p->log_y, .vertical = true, .from = BOTTOM, .to = TOP, .label = p->y_label }
                      : (axis){ .log = p->log_x, .from = LEFT, .to = RIGHT, .label = p->x_label };
    a.least = INFINITY;
    a.most = -INFINITY;
    stretch(&a, p);
    if (vertical && (p->y_least != 0 || p->y_most != 0)) {
        a.least = fmax(a.least, on_axis(&a, p->y_least));
        a.most = fmin(a.most, on_axis(&a, p->y_most));
    }
    if (!(a.least <= a.most))
        a.least = a.most = 0;
    if (a.least == a.most)
        a.most = a.least + 1;
    a.few = a.log && a.most - a.least < FEW_DECADES;
    (a.few ? tick_few_decades : tick_evenly)(&a);
    return a;
}

static void add_words(text *out, const char *words)
{
    for (; *words; words++)
        if (*words == '<' || *words == '&')
            text_add(out, *words == '<' ? "&lt;" : "&amp;");
        else
            text_add_bytes(out, words, 1);
}

static void add_tick(text *out, const axis *a, double v)
{
    double at = pixel(a, v);
    if (a->vertical)
        text_add(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT,
                 at, RIGHT, LEFT - 8, at + 4);
    else
        text_add(out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
                 at, TOP, BOTTOM, at, BOTTOM + 18);
    if (a->log && !a->few)
        text_add(out, "1e%.0f</text>\n", v);
    else
        text_add(out, "%.4g</text>\n", a->log ? pow(10, v) : v);
}

static void add_axis(text *out, const axis *a)
{
    for (int n = 0; n < a->ticks; n++)
        add_tick(out, a, a->tick[n]);
    if (a->vertical)
        text_add(out, "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">", (TOP + BOTTOM) / 2);
    else
        text_add(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + RIGHT) / 2, BOTTOM + 42);
    add_words(out, a->label);
    text_add(out, "</text>\n");
}

static bool has_line(plot_style s) { return s != PLOT_POINTS; }
static bool has_points(plot_style s) { return s >= PLOT_POINTS; }
static bool is_dashed(plot_style s) { return s == PLOT_DASHES || s == PLOT_DASHES_AND_POINTS; }

static void add_line(text *out, const plot_series *s, const axis *x, const axis *y)
{
    double last_x = NAN, last_y = NAN;
    text_add(out, "<path class=\"line%s\" style=\"stroke:var(--c%d)\" d=\"", is_dashed(s->style) ? " dash" : "",
             s->color);
    for (int i = 0; i < s->count; i++) {
        if (!drawable(s->x[i], x->log) || !drawable(s->y[i], y->log))
            continue;
        double px = pixel(x, on_axis(x, s->x[i])), py = pixel(y, on_axis(y, s->y[i]));
        if (hypot(px - last_x, py - last_y) < CLOSE && i + 1 < s->count)
            continue;
        text_add(out, "%s%.1f %.1f", isnan(last_x) ? "M" : "L", px, py);
        last_x = px;
        last_y = py;
    }
    text_add(out, "\"/>\n");
}

static void add_points(text *out, const plot_series *s, const axis *x, const axis *y)
{
    text_add(out, "<g style=\"fill:var(--c%d)\">", s->color);
    for (int i = 0; i < s->count; i++) {
        if (!drawable(s->x[i], x->log) || !drawable(s->y[i], y->log))
            continue;
        double px = pixel(x, on_axis(x, s->x[i])), py = pixel(y, on_axis(y, s->y[i]));
        if (py >= TOP - 1 && py <= BOTTOM + 1)
            text_add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", px, py);
    }
    text_add(out, "</g>\n");
}

static void add_legend(text *out, const plot *p)
{
    int line = 0;
    for (int i = 0; i < p->count; i++) {
        const plot_series *s = &p->series[i];
        if (!s->name)
            continue;
        int y = TOP + 12 + LEGEND_LINE * line++;
        if (has_line(s->style))
            text_add(out, "<path class=\"line%s\" style=\"stroke:var(--c%d)\" d=\"M%d %dh26\"/>",
                     is_dashed(s->style) ? " dash" : "", s->color, LEGEND, y);
        if (has_points(s->style))
            text_add(out, "<circle style=\"fill:var(--c%d)\" cx=\"%d\" cy=\"%d\" r=\"3\"/>", s->color, LEGEND + 13, y);
        text_add(out, "<text x=\"%d\" y=\"%d\">", LEGEND + 34, y + 4);
        add_words(out, s->name);
        text_add(out, "</text>\n");
    }
}

bool plot_write(const plot *p, const char *path, failure *f)
{
    text out = { 0 };
    axis x = axis_make(p, false), y = axis_make(p, true);
    text_add(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n%s"
                   "<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n<text x=\"%d\" y=\"26\" font-size=\"15\">",
             WIDTH, HEIGHT, WIDTH, HEIGHT, style, LEFT);
    add_words(&out, p->title);
    text_add(&out, "</text>\n");
    add_axis(&out, &x);
    add_axis(&out, &y);
    text_add(&out, "<clipPath id=\"box\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n"
                   "<g clip-path=\"url(#box)\">\n", LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
    for (int i = 0; i < p->count; i++)
        if (has_line(p->series[i].style))
            add_line(&out, &p->series[i], &x, &y);
    text_add(&out, "</g>\n");
    for (int i = 0; i < p->count; i++)
        if (has_points(p->series[i].style))
            add_points(&out, &p->series[i], &x, &y);
    text_add(&out, "<rect class=\"axis\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT, TOP,
             RIGHT - LEFT, BOTTOM - TOP);
    add_legend(&out, p);
    text_add(&out, "</svg>\n");
    bool ok = safe_file_write_text(path, text_string(&out), true, f);
    text_free(&out);
    return ok;
}
