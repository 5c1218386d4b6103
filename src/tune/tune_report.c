/* tune_report.c - the results of a tuning as text and as JSON. */
#include "src/tune/tune_report.h"

#include "src/measure/autocorrelation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

duration_text duration_to_text(double seconds)
{
    enum { MINUTE = 60 };
    duration_text t;
    const bool is_short = seconds < 2 * MINUTE;
    snprintf(t.s, sizeof t.s, "%.3g %s", is_short ? seconds : seconds / MINUTE, is_short ? "s" : "min");
    return t;
}

void setting_to_text(text *out, const tune_setting *s)
{
    for (int e = 0; e < s->count; e++) {
        const level_params *l = &s->level[e];
        text_add(out, "%s%" PRId64 " x %s", e > 0 ? " / " : "", l->steps, scheme_names[l->integrator]);
        if (scheme_has_lambda(scheme_get(l->integrator)))
            text_add(out, "(%.4g)", l->lambda);
    }
}

static void add_setting(text *out, const char *before, const char *what, const tune_setting *s,
                        const tune_prediction *p)
{
    text words = { 0 };
    setting_to_text(&words, s);
    text_add(out, "%s%-9s %-44s <dH^2> %.3g +- %.1g  acceptance %.3f +- %.3f  %.3g s  %.3g s per unit\n", before, what,
             text_string(&words), p->variance, p->error, p->acceptance, p->acceptance_error, p->seconds,
             p->cost);
    text_free(&words);
}

static void add_settings(text *out, const tune_result *r, double target, const char *before)
{
    const double ratio = tune_cost_ratio(r);
    text_add(out, "%spredictions; a setting is steps x integrator(lambda) of each level, the outermost first; s: "
                  "seconds of a\n", before);
    text_add(out, "%strajectory; per unit: of an accepted unit of molecular-dynamics time\n", before);
    add_setting(out, before, "before", &r->before, &r->now);
    add_setting(out, before, "tuned", &r->after, &r->then);
    if (isfinite(ratio))
        text_add(out, "%scost of a unit relative to before: %.3f +- %.2g, from the errors of both acceptances\n",
                 before, ratio, tune_cost_ratio_error(r));
    if (ratio > 1 && !tune_same_setting(&r->before, &r->after))
        text_add(out, "%s  %s\n", before, cost_reason(r, target));
    if (r->measured.trajectories > 0)
        text_add(out, "%smeasured before: <dH^2> %.3g +- %.1g from %s of %.3g s\n", before, r->measured.variance,
                 r->measured.error, nouns_to_text(r->measured.trajectories, "trajectory", "trajectories").s,
                 r->measured.seconds);
}

static void add_forces(text *out, const tune_result *r, const char *before)
{
    text_add(out, "%sforces: rms |F| of a link, its scatter between trajectories, time of one force\n", before);
    for (int t = 0; t < r->terms; t++)
        text_add(out, "%s  %-24s %-10.4g %-10.2g %.3g s\n", before, r->name[t], r->force[t].rms, r->force[t].max,
                 r->times.force[t]);
    text_add(out, "%s  highest frequency omega [1/unit]:", before);
    for (int t = 0; t < r->terms; t++)
        text_add(out, "%s %s %.3g", t > 0 ? "," : "", r->name[t], r->omega[t]);
    text_add(out, "\n%s  other times: drift of the links %.3g s, refresh %.3g s, one Hamiltonian "
                  "%.3g s\n", before, r->times.drift, r->times.refresh, r->times.energy);
}

static void add_masses(text *out, const tune_result *r, const char *before)
{
    if (r->trials > 0)
        text_add(out, "%sHasenbusch masses and numbers of pseudofermions on the same links: force per link, time of "
                 "one force,\n%s  cost of the best setting\n",
                 before, before);
    for (int i = 0; i < r->trials; i++) {
        const mass_trial *m = &r->trial[i];
        text_add(out, "%s  %s = %.4g:", before, m->key, m->value);
        if (isnan(m->cost))
            text_add(out, " not possible\n");
        else
            text_add(out, " %.4g, %.3g s, %.3g s per unit%s\n", m->force, m->force_seconds, m->cost,
                     m->chosen ? "  <- chosen" : "");
    }
}

static const char too_few[] = "too few trajectories for a test; use more (--prove)";
static const char unclear[] = "unclear; use more trajectories (--prove)";

static const char *verdict(const tune_proof *p, bool agrees)
{
    return !p->enough ? too_few : agrees ? "they agree" : "they do not agree";
}

static const char *variance_verdict(const tune_proof *p)
{
    return p->enough && p->variance_agrees && !p->precise ? unclear : verdict(p, p->variance_agrees);
}

/* <exp(-dH)> = 1 holds for any steps. */
static const char *exp_verdict(const tune_proof *p)
{
    if (!p->enough)
        return too_few;
    if (!p->exp_agrees)
        return "THEY DO NOT AGREE: the links are not in equilibrium, or residuals are too large";
    return tune_exp_distance(p) > 2 ? unclear : "they agree";
}

static void add_solvers(text *out, const tune_result *r, const char *before)
{
    for (int i = 0; i < r->solver_trials; i++) {
        const solver_trial *s = &r->solver_trial[i];
        if (i == 0 || s->term != r->solver_trial[i - 1].term || s->key != r->solver_trial[i - 1].key)
            text_add(out, "%s%ss of %s on the same links: time of a force, of a refresh [s]; cost relative to %s\n",
                     before, s->key, r->name[s->term], s->names[s->before]);
        text_add(out, "%s  %-20s %-10.3g %-10.3g %.3f", before, s->names[s->kind], s->force_seconds,
                 s->refresh_seconds, s->relative_cost);
        if (isfinite(s->error))
            text_add(out, " +- %.2g", s->error);
        text_add(out, "%s\n", s->chosen ? "  <- chosen" : "");
    }
}

static void add_residuals(text *out, const tune_result *r, const char *before)
{
    for (int i = 0; i < r->residual_trials; i++) {
        const residual_trial *s = &r->residual_trial[i];
        if (i == 0 || s->term != r->residual_trial[i - 1].term)
            text_add(out, "%sresiduals of the force of %s: rms change of dH, with two errors; time of a force [s]\n",
                     before, r->name[s->term]);
        text_add(out, "%s  %-10.2g %-10.2g %-10.2g %.3g%s\n", before, s->residual, s->change, s->largest,
                 s->force_seconds, s->chosen ? "  <- chosen" : "");
    }
    for (int i = 0; i < r->residual_notes; i++)
        text_add(out, "%sresiduals of the force of %s: %s\n", before, r->name[r->residual_note[i].term],
                 r->residual_note[i].why);
}

static void add_schemes(text *out, const tune_result *r, const char *before)
{
    for (int i = 0; i < r->scheme_trials; i++) {
        const scheme_trial *s = &r->scheme_trial[i];
        text words = { 0 };
        if (i == 0 || s->entry != r->scheme_trial[i - 1].entry)
            text_add(out, "%sintegrators of level %d, each learned from its own trajectories: s per unit\n", before,
                     s->entry);
        setting_to_text(&words, &s->setting);
        if (isnan(s->cost))
            text_add(out, "%s  %s: not possible\n", before, scheme_names[s->integrator]);
        else
            text_add(out, "%s  %-44s %.3g +- %.2g from %d, was %.3g +- %.2g%s\n", before, text_string(&words), s->cost,
                     s->error, s->learned, s->before, s->before_error,
                     s->chosen ? "  <- chosen" : s->learned < SERIES_LEAST ? "  too few for a choice" : "");
        text_free(&words);
    }
}

static void add_proofs(text *out, const tune_result *r, const char *before)
{
    for (int i = 0; i < r->proofs; i++) {
        const tune_proof *p = &r->proof[i];
        text words = { 0 };
        setting_to_text(&words, &p->setting);
        text_add(out, "%sverified by %s of %.3g s with %s:\n", before,
                 nouns_to_text(p->trajectories, "trajectory", "trajectories").s, p->seconds, text_string(&words));
        text_add(out, "%s  <dH^2> %.3g +- %.2g, predicted %.3g +- %.2g: %s\n", before, p->variance, p->variance_error,
                 p->predicted.variance, p->predicted.error, variance_verdict(p));
        text_add(out, "%s  %.0f%% accepted, predicted %.0f%%: %s\n", before, 100 * p->accepted,
                 100 * p->predicted.acceptance, verdict(p, p->acceptance_agrees));
        text_add(out, "%s  <exp(-dH)> %.3f +- %.3f, %.1f standard errors from 1: %s\n", before, p->exp_minus_dh,
                 p->exp_error, tune_exp_distance(p), exp_verdict(p));
        text_free(&words);
    }
}

void tune_to_text(text *out, const tune_result *r, const tune_request *w, const char *before)
{
    add_settings(out, r, w->target, before);
    target_to_text(out, r, w->target, before);
    text_add(out, "%slearned from %d trajectories after %d of thermalization, plaquette %.5f\n", before, r->learned,
             r->thermalized, r->plaquette);
    text_add(out, "%s  dH relative to its second order: %.3f +- %.3f\n", before, r->slope, r->slope_error);
    if (isfinite(r->order))
        text_add(out, "%s  the same start with %" PRId64 " and %" PRId64 " steps: dH %.4g and %.4g", before,
                 r->order_steps[0], r->order_steps[1], r->order_dh[0], r->order_dh[1]);
    if (isfinite(r->order))
        text_add(out, r->order > 0 ? ", proportional to (step size)^%.2f\n" : "\n", r->order);
    add_forces(out, r, before);
    add_masses(out, r, before);
    add_solvers(out, r, before);
    add_schemes(out, r, before);
    add_residuals(out, r, before);
    bounds_to_text(out, r, before);
    add_proofs(out, r, before);
    time_limit_to_text(out, r, w, before);
}

void setting_to_json(json *j, const char *key, const tune_setting *s)
{
    json_open(j, key, '[');
    for (int e = 0; e < s->count; e++) {
        const level_params *l = &s->level[e];
        json_open(j, NULL, '{');
        json_text(j, "integrator", scheme_names[l->integrator]);
        json_int(j, "steps", l->steps);
        if (scheme_has_lambda(scheme_get(l->integrator)))
            json_real(j, "lambda", l->lambda);
        json_close(j);
    }
    json_close(j);
}

void prediction_to_json(json *j, const char *key, const tune_prediction *p)
{
    json_open(j, key, '{');
    json_real(j, "dH_squared", p->variance);
    json_real(j, "dH_squared_error", p->error);
    json_real(j, "acceptance", p->acceptance);
    json_real(j, "acceptance_error", p->acceptance_error);
    json_real(j, "trajectory_seconds", p->seconds);
    json_real(j, "seconds_per_accepted_unit", p->cost);
    json_close(j);
}

static void choice_to_json(json *j, const char *key, const tune_setting *s, const tune_prediction *p)
{
    json_open(j, key, '{');
    setting_to_json(j, "levels", s);
    prediction_to_json(j, "predicted", p);
    json_close(j);
}

static void measured_to_json(json *j, const tune_result *r)
{
    json_open(j, "measured_before", '{');
    json_int(j, "trajectories", r->measured.trajectories);
    if (r->measured.trajectories > 0) {
        json_real(j, "dH_squared", r->measured.variance);
        json_real(j, "dH_squared_error", r->measured.error);
        json_real(j, "trajectory_seconds", r->measured.seconds);
    }
    json_close(j);
    json_real(j, "cost_ratio", tune_cost_ratio(r));
    json_real(j, "cost_ratio_error", tune_cost_ratio_error(r));
}

static void forces_to_json(json *j, const tune_result *r)
{
    json_open(j, "forces", '[');
    for (int t = 0; t < r->terms; t++) {
        json_open(j, NULL, '{');
        json_text(j, "term", r->name[t]);
        json_real(j, "rms", r->force[t].rms);
        json_real(j, "scatter", r->force[t].max);
        json_real(j, "highest_frequency", r->omega[t]);
        json_real(j, "seconds", r->times.force[t]);
        json_close(j);
    }
    json_close(j);
    json_open(j, "seconds", '{');
    json_real(j, "drift", r->times.drift);
    json_real(j, "refresh", r->times.refresh);
    json_real(j, "energy", r->times.energy);
    json_real(j, "prepare", r->times.rest);
    json_close(j);
}

static void trials_to_json(json *j, const tune_result *r)
{
    json_open(j, "masses", '[');
    for (int i = 0; i < r->trials; i++) {
        json_open(j, NULL, '{');
        json_text(j, "key", r->trial[i].key);
        json_real(j, "value", r->trial[i].value);
        json_real(j, "force", r->trial[i].force);
        json_real(j, "force_seconds", r->trial[i].force_seconds);
        json_real(j, "seconds_per_accepted_unit", r->trial[i].cost);
        json_bool(j, "chosen", r->trial[i].chosen);
        json_close(j);
    }
    json_close(j);
}

static void solvers_to_json(json *j, const tune_result *r)
{
    json_open(j, "solvers", '[');
    for (int i = 0; i < r->solver_trials; i++) {
        const solver_trial *s = &r->solver_trial[i];
        json_open(j, NULL, '{');
        json_text(j, "term", r->name[s->term]);
        json_text(j, "key", s->key);
        json_text(j, "solver", s->names[s->kind]);
        json_text(j, "before", s->names[s->before]);
        json_real(j, "force_seconds", s->force_seconds);
        json_real(j, "refresh_seconds", s->refresh_seconds);
        json_real(j, "relative_cost", s->relative_cost);
        json_real(j, "relative_cost_error", s->error);
        json_bool(j, "chosen", s->chosen);
        json_close(j);
    }
    json_close(j);
}

static void residuals_to_json(json *j, const tune_result *r)
{
    json_open(j, "residuals", '[');
    for (int i = 0; i < r->residual_trials; i++) {
        const residual_trial *s = &r->residual_trial[i];
        json_open(j, NULL, '{');
        json_text(j, "term", r->name[s->term]);
        json_real(j, "force", s->residual);
        json_real(j, "dH_change", s->change);
        json_real(j, "dH_change_with_errors", s->largest);
        json_real(j, "force_seconds", s->force_seconds);
        json_bool(j, "chosen", s->chosen);
        json_close(j);
    }
    json_close(j);
    json_open(j, "residuals_not_chosen", '[');
    for (int i = 0; i < r->residual_notes; i++) {
        json_open(j, NULL, '{');
        json_text(j, "term", r->name[r->residual_note[i].term]);
        json_text(j, "why", r->residual_note[i].why);
        json_close(j);
    }
    json_close(j);
}

static void schemes_to_json(json *j, const tune_result *r)
{
    json_open(j, "integrators", '[');
    for (int i = 0; i < r->scheme_trials; i++) {
        const scheme_trial *s = &r->scheme_trial[i];
        json_open(j, NULL, '{');
        json_int(j, "level", s->entry);
        json_text(j, "integrator", scheme_names[s->integrator]);
        json_int(j, "trajectories", s->learned);
        setting_to_json(j, "levels", &s->setting);
        json_real(j, "seconds_per_accepted_unit", s->cost);
        json_real(j, "seconds_per_accepted_unit_error", s->error);
        json_real(j, "before", s->before);
        json_real(j, "before_error", s->before_error);
        json_bool(j, "chosen", s->chosen);
        json_close(j);
    }
    json_close(j);
}

static void proofs_to_json(json *j, const tune_result *r)
{
    json_open(j, "proofs", '[');
    for (int i = 0; i < r->proofs; i++) {
        const tune_proof *p = &r->proof[i];
        json_open(j, NULL, '{');
        choice_to_json(j, "setting", &p->setting, &p->predicted);
        json_int(j, "trajectories", p->trajectories);
        json_real(j, "trajectory_seconds", p->seconds);
        json_real(j, "dH_squared", p->variance);
        json_real(j, "dH_squared_error", p->variance_error);
        json_real(j, "accepted", p->accepted);
        json_real(j, "exp_minus_dH", p->exp_minus_dh);
        json_real(j, "exp_minus_dH_error", p->exp_error);
        json_real(j, "exp_minus_dH_errors_from_1", tune_exp_distance(p));
        json_bool(j, "variance_agrees", p->variance_agrees);
        json_bool(j, "acceptance_agrees", p->acceptance_agrees);
        json_bool(j, "exp_minus_dH_agrees", p->exp_agrees);
        json_bool(j, "agrees", p->agrees);
        json_bool(j, "enough_trajectories", p->enough);
        json_close(j);
    }
    json_close(j);
}

void tune_to_json(json *j, const tune_result *r, const tune_request *w)
{
    target_to_json(j, r, w->target);
    json_bool(j, "in_time", tune_in_time(r));
    left_out_to_json(j, &r->left_out);
    json_real(j, "elapsed_seconds", r->took);
    choice_to_json(j, "before", &r->before, &r->now);
    choice_to_json(j, "tuned", &r->after, &r->then);
    measured_to_json(j, r);
    json_int(j, "thermalization", r->thermalized);
    json_int(j, "learned", r->learned);
    json_real(j, "plaquette", r->plaquette);
    json_real(j, "dH_over_prediction", r->slope);
    json_real(j, "dH_over_prediction_error", r->slope_error);
    json_real(j, "order", r->order);
    forces_to_json(j, r);
    trials_to_json(j, r);
    solvers_to_json(j, r);
    schemes_to_json(j, r);
    residuals_to_json(j, r);
    bounds_to_json(j, r);
    proofs_to_json(j, r);
}
