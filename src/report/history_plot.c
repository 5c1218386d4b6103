/* history_plot.c - histories of the plaquette and of dH in characters, from the lines of a record. */
#include "src/report/history_plot.h"

#include "src/base/memory.h"
#include "src/report/plot_words.h"
#include "src/report/text_plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_LEAST = 10 };             /* with this many trajectories after thermalization, plots begin there */
enum { PRINTED_HEIGHT = 6 };           /* lines of a plot of kiln status */

int64_t history_plot_first(const run_view *v)
{
    int64_t line = history_line_from(&v->history, v->summary.from);
    return v->history.count - line >= SHOWN_LEAST ? line : 0;
}

/* The title of a mean, "<dH>", without its brackets: a last value is no mean. */
void history_plot_add_title(text *out, const run_view *v, const quantity *q, int width)
{
    text range = { 0 };
    const int length = (int)strlen(q->title);
    const bool bracketed = q->title[0] == '<' && q->title[length - 1] == '>';
    text_add(out, "%.*s: last %.6g, mean ", length - 2 * bracketed, q->title + bracketed, q->last);
    run_view_add_estimate(out, &q->of);
    text_add(out, ", tau ");
    run_view_add_tau(out, &q->of);
    text_add(&range, ", trajectories %" PRId64 " to %" PRId64, v->history.line[history_plot_first(v)].trajectory,
             v->summary.last);
    if (plot_letters(text_string(out)) + plot_letters(text_string(&range)) <= width)
        text_add(out, "%s", text_string(&range));
    text_free(&range);
}

void history_plot_add(text *out, const run_view *v, history_value *value, int width, int height, bool unicode)
{
    const int64_t first = history_plot_first(v), count = v->history.count - first;
    double *values = memory_alloc((size_t)(count + 1) * sizeof *values, "a plot");
    for (int64_t i = 0; i < count; i++)
        values[i] = value(&v->history, first + i, NULL);
    text_plot_add(out, values, count, width, height, unicode);
    memory_free(values);
}

/* Below a plot: the numbers of its first and last trajectory. */
static void add_axis(text *out, const run_view *v, int width)
{
    text first = { 0 }, last = { 0 };
    text_add(&first, "trajectory %" PRId64, v->history.line[history_plot_first(v)].trajectory);
    text_add(&last, " %" PRId64, v->summary.last);
    text_add(out, "%*s%s%*s\n", TEXT_PLOT_LABEL, "", text_string(&first),
             width - TEXT_PLOT_LABEL - (int)first.length, text_string(&last));
    text_free(&first);
    text_free(&last);
}

static void print_plot(const run_view *v, history_value *value, const quantity *q, int width, bool unicode)
{
    text lines = { 0 };
    history_plot_add_title(&lines, v, q, 0);              /* without the range: the axis has it */
    text_add(&lines, "\n");
    history_plot_add(&lines, v, value, width, PRINTED_HEIGHT, unicode);
    add_axis(&lines, v, width);
    printf("\n%s", text_string(&lines));
    text_free(&lines);
}

void history_plots_print(const run_view *v, int width, bool unicode)
{
    const run_summary *s = &v->summary;
    if (s->trajectories > 0)
        print_plot(v, history_plaquette, &s->plaquette, width, unicode);
    if (s->tested > 0)
        print_plot(v, history_dh, &s->dh, width, unicode);
}
