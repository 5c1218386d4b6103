/* history_parse.c - parse a line of the record: measurements, forces, solves, spectra, timers. */
#include "src/report/history_parse.h"

#include "actions/roles.h"
#include "src/config/yaml_members.h"

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

static void take_headline(void *out, const char *title, double value)
{
    const history_listener *l = out;
    l->number(l->out, COLUMN_MEASURED, title, value);
}

static void take_curve(void *out, curve_title of, curve_points points)
{
    const history_listener *l = out;
    l->curve(l->out, of, points);
}

static void tell_measurements(const history_listener *l, const yaml_node *results)
{
    for (int i = 0; results && i < results->count; i++) {
        const yaml_node *result = results->item[i];
        const char *name = results->key[i]->scalar;
        const yaml_node *settings = yaml_member(result, "settings", YAML_SCALAR);
        bool converged;
        l->settings(l->out, name, settings ? settings->scalar : "");
        report_value(l, COLUMN_FAILED, name, "", yaml_member_bool(result, "converged", &converged) && !converged);
        headlines_report(name, result, take_headline, (void *)l);
        headlines_tell_curves(name, result, take_curve, (void *)l);
    }
}

static void tell_forces(const history_listener *l, const yaml_node *forces)
{
    for (int i = 0; forces && i < forces->count; i++) {
        const yaml_node *term = yaml_member(forces->item[i], "term", YAML_SCALAR);
        double rms, max;
        if (term && yaml_member_real(forces->item[i], "rms", &rms) && yaml_member_real(forces->item[i], "max", &max)) {
            report_value(l, COLUMN_FORCE_RMS, term->scalar, "", rms);
            report_value(l, COLUMN_FORCE_MAX, term->scalar, "", max);
        }
    }
}

/* Iterations of all pseudofermions of a monomial, and the largest residual among them. */
static void tell_solves(const history_listener *l, const char *name, const yaml_node *fields)
{
    for (int r = 0; r < ROLES; r++) {
        double iterations = 0, worst = NAN, number;
        bool any = false;
        for (int i = 0; fields && i < fields->count; i++) {
            const yaml_node *solves = yaml_member(fields->item[i], role_keys[r], YAML_MAPPING);
            if (!solves || !yaml_member_real(solves, "iterations", &number))
                continue;
            any = true;
            iterations += number;
            if (yaml_member_real(solves, "polish_iterations", &number))
                iterations += number;
            if (yaml_member_real(solves, "residual", &number) || yaml_member_real(solves, "true_residual", &number))
                worst = fmax(worst, number);
        }
        if (any) {
            report_value(l, COLUMN_ITERATIONS, name, role_names[r], iterations);
            report_value(l, COLUMN_RESIDUAL, name, role_names[r], worst);
        }
    }
}

/* The spectrum of a monomial, or of one of its pseudofermions. */
static void tell_spectrum(const history_listener *l, const char *name, const char *part, const yaml_node *of)
{
    const yaml_node *spectrum = yaml_member(of, "spectrum", YAML_MAPPING);
    double number;
    if (yaml_member_real(spectrum, "largest_eigenvalue", &number))
        report_value(l, COLUMN_LARGEST, name, part, number);
    if (yaml_member_real(spectrum, "range_end", &number))
        report_value(l, COLUMN_RANGE_END, name, part, number);
}

static void tell_changes(const history_listener *l, const char *name, const yaml_node *mixed)
{
    static const char *const kinds[] = { "switches", "escalations" };
    for (int k = 0; mixed && k < 2; k++) {
        double sum = 0, number;
        for (int i = 0; i < mixed->count; i++)
            sum += yaml_member_real(mixed->item[i], kinds[k], &number) ? number : 0;
        report_value(l, COLUMN_CHANGES, name, kinds[k], sum);
    }
}

static void tell_monomial(const history_listener *l, const char *name, const yaml_node *m)
{
    const yaml_node *fields = yaml_member(m, "pseudofermions", YAML_SEQUENCE);
    double number;
    tell_solves(l, name, fields);
    tell_spectrum(l, name, "", m);
    for (int i = 0; fields && i < fields->count; i++) {
        char part[32];
        snprintf(part, sizeof part, "factor %d", i);
        tell_spectrum(l, name, part, fields->item[i]);
    }
    tell_changes(l, name, yaml_member(m, "mixed_precision", YAML_MAPPING));
    if (yaml_member_real(m, "refresh_error", &number))
        report_value(l, COLUMN_REFRESH, name, "", fabs(number));
    if (yaml_member_real(yaml_member(m, "force_eigenvalues", YAML_MAPPING), "filtered", &number))
        report_value(l, COLUMN_FILTERED, name, "force filter", number);
    if (yaml_member_real(yaml_member(m, "projection", YAML_MAPPING), "svd_links", &number))
        report_value(l, COLUMN_FILTERED, name, "SVD", number);
}

static void report_sdc_check(const history_listener *l, const yaml_node *sdc_check)
{
    double mismatches;
    if (yaml_member_real(sdc_check, "mismatches", &mismatches))
        l->number(l->out, COLUMN_SDC_CHECK, "sdc_check", mismatches);
}

/* `path`: of the timer above; it is the same afterwards. */
static void tell_timers(const history_listener *l, const yaml_node *timers, text *path)
{
    const size_t above = path->length;
    for (int i = 0; timers && i < timers->count; i++) {
        const yaml_node *timer = timers->item[i], *name = yaml_member(timer, "name", YAML_SCALAR);
        double self;
        if (!name)
            continue;
        text_add_bytes(path, "/", above > 0);
        const size_t begin = path->length;
        text_add_bytes(path, name->scalar, strlen(name->scalar));
        for (char *c = path->s + begin; *c; c++)              /* a name contains no '/' */
            *c = *c == '/' ? '-' : *c;
        if (yaml_member_real(timer, "self", &self))
            l->number(l->out, COLUMN_TIME, text_string(path), self);
        tell_timers(l, yaml_member(timer, "children", YAML_SEQUENCE), path);
        text_cut(path, above);
    }
}

static double polyakov_size(const yaml_node *loop)
{
    double re, im;
    return yaml_member_real(loop, "re", &re) && yaml_member_real(loop, "im", &im) ? hypot(re, im) : NAN;
}

static bool parse_basics(history_line *l, const yaml_node *tree)
{
    double number = 0;
    bool thermalization, kept;
    const yaml_node *stamp = yaml_member(tree, "time", YAML_SCALAR);
    bool ok = yaml_member_real(tree, "trajectory", &number) && number >= 1 && number < 1e15
              && yaml_member_bool(tree, "accepted", &l->accepted)
                  && yaml_member_bool(tree, "thermalization", &thermalization)
              && yaml_member_real(tree, "dH", &l->dh) && yaml_member_real(tree, "exp_minus_dH", &l->exp_minus_dh)
              && yaml_member_real(yaml_member(tree, "plaquette", YAML_MAPPING), "average", &l->plaquette)
              && yaml_member_real(tree, "seconds", &l->seconds);
    if (!ok)
        return false;
    l->trajectory = (int64_t)number;
    l->thermalization = thermalization;
    l->tested = !thermalization && !yaml_member(tree, "update", YAML_SCALAR);
    if (!yaml_member_real(yaml_member(tree, "energy_before", YAML_MAPPING), "kinetic", &l->kinetic))
        l->kinetic = NAN;
    l->polyakov = polyakov_size(yaml_member(tree, "polyakov", YAML_MAPPING));
    if (!yaml_member_real(tree, "wall_seconds", &l->wall))
        l->wall = l->seconds;
    l->target = yaml_member_real(tree, "target", &number) && number >= 1 && number < 1e15 ? (int64_t)number : 0;
    l->kept = yaml_member_bool(tree, "configuration", &kept) ? kept : -1;
    l->on_device = yaml_member_real(tree, "bytes_from_device", &number) && number > 0;
    snprintf(l->time, sizeof l->time, "%s", stamp ? stamp->scalar : "");
    return true;
}

bool history_parse(history_line *line, const yaml_node *tree, const history_listener *l)
{
    const bool ok = tree && tree->type == YAML_MAPPING && parse_basics(line, tree);
    if (ok) {
        tell_measurements(l, yaml_member(tree, "measurements", YAML_MAPPING));
        tell_forces(l, yaml_member(tree, "force", YAML_SEQUENCE));
        report_sdc_check(l, yaml_member(tree, "sdc_check", YAML_MAPPING));
        const yaml_node *monomials = yaml_member(tree, "monomials", YAML_MAPPING);
        for (int i = 0; monomials && i < monomials->count; i++)
            tell_monomial(l, monomials->key[i]->scalar, monomials->item[i]);
        text path = { 0 };
        tell_timers(l, yaml_member(tree, "timers", YAML_SEQUENCE), &path);
        text_free(&path);
    }
    return ok;
}
