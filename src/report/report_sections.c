/* report_sections.c - verdict, numbers, phases and warnings of a report. */
#include "src/report/report_sections.h"

#include "src/report/report_html.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef enum { GOOD, LOOK, BAD } grade;

/* The judgments as list items, and the worst grade. */
typedef struct { text items; grade worst; } judgment;

static void judge(judgment *j, grade g, const text *words)
{
    static const char *const tags[] = { "li", "li class=\"look\"", "li class=\"bad\"" };
    html_element(&j->items, tags[g], text_string(words));
    j->worst = g > j->worst ? g : j->worst;
}

/* A run with this acceptance or less makes no progress. */
#define NO_ACCEPTANCE 0.02

/* False for a short run, because a few trajectories may all be rejected by chance. */
static bool is_stuck(const run_summary *s)
{
    return s->tested >= REJECTIONS_IN_A_ROW && s->acceptance.of.mean <= NO_ACCEPTANCE;
}

static void judge_metropolis(judgment *j, const run_summary *s)
{
    text words = { 0 };
    if (s->tested == 0 && s->used > 0)
        return;
    const bool known = s->exp_minus_dh.of.count >= SERIES_LEAST && isfinite(s->exp_sigmas);
    text_add(&words, "<exp(-dH)> = ");
    report_add(&words, run_view_add_estimate, &s->exp_minus_dh.of);
    text_add(&words, ": %s", run_summary_verdict(s));
    judge(j, !known ? LOOK : fabs(s->exp_sigmas) <= CONSISTENT_SIGMAS ? GOOD : BAD, &words);
    text_clear(&words);
    if (s->tested > 0) {
        text_add(&words, "acceptance ");
        report_add(&words, run_view_add_estimate, &s->acceptance.of);
        if (isfinite(s->expected_acceptance))
            text_add(&words, ", expected from <dH>: %.3g", s->expected_acceptance);
        if (is_stuck(s))
            text_add(&words, "; the run makes no progress: its configurations are copies of earlier ones");
        judge(j, is_stuck(s) ? BAD : s->acceptance.of.mean < LOW_ACCEPTANCE ? LOOK : GOOD, &words);
    }
    text_free(&words);
}

static void judge_equilibrium(judgment *j, const run_view *v)
{
    const run_summary *s = &v->summary;
    const equilibrium *e = &s->start;
    text words = { 0 };
    if (s->trajectories < EQUILIBRIUM_LEAST)
        text_add(&words, "too few trajectories to find equilibrium");
    else if (e->found)
        text_add(&words, "equilibrium from trajectory %" PRId64 " on, by the plaquette%s%s; means are from %" PRId64
                 " on", e->trajectory, e->slowest ? " and " : "", e->slowest ? e->slowest : "", s->from);
    else
        text_add(&words, "no equilibrium found yet");
    if (v->folder.known)
        text_add(&words, " (hmc.thermalization: %" PRId64 ")", v->folder.in.p.hmc.thermalization);
    judge(j, e->found && !e->late ? GOOD : LOOK, &words);
    text_free(&words);
}

static void judge_length(judgment *j, const run_summary *s)
{
    text words = { 0 };
    const double taus = (double)s->used / s->slowest_tau;
    if (isfinite(taus))
        text_add(&words, "%.0f autocorrelation times of %s%s", taus, s->slowest,
                 taus < SERIES_TAUS ? ": errors are rough, probably too small" : "");
    else
        text_add(&words, "too few trajectories for an autocorrelation time");
    judge(j, taus >= SERIES_TAUS ? GOOD : LOOK, &words);
    text_free(&words);
}

/* Warnings, which the other judgments do not cover. */
static void judge_warnings(judgment *j, const run_view *v)
{
    text words = { 0 };
    int64_t sdc_checks = 0;
    for (int i = 0; i < v->warnings.count; i++)
        sdc_checks += strcmp(v->warnings.item[i].kind, "sdc_check") == 0;
    if (v->warnings.count == 0)
        text_add(&words, "no warnings");
    else
        text_add(&words, "%s, see below", count_to_text(v->warnings.count, "warning").s);
    const bool lost = v->history.damaged > 0 || v->history.changed > 0 || v->faulty || sdc_checks > 0;
    judge(j, lost ? BAD : v->warnings.count > 0 ? LOOK : GOOD, &words);
    text_free(&words);
}

void report_fault(report *r)
{
    text words = run_view_fault_text(r->v);
    if (r->v->faulty) {
        text_add(&r->out, "<div class=\"verdict bad\"><strong>FAULTY</strong><p>");
        html_text(&r->out, text_string(&words));
        text_add(&r->out, "</p></div>\n");
    }
    text_free(&words);
}

void report_verdict(report *r)
{
    static const char *const classes[] = { "verdict", "verdict look", "verdict bad" };
    static const char *const sums[] = { "No problem found.", "Check the marked points before using this ensemble.",
                                        "This ensemble has a problem." };
    judgment j = { .worst = GOOD };
    judge_metropolis(&j, &r->v->summary);
    judge_equilibrium(&j, r->v);
    judge_length(&j, &r->v->summary);
    judge_warnings(&j, r->v);
    text_add(&r->out, "<div class=\"%s\">", classes[j.worst]);
    html_element(&r->out, "strong", sums[j.worst]);
    text_add(&r->out, "<ul>%s</ul></div>\n", text_string(&j.items));
    text_free(&j.items);
}

static void add_quantity(report *r, const quantity *q)
{
    text estimate = { 0 }, tau = { 0 }, window = { 0 }, cost = { 0 }, last = { 0 }, used = { 0 };
    text words = { 0 };
    if (isfinite(q->of.mean))
        report_add(&estimate, run_view_add_estimate, &q->of);
    else
        run_view_add_quantity_estimate(&estimate, q, run_view_add_estimate);
    report_add(&tau, run_view_add_tau, &q->of);
    independent_cost_add(&words, &q->cost);
    report_add_words(&cost, &words);
    text_add(&window, q->of.window > 0 ? "%" PRId64 : "-", q->of.window);
    text_add(&last, isfinite(q->last) ? "%.6g" : "none", q->last);
    run_view_add_values(&used, q);
    const char *const cells[] = { q->title, text_string(&estimate), text_string(&tau), text_string(&window),
                                  text_string(&cost), text_string(&last), text_string(&used),
                                  series_verdict_names[q->of.verdict] };
    html_row(&r->out, cells, 8);
    text_free(&estimate);
    text_free(&tau);
    text_free(&window);
    text_free(&cost);
    text_free(&words);
    text_free(&last);
    text_free(&used);
}

/* "Energy of the GPUs: 1.350 +- 0.020 kJ per trajectory, ..." */
static void add_energy(report *r)
{
    const run_summary *s = &r->v->summary;
    text words = { 0 };
    if (!isfinite(s->all_joules))
        return;
    text_add(&words, "Energy of the GPUs: ");
    report_add(&words, run_view_add_mean_energy, &s->joules.of);
    run_view_add_energy(&words, s);
    text_add(&words, isfinite(s->slowest_joules.value) ? "; " : "");
    run_view_add_independent_energy(&words, s, "\u03c4");
    html_element(&r->out, "p", text_string(&words));
    text_free(&words);
}

static void add_cost(report *r)
{
    const run_view *v = r->v;
    text words = { 0 };
    report_add(&words, run_view_add_estimate, &v->summary.seconds.of);
    text_add(&words, " s per trajectory with its measurements; ");
    run_view_add_duration(&words, v->summary.wall_seconds);
    text_add(&words, " in all, with record and states");
    if (isfinite(v->hours_per_unit))
        text_add(&words, "; %.3g device hours per accepted unit of molecular dynamics time", v->hours_per_unit);
    if (isfinite(v->hours_per_independent))
        text_add(&words, "; %s%.3g device hours per independent configuration (2\u03c4 of %s)",
                 v->summary.slowest_cost.bound ? "more than " : "", v->hours_per_independent, v->summary.slowest);
    html_element(&r->out, "p", text_string(&words));
    text_free(&words);
}

void report_numbers(report *r)
{
    static const char *const head[] = { "quantity", "mean \u00b1 error", "\u03c4", "window", "s / independent",
                                        "last", "values", "series", NULL };
    const run_summary *s = &r->v->summary;
    text words = { 0 };
    html_section(&r->out, "Numbers", false);
    html_table(&r->out, head);
    if (s->tested > 0) {
        add_quantity(r, &s->acceptance);
        add_quantity(r, &s->exp_minus_dh);
        add_quantity(r, &s->dh);
    }
    add_quantity(r, &s->plaquette);
    for (int i = 0; i < s->listed; i++)
        add_quantity(r, &s->measurement[i]);
    html_table_end(&r->out);
    text_add(&words, "From trajectory %" PRId64 " on; errors and integrated autocorrelation times \u03c4 by the Gamma "
                     "method (hep-lat/0306017), in trajectories.  An independent configuration costs 2\u03c4 "
                     "trajectories.", s->from);
    html_element(&r->out, "p class=\"soft\"", text_string(&words));
    text_free(&words);
    add_cost(r);
    add_energy(r);
    html_section_end(&r->out);
}

#define LEAST_SHARE 0.0005             /* smallest share of the time that is shown */

void report_time(report *r)
{
    static const char *const head[] = { "phase", "share", "", "time", "without subphases", NULL };
    enum { INDENT = 18 };
    const run_summary *s = &r->v->summary;
    if (s->phases == 0)
        return;
    html_section(&r->out, "Time by phase", false);
    html_table(&r->out, head);
    for (int i = 0; i < s->phases; i++) {
        const phase *p = &s->phase[i];
        if (p->share < LEAST_SHARE)
            continue;
        text time = { 0 }, self = { 0 };
        run_view_add_duration(&time, p->seconds);
        run_view_add_duration(&self, p->self);
        text_add(&r->out, "<tr><td style=\"padding-left:%dpx\">", INDENT * p->depth);
        html_text(&r->out, p->name);
        text_add(&r->out, "</td><td>%.1f %%</td><td><span class=\"bar\" style=\"--share:%.3f\"></span></td><td>%s</td>"
                          "<td>%s</td></tr>\n", 100 * p->share, p->share, text_string(&time), text_string(&self));
        text_free(&time);
        text_free(&self);
    }
    html_table_end(&r->out);
    html_section_end(&r->out);
}

void report_warnings(report *r)
{
    static const char *const head[] = { "kind", "what", NULL };
    const run_warnings *w = &r->v->warnings;
    html_section(&r->out, "Warnings", false);
    if (w->count == 0)
        html_element(&r->out, "p", "None.");
    else
        html_table(&r->out, head);
    for (int i = 0; i < w->count; i++)
        html_row(&r->out, (const char *const[]){ w->item[i].kind, text_string(&w->item[i].words) }, 2);
    if (w->count > 0)
        html_table_end(&r->out);
    html_section_end(&r->out);
}
