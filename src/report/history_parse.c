/* history_parse.c - parse a line of the record: measurements, forces, solves, spectra, timers. */
#include "src/report/history_parse.h"

#include "actions/roles.h"
#include "src/base/json_members.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Call the listener with the title "quarks action", or "quarks" if `second` is empty. */
static void report_value(const history_listener *l, column_kind kind, const char *first, const char *second,
                         double value)
{
    text title = { 0 };
    if (*second == '\0') {
        l->number(l->out, kind, first, value);
        return;
    }
    text_add_bytes(&title, first, strlen(first));
    text_add_bytes(&title, " ", 1);
    text_add_bytes(&title, second, strlen(second));
    l->number(l->out, kind, text_string(&title), value);
    text_free(&title);
}

static void forward_headline(void *out, const char *title, double value)
{
    const history_listener *l = out;
    l->number(l->out, COLUMN_MEASURED, title, value);
}

static void forward_curve(void *out, curve_title of, curve_points points)
{
    const history_listener *l = out;
    l->curve(l->out, of, points);
}

static void report_measurements(const history_listener *l, yyjson_val *results)
{
    yyjson_val *key, *result;
    size_t i, count;
    if (!results)
        return;
    yyjson_obj_foreach(results, i, count, key, result) {
        const char *name = yyjson_get_str(key), *settings = json_member_text(result, "settings");
        bool converged;
        l->settings(l->out, name, settings ? settings : "");
        report_value(l, COLUMN_FAILED, name, "", json_member_bool(result, "converged", &converged) && !converged);
        headlines_report(name, result, forward_headline, (void *)l);
        headlines_report_curves(name, result, forward_curve, (void *)l);
    }
}

static void report_forces(const history_listener *l, yyjson_val *forces)
{
    yyjson_val *force;
    size_t i, count;
    yyjson_arr_foreach(forces, i, count, force) {
        const char *term = json_member_text(force, "term");
        double rms, max;
        if (term && json_member_real(force, "rms", &rms) && json_member_real(force, "max", &max)) {
            report_value(l, COLUMN_FORCE_RMS, term, "", rms);
            report_value(l, COLUMN_FORCE_MAX, term, "", max);
        }
    }
}

/* Iterations of all pseudofermions of a monomial, and the largest residual among them. */
static void report_solves(const history_listener *l, const char *name, yyjson_val *fields)
{
    yyjson_val *factor;
    size_t i, count;
    for (int r = 0; r < ROLES; r++) {
        double iterations = 0, worst = NAN, number;
        bool any = false;
        yyjson_arr_foreach(fields, i, count, factor) {
            yyjson_val *solves = json_member_object(factor, role_keys[r]);
            if (!json_member_real(solves, "iterations", &number))
                continue;
            any = true;
            iterations += number;
            if (json_member_real(solves, "polish_iterations", &number))
                iterations += number;
            if (json_member_real(solves, "residual", &number) || json_member_real(solves, "true_residual", &number))
                worst = fmax(worst, number);
        }
        if (any) {
            report_value(l, COLUMN_ITERATIONS, name, role_names[r], iterations);
            report_value(l, COLUMN_RESIDUAL, name, role_names[r], worst);
        }
    }
}

/* The spectrum of a monomial, or of one of its pseudofermions. */
static void report_spectrum(const history_listener *l, const char *name, const char *part, yyjson_val *of)
{
    yyjson_val *spectrum = json_member_object(of, "spectrum");
    double number;
    if (json_member_real(spectrum, "largest_eigenvalue", &number))
        report_value(l, COLUMN_LARGEST, name, part, number);
    if (json_member_real(spectrum, "range_end", &number))
        report_value(l, COLUMN_RANGE_END, name, part, number);
}

static void report_changes(const history_listener *l, const char *name, yyjson_val *mixed)
{
    static const char *const kinds[] = { "switches", "escalations" };
    yyjson_val *key, *role;
    size_t i, count;
    for (int k = 0; mixed && k < 2; k++) {
        double sum = 0, number;
        yyjson_obj_foreach(mixed, i, count, key, role)
            sum += json_member_real(role, kinds[k], &number) ? number : 0;
        report_value(l, COLUMN_CHANGES, name, kinds[k], sum);
    }
}

static void report_monomial(const history_listener *l, const char *name, yyjson_val *m)
{
    yyjson_val *fields = json_member_list(m, "pseudofermions"), *factor;
    size_t i, count;
    double number;
    report_solves(l, name, fields);
    report_spectrum(l, name, "", m);
    yyjson_arr_foreach(fields, i, count, factor) {
        char part[32];
        snprintf(part, sizeof part, "factor %zu", i);
        report_spectrum(l, name, part, factor);
    }
    report_changes(l, name, json_member_object(m, "mixed_precision"));
    if (json_member_real(m, "refresh_error", &number))
        report_value(l, COLUMN_REFRESH, name, "", fabs(number));
    if (json_member_real(json_member_object(m, "force_eigenvalues"), "filtered", &number))
        report_value(l, COLUMN_FILTERED, name, "force filter", number);
    if (json_member_real(json_member_object(m, "projection"), "svd_links", &number))
        report_value(l, COLUMN_FILTERED, name, "SVD", number);
}

static void report_monomials(const history_listener *l, yyjson_val *monomials)
{
    yyjson_val *key, *of;
    size_t i, count;
    if (monomials)
        yyjson_obj_foreach(monomials, i, count, key, of)
            report_monomial(l, yyjson_get_str(key), of);
}

static void report_sdc_check(const history_listener *l, yyjson_val *sdc_check)
{
    double mismatches;
    if (json_member_real(sdc_check, "mismatches", &mismatches))
        l->number(l->out, COLUMN_SDC_CHECK, "sdc_check", mismatches);
}

/* `path`: of the timer above; it is the same afterwards. */
static void report_timers(const history_listener *l, yyjson_val *timers, text *path)
{
    const size_t above = path->length;
    yyjson_val *timer;
    size_t i, count;
    yyjson_arr_foreach(timers, i, count, timer) {
        const char *name = json_member_text(timer, "name");
        double self;
        if (!name)
            continue;
        text_add_bytes(path, "/", above > 0);
        const size_t begin = path->length;
        text_add_bytes(path, name, strlen(name));
        for (char *c = path->s + begin; *c; c++)              /* a name contains no '/' */
            *c = *c == '/' ? '-' : *c;
        if (json_member_real(timer, "self", &self))
            l->number(l->out, COLUMN_TIME, text_string(path), self);
        report_timers(l, json_member_list(timer, "children"), path);
        text_cut(path, above);
    }
}

static double polyakov_size(yyjson_val *loop)
{
    double re, im;
    return json_member_real(loop, "re", &re) && json_member_real(loop, "im", &im) ? hypot(re, im) : NAN;
}

static bool parse_basics(history_line *l, yyjson_val *line)
{
    double number = 0;
    bool thermalization, kept;
    const char *stamp = json_member_text(line, "time");
    bool ok = json_member_real(line, "trajectory", &number) && number >= 1 && number < 1e15
              && json_member_bool(line, "accepted", &l->accepted)
                  && json_member_bool(line, "thermalization", &thermalization)
              && json_member_real(line, "dH", &l->dh) && json_member_real(line, "exp_minus_dH", &l->exp_minus_dh)
              && json_member_real(json_member_object(line, "plaquette"), "average", &l->plaquette)
              && json_member_real(line, "seconds", &l->seconds);
    if (!ok)
        return false;
    l->trajectory = (int64_t)number;
    l->thermalization = thermalization;
    l->tested = !thermalization && !json_member_text(line, "update");
    if (!json_member_real(json_member_object(line, "energy_before"), "kinetic", &l->kinetic))
        l->kinetic = NAN;
    l->polyakov = polyakov_size(json_member_object(line, "polyakov"));
    if (!json_member_real(line, "wall_seconds", &l->wall))
        l->wall = l->seconds;
    l->target = json_member_real(line, "target", &number) && number >= 1 && number < 1e15 ? (int64_t)number : 0;
    l->kept = json_member_bool(line, "configuration", &kept) ? kept : -1;
    l->on_device = json_member_real(line, "bytes_from_device", &number) && number > 0;
    snprintf(l->time, sizeof l->time, "%s", stamp ? stamp : "");
    return true;
}

bool history_parse(history_line *line, yyjson_val *object, const history_listener *l)
{
    const bool ok = object && parse_basics(line, object);
    if (ok) {
        report_measurements(l, json_member_object(object, "measurements"));
        report_forces(l, json_member_list(object, "force"));
        report_sdc_check(l, json_member_object(object, "sdc_check"));
        report_monomials(l, json_member_object(object, "monomials"));
        text path = { 0 };
        report_timers(l, json_member_list(object, "timers"), &path);
        text_free(&path);
    }
    return ok;
}
