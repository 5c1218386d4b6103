/* run_view_print.c - the page of text of kiln status. */
#include "src/report/replica_summary.h"
#include "src/report/run_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PHASE_DEPTH = 5 };              /* levels of timers that are shown */
#define PHASE_SHARE 0.01               /* smallest share of the time that is shown */

enum { TITLE_WIDTH = 26, ESTIMATE_WIDTH = 24 };        /* least widths of these columns */

typedef struct { const char *title, *estimate, *tau, *cost, *last, *values; } table_row;
typedef struct { int title, estimate; estimate_writer *add; } table_form;

static void print_row(const table_form *f, table_row r)
{
    printf("  %-*s %-*s %-14s %-16s %-12s %s\n", f->title, r.title, f->estimate, r.estimate, r.tau, r.cost, r.last,
           r.values);
}

/* Widen the columns for a quantity. */
static void fit_quantity(table_form *f, const quantity *q)
{
    text estimate = { 0 };
    run_view_add_quantity_estimate(&estimate, q, f->add);
    const int title = (int)strlen(q->title), width = (int)estimate.length;
    f->title = title > f->title ? title : f->title;
    f->estimate = width > f->estimate ? width : f->estimate;
    text_free(&estimate);
}

static void print_quantity(const table_form *f, const quantity *q)
{
    text estimate = { 0 }, tau = { 0 }, cost = { 0 }, last = { 0 }, values = { 0 };
    run_view_add_quantity_estimate(&estimate, q, f->add);
    run_view_add_tau(&tau, &q->of);
    independent_cost_add(&cost, &q->cost);
    text_add(&last, isfinite(q->last) ? "%.6g" : "none", q->last);
    run_view_add_values(&values, q);
    if (q->of.verdict == SERIES_TOO_SHORT || q->of.verdict == SERIES_SHORT)
        text_add(&values, ", %s", series_verdict_names[q->of.verdict]);
    print_row(f, (table_row){ q->title, text_string(&estimate), text_string(&tau), text_string(&cost),
                              text_string(&last), text_string(&values) });
    text_free(&estimate);
    text_free(&tau);
    text_free(&cost);
    text_free(&last);
    text_free(&values);
}

static void print_start(const run_view *v)
{
    const run_summary *s = &v->summary;
    const equilibrium *e = &s->start;
    printf("  %-16s ", "equilibrium");
    if (s->trajectories < EQUILIBRIUM_LEAST)
        printf("too few trajectories");
    else if (e->found)
        printf("from trajectory %" PRId64 " on, by the plaquette%s%s", e->trajectory, e->slowest ? " and " : "",
               e->slowest ? e->slowest : "");
    else
        printf("not seen yet");
    if (v->folder.known)
        printf("; hmc.thermalization is %" PRId64, v->folder.in.p.hmc.thermalization);
    printf("\n");
}

static void print_metropolis(const run_summary *s, const run_params *p)
{
    text words = { 0 };
    if (p && run_is_smd(p))
        printf("  %-16s stochastic molecular dynamics, gamma %g, steps of %g\n", "algorithm", p->smd.gamma,
               p->hmc.length);
    if (s->tested == 0 && (s->used > 0 || (p && run_is_pure_gauge(p)))) {
        printf("  %-16s none (heat bath)\n", "Metropolis test");
        return;
    }
    char none[64] = "no trajectory yet";
    if (s->trajectories > 0)
        snprintf(none, sizeof none, "no trajectory yet from number %" PRId64 " on", s->from);
    run_view_add_estimate(&words, &s->acceptance.of);
    printf("  %-16s %s", "acceptance", s->tested > 0 ? text_string(&words) : none);
    if (isfinite(s->expected_acceptance) && s->tested > 1)
        printf(", erfc(sqrt(<dH>)/2) is %.3g", s->expected_acceptance);
    text_clear(&words);
    run_view_add_estimate(&words, &s->exp_minus_dh.of);
    printf("\n  %-16s %s", "<exp(-dH)>", s->tested > 0 ? text_string(&words) : none);
    if (s->tested > 0)
        printf(": %s", run_summary_verdict(s));
    if (isfinite(s->exp_sigmas))
        printf(" (deviation: %.1f standard errors)", fabs(s->exp_sigmas));
    printf("\n");
    text_free(&words);
}

static void print_replicas(const run_view *v)
{
    const replica_summary replicas = replica_summary_make(&v->history, &v->folder.segments,
                                                          run_view_first_of_replicas(v));
    text words = { 0 };
    replica_summary_add(&words, &replicas);
    if (replicas.replicas > 0)
        printf("  %-16s %s\n", "replicas", text_string(&words));
    text_free(&words);
}

static void print_table(const run_summary *s, bool concise)
{
    table_form f = { TITLE_WIDTH, ESTIMATE_WIDTH, concise ? run_view_add_concise : run_view_add_estimate };
    if (s->tested > 0)
        fit_quantity(&f, &s->dh);
    fit_quantity(&f, &s->plaquette);
    for (int i = 0; i < s->listed; i++)
        fit_quantity(&f, &s->measurement[i]);
    printf("\n");
    print_row(&f, (table_row){ "quantity", concise ? "mean(error)" : "mean +- error", "tau", "s / independent", "last",
                               "values" });
    if (s->tested > 0)
        print_quantity(&f, &s->dh);
    print_quantity(&f, &s->plaquette);
    for (int i = 0; i < s->listed; i++)
        print_quantity(&f, &s->measurement[i]);
    printf("  (from trajectory %" PRId64 " on; errors include autocorrelation; tau in trajectories; seconds of 2 "
           "tau)\n\n", s->from);
}

static void print_energy(const run_summary *s)
{
    text words = { 0 };
    if (!isfinite(s->all_joules))
        return;
    run_view_add_mean_energy(&words, &s->joules.of);
    run_view_add_energy(&words, s);
    printf("  %-16s %s\n", "energy", text_string(&words));
    text_clear(&words);
    run_view_add_independent_energy(&words, s, " tau");
    if (words.length > 0)
        printf("  %-16s %s\n", "", text_string(&words));
    text_free(&words);
}

static void print_cost(const run_view *v)
{
    const run_summary *s = &v->summary;
    text words = { 0 };
    run_view_add_estimate(&words, &s->seconds.of);
    text_add(&words, " s per trajectory with its measurements; ");
    run_view_add_duration(&words, s->wall_seconds);
    printf("  %-16s %s in all, with record and states\n", "cost", text_string(&words));
    text_free(&words);
    if (isfinite(v->hours_per_unit))
        printf("  %-16s %.3g device hours per accepted unit of molecular dynamics time\n", "", v->hours_per_unit);
    if (isfinite(v->hours_per_independent))
        printf("  %-16s %s%.3g device hours per independent configuration (2 tau of %s)\n", "",
               s->slowest_cost.bound ? "more than " : "", v->hours_per_independent, s->slowest);
    print_energy(s);
    for (int i = 0; i < s->phases; i++)
        if (s->phase[i].depth < PHASE_DEPTH && s->phase[i].share >= PHASE_SHARE)
            printf("  %-16s %*s%-*s %5.1f %%\n", i == 0 ? "time" : "", 2 * s->phase[i].depth, "",
                   24 - 2 * s->phase[i].depth, s->phase[i].name, 100 * s->phase[i].share);
}

static void print_restarts(const run_view *v)
{
    text words = { 0 };
    run_view_add_restarts(&words, v);
    if (words.length > 0)
        printf("  %-16s %s\n", "restarts", text_string(&words));
    text_free(&words);
}

static void print_last_process(const run_view *v)
{
    text words = { 0 };
    run_view_add_last_process(&words, v, "\n                   ");
    if (words.length > 0)
        printf("  %-16s %s\n", "last process", text_string(&words));
    text_free(&words);
}

static void print_segments(const run_view *v)
{
    const segments *all = &v->folder.segments;
    for (int i = 0; all->count > 1 && i < all->count; i++) {
        segment_texts words = segment_texts_of(v, i);
        printf("  %-16s trajectories %" PRId64 " to %" PRId64 "%s%s\n", i == 0 ? "segments" : "", all->item[i].first,
               segment_end(v, i), words.reason.length ? ": " : "", text_string(&words.reason));
        segment_texts_free(&words);
    }
}

void run_view_print(const run_view *v, bool concise)
{
    const run_summary *s = &v->summary;
    const text *newest = v->folder.newest;
    text progress = { 0 };
    run_view_add_progress(&progress, v);
    text fault = run_view_fault_text(v);
    printf("%s: %s\n", v->directory, run_view_state(v));
    if (v->faulty)
        printf("  %-16s %s\n", "FAULTY", text_string(&fault));
    text_free(&fault);
    print_last_process(v);
    if (s->thermalization > 0)
        text_add(&progress, ", %" PRId64 " of them thermalization", s->thermalization);
    run_view_add_unsaved(&progress, v);
    run_view_add_midtrajectory(&progress, v);
    printf("  %-16s %s\n", "trajectories", text_string(&progress));
    text_free(&progress);
    print_start(v);
    print_metropolis(s, v->folder.known ? &v->folder.in.p : NULL);
    print_replicas(v);
    if (s->trajectories > 0) {
        print_table(s, concise);
        print_cost(v);
    }
    if (v->folder.known) {
        printf("  %-16s %s\n", "configuration",
               newest[FILE_CONFIGURATION].length ? text_string(&newest[FILE_CONFIGURATION]) : "none yet");
        printf("  %-16s %s\n", "checkpoint",
               newest[FILE_CHECKPOINT].length ? text_string(&newest[FILE_CHECKPOINT]) : "none");
    }
    print_segments(v);
    print_restarts(v);
    for (int i = 0; i < v->warnings.count; i++)
        printf("  %-16s %s\n", i == 0 ? "warnings" : "", text_string(&v->warnings.item[i].words));
}
