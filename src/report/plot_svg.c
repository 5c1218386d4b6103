/* plot_svg.c - curves as SVG: title, series, legend; colors from a style sheet for light and dark pages. */
#include "src/report/plot_svg.h"

#include "src/io/safe_file.h"
#include "src/report/plot_axis.h"
#include "src/report/plot_words.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { LEGEND_LINE = 21, LEGEND_ROW = 15, LEGEND_MARK = 34, LEGEND_MARK_COMPACT = 22, LETTER = 7, MARGIN = 10 };
enum { TITLE_ROW = 17, TITLE_LETTERS = 42, TITLE_LETTERS_OF_FILE = 76 };      /* in a row, for a wide font */
#define CLOSE 0.7                              /* pixels; closer points of a line are merged */

static const plot_frame file_frame = { 800, 440, 78, 570, 44, 384, false };
static const plot_frame page_frame = { 420, 250, 62, 408, 30, 206, true };

static const char style[] =
    "svg{--page:#ffffff;--ink:#24292f;--faint:#d8dee4;--c0:#0b62b0;--c1:#c9431a;--c2:#7a4fb5;--c3:#9a6c00;\n"
    "--c4:#00805f;--c5:#b3306f;--c6:#2a8aa8;--c7:#6a737d;font:13px sans-serif}\n"
    "@media(prefers-color-scheme:dark){svg{--page:#0d1117;--ink:#e6edf3;--faint:#30363d;--c0:#6cb2f5;--c1:#ff8f66;\n"
    "--c2:#b99af0;--c3:#e0b43a;--c4:#45cfa6;--c5:#f07fb4;--c6:#7fd3ea;--c7:#9aa4af}}\n"
    ".page{fill:var(--page)}text{fill:var(--ink)}.axis{stroke:var(--ink);fill:none}.grid{stroke:var(--faint)}\n"
    ".line{fill:none;stroke-width:1.5;stroke-linejoin:round}.dash{stroke-dasharray:6 4}\n"
    ".band{opacity:.25}\n";

const char *plot_style_sheet(void)
{
    return style;
}

plot_series *plot_add(plot *p, const char *name, plot_style style_of_it, int color)
{
    assert(p->count < PLOT_SERIES && color < PLOT_COLORS);
    plot_series *s = &p->series[p->count++];
    *s = (plot_series){ .name = name, .style = style_of_it, .color = color };
    return s;
}

static const char *line_class(plot_style s)
{
    return s == PLOT_DASHES || s == PLOT_DASHES_AND_POINTS ? "line dash" : s == PLOT_FIT ? "line fit" : "line";
}

static void add_line(text *out, const plot_series *s, const plot_axis *x, const plot_axis *y)
{
    double last_x = NAN, last_y = NAN;
    text_add(out, "<path class=\"%s\" style=\"stroke:var(--c%d)\" d=\"", line_class(s->style), s->color);
    for (int i = 0; i < s->count; i++) {
        if (!plot_drawable(s->x[i], x->log) || !plot_drawable(s->y[i], y->log))
            continue;
        double px = plot_pixel(x, s->x[i]), py = plot_pixel(y, s->y[i]);
        if (hypot(px - last_x, py - last_y) < CLOSE && i + 1 < s->count)
            continue;
        text_add(out, "%s%.1f %.1f", isnan(last_x) ? "M" : "L", px, py);
        last_x = px;
        last_y = py;
    }
    text_add(out, "\"/>\n");
}

/* An error bar; it ends at the frame if it exceeds the range or is not positive on a logarithmic axis. */
static void add_error(text *out, double px, double value, double error, const plot_axis *y)
{
    const plot_frame *in = y->in;
    const double low = plot_drawable(value - error, y->log) ? plot_pixel(y, value - error) : in->bottom;
    text_add(out, "<path d=\"M%.1f %.1fV%.1f\"/>", px, fmin(low, in->bottom),
             fmax(plot_pixel(y, value + error), in->top));
}

static void add_points(text *out, const plot_series *s, const plot_axis *x, const plot_axis *y)
{
    const plot_frame *in = x->in;
    const int radius = plot_marker_radius(in);
    text_add(out, "<g style=\"fill:var(--c%d);stroke:var(--c%d)\">", s->color, s->color);
    for (int i = 0; i < s->count; i++) {
        if (!plot_drawable(s->x[i], x->log) || !plot_drawable(s->y[i], y->log))
            continue;
        double px = plot_pixel(x, s->x[i]), py = plot_pixel(y, s->y[i]);
        if (py < in->top + radius || py > in->bottom - radius)
            continue;
        text_add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>", px, py, radius);
        if (s->error && s->error[i] > 0)
            add_error(out, px, s->y[i], s->error[i], y);
    }
    text_add(out, "</g>\n");
}

/* The area between y - error and y + error. */
static void add_band(text *out, const plot_series *s, const plot_axis *x, const plot_axis *y)
{
    text_add(out, "<path class=\"band\" style=\"fill:var(--c%d)\" d=\"", s->color);
    for (int i = 0; i < s->count; i++)
        text_add(out, "%s%.1f %.2f", i > 0 ? "L" : "M", plot_pixel(x, s->x[i]), plot_pixel(y, s->y[i] + s->error[i]));
    for (int i = s->count - 1; i >= 0; i--)
        text_add(out, "L%.1f %.2f", plot_pixel(x, s->x[i]), plot_pixel(y, s->y[i] - s->error[i]));
    text_add(out, "Z\"/>\n");
}

/* Bars from the bottom of the box; their width is the distance of points. */
static void add_bars(text *out, const plot_series *s, const plot_axis *x, const plot_axis *y)
{
    const double width = s->count > 1 ? plot_pixel(x, s->x[1]) - plot_pixel(x, s->x[0]) : 1;
    text_add(out, "<path style=\"fill:var(--c%d);opacity:.45\" d=\"", s->color);
    for (int i = 0; i < s->count; i++)
        if (isfinite(s->y[i]) && s->y[i] > y->least)
            text_add(out, "M%.1f %dV%.1fh%.1fV%d", plot_pixel(x, s->x[i]) - width / 2, y->from, plot_pixel(y, s->y[i]),
                     width, y->from);
    text_add(out, "\"/>\n");
}

static void add_mark(text *out, const plot_series *s, int x, int y, int width)
{
    if (plot_has_line(s->style))
        text_add(out, "<path class=\"%s\" style=\"stroke:var(--c%d)\" d=\"M%d %dh%d\"/>",
                 line_class(s->style), s->color, x, y, width);
    if (plot_has_points(s->style))
        text_add(out, "<circle style=\"fill:var(--c%d)\" cx=\"%d\" cy=\"%d\" r=\"3\"/>", s->color, x + width / 2, y);
    if (s->style == PLOT_BAND)
        text_add(out, "<path class=\"band\" style=\"fill:var(--c%d)\" d=\"M%d %dh%dv9h-%dZ\"/>", s->color, x, y - 5,
                 width, width);
    if (s->style == PLOT_BARS)
        text_add(out, "<rect style=\"fill:var(--c%d);opacity:.45\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"9\"/>",
                 s->color, x, y - 5, width);
}

static void add_name(text *out, const plot_series *s, int x, int y, int width)
{
    text_add(out, "<text x=\"%d\" y=\"%d\"", x, y);
    plot_add_limit(out, s->name, width - MARGIN - x);
    text_add(out, ">");
    plot_add_text(out, s->name);
    text_add(out, "</text>\n");
}

static void add_legend(text *out, const plot *p, const plot_frame *in)
{
    int line = 0;
    for (int i = 0; i < p->count; i++) {
        const plot_series *s = &p->series[i];
        if (!s->name)
            continue;
        int y = in->top + 12 + LEGEND_LINE * line++;
        add_mark(out, s, in->right + 18, y, 26);
        add_name(out, s, in->right + 18 + LEGEND_MARK, y + 4, in->width);
    }
}

/* Write the names above the box, in as many rows as needed below `top`.  Returns the number of rows; with `out` NULL it
 * only counts them. */
static int add_legend_above(text *out, const plot *p, const plot_frame *in, int top)
{
    int x = 0, row = 0, named = 0;
    for (int i = 0; i < p->count; i++) {
        const plot_series *s = &p->series[i];
        if (!s->name)
            continue;
        int width = LEGEND_MARK_COMPACT + LETTER * plot_letters(s->name) + 14;
        if (x > 0 && in->left + x + width > in->width) {
            x = 0;
            row++;
        }
        if (out) {
            add_mark(out, s, in->left + x, top + LEGEND_ROW * row, 16);
            add_name(out, s, in->left + x + LEGEND_MARK_COMPACT, top + 4 + LEGEND_ROW * row, in->width);
        }
        x += width;
        named++;
    }
    return named > 0 ? row + 1 : 0;
}

static void add_box(text *out, const plot *p, const plot_frame *in)
{
    const char *id = p->id ? p->id : "box";
    plot_axis x = plot_axis_make(p, in, false), y = plot_axis_make(p, in, true);
    plot_axis_add(out, &x);
    plot_axis_add(out, &y);
    text_add(out, "<clipPath id=\"%s\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n", id, in->left,
             in->top, in->right - in->left, in->bottom - in->top);
    text_add(out, "<g clip-path=\"url(#%s)\">\n", id);
    for (int i = 0; i < p->count; i++) {
        if (p->series[i].style == PLOT_BAND)
            add_band(out, &p->series[i], &x, &y);
        if (p->series[i].style == PLOT_BARS)
            add_bars(out, &p->series[i], &x, &y);
        if (plot_has_line(p->series[i].style))
            add_line(out, &p->series[i], &x, &y);
    }
    text_add(out, "</g>\n");
    for (int i = 0; i < p->count; i++)
        if (plot_has_points(p->series[i].style))
            add_points(out, &p->series[i], &x, &y);
    text_add(out, "<rect class=\"axis\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", in->left, in->top,
             in->right - in->left, in->bottom - in->top);
}

/* Write the title in as many rows as needed.  Returns the number of rows; with `out` NULL it only counts them. */
static int add_title(text *out, const plot *p)
{
    const char *words = p->title;
    int rows = 0;
    for (size_t n; *words; words += n + strspn(words + n, " "), rows++) {
        text row = { 0 };
        n = plot_row_length(words, p->compact ? TITLE_LETTERS : TITLE_LETTERS_OF_FILE);
        text_add_bytes(&row, words, n);
        if (out) {
            text_add(out, "<text class=\"title\" x=\"%d\" y=\"%d\" font-size=\"%d\"%s>",
                     p->compact ? MARGIN : file_frame.left, (p->compact ? 16 : 26) + TITLE_ROW * rows,
                     p->compact ? 14 : 15, p->compact ? " font-weight=\"bold\"" : "");
            plot_add_text(out, text_string(&row));
            text_add(out, "</text>\n");
        }
        text_free(&row);
    }
    return rows;
}

/* Pixels for the rows of the title after the first one. */
static int title_excess(const plot *p)
{
    const int rows = add_title(NULL, p);
    return rows > 1 ? TITLE_ROW * (rows - 1) : 0;
}

/* The frame of the plot, with space for title and legend. */
static plot_frame frame_of(const plot *p)
{
    plot_frame in = p->compact ? page_frame : file_frame;
    const int below = title_excess(p) + (p->compact ? LEGEND_ROW * add_legend_above(NULL, p, &in, 0) : 0);
    in.top += below;
    in.bottom += below;
    in.height += below;
    return in;
}

/* The contents of the element `svg`. */
static void add_plot(text *out, const plot *p, const plot_frame *in)
{
    text_add(out, "<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n");
    add_title(out, p);
    add_box(out, p, in);
    if (p->compact)
        add_legend_above(out, p, in, page_frame.top + title_excess(p));
    else
        add_legend(out, p, in);
    text_add(out, "</svg>\n");
}

int plot_to_text_at(text *out, const plot *p, int x, int y)
{
    const plot_frame in = frame_of(p);
    text_add(out, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", x, y, in.width,
             in.height, in.width, in.height);
    add_plot(out, p, &in);
    return in.height;
}

void plot_to_text(text *out, const plot *p)
{
    const plot_frame in = frame_of(p);
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
