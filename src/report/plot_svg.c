/* plot_svg.c - curves as SVG: axes, ticks, legend; colours from a style sheet for light and dark pages. */
#include "src/report/plot_svg.h"

#include "src/base/text.h"
#include "src/io/safe_file.h"

#include <assert.h>
#include <math.h>

enum { TICKS_MOST = 8, TICKS_MOST_COMPACT = 5, TICKS = 32, FEW_DECADES = 3, DIGITS = 4 };
enum { LEGEND_LINE = 21, LEGEND_ROW = 15, LEGEND_MARK = 34, LEGEND_MARK_COMPACT = 22, LETTER = 7 };
#define CLOSE 0.7                              /* pixels; closer points of a line are merged */

/* Pixels of the picture and of the box of the axes in it.  The legend is to the right of the box, or above it. */
typedef struct { int width, height, left, right, top, bottom; bool legend_above; } frame;

static const frame file_frame = { 800, 440, 78, 570, 44, 384, false };
static const frame page_frame = { 420, 250, 62, 408, 30, 206, true };

static const char style[] =
    "svg{--page:#ffffff;--ink:#24292f;--faint:#d8dee4;--c0:#0b62b0;--c1:#c9431a;--c2:#7a4fb5;--c3:#9a6c00;\n"
    "--c4:#00805f;--c5:#b3306f;--c6:#2a8aa8;--c7:#6a737d;font:13px sans-serif}\n"
    "@media(prefers-color-scheme:dark){svg{--page:#0d1117;--ink:#e6edf3;--faint:#30363d;--c0:#6cb2f5;--c1:#ff8f66;\n"
    "--c2:#b99af0;--c3:#e0b43a;--c4:#45cfa6;--c5:#f07fb4;--c6:#7fd3ea;--c7:#9aa4af}}\n"
    ".page{fill:var(--page)}text{fill:var(--ink)}.axis{stroke:var(--ink);fill:none}.grid{stroke:var(--faint)}\n"
    ".line{fill:none;stroke-width:1.5;stroke-linejoin:round}.dash{stroke-dasharray:6 4}\n";

const char *plot_style_sheet(void)
{
    return style;
}

typedef struct {
    bool log, vertical, few;                   /* few: decades, of a logarithmic axis */
    double least, most;                        /* on a logarithmic axis: decimal logarithms, as for ticks */
    const frame *in;
    int from, to;                              /* pixels */
    const char *label;
    int ticks, digits;
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
            double v = a->vertical ? s->y[i] : s->x[i], e = a->vertical && s->error && !a->log ? s->error[i] : 0;
            a->least = fmin(a->least, on_axis(a, v) - e);
            a->most = fmax(a->most, on_axis(a, v) + e);
            if (a->vertical && s->style == PLOT_BARS)
                a->least = fmin(a->least, 0);
        }
}

/* Ticks at multiples of 1, 2 or 5 times a power of ten.  The ends of a vertical axis are ticks; a horizontal axis ends
 * with the data. */
static void tick_evenly(axis *a)
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
    for (double k = first; k * step <= a->most + small && a->ticks < TICKS; k++)
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

static axis axis_make(const plot *p, const frame *in, bool vertical)
{
    axis a = { .log = p->log_x, .in = in, .from = in->left, .to = in->right, .label = p->x_label, .digits = DIGITS };
    if (vertical)
        a = (axis){ .log = p->log_y, .vertical = true, .in = in, .from = in->bottom, .to = in->top,
                    .label = p->y_label, .digits = DIGITS };
    a.least = INFINITY;
    a.most = -INFINITY;
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
    const frame *in = a->in;
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

static void add_axis(text *out, const axis *a)
{
    const frame *in = a->in;
    for (int n = 0; n < a->ticks; n++)
        add_tick(out, a, a->tick[n]);
    if (!a->label)
        return;
    if (a->vertical)
        text_add(out, "<text transform=\"translate(%d %d) rotate(-90)\" text-anchor=\"middle\">",
                 in->legend_above ? 13 : 20, (in->top + in->bottom) / 2);
    else
        text_add(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (in->left + in->right) / 2,
                 in->bottom + (in->legend_above ? 35 : 42));
    add_words(out, a->label);
    text_add(out, "</text>\n");
}

static bool has_line(plot_style s) { return s != PLOT_POINTS && s != PLOT_BARS; }
static bool has_points(plot_style s) { return s >= PLOT_POINTS && s != PLOT_BARS; }
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
    const frame *in = x->in;
    text_add(out, "<g style=\"fill:var(--c%d);stroke:var(--c%d)\">", s->color, s->color);
    for (int i = 0; i < s->count; i++) {
        if (!drawable(s->x[i], x->log) || !drawable(s->y[i], y->log))
            continue;
        double px = pixel(x, on_axis(x, s->x[i])), py = pixel(y, on_axis(y, s->y[i]));
        if (py < in->top - 1 || py > in->bottom + 1)
            continue;
        text_add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>", px, py, in->legend_above ? "2" : "3");
        if (s->error && drawable(s->y[i] - s->error[i], y->log) && s->error[i] > 0)
            text_add(out, "<path d=\"M%.1f %.1fV%.1f\"/>", px, pixel(y, on_axis(y, s->y[i] - s->error[i])),
                     pixel(y, on_axis(y, s->y[i] + s->error[i])));
    }
    text_add(out, "</g>\n");
}

/* Bars from the bottom of the box, as wide as points are apart. */
static void add_bars(text *out, const plot_series *s, const axis *x, const axis *y)
{
    const double width = s->count > 1 ? pixel(x, s->x[1]) - pixel(x, s->x[0]) : 1;
    text_add(out, "<path style=\"fill:var(--c%d);opacity:.45\" d=\"", s->color);
    for (int i = 0; i < s->count; i++)
        if (isfinite(s->y[i]) && s->y[i] > y->least)
            text_add(out, "M%.1f %dV%.1fh%.1fV%d", pixel(x, s->x[i]) - width / 2, x->in->bottom, pixel(y, s->y[i]),
                     width, x->in->bottom);
    text_add(out, "\"/>\n");
}

static int letters(const char *words)
{
    int n = 0;
    for (; *words; words++)
        n += (*words & 0xc0) != 0x80;
    return n;
}

static void add_mark(text *out, const plot_series *s, int x, int y, int width)
{
    if (has_line(s->style))
        text_add(out, "<path class=\"line%s\" style=\"stroke:var(--c%d)\" d=\"M%d %dh%d\"/>",
                 is_dashed(s->style) ? " dash" : "", s->color, x, y, width);
    if (has_points(s->style))
        text_add(out, "<circle style=\"fill:var(--c%d)\" cx=\"%d\" cy=\"%d\" r=\"3\"/>", s->color, x + width / 2, y);
    if (s->style == PLOT_BARS)
        text_add(out, "<rect style=\"fill:var(--c%d);opacity:.45\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"9\"/>",
                 s->color, x, y - 5, width);
}

static void add_name(text *out, const plot_series *s, int x, int y)
{
    text_add(out, "<text x=\"%d\" y=\"%d\">", x, y);
    add_words(out, s->name);
    text_add(out, "</text>\n");
}

static void add_legend(text *out, const plot *p, const frame *in)
{
    int line = 0;
    for (int i = 0; i < p->count; i++) {
        const plot_series *s = &p->series[i];
        if (!s->name)
            continue;
        int y = in->top + 12 + LEGEND_LINE * line++;
        add_mark(out, s, in->right + 18, y, 26);
        add_name(out, s, in->right + 18 + LEGEND_MARK, y + 4);
    }
}

/* Write the names one after the other above the box, in as many rows as needed.  Returns the number of rows; with `out`
 * NULL it only counts them. */
static int add_legend_above(text *out, const plot *p, const frame *in)
{
    int x = 0, row = 0, named = 0;
    for (int i = 0; i < p->count; i++) {
        const plot_series *s = &p->series[i];
        if (!s->name)
            continue;
        int width = LEGEND_MARK_COMPACT + LETTER * letters(s->name) + 14;
        if (x > 0 && in->left + x + width > in->width) {
            x = 0;
            row++;
        }
        if (out) {
            add_mark(out, s, in->left + x, 30 + LEGEND_ROW * row, 16);
            add_name(out, s, in->left + x + LEGEND_MARK_COMPACT, 34 + LEGEND_ROW * row);
        }
        x += width;
        named++;
    }
    return named > 0 ? row + 1 : 0;
}

static void add_box(text *out, const plot *p, const frame *in)
{
    const char *id = p->id ? p->id : "box";
    axis x = axis_make(p, in, false), y = axis_make(p, in, true);
    add_axis(out, &x);
    add_axis(out, &y);
    text_add(out, "<clipPath id=\"%s\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n", id, in->left,
             in->top, in->right - in->left, in->bottom - in->top);
    text_add(out, "<g clip-path=\"url(#%s)\">\n", id);
    for (int i = 0; i < p->count; i++) {
        if (p->series[i].style == PLOT_BARS)
            add_bars(out, &p->series[i], &x, &y);
        if (has_line(p->series[i].style))
            add_line(out, &p->series[i], &x, &y);
    }
    text_add(out, "</g>\n");
    for (int i = 0; i < p->count; i++)
        if (has_points(p->series[i].style))
            add_points(out, &p->series[i], &x, &y);
    text_add(out, "<rect class=\"axis\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", in->left, in->top,
             in->right - in->left, in->bottom - in->top);
}

/* The frame of the plot, with room for its legend. */
static frame frame_of(const plot *p)
{
    frame in = p->compact ? page_frame : file_frame;
    const int below = p->compact ? LEGEND_ROW * add_legend_above(NULL, p, &in) : 0;
    in.top += below;
    in.bottom += below;
    in.height += below;
    return in;
}

/* All that is within the element `svg`. */
static void add_plot(text *out, const plot *p, const frame *in)
{
    text_add(out, "<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n<text x=\"%d\" y=\"%d\" "
                  "font-size=\"%d\"%s>", in->left, p->compact ? 16 : 26, p->compact ? 14 : 15,
             p->compact ? " font-weight=\"bold\"" : "");
    add_words(out, p->title);
    text_add(out, "</text>\n");
    add_box(out, p, in);
    if (p->compact)
        add_legend_above(out, p, in);
    else
        add_legend(out, p, in);
    text_add(out, "</svg>\n");
}

void plot_to_text_at(text *out, const plot *p, int x, int y)
{
    const frame in = frame_of(p);
    text_add(out, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", x, y, in.width,
             in.height, in.width, in.height);
    add_plot(out, p, &in);
}

void plot_to_text(text *out, const plot *p)
{
    const frame in = frame_of(p);
    if (p->compact)
        text_add(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\">\n", in.width, in.height);
    else
        text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
                      "<style>\n%s</style>\n", in.width, in.height, in.width, in.height, style);
    add_plot(out, p, &in);
}

bool plot_write(const plot *p, const char *path, failure *f)
{
    text out = { 0 };
    plot_to_text(&out, p);
    bool ok = safe_file_renew_text(path, text_string(&out), SVG_MARK, f);
    text_free(&out);
    return ok;
}
