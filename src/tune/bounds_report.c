/* bounds_report.c - longer steps that a tuning measured, and the setting that the bounds of steps exclude. */
#include "src/tune/tune_bounds.h"
#include "src/tune/tune_report.h"

static void add_trials(text *out, const tune_result *r, const char *before)
{
    if (r->longer_count > 0)
        text_add(out, "%slonger steps, measured before they are chosen:\n", before);
    for (int i = 0; i < r->longer_count; i++) {
        const longer_trial *x = &r->longer[i];
        text words = { 0 };
        setting_to_text(&words, &x->setting);
        text_add(out, "%s  %-44s <dH^2> %.3g from %s, %.3g predicted\n", before, text_string(&words), x->variance,
                 nouns_to_text(x->trajectories, "trajectory", "trajectories").s, x->predicted);
        text_free(&words);
    }
}

static void add_why(text *out, const tune_excluded *x, const char *before)
{
    const step_obstacle *o = &x->why;
    text_add(out, "%s  level %d (%s) would have %.0f steps in a trajectory", before, o->level, x->terms, o->steps);
    if (o->kind == OBSTACLE_STABILITY) {
        text_add(out, ": omega dt = %.3g for the highest frequency of\n%s  the forces on this level and inner ones, at "
                      "most %.3g is chosen: the scheme is unstable above %.3g\n", o->omega_dt, before, o->limit,
                 o->limit / TUNE_STABLE);
        return;
    }
    if (o->kind == OBSTACLE_LOST) {
        text_add(out, ":\n%s  a trajectory with such steps or shorter ones had |dH| of %g or more\n", before,
                 TUNE_DH_LOST);
        return;
    }
    text_add(out, ", %.3g times as long as measured ones (%.0f steps);\n", o->measured / o->steps, o->measured);
    if (o->kind == OBSTACLE_GROWTH)
        text_add(out, "%s  steps more than %g times as long as measured ones are not chosen\n", before, TUNE_GROWTH);
    else
        text_add(out, "%s  the part of dH beyond second order may grow as the fourth power of this step: <dH^2> up to "
                      "%.3g\n", before, o->variance);
}

void bounds_to_text(text *out, const tune_result *r, const char *before)
{
    const tune_excluded *x = &r->excluded;
    text words = { 0 };
    add_trials(out, r, before);
    if (x->why.kind == OBSTACLE_NONE)
        return;
    setting_to_text(&words, &x->setting);
    text_add(out, "%snot chosen%s: %s\n", before,
             x->why.kind == OBSTACLE_LOST ? "" : ", because its steps are too far from measured ones",
             text_string(&words));
    text_free(&words);
    text_add(out, "%s  <dH^2> %.3g +- %.1g predicted, %.3g s per unit\n", before, x->predicted.variance,
             x->predicted.error, x->predicted.cost);
    add_why(out, x, before);
}

void bounds_to_json(json *j, const tune_result *r)
{
    static const char *const kinds[] = { "none", "stability", "growth", "rest", "lost" };
    const tune_excluded *x = &r->excluded;
    json_open(j, "longer_steps", '[');
    for (int i = 0; i < r->longer_count; i++) {
        json_open(j, NULL, '{');
        setting_to_json(j, "levels", &r->longer[i].setting);
        json_int(j, "trajectories", r->longer[i].trajectories);
        json_real(j, "dH_squared", r->longer[i].variance);
        json_real(j, "dH_squared_predicted", r->longer[i].predicted);
        json_close(j);
    }
    json_close(j);
    json_open(j, "step_bound", '{');
    json_text(j, "kind", kinds[x->why.kind]);
    if (x->why.kind != OBSTACLE_NONE) {
        setting_to_json(j, "levels", &x->setting);
        prediction_to_json(j, "predicted", &x->predicted);
        json_int(j, "level", x->why.level);
        json_real(j, "steps", x->why.steps);
        if (x->why.kind == OBSTACLE_STABILITY) {
            json_real(j, "omega_dt", x->why.omega_dt);
            json_real(j, "omega_dt_limit", x->why.limit);
        } else if (x->why.kind != OBSTACLE_LOST)
            json_real(j, "measured_steps", x->why.measured);
        if (x->why.kind == OBSTACLE_REST)
            json_real(j, "dH_squared_largest", x->why.variance);
    }
    json_close(j);
}
