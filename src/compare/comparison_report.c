/* comparison_report.c - a block for each stream, then the choice. */
#include "src/compare/comparison_report.h"

#include "src/report/run_view.h"
#include "src/tune/tune_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *unit_of(const comparison_request *r)
{
    return r->work ? "work" : "s";
}

static tune_setting setting_of(const candidate *c)
{
    tune_setting s = { .count = c->in.p.hmc.levels.count };
    memcpy(s.level, c->in.p.hmc.levels.item, (size_t)s.count * sizeof *s.level);
    return s;
}

static void add_head(text *out, const comparison *c, const comparison_request *r, int k, const char *before)
{
    const compared_stream *s = &c->stream[k];
    const independent_cost unit = compared_unit(s);
    const tune_setting setting = setting_of(&c->candidate[k]);
    text_add(out, "%s%d %s: length %.6g, ", before, k, c->candidate[k].label, s->length);
    setting_to_text(out, &setting);
    text_add(out, "\n%s    %" PRId64 "/%" PRId64 " trajectories, acceptance ", before, s->trajectories,
             c->candidate[k].trajectories);
    run_view_add_estimate(out, &s->acceptance);
    text_add(out, ", ");
    run_view_add_estimate(out, &s->price);
    text_add(out, " %s each, ", unit_of(r));
    independent_cost_add(out, &unit);
    text_add(out, " %s per accepted unit\n", unit_of(r));
}

static void add_observable(text *out, const compared_observable *o, const char *mark, const char *before)
{
    text mean = { 0 }, tau = { 0 }, cost = { 0 };
    run_view_add_estimate(&mean, &o->of);
    run_view_add_tau(&tau, &o->of);
    independent_cost_add(&cost, &o->cost);
    text_add(out, "%s    %-24s %-24s tau %-14s %-16s %s%s\n", before, o->title, text_string(&mean), text_string(&tau),
             text_string(&cost), series_verdict_names[o->of.verdict], mark);
    text_free(&mean);
    text_free(&tau);
    text_free(&cost);
}

static independent_cost unit_ratio(const comparison *c, int k)
{
    return c->choice.apart && k > 0 ? (independent_cost){ NAN, NAN, false }
                                    : compared_unit_ratio(&c->stream[k], &c->stream[0]);
}

static void add_stream(text *out, const comparison *c, const comparison_request *r, int k, const char *before)
{
    const compared_stream *s = &c->stream[k];
    if (s->trajectories == 0) {
        text_add(out, "%s%d %s: no trajectory yet\n", before, k, c->candidate[k].label);
        return;
    }
    add_head(out, c, r, k, before);
    for (int i = 0; i < s->observables; i++)
        add_observable(out, &s->observable[i], i == compared_slowest(s) ? "  <- most expensive" : "", before);
    const independent_cost ratio = unit_ratio(c, k);
    if (isfinite(ratio.value) && k > 0)
        text_add(out, "%s    per accepted unit relative to stream 0: %.3f +- %.2g\n", before, ratio.value,
                 ratio.error);
    if (isfinite(c->choice.ratio[k]) && k > 0)
        text_add(out, "%s    cost relative to stream 0: %.3f +- %.2g (%s)\n", before, c->choice.ratio[k],
                 c->choice.ratio_error[k], stream_verdict_names[c->choice.verdict[k]]);
}

void comparison_to_text(text *out, const comparison *c, const comparison_request *r, const char *before)
{
    text_add(out, "%scost of an independent configuration, %s of 2 tau trajectories; streams in %s\n", before,
             r->work ? "iterations of solves plus forces" : "seconds", r->directory);
    for (int k = 0; k < c->count; k++)
        add_stream(out, c, r, k, before);
    text_add(out, "%s%s %d %s: %s\n", before, c->choice.chosen > 0 ? "chosen: stream" : "kept: stream",
             c->choice.chosen, c->candidate[c->choice.chosen].label, c->choice.why);
    if (!c->complete)
        text_add(out, "%sthe time limit (--minutes) was too short for %g units of each stream; the same command "
                 "continues\n", before, r->units);
}

static void mean_to_json(json *j, const char *key, const char *key_error, const correlated_mean *m)
{
    json_real(j, key, m->mean);
    json_real(j, key_error, m->error);
}

static void cost_to_json(json *j, const independent_cost *c)
{
    json_real(j, "per_independent_configuration", c->value);
    json_real(j, "per_independent_configuration_error", c->error);
    json_bool(j, "is_lower_bound", c->bound);
}

static void observables_to_json(json *j, const compared_stream *s)
{
    json_open(j, "observables", '[');
    for (int i = 0; i < s->observables; i++) {
        const compared_observable *o = &s->observable[i];
        json_open(j, NULL, '{');
        json_text(j, "name", o->title);
        mean_to_json(j, "mean", "error", &o->of);
        json_real(j, "tau", o->of.tau);
        json_real(j, "tau_error", o->of.tau_error);
        json_text(j, "series", series_verdict_names[o->of.verdict]);
        cost_to_json(j, &o->cost);
        json_close(j);
    }
    json_close(j);
}

static void levels_to_json(json *j, const tune_setting *s)
{
    json_open(j, "levels", '[');
    for (int e = 0; e < s->count; e++) {
        json_open(j, NULL, '{');
        json_text(j, "integrator", scheme_names[s->level[e].integrator]);
        json_int(j, "steps", s->level[e].steps);
        json_close(j);
    }
    json_close(j);
}

static void stream_to_json(json *j, const comparison *c, int k)
{
    const compared_stream *s = &c->stream[k];
    const independent_cost unit = compared_unit(s);
    const tune_setting setting = setting_of(&c->candidate[k]);
    const int slowest = compared_slowest(s);
    json_open(j, NULL, '{');
    json_text(j, "label", c->candidate[k].label);
    json_text(j, "directory", c->candidate[k].in.p.output.directory);
    json_real(j, "length", s->length);
    levels_to_json(j, &setting);
    json_int(j, "trajectories", s->trajectories);
    json_int(j, "target", c->candidate[k].trajectories);
    if (s->trajectories > 0) {
        mean_to_json(j, "acceptance", "acceptance_error", &s->acceptance);
        mean_to_json(j, "per_trajectory", "per_trajectory_error", &s->price);
        json_real(j, "per_accepted_unit", unit.value);
        json_real(j, "per_accepted_unit_error", unit.error);
        observables_to_json(j, s);
        json_text(j, "slowest", slowest >= 0 ? s->observable[slowest].title : NULL);
    }
    const independent_cost ratio = unit_ratio(c, k);
    json_real(j, "relative_per_accepted_unit", ratio.value);
    json_real(j, "relative_per_accepted_unit_error", ratio.error);
    json_real(j, "relative_cost", c->choice.ratio[k]);
    json_real(j, "relative_cost_error", c->choice.ratio_error[k]);
    json_text(j, "verdict", stream_verdict_names[c->choice.verdict[k]]);
    json_close(j);
}

void comparison_to_json(json *j, const comparison *c, const comparison_request *r)
{
    json_text(j, "directory", r->directory);
    json_text(j, "cost", r->work ? "work" : "seconds");
    json_real(j, "units", r->units);
    json_bool(j, "complete", c->complete);
    json_open(j, "streams", '[');
    for (int k = 0; k < c->count; k++)
        stream_to_json(j, c, k);
    json_close(j);
    json_text(j, "chosen", c->candidate[c->choice.chosen].label);
    json_bool(j, "changed", c->choice.chosen > 0);
    json_text(j, "why", c->choice.why);
}
