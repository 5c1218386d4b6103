/* run_view_json.c - an ensemble as the JSON of kiln status --json. */
#include "src/report/replica_summary.h"
#include "src/report/run_view.h"

#include <inttypes.h>
#include <math.h>

/* Null without tau. */
static void add_independent(json *j, const independent_cost *c)
{
    json_real(j, "seconds_per_independent_configuration", c->value);
    json_real(j, "seconds_per_independent_configuration_error", c->error);
    json_bool(j, "seconds_per_independent_configuration_is_lower_bound", c->bound);
}

static void add_members(json *j, const quantity *q)
{
    json_real(j, "value", q->of.mean);
    json_real(j, "error", q->of.error);
    json_real(j, "error_error", q->of.error_error);
    text concise = { 0 };
    run_view_add_quantity_estimate(&concise, q, run_view_add_concise);
    json_text(j, "text", text_string(&concise));
    text_free(&concise);
    json_real(j, "tau", q->of.tau);
    json_real(j, "tau_error", q->of.tau_error);
    json_int(j, "window", q->of.window);
    json_text(j, "series", series_verdict_names[q->of.verdict]);
    json_real(j, "every", q->every);
    json_int(j, "used", q->scale ? q->scale->used : q->of.count);
    json_int(j, "count", q->count);
    json_real(j, "last", q->last);
}

static void add_quantity(json *j, const char *key, const quantity *q)
{
    json_open(j, key, '{');
    add_members(j, q);
    json_close(j);
}

/* For the mean of a curve: why there is no value, and the parameter that it needs. */
static void add_scale(json *j, const mean_scale *s)
{
    json_text(j, "why", s->why.length ? text_string(&s->why) : NULL);
    json_text(j, "selection", s->selection.length ? text_string(&s->selection) : NULL);
    if (!s->range)
        return;
    json_open(j, "needed", '{');
    json_real(j, s->range, s->needed_x);
    json_close(j);
}

static void add_measurement(json *j, const quantity *q)
{
    json_open(j, q->title, '{');
    add_members(j, q);
    const unit_text unit = quantity_unit(q);
    json_text(j, "unit", *unit.s ? unit.s : NULL);
    add_independent(j, &q->cost);
    json_int(j, "made", q->made);
    json_text(j, "mean_of", q->scale ? "curves" : "values");
    if (q->scale)
        add_scale(j, q->scale);
    json_close(j);
}

static void add_tests(json *j, const run_summary *s)
{
    json_open(j, "acceptance", '{');
    add_members(j, &s->acceptance);
    json_real(j, "expected", s->expected_acceptance);
    json_close(j);
    json_open(j, "exp_minus_dH", '{');
    add_members(j, &s->exp_minus_dh);
    json_real(j, "errors_from_1", s->exp_sigmas);
    json_text(j, "verdict", run_summary_verdict(s));
    json_close(j);
    add_quantity(j, "dH", &s->dh);
    json_open(j, "plaquette", '{');
    add_members(j, &s->plaquette);
    add_independent(j, &s->plaquette.cost);
    json_close(j);
    add_quantity(j, "seconds", &s->seconds);
    add_quantity(j, "joules", &s->joules);
    json_open(j, "measurements", '{');
    for (int i = 0; i < s->measured; i++)
        add_measurement(j, &s->measurement[i]);
    json_close(j);
}

static void add_equilibrium(json *j, const equilibrium *e)
{
    json_open(j, "equilibrium", '{');
    json_bool(j, "found", e->found);
    json_int(j, "trajectory", e->trajectory);
    json_text(j, "slowest", e->slowest);
    json_real(j, "errors_between_halves", e->apart);
    json_close(j);
}

static void add_cost(json *j, const run_view *v)
{
    json_open(j, "cost", '{');
    json_real(j, "device_hours", v->summary.wall_seconds / 3600);
    json_real(j, "device_hours_per_accepted_unit", v->hours_per_unit);
    json_real(j, "device_hours_per_independent_configuration", v->hours_per_independent);
    add_independent(j, &v->summary.slowest_cost);
    json_real(j, "joules", v->summary.all_joules);
    json_int(j, "trajectories_with_joules", v->summary.joules.of.count);
    json_real(j, "joules_per_independent_configuration", v->summary.slowest_joules.value);
    json_real(j, "joules_per_independent_configuration_error", v->summary.slowest_joules.error);
    json_real(j, "slowest_tau", v->summary.slowest_tau);
    json_text(j, "slowest", v->summary.slowest);
    json_close(j);
}

static void add_phases(json *j, const run_summary *s)
{
    json_open(j, "phases", '[');
    for (int i = 0; i < s->phases; i++) {
        json_open(j, NULL, '{');
        json_text(j, "phase", s->phase[i].path);
        json_real(j, "seconds", s->phase[i].seconds);
        json_real(j, "self", s->phase[i].self);
        json_real(j, "share", s->phase[i].share);
        json_close(j);
    }
    json_close(j);
}

static void add_warnings(json *j, const run_warnings *w)
{
    json_open(j, "warnings", '[');
    for (int i = 0; i < w->count; i++) {
        const run_warning *warning = &w->item[i];
        json_open(j, NULL, '{');
        json_text(j, "kind", warning->kind);
        json_int(j, "count", warning->count);
        if (warning->first > 0) {
            json_int(j, "first", warning->first);
            json_int(j, "last", warning->last);
        }
        json_text(j, "text", text_string(&warning->words));
        json_close(j);
    }
    json_close(j);
}

static void add_segments(json *j, const run_view *v)
{
    const segments *all = &v->folder.segments;
    json_open(j, "segments", '[');
    for (int i = 0; i < all->count; i++) {
        segment_texts words = segment_texts_of(v, i);
        json_open(j, NULL, '{');
        json_int(j, "first", all->item[i].first);
        json_int(j, "last", segment_end(v, i));
        json_text(j, "reason", words.reason.s);
        json_text(j, "changes", words.changes.s);
        json_close(j);
        segment_texts_free(&words);
    }
    json_close(j);
}

static void add_restarts(json *j, const restart_log *l)
{
    json_open(j, "restarts", '{');
    json_int(j, "count", l->count);
    json_text(j, "last", l->count > 0 ? text_string(&l->last) : NULL);
    json_close(j);
}

void run_view_to_json(const run_view *v, json *j)
{
    const run_summary *s = &v->summary;
    const run_folder *folder = &v->folder;
    json_text(j, "directory", v->directory);
    stream_fault_to_json(j, "fault", v->faulty ? &v->fault : NULL);
    json_bool(j, "running", folder->running);
    lost_process_to_json(j, &folder->lost);
    failed_run_to_json(j, &folder->failed);
    json_int(j, "lines_without_state", run_view_unsaved(v));
    json_int(j, "trajectories", s->trajectories);
    json_int(j, "start_trajectory", folder->start);
    json_int(j, "last_trajectory", s->last);
    if (run_view_target(v) > 0)
        json_int(j, "target", run_view_target(v));
    else
        json_text(j, "target", NULL);
    if (folder->known)
        json_int(j, "thermalization_wanted", folder->in.p.hmc.thermalization);
    else
        json_text(j, "thermalization_wanted", NULL);
    json_int(j, "thermalization", s->thermalization);
    add_equilibrium(j, &s->start);
    json_int(j, "from", s->from);
    json_int(j, "tested", s->tested);
    json_int(j, "accepted", s->accepted);
    add_tests(j, s);
    const replica_summary replicas = replica_summary_make(&v->history, &v->folder.segments,
                                                          run_view_first_of_replicas(v));
    replica_summary_to_json(&replicas, j);
    json_text(j, "errors", "Gamma method, hep-lat/0306017; tau and window in trajectories");
    add_cost(j, v);
    add_phases(j, s);
    add_warnings(j, &v->warnings);
    add_segments(j, v);
    add_restarts(j, &folder->restarts);
    json_text(j, "newest_configuration", folder->newest[FILE_CONFIGURATION].s);
    json_text(j, "newest_checkpoint", folder->newest[FILE_CHECKPOINT].s);
    json_bool(j, "torn_last_line", v->history.torn);
    json_int(j, "damaged_lines", v->history.damaged);
    json_int(j, "changed_lines", v->history.changed);
    json_int(j, "left_out_lines", history_left_out(&v->history));
}
