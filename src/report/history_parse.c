/* history_parse.c - parse a line of the record: measurements, forces, solves, spectra, timers. */
#include "src/report/history_parse.h"

#include "actions/roles.h"
#include "src/base/json_members.h"
#include "src/measure/result_unit.h"

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

static history_result result_of(yyjson_val *result)
{
    const char *settings = json_member_text(result, "settings"), *kind = json_member_text(result, "kind");
    const measurement_kind *of = kind ? measurement_kind_named(kind) : NULL;
    return (history_result){ settings ? settings : "", of ? of->results : NULL, result_xi(result),
                             result_is_anisotropic(result) };
}

static void report_measurements(const history_listener *l, yyjson_val *results)
{
    yyjson_val *key, *result;
    size_t i, count;
    if (!results)
        return;
    yyjson_obj_foreach(results, i, count, key, result) {
        const char *name = yyjson_get_str(key);
        const history_result of = result_of(result);
        bool converged;
        l->result(l->out, name, &of);
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

/* The items of a list as numbers, with their places as titles; of objects, whether they were accepted. */
static void report_replicas(const history_listener *l, yyjson_val *list, column_kind kind)
{
    yyjson_val *one;
    size_t i, count;
    yyjson_arr_foreach(list, i, count, one) {
        char title[24];
        double number;
        bool accepted;
        snprintf(title, sizeof title, "%zu", i);
        if (json_member_bool(one, "accepted", &accepted))
            l->number(l->out, kind, title, accepted);
        else if (json_value_real(&number, one))
            l->number(l->out, kind, title, number);
    }
}

static void report_tempering(const history_listener *l, yyjson_val *tempering)
{
    report_replicas(l, json_member_list(tempering, "origins"), COLUMN_ORIGIN);
    report_replicas(l, json_member_list(tempering, "swaps"), COLUMN_SWAP);
    report_replicas(l, json_member_list(tempering, "replicas"), COLUMN_UPDATE);
}

/* `path`: of the parent timer; restored at the end. */
static void report_timers(const history_listener *l, yyjson_val *timers, text *path)
{
    const size_t above = path->length;
    yyjson_val *timer;
    size_t i, count;
    yyjson_arr_foreach(timers, i, count, timer) {
        if (!yyjson_is_obj(timer))
            continue;
        yyjson_obj_iter in_order = yyjson_obj_iter_with(timer);
        const char *name = yyjson_get_str(yyjson_obj_iter_get(&in_order, "name"));
        double self;
        if (!name)
            continue;
        text_add_bytes(path, "/", above > 0);
        const size_t begin = path->length;
        text_add_bytes(path, name, strlen(name));
        for (char *c = path->s + begin; *c; c++)              /* a name contains no '/' */
            *c = *c == '/' ? '-' : *c;
        if (json_value_real(&self, yyjson_obj_iter_get(&in_order, "self")))
            l->number(l->out, COLUMN_TIME, text_string(path), self);
        report_timers(l, yyjson_obj_iter_get(&in_order, "children"), path);
        text_cut(path, above);
    }
}

static double polyakov_size(yyjson_val *polyakov)
{
    double re, im;
    return json_member_real(polyakov, "re", &re) && json_member_real(polyakov, "im", &im) ? hypot(re, im) : NAN;
}

/* Whether the value is true or false. */
static bool read_bool(bool *value, yyjson_val *from)
{
    *value = yyjson_is_true(from);
    return yyjson_is_bool(from);
}

/* Members in the order in which record.c writes them. */
static bool parse_basics(history_line *l, yyjson_val *line)
{
    yyjson_obj_iter in_order = yyjson_obj_iter_with(line);
#define NEXT(key) yyjson_obj_iter_get(&in_order, key)
    double number = 0;
    bool thermalization, kept;
    bool ok = json_value_real(&number, NEXT("trajectory")) && number >= 1 && number < 1e15
              && read_bool(&l->accepted, NEXT("accepted")) && read_bool(&thermalization, NEXT("thermalization"));
    l->tested = ok && !thermalization && !yyjson_get_str(NEXT("update"));
    ok = ok && json_value_real(&l->dh, NEXT("dH")) && json_value_real(&l->exp_minus_dh, NEXT("exp_minus_dH"))
         && json_member_real(NEXT("plaquette"), "average", &l->plaquette);
    if (!ok)
        return false;
    l->trajectory = (int64_t)number;
    l->thermalization = thermalization;
    l->polyakov = polyakov_size(NEXT("polyakov"));
    if (!json_member_real(NEXT("energy_before"), "kinetic", &l->kinetic))
        l->kinetic = NAN;
    l->on_device = json_value_real(&number, NEXT("bytes_from_device")) && number > 0;
    const char *stamp = yyjson_get_str(NEXT("time"));
    snprintf(l->time, sizeof l->time, "%s", stamp ? stamp : "");
    const bool timed = json_value_real(&l->wall, NEXT("wall_seconds"));
    ok = json_value_real(&l->seconds, NEXT("seconds"));
    l->wall = timed ? l->wall : l->seconds;
    if (!json_value_real(&l->joules, NEXT("joules")))
        l->joules = NAN;
    l->kept = read_bool(&kept, NEXT("configuration")) ? kept : -1;
    l->target = json_value_real(&number, NEXT("target")) && number >= 1 && number < 1e15 ? (int64_t)number : 0;
    return ok;
#undef NEXT
}

bool history_parse(history_line *line, yyjson_val *object, const history_listener *l)
{
    const bool ok = object && parse_basics(line, object);
    if (ok) {
        report_measurements(l, json_member_object(object, "measurements"));
        report_forces(l, json_member_list(object, "force"));
        report_sdc_check(l, json_member_object(object, "sdc_check"));
        report_monomials(l, json_member_object(object, "monomials"));
        report_tempering(l, json_member_object(object, "tempering"));
        text path = { 0 };
        report_timers(l, json_member_list(object, "timers"), &path);
        text_free(&path);
    }
    return ok;
}
