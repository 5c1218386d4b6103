/* report_observables.c - distributions of measured numbers: histograms, and points in a plane; derived quantities. */
#include "src/report/report_observables.h"

#include "src/base/memory.h"
#include "src/report/headlines.h"
#include "src/report/mean_derived.h"
#include "src/report/report_figure.h"
#include "src/report/report_html.h"

#include <math.h>
#include <string.h>

static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* The number of this title in the summary; NULL if there is none. */
static const quantity *quantity_named(const run_view *v, const char *title)
{
    for (int i = 0; i < v->summary.measured; i++)
        if (strcmp(v->summary.measurement[i].title, title) == 0)
            return &v->summary.measurement[i];
    return NULL;
}

static void draw_histogram(report *r, const char *title, const double *value, const quantity *q)
{
    const run_history *h = &r->v->history;
    const int64_t from = history_line_from(h, r->v->summary.from), first = from < h->count ? from : 0;
    figure f;
    text name = { 0 };
    text_add(&name, "distribution of %s", title);
    text unit = figure_unit(q);
    figure_begin(&f, text_string(&name), unit.length > 0 ? text_string(&unit) : title, "density");
    figure_add(&f, NULL, PLOT_BARS, 0,
               curve_histogram(value + first, h->count - first, q->of.mean, q->of.deviation));
    figure_end(&f, r);
    text_free(&name);
    text_free(&unit);
}

static void draw_moments(report *r, const history_curve *c)
{
    text title = history_curve_title(c, c->of->curve ? c->of->curve->at->key : c->of->key);
    const quantity *q = quantity_named(r->v, text_string(&title));
    if (q && q->column && isfinite(q->of.mean))
        draw_histogram(r, text_string(&title), q->column->value, q);
    text_free(&title);
}

/* A point for each configuration, at most CURVE_POINTS of them at equal distances; the origin is a cross of lines. */
static void draw_plane(report *r, const history_curve *c)
{
    const int64_t from = history_line_from(&r->v->history, r->v->summary.from);
    const int64_t stride = c->count / CURVE_POINTS + 1;
    curve points = curve_make(c->count, false);
    double reach = 0;
    points.count = 0;
    for (int64_t i = 0; i < c->count; i += stride) {
        const history_points *p = &c->item[i];
        if (p->line < from || p->count == 0)
            continue;
        points.x[points.count] = p->x[0];
        points.y[points.count++] = p->y[0];
        reach = fmax(reach, fmax(fabs(p->x[0]), fabs(p->y[0])));
    }
    figure f;
    figure_begin(&f, c->name, last_name(c->of->plane), last_name(c->of->key));
    if (points.count > 0) {
        figure_add(&f, NULL, PLOT_LINE, PLOT_GREY, curve_line(-reach, 0, reach, 0));
        figure_add(&f, NULL, PLOT_LINE, PLOT_GREY, curve_line(0, -reach, 0, reach));
    }
    figure_add(&f, NULL, PLOT_POINTS, 0, points);
    figure_end(&f, r);
}

/* The points of this table, with errors.  `name` is borrowed until the end of the figure. */
static void add_points(figure *f, const report *r, const history_curve *c, const char *name, int color)
{
    const run_summary *s = &r->v->summary;
    curve points = curve_make(s->measured, true);
    points.count = 0;
    for (int i = 0; i < s->measured; i++) {
        const quantity *q = &s->measurement[i];
        if (!q->scale || !q->scale->table || q->scale->curve != c->name || !isfinite(q->of.mean)
            || (c->of->table->many && q->of.error > fabs(q->of.mean)))
            continue;
        points.x[points.count] = q->scale->x;
        points.y[points.count] = q->of.mean;
        points.error[points.count++] = isfinite(q->of.error) ? q->of.error : 0;
    }
    figure_add(f, name, PLOT_POINTS, color, points);
}

/* The fits to points of this table that give its derived quantities, in colors from `color` on. */
static void add_fits(figure *f, const report *r, const history_curve *c, int color)
{
    enum { STEPS = 40 };
    const run_summary *s = &r->v->summary;
    for (int i = 0; i < s->scales; i++) {
        const mean_scale *of = &s->scale[i];
        const table_fit *fit = &of->fit;
        if (of->curve != c->name || !(fit->to > fit->from) || *c->label)
            continue;
        curve line = curve_make(STEPS + 1, false);
        for (int k = 0; k <= STEPS; k++) {
            const double x = fit->from + (fit->to - fit->from) * k / STEPS;
            line.x[k] = x;
            line.y[k] = fit->c[0] + fit->c[1] * x + fit->c[2] / x;
        }
        figure_add(f, last_name(of->series.title), PLOT_FIT, color++, line);
    }
}

/* "(0.137)" of "(0.137,0)": a headline may have the first number of a label only. */
static text first_of_label(const char *label)
{
    text first = { 0 };
    text_add_bytes(&first, label, strcspn(label, ","));
    text_add(&first, strchr(label, ',') ? ")" : "");
    return first;
}

/* Whether the first number of the label is unique among curves of this kind. */
static bool is_only_first(const run_history *h, const history_curve *c, const char *first)
{
    bool only = true;
    for (int i = 0; i < h->curves; i++) {
        const history_curve *other = &h->curve[i];
        text label = first_of_label(other->label);
        if (other != c && other->of == c->of && strcmp(other->name, c->name) == 0)
            only = only && strcmp(text_string(&label), first) != 0;
        text_free(&label);
    }
    return only;
}

/* The headline with the plateau of this table; NULL if there is none. */
static const quantity *plateau_of(const report *r, const history_curve *c)
{
    const char *key = c->of->table->plateau.key;
    if (!key)
        return NULL;
    text first = first_of_label(c->label);
    text full_title = history_curve_title(c, key);
    text short_title = headlines_labeled_title(c->name, key, text_string(&first));
    const quantity *q = quantity_named(r->v, text_string(&full_title));
    if (!q && is_only_first(&r->v->history, c, text_string(&first)))
        q = quantity_named(r->v, text_string(&short_title));
    text_free(&first);
    text_free(&full_title);
    text_free(&short_title);
    return q;
}

/* The rows of the newest table. */
static int rows_of(const history_curve *c)
{
    int64_t i = c->count - 1;
    while (i > 0 && c->item[i].count == 0)
        i--;
    return c->item[i].count > 0 ? (int)c->item[i].y[0] : 0;
}

/* Draw the plateau of a table over its range, unless there is none or its error is too large.  The first plateau of a
 * figure has a name.  Returns whether it is drawn. */
static bool add_plateau(figure *f, const report *r, const history_curve *c, bool first, int color)
{
    const quantity *q = plateau_of(r, c);
    double from, to;
    if (!q || !(q->of.error <= fabs(q->of.mean)))
        return false;
    c->of->table->plateau.range(&from, &to, rows_of(c));
    figure_add_mean(f, first ? c->of->table->plateau.key : NULL, color, from, to, &q->of);
    return true;
}

static bool is_table(const history_curve *c)
{
    for (int64_t i = 0; c->of->table && i < c->count; i++)
        if (c->item[i].count > 0)
            return true;
    return false;
}

/* The points of all tables of a measurement in one figure. */
static void draw_tables(report *r, int first)
{
    const run_history *h = &r->v->history;
    const measured_table *of = h->curve[first].of->table;
    const bool anisotropic = h->set[h->curve[first].set].anisotropic;
    const unit_text x_label = result_unit_on(of->x_label, anisotropic);
    const unit_text y_label = result_unit_on(of->y_label, anisotropic);
    text title = { 0 }, name[PLOT_SERIES] = { { 0 } };
    int tables = 0;
    bool named = false;
    figure f;
    text_add(&title, "%s: %s", h->curve[first].name, of->title);
    figure_begin(&f, text_string(&title), x_label.s, y_label.s);
    for (int i = first; i < h->curves && tables < PLOT_SERIES; i++) {
        const history_curve *c = &h->curve[i];
        if (!is_table(c) || strcmp(c->name, h->curve[first].name) != 0)
            continue;
        text_add(&name[tables], "%s%s%s", c->of->table->name, *c->label ? " " : "", c->label);
        named |= add_plateau(&f, r, c, !named, tables);
        add_points(&f, r, c, text_string(&name[tables]), tables);
        tables++;
    }
    add_fits(&f, r, &h->curve[first], tables);
    figure_end(&f, r);
    while (tables > 0)
        text_free(&name[--tables]);
    text_free(&title);
}

static bool is_first_table(const run_history *h, int index)
{
    for (int c = 0; c < index; c++)
        if (is_table(&h->curve[c]) && strcmp(h->curve[c].name, h->curve[index].name) == 0)
            return false;
    return is_table(&h->curve[index]);
}

void report_derived_quantities(report *r)
{
    const run_history *h = &r->v->history;
    bool any = false;
    for (int c = 0; c < h->curves; c++)
        any |= is_first_table(h, c);
    if (!any)
        return;
    html_section(&r->out, "Derived quantities", true);
    for (int c = 0; c < h->curves; c++)
        if (is_first_table(h, c))
            draw_tables(r, c);
    html_section_end(&r->out);
}

void report_observables(report *r)
{
    const run_history *h = &r->v->history;
    bool any = false;
    for (int c = 0; c < h->curves; c++)
        any |= h->curve[c].of->moments != NULL;
    if (!any)
        return;
    html_section(&r->out, "Distributions", true);
    for (int c = 0; c < h->curves; c++) {
        if (h->curve[c].of->moments)
            draw_moments(r, &h->curve[c]);
        if (h->curve[c].of->plane)
            draw_plane(r, &h->curve[c]);
    }
    html_section_end(&r->out);
}
