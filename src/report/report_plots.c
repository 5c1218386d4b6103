/* report_plots.c - the figures of a report. */
#include "src/report/report_plots.h"

#include "src/base/memory.h"
#include "src/report/report_figure.h"
#include "src/report/report_html.h"

#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <math.h>

enum { POINTS_FEW = 120 };             /* up to this number, values are drawn as points, else as a line */
static const char trajectory_label[] = "trajectory";

static int64_t first_line(const run_view *v)
{
    int64_t line = history_line_from(&v->history, v->summary.from);
    return line < v->history.count ? line : 0;
}

static double first_trajectory(const run_view *v, int64_t line)
{
    return (double)v->history.line[line].trajectory;
}

/* A history from a line on, with its mean and error over the trajectories of the means. */
static void draw_history(report *r, int64_t from, const char *title, history_value *value, const void *context,
                         const quantity *q)
{
    figure f;
    curve c = curve_of_history(&r->v->history, from, value, context);
    const bool few = c.count <= POINTS_FEW, any = c.count > 0;
    text unit = figure_unit(q);
    figure_begin(&f, title, trajectory_label, unit.length > 0 ? text_string(&unit) : NULL);
    figure_add(&f, NULL, few ? PLOT_LINE_AND_POINTS : PLOT_LINE, 0, c);
    if (any)
        figure_add_mean(&f, "mean \u00b1 error", 1, (double)r->v->summary.from, (double)r->v->summary.last, &q->of);
    figure_end(&f, r);
    text_free(&unit);
}

/* The plaquette of all trajectories, with the end of thermalization and the beginning of equilibrium. */
static void draw_start(report *r)
{
    const run_view *v = r->v;
    const run_history *h = &v->history;
    figure f;
    double least = INFINITY, most = -INFINITY;
    for (int64_t i = 0; i < h->count; i++) {
        least = fmin(least, h->line[i].plaquette);
        most = fmax(most, h->line[i].plaquette);
    }
    figure_begin(&f, "plaquette, from the start", trajectory_label, NULL);
    figure_add(&f, NULL, PLOT_LINE, 0, curve_of_history(h, 0, history_plaquette, NULL));
    if (v->summary.thermalization > 0)
        figure_add(&f, "thermalization ends", PLOT_DASHES, 1,
                   curve_line((double)v->summary.from, least, (double)v->summary.from, most));
    if (v->summary.start.found)
        figure_add(&f, "equilibrium", PLOT_DASHES, 4,
                   curve_line((double)v->summary.start.trajectory, least, (double)v->summary.start.trajectory, most));
    figure_end(&f, r);
}

void report_histories(report *r)
{
    const run_view *v = r->v;
    const run_summary *s = &v->summary;
    html_section(&r->out, "Histories", true);
    draw_start(r);
    draw_history(r, first_line(v), "plaquette", history_plaquette, NULL, &s->plaquette);
    for (int i = 0; i < s->measured; i++) {
        const quantity *q = &s->measurement[i];
        if (q->scale && q->scale->table)
            continue;
        text title = { 0 };
        text_add(&title, q->scale ? "%s, linear about the mean curve" : "%s", q->title);
        draw_history(r, first_line(v), text_string(&title), history_column_value, q->column, q);
        text_free(&title);
    }
    html_section_end(&r->out);
}

/* dH as a histogram of densities, and the normal distribution with the same variance and <exp(-dH)> = 1: its mean is
 * half of the variance (M. Creutz, Phys. Rev. D 38 (1988) 1228). */
static void draw_distribution(report *r)
{
    enum { CURVE = 121 };
    const run_history *h = &r->v->history;
    const correlated_mean *dh = &r->v->summary.dh.of;
    const int64_t from = first_line(r->v);
    if (!(dh->deviation > 0))
        return;
    double *tested = memory_alloc((size_t)(h->count + 1) * sizeof *tested, "dH of a run");
    for (int64_t i = from; i < h->count; i++)
        tested[i - from] = h->line[i].tested ? h->line[i].dh : NAN;
    curve bars = curve_histogram(tested, h->count - from, dh->mean, dh->deviation);
    const double least = dh->mean - 4 * dh->deviation;
    memory_free(tested);
    figure f;
    figure_begin(&f, "distribution of dH", "dH", "density");
    figure_add(&f, "found", PLOT_BARS, 0, bars);
    curve normal = curve_make(CURVE, false);
    for (int i = 0; i < CURVE; i++) {
        normal.x[i] = least + 8 * dh->deviation * i / (CURVE - 1);
        normal.y[i] = gsl_ran_gaussian_pdf(normal.x[i] - dh->deviation * dh->deviation / 2, dh->deviation);
    }
    figure_add(&f, "normal, mean \u03c3\u00b2/2", PLOT_LINE, 1, normal);
    figure_end(&f, r);
}

/* The mean of a history up to each trajectory, and its expected value.  The curve ends before a Metropolis test whose
 * value is not finite: a mean without that value would be biased. */
static void draw_running(report *r, const char *title, history_value *value, double goal, const char *goal_name)
{
    const run_history *h = &r->v->history;
    const int64_t from = first_line(r->v);
    double *mean = memory_alloc((size_t)(h->count + 1) * sizeof *mean, "a running mean");
    double sum = 0;
    int64_t n = 0;
    for (int64_t i = from; i < h->count; i++) {
        const double now = value(h, i, NULL);
        if (h->line[i].tested)
            sum += now;
        n += h->line[i].tested;
        mean[i] = n > 0 ? sum / (double)n : NAN;
    }
    const history_column running = { .value = mean };
    figure f;
    figure_begin(&f, title, trajectory_label, NULL);
    figure_add(&f, "mean so far", PLOT_LINE, 0, curve_of_history(h, from, history_column_value, &running));
    if (isfinite(goal))
        figure_add(&f, goal_name, PLOT_DASHES, 1,
                   curve_line(first_trajectory(r->v, from), goal, (double)r->v->summary.last, goal));
    figure_end(&f, r);
    memory_free(mean);
}

void report_metropolis(report *r)
{
    const run_summary *s = &r->v->summary;
    figure f;
    if (s->tested == 0)
        return;
    html_section(&r->out, "Energy and acceptance", true);
    figure_begin(&f, "dH", trajectory_label, NULL);
    figure_add(&f, NULL, PLOT_POINTS, 0, curve_of_history(&r->v->history, first_line(r->v), history_dh, NULL));
    figure_add_mean(&f, "mean \u00b1 error", 1, (double)s->from, (double)s->last, &s->dh.of);
    figure_end(&f, r);
    draw_distribution(r);
    draw_running(r, "exp(-dH)", history_exp_minus_dh, 1, "1");
    draw_running(r, "acceptance", history_accepted, s->expected_acceptance, "erfc(\u221a<dH>/2)");
    html_section_end(&r->out);
}

/* rho(t) with errors, and the window of its sum. */
static void draw_autocorrelation(report *r, const quantity *q, history_value *value, const void *context)
{
    enum { LAGS_LEAST = 12, LAGS_MOST = 120, WINDOWS = 3 };
    if (q->of.window <= 0 || q->every <= 0)
        return;
    history_series s = history_series_make(&r->v->history, first_line(r->v), value, context);
    int64_t lags = WINDOWS * llround((double)q->of.window / q->every);
    lags = lags < LAGS_LEAST ? LAGS_LEAST : lags > LAGS_MOST ? LAGS_MOST : lags;
    curve rho = curve_make(lags, true);
    rho.count = (int)autocorrelation_function(rho.y, rho.error, lags, (chain){ s.value, 1, &s.length });
    for (int t = 0; t < rho.count; t++)
        rho.x[t] = t * q->every;
    const double end = rho.count > 0 ? rho.x[rho.count - 1] : 0;
    text name = { 0 };
    text_add(&name, q->of.verdict == SERIES_TOO_SHORT ? "\u03c4 " : "\u03c4 = ");
    report_add(&name, run_view_add_tau, &q->of);
    figure f;
    figure_begin(&f, q->title, "distance in trajectories", "\u03c1");
    figure_add(&f, text_string(&name), PLOT_POINTS, 0, rho);
    figure_add(&f, NULL, PLOT_LINE, PLOT_GREY, curve_line(0, 0, end, 0));
    figure_add(&f, "window", PLOT_DASHES, 1, curve_line((double)q->of.window, 0, (double)q->of.window, 1));
    figure_end(&f, r);
    text_free(&name);
    history_series_free(&s);
}

void report_autocorrelations(report *r)
{
    const run_summary *s = &r->v->summary;
    html_section(&r->out, "Autocorrelation", true);
    draw_autocorrelation(r, &s->plaquette, history_plaquette, NULL);
    for (int i = 0; i < s->measured; i++)
        if (!(s->measurement[i].scale && s->measurement[i].scale->table))
            draw_autocorrelation(r, &s->measurement[i], history_column_value, s->measurement[i].column);
    html_section_end(&r->out);
}

/* All columns of a kind in one figure, one color each; columns of a second kind are dashed. */
static void draw_columns(report *r, const char *title, bool log, column_kind kind, plot_style style,
                         const column_kind *dashed)
{
    const run_history *h = &r->v->history;
    int color = 0;
    figure f;
    figure_begin(&f, title, trajectory_label, NULL);
    f.p.log_y = log;
    for (int c = 0; c < h->columns; c++)
        if (h->column[c].kind == kind)
            figure_add(&f, h->column[c].title, style, color++,
                       curve_of_history(h, 0, history_column_value, &h->column[c]));
    for (int c = 0, same = 0; dashed && c < h->columns; c++)
        if (h->column[c].kind == *dashed)
            figure_add(&f, "end of the range", PLOT_DASHES, same++ % PLOT_GREY,
                       curve_of_history(h, 0, history_column_value, &h->column[c]));
    figure_end(&f, r);
}

void report_dynamics(report *r)
{
    const column_kind range = COLUMN_RANGE_END;
    const bool sweeps = r->v->folder.known && run_is_pure_gauge(&r->v->folder.in.p);
    html_section(&r->out, sweeps ? "Time of trajectories" : "Molecular dynamics", true);
    draw_columns(r, "force of a link: root mean square", true, COLUMN_FORCE_RMS, PLOT_LINE, NULL);
    draw_columns(r, "force of a link: largest", true, COLUMN_FORCE_MAX, PLOT_LINE, NULL);
    draw_columns(r, "iterations of solves", true, COLUMN_ITERATIONS, PLOT_LINE, NULL);
    draw_columns(r, "largest residual of solves", true, COLUMN_RESIDUAL, PLOT_LINE, NULL);
    draw_columns(r, "largest eigenvalue", false, COLUMN_LARGEST, PLOT_POINTS, &range);
    draw_columns(r, "filtered links", false, COLUMN_FILTERED, PLOT_LINE, NULL);
    draw_history(r, 0, "seconds per trajectory", history_seconds, NULL, &r->v->summary.seconds);
    html_section_end(&r->out);
}
