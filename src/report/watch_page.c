/* watch_page.c - the page of kiln watch: progress, warnings, histories, measurements, phases and log.
 *
 * Progress, tests, warnings, the plaquette, and means with errors are never cut: long ones continue on the next line.
 * Plots fill the remaining lines. */
#include "src/report/watch_page.h"

#include "src/base/memory.h"
#include "src/report/history_plot.h"
#include "src/report/log_tail.h"
#include "src/report/text_plot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { BAR = 30, PLOT_LEAST = 2, PLOT_MOST = 10, SPARKS = 5, SPARK_TITLE = 21, SPARK_LEAST = 8 };
enum { WARNINGS = 4, WARNING_LINES = 4, MORE = 2 };    /* shown; lines of a warning; indentation */
enum { LOG = 5, LAST_PROCESS_LINES = 12 };
enum { RECENT = 20 };                  /* trajectories whose time predicts the time of the next ones */

#define BOLD "\033[1m"
#define FAINT "\033[2m"
#define ALARM "\033[33m"
#define PLAIN "\033[0m"

typedef struct { text out; const page_form *form; int lines; } page;

static int free_rows(const page *p)
{
    return p->form->height - p->lines;
}

/* A line in one of the colors above, cut to the width. */
static void add_line(page *p, const char *color, const char *words)
{
    if (free_rows(p) <= 0)
        return;
    text_add(&p->out, "%s", p->form->color ? color : "");
    text_add_cut(&p->out, words, p->form->width, p->form->unicode);
    text_add(&p->out, "%s\n", p->form->color && *color ? PLAIN : "");
    p->lines++;
}

static bool is_first_byte(char c)
{
    return (c & 0xc0) != 0x80;                             /* of a character in UTF-8 */
}

static int characters(const char *words)
{
    int n = 0;
    for (; *words; words++)
        n += is_first_byte(*words);
    return n;
}

/* Number of bytes of the first row of `words`, with at most `width` characters: it ends before a blank or at the end; a
 * longer word is split. */
static size_t piece_length(const char *words, int width)
{
    size_t n = 0, blank = 0;
    for (int seen = 0; words[n]; n++) {
        if (words[n] == ' ')
            blank = n;
        if (is_first_byte(words[n]) && seen++ == width)
            return blank > 0 ? blank : n;
    }
    return n;
}

/* Add the words in as many lines as needed, at most `most`; continued lines are indented. */
static void add_whole(page *p, const char *color, const char *words, int most)
{
    for (int i = 0; i == 0 || (*words && i < most); i++) {
        const int indent = i > 0 ? MORE : 0;
        const size_t n = i + 1 < most ? piece_length(words, p->form->width - indent) : strlen(words);
        text line = { 0 };
        text_add(&line, "%*s", indent, "");
        text_add_bytes(&line, words, n);
        add_line(p, color, text_string(&line));
        text_free(&line);
        words += n;
        words += strspn(words, " ");
    }
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
        text_add(words, ", the last ");
        run_view_add_duration(words, difftime(time(NULL), record.st_mtime));
        text_add(words, " ago");
    }
    text_free(&path);
}

static void add_progress(page *p, const run_view *v)
{
    const int64_t done = run_view_done(v), target = run_view_target(v);
    const double seconds = seconds_of_late(&v->history);
    text words = { 0 };
    if (target > 0)
        text_bar_add(&words, (double)done / (double)target, p->form->width < 3 * BAR ? BAR / 2 : BAR, p->form->unicode);
    text_add(&words, "  trajectory ");
    run_view_add_progress(&words, v);
    run_view_add_unsaved(&words, v);
    run_view_add_midtrajectory(&words, v);
    if (isfinite(seconds)) {
        text_add(&words, ", ");
        run_view_add_duration(&words, seconds);
        text_add(&words, " each with states");
    }
    if (v->folder.running && done < target && isfinite(seconds)) {
        text_add(&words, ", ");
        run_view_add_duration(&words, (double)(target - done) * seconds);
        text_add(&words, " to go");
    }
    if (done > 0)
        add_age(&words, v->directory);
    add_whole(p, "", text_string(&words), WARNING_LINES);
    text_free(&words);
}

static void add_numbers(page *p, const run_summary *s)
{
    text words = { 0 };
    if (s->tested == 0) {
        text_add(&words, "%s", s->used > 0 ? "no Metropolis test (heat bath)" : "thermalizing");
    } else {
        text_add(&words, "acceptance ");
        run_view_add_estimate(&words, &s->acceptance.of);
        text_add(&words, "   <exp(-dH)> ");
        run_view_add_estimate(&words, &s->exp_minus_dh.of);
        text_add(&words, ": %s", run_summary_verdict(s));
    }
    add_whole(p, fabs(s->exp_sigmas) > CONSISTENT_SIGMAS ? ALARM : "", text_string(&words), 2);
    text_free(&words);
}

/* Add a number, and its history below if there are enough lines. */
static void add_plot(page *p, const run_view *v, history_value *value, const quantity *q, int height)
{
    text words = { 0 };
    history_plot_add_title(&words, v, q, p->form->width);
    add_whole(p, FAINT, text_string(&words), 2);
    if (height >= PLOT_LEAST && height <= free_rows(p)) {
        history_plot_add(&p->out, v, value, p->form->width, height, p->form->unicode);
        p->lines += height;
    }
    text_free(&words);
}

/* " 1.0612, mean 1.0543(40), 10 of 44" */
static text spark_text(const quantity *q)
{
    text words = { 0 };
    text_add(&words, isfinite(q->last) ? " %.5g, mean " : " none, mean ", q->last);
    run_view_add_quantity_estimate(&words, q, run_view_add_concise);
    if (isfinite(q->of.mean) && q->of.count < q->made) {
        text_add(&words, ", ");
        run_view_add_values(&words, q);
    }
    return words;
}

/* In characters.  A longer title has a line of its own. */
typedef struct { int title, history; } spark_widths;

static void add_spark(page *p, const run_view *v, const quantity *q, spark_widths width)
{
    const int64_t first = history_plot_first(v);
    const history_column *c = q->column;
    double *values = memory_alloc((size_t)(v->history.count - first + 1) * sizeof *values, "a plot");
    int64_t n = 0;
    text words = { 0 }, numbers = spark_text(q);
    for (int64_t i = first; i < v->history.count; i++)      /* without the gaps of rare measurements */
        if (isfinite(c->value[i]))
            values[n++] = c->value[i];
    const bool fits = characters(q->title) <= width.title;
    if (!fits)
        add_whole(p, "", q->title, 2);
    text_add(&words, "%s%*s ", fits ? q->title : "", width.title - (fits ? characters(q->title) : 0), "");
    if (width.history >= SPARK_LEAST)
        text_spark_add(&words, values, n, width.history, p->form->unicode);
    text_add(&words, "%s", text_string(&numbers));
    memory_free(values);
    add_whole(p, "", text_string(&words), 2);
    text_free(&words);
    text_free(&numbers);
}

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

/* The equal width of histories.  The longest numbers fit after it; titles before it fit if they leave SPARK_LEAST. */
static spark_widths spark_widths_of(const page *p, const run_view *v, int count)
{
    spark_widths width = { MORE - 1, 0 };
    int longest = 0;
    for (int i = 0; i < count; i++) {
        const quantity *q = &v->summary.measurement[i];
        text numbers = spark_text(q);
        longest = at_least(longest, characters(text_string(&numbers)));
        text_free(&numbers);
    }
    const int most = at_least(p->form->width - 1 - longest - SPARK_LEAST, SPARK_TITLE);
    for (int i = 0; i < count; i++) {
        const int title = characters(v->summary.measurement[i].title);
        if (title <= most)
            width.title = at_least(width.title, at_least(title, SPARK_TITLE));
    }
    width.history = p->form->width - width.title - 1 - longest;
    return width;
}

/* The lines of `count` histories. */
static int spark_lines(const page *p, const run_view *v, int count)
{
    const spark_widths width = spark_widths_of(p, v, count);
    int lines = count;
    for (int i = 0; i < count; i++)
        lines += characters(v->summary.measurement[i].title) > width.title;
    return lines;
}

static void add_sparks(page *p, const run_view *v, int count)
{
    const spark_widths width = spark_widths_of(p, v, count);
    for (int i = 0; i < count; i++)
        add_spark(p, v, &v->summary.measurement[i], width);
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

/* Add as many complete warnings as fit, and the number of the others. */
static void add_warnings(page *p, const run_view *v, int lines)
{
    const run_warnings *w = &v->warnings;
    const int end = p->lines + lines;
    int i = 0;
    for (; i < w->count && i < WARNINGS; i++) {
        text words = { 0 };
        text_add(&words, "! %s", text_string(&w->item[i].words));
        const int needed = characters(text_string(&words)) / (p->form->width - MORE) + 2;      /* at most */
        const bool fits = p->lines + (needed < WARNING_LINES ? needed : WARNING_LINES) < end || i == 0;
        if (fits)
            add_whole(p, ALARM, text_string(&words), WARNING_LINES);
        text_free(&words);
        if (!fits)
            break;
    }
    if (i < w->count) {
        text words = { 0 };
        text_add(&words, "! and %d more: kiln status %s", w->count - i, v->directory);
        add_line(p, ALARM, text_string(&words));
        text_free(&words);
    }
}

static void add_log(page *p, const char *directory, int most)
{
    text log = log_tail_read(directory, most);
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

/* Add the plaquette, then dH if there are enough lines; keep `rest` lines for the rest of the page. */
static void add_plots(page *p, const run_view *v, int rest)
{
    const run_summary *s = &v->summary;
    int plots = s->tested > 0 ? 2 : 1;
    int lines = (free_rows(p) - rest - plots) / plots;
    if (lines < PLOT_LEAST && plots == 2) {
        plots = 1;
        lines = free_rows(p) - rest - plots;
    }
    lines = at_most(lines, PLOT_MOST);
    add_plot(p, v, history_plaquette, &s->plaquette, lines);
    if (plots == 2)
        add_plot(p, v, history_dh, &s->dh, lines);
}

static void add_fault(page *p, const run_view *v)
{
    text words = { 0 }, fault = run_view_fault_text(v);
    text_add(&words, "FAULTY: %s", text_string(&fault));
    if (v->faulty)
        add_whole(p, ALARM, text_string(&words), WARNING_LINES);
    text_free(&words);
    text_free(&fault);
}

static void add_restarts(page *p, const run_view *v)
{
    text words = { 0 };
    text_add(&words, "restarts: ");
    run_view_add_restarts(&words, v);
    if (v->folder.restarts.count > 0)
        add_whole(p, "", text_string(&words), WARNING_LINES);
    text_free(&words);
}

static void add_last_process(page *p, const run_view *v)
{
    text words = { 0 };
    run_view_add_last_process(&words, v, "; ");
    if (words.length > 0)
        add_whole(p, ALARM, text_string(&words), LAST_PROCESS_LINES);
    text_free(&words);
}

static void add_ensemble(page *p, const run_view *v)
{
    const run_summary *s = &v->summary;
    add_fault(p, v);
    add_progress(p, v);
    add_last_process(p, v);
    add_numbers(p, s);
    add_restarts(p, v);
    /* The most important lines come first; plots get the remaining lines, the log the lines after them. */
    const int sparks = at_most(s->listed, SPARKS);
    add_warnings(p, v, at_least(free_rows(p) / 2 - 1, WARNING_LINES));
    if (s->trajectories > 0) {
        add_plots(p, v, spark_lines(p, v, sparks) + 1 + (free_rows(p) > 4 * LOG ? LOG - 2 : 0));
        add_sparks(p, v, sparks);
        add_phases(p, s);
    }
    if (free_rows(p) > 1)
        add_log(p, v->directory, at_most(free_rows(p) - 1, LOG));
}

text watch_page(const run_view *v, const char *directory, const char *why, const page_form *form)
{
    page p = { .form = form };
    if (v) {
        add_head(&p, directory, run_view_state(v));
        add_ensemble(&p, v);
    } else {
        add_head(&p, directory, "waiting for an ensemble");
        add_line(&p, "", why);
    }
    return p.out;
}
