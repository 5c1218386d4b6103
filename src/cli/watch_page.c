/* watch_page.c - progress, histories, measurements, phases, warnings and log, as much as there is room for. */
#include "src/cli/watch_page.h"

#include "src/base/memory.h"
#include "src/cli/text_plot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { BAR = 30, PLOT_LEAST = 2, PLOT_MOST = 10, SPARKS = 5, SPARK_TITLE = 22, SPARK_WORDS = 34, WARNINGS = 4 };
enum { LOG = 5 };
enum { SHOWN_LEAST = 10 };             /* trajectories behind the warm-up, for plots to begin there */
enum { RECENT = 20 };                  /* trajectories whose time tells what the next ones will take */

#define BOLD "\033[1m"
#define FAINT "\033[2m"
#define ALARM "\033[33m"
#define PLAIN "\033[0m"

typedef struct { text out; const page_form *form; int lines; } page;

static int room(const page *p)
{
    return p->form->height - p->lines;
}

/* A line in one of the colours above, cut to the width. */
static void add_line(page *p, const char *color, const char *words)
{
    if (room(p) <= 0)
        return;
    text_add(&p->out, "%s", p->form->color ? color : "");
    text_add_cut(&p->out, words, p->form->width, p->form->unicode);
    text_add(&p->out, "%s\n", p->form->color && *color ? PLAIN : "");
    p->lines++;
}

static double seconds_of_late(const run_history *h)
{
    double sum = 0;
    int64_t n = h->count < RECENT ? h->count : RECENT;
    for (int64_t i = h->count - n; i < h->count; i++)
        sum += h->line[i].wall;
    return n > 0 ? sum / (double)n : NAN;
}

static void add_head(page *p, const char *directory, const char *state)
{
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    text words = { 0 };
    strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&now, &parts));
    text_add(&words, "%s  %s  %s", state, stamp, directory);
    add_line(p, BOLD, text_string(&words));
    text_free(&words);
}

static void add_age(text *words, const char *directory)
{
    text path = path_in_folder(directory, "run.jsonl");
    struct stat record;
    if (stat(text_string(&path), &record) == 0) {
        text_add(words, ", the last one ");
        add_duration(words, difftime(time(NULL), record.st_mtime));
        text_add(words, " ago");
    }
    text_free(&path);
}

static void add_progress(page *p, const run_view *v)
{
    const int64_t done = v->summary.last, target = run_view_target(v);
    const double seconds = seconds_of_late(&v->history);
    text words = { 0 };
    if (target > 0)
        text_bar_add(&words, (double)done / (double)target, p->form->width < 3 * BAR ? BAR / 2 : BAR, p->form->unicode);
    text_add(&words, "  trajectory ");
    run_view_add_progress(&words, v);
    if (isfinite(seconds)) {
        text_add(&words, ", ");
        add_duration(&words, seconds);
        text_add(&words, " each");
    }
    if (v->folder.running && done < target && isfinite(seconds)) {
        text_add(&words, ", ");
        add_duration(&words, (double)(target - done) * seconds);
        text_add(&words, " to go");
    }
    if (done > 0)
        add_age(&words, v->directory);
    add_line(p, "", text_string(&words));
    text_free(&words);
}

static void add_numbers(page *p, const run_summary *s)
{
    text words = { 0 };
    if (s->tested == 0) {
        text_add(&words, "%s", s->used > 0 ? "no Metropolis test: heat bath" : "nothing behind the warm-up yet");
    } else {
        text_add(&words, "acceptance ");
        add_estimate(&words, &s->acceptance.of);
        text_add(&words, "   <exp(-dH)> ");
        add_estimate(&words, &s->exp_minus_dh.of);
        text_add(&words, ": %s", run_summary_verdict(s));
    }
    add_line(p, fabs(s->exp_sigmas) > CONSISTENT_SIGMAS ? ALARM : "", text_string(&words));
    text_free(&words);
}

/* The first line that plots show: that of the means, once there are some. */
static int64_t first_shown(const run_view *v)
{
    int64_t line = history_line_from(&v->history, v->summary.from);
    return v->history.count - line >= SHOWN_LEAST ? line : 0;
}

static void add_plot(page *p, const run_view *v, history_value *value, const quantity *q, int height)
{
    const run_history *h = &v->history;
    const int64_t first = first_shown(v), count = h->count - first;
    text words = { 0 }, lines = { 0 };
    text_add(&words, "%s: last %.6g, mean ", q->title, q->last);
    add_estimate(&words, &q->of);
    text_add(&words, ", tau ");
    add_tau(&words, &q->of);
    text_add(&words, ", trajectories %" PRId64 " to %" PRId64, h->line[first].trajectory, v->summary.last);
    add_line(p, FAINT, text_string(&words));
    double *values = memory_alloc((size_t)(count + 1) * sizeof *values, "a plot");
    for (int64_t i = 0; i < count; i++)
        values[i] = value(h, first + i, NULL);
    text_plot_add(&lines, values, count, p->form->width, height, p->form->unicode);
    text_add(&p->out, "%s", text_string(&lines));
    p->lines += height;
    memory_free(values);
    text_free(&words);
    text_free(&lines);
}

static void add_spark(page *p, const run_view *v, const quantity *q)
{
    const int64_t first = first_shown(v);
    const history_column *c = history_find(&v->history, COLUMN_MEASURED, q->title);
    const int width = p->form->width - SPARK_TITLE - SPARK_WORDS;
    double *values = memory_alloc((size_t)(v->history.count - first + 1) * sizeof *values, "a plot");
    int64_t n = 0;
    text words = { 0 };
    for (int64_t i = first; c && i < v->history.count; i++)      /* no gaps: most are measured now and then only */
        if (isfinite(c->value[i]))
            values[n++] = c->value[i];
    text_add(&words, "%-*.*s ", SPARK_TITLE - 1, SPARK_TITLE - 1, q->title);
    if (width > 0)
        text_spark_add(&words, values, n, width, p->form->unicode);
    memory_free(values);
    text_add(&words, isfinite(q->last) ? " %.5g, mean " : " none, mean ", q->last);
    add_estimate(&words, &q->of);
    add_line(p, "", text_string(&words));
    text_free(&words);
}

static void add_phases(page *p, const run_summary *s)
{
    text words = { 0 };
    text_add(&words, "time: ");
    for (int i = 0; i < s->phases; i++)
        if ((s->phase[i].depth == 1 || (s->phase[i].depth == 0 && strcmp(s->phase[i].name, "trajectory") != 0)) &&
            s->phase[i].share >= 0.001)
            text_add(&words, " %s %.1f %%,", s->phase[i].name, 100 * s->phase[i].share);
    if (words.length > 0 && words.s[words.length - 1] == ',')
        words.s[words.length - 1] = '\0';
    add_line(p, "", text_string(&words));
    text_free(&words);
}

static void add_warnings(page *p, const run_warnings *w, int most)
{
    for (int i = 0; i < w->count && i < most; i++) {
        text words = { 0 };
        text_add(&words, "! %s", text_string(&w->item[i].words));
        add_line(p, ALARM, text_string(&words));
        text_free(&words);
    }
}

static void add_log(page *p, const char *directory, int most)
{
    text log = run_folder_log(directory, most);
    for (const char *line = text_string(&log); *line; line += *line == '\n') {
        text words = { 0 };
        size_t n = strcspn(line, "\n");
        text_add_bytes(&words, line, n);
        add_line(p, FAINT, text_string(&words));
        text_free(&words);
        line += n;
    }
    text_free(&log);
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

static void add_ensemble(page *p, const run_view *v)
{
    const run_summary *s = &v->summary;
    add_progress(p, v);
    add_numbers(p, s);
    if (s->trajectories > 0) {
        /* What has one line each comes first; plots get what remains, and the log what they leave. */
        const int sparks = at_most(s->measured, SPARKS), warnings = at_most(v->warnings.count, WARNINGS);
        const int lines = (room(p) - 2 - sparks - 1 - warnings - 3) / 2;
        if (lines >= PLOT_LEAST) {
            add_plot(p, v, history_plaquette, &s->plaquette, at_most(lines, PLOT_MOST));
            if (s->tested > 0)
                add_plot(p, v, history_dh, &s->dh, at_most(lines, PLOT_MOST));
        }
        for (int i = 0; i < sparks; i++)
            add_spark(p, v, &s->measurement[i]);
        add_phases(p, s);
        add_warnings(p, &v->warnings, warnings);
    }
    if (room(p) > 1)
        add_log(p, v->directory, at_most(room(p) - 1, LOG));
}

text watch_page(const run_view *v, const char *directory, const char *why, const page_form *form)
{
    page p = { .form = form };
    if (v) {
        add_head(&p, directory, v->folder.running ? "a process works here" : "no process works here");
        add_ensemble(&p, v);
    } else {
        add_head(&p, directory, "waiting for an ensemble");
        add_line(&p, "", why);
    }
    return p.out;
}
