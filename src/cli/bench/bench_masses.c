/* bench_masses.c - reliable updates against defect correction as a function of the quark mass, of delta and of the
 * inner residual.
 *
 * As M. A. Clark et al., arXiv:0911.3191, Tables 3 to 5 and Figure 7, compare them for BiCGstab and Wilson quarks.
 * Staggered quarks are solved by conjugate gradients for K + 4 m^2, the others by the method of the options. */
#include "src/bench/method_study.h"
#include "src/cli/bench/bench_studies.h"

#include <stdio.h>

static const stored_as inners[] = { STORED_HALF, STORED_INT20, STORED_SINGLE };
static const mixed_method methods[] = { BY_RELIABLE_UPDATES, BY_DEFECT_CORRECTION };
enum { INNERS_COMPARED = sizeof inners / sizeof *inners, METHODS_COMPARED = sizeof methods / sizeof *methods };

typedef struct { double *x, *y; plot_series *of; } curve;

static void add_point(curve *c, double x, double y)
{
    c->x[c->of->count] = x;
    c->y[c->of->count++] = y;
}

/* Of each inner precision and method; the last one is that of double precision. */
typedef struct { curve of[INNERS_COMPARED][METHODS_COMPARED], reference; } mass_curves;

static void begin_curve(solver_bench *b, curve *c, const char *name, plot_style style, int color)
{
    c->of = plot_add(&b->picture, name, style, color);
    c->of->x = c->x = solver_bench_numbers(b, b->o->masses.count);
    c->of->y = c->y = solver_bench_numbers(b, b->o->masses.count);
}

static void make_curves(solver_bench *b, mass_curves *curves)
{
    static char names[INNERS_COMPARED][METHODS_COMPARED][40];
    for (int i = 0; i < INNERS_COMPARED; i++)
        for (int m = 0; m < METHODS_COMPARED; m++) {
            snprintf(names[i][m], sizeof names[i][m], "%s, %s", stored_names[inners[i]],
                     mixed_method_names[methods[m]]);
            begin_curve(b, &curves->of[i][m], names[i][m], m ? PLOT_DASHES_AND_POINTS : PLOT_LINE_AND_POINTS, i);
        }
    if (b->o->plotted == PLOT_SECONDS)
        begin_curve(b, &curves->reference, "double", PLOT_LINE_AND_POINTS, INNERS_COMPARED);
}

/* The numbers of a method: of --delta for reliable updates, of --inner for defect correction. */
static const number_list *numbers_of(const bench_solver_options *o, mixed_method method)
{
    return method == BY_RELIABLE_UPDATES ? &o->deltas : &o->inners;
}

static mixed_rule rule_of(mixed_method method, double number)
{
    mixed_rule rule = mixed_rule_default();
    rule.first = method;
    if (method == BY_RELIABLE_UPDATES)
        rule.delta = number;
    else
        rule.inner = number;
    return rule;
}

/* The system of a mass; `others`: of quarks that are not staggered. */
typedef struct { solver_bench *b; double mass; method_study *others; study_solve reference; } mass_study;

static study_solve solve(const mass_study *s, stored_as inner, const mixed_rule *rule)
{
    const bench_solver_options *o = s->b->o;
    const double shift = 4 * s->mass * s->mass;
    const stop_rule stop = solver_bench_stop(o);
    if (s->others)
        return method_study_solve(s->others, (solver_kind_index)o->method, inner, stop, rule);
    return inner == STORED_DOUBLE ? solver_study_double(s->b->solves, shift, stop)
                                  : solver_study_mixed(s->b->solves, inner, shift, stop, rule);
}

static void add_row(const mass_study *s, stored_as inner, const mixed_rule *rule, const study_solve *of)
{
    solver_bench *b = s->b;
    const int iterations = of->of.solve.iterations;
    const double times = (double)iterations / s->reference.of.solve.iterations;
    const double ratio = of->seconds / s->reference.seconds;
    const char *method = inner == STORED_DOUBLE ? "high precision" : mixed_method_names[rule->first];
    char number[32] = "-";
    json_open(&b->j, NULL, '{');
    json_text(&b->j, "inner", stored_names[inner]);
    json_text(&b->j, "method", method);
    if (inner != STORED_DOUBLE) {
        const bool is_reliable = rule->first == BY_RELIABLE_UPDATES;
        snprintf(number, sizeof number, "%g", is_reliable ? rule->delta : rule->inner);
        json_real(&b->j, is_reliable ? "delta" : "inner_tolerance", is_reliable ? rule->delta : rule->inner);
    }
    solver_bench_solve_to_json(&b->j, of);
    json_close(&b->j);
    text_add(&b->table, "%8g  %-7s %-18s %-6s %8d%s %7.3f %9d %10.2e %10.4f %7.3f  %s\n", s->mass, stored_names[inner],
             method, number, iterations, of->of.solve.converged ? " " : "+", times, of->of.record.residuals,
             of->of.solve.residual, of->seconds, ratio, solver_bench_failure(of));
    text_add(&b->columns, "%g %s \"%s\" %s %d %.4f %.6e %.4f %d %d\n", s->mass, stored_names[inner], method, number,
             iterations, times, of->seconds, ratio, of->of.solve.converged, of->of.record.switches);
    solver_bench_print(b);
}

static void study_method(mass_study *s, stored_as inner, mixed_method method, curve *c)
{
    const number_list *numbers = numbers_of(s->b->o, method);
    for (int i = 0; i < numbers->count; i++) {
        const mixed_rule rule = rule_of(method, numbers->of[i]);
        const study_solve of = solve(s, inner, &rule);
        add_row(s, inner, &rule, &of);
        if (i == 0 && of.of.solve.converged && !of.of.record.switches)
            add_point(c, s->mass, s->b->o->plotted == PLOT_SECONDS ? of.seconds
                                  : (double)of.of.solve.iterations / s->reference.of.solve.iterations);
    }
}

static void study_mass(solver_bench *b, double mass, mass_curves *curves)
{
    const bench_solver_options *o = b->o;
    const mixed_rule rule = mixed_rule_default();
    const method_system system = { .op = solver_bench_operator(o, mass), .u = b->u,
                                   .source = rng_key_for(1, 0, 0, RNG_TEST) };
    mass_study s = { .b = b, .mass = mass };
    if (o->family != STUDY_STAGGERED)
        s.others = method_study_create(&system);
    s.reference = solve(&s, STORED_DOUBLE, &rule);
    json_open(&b->j, NULL, '{');
    json_real(&b->j, "mass", mass);
    json_open(&b->j, "solves", '[');
    add_row(&s, STORED_DOUBLE, &rule, &s.reference);
    if (o->plotted == PLOT_SECONDS && s.reference.of.solve.converged)
        add_point(&curves->reference, mass, s.reference.seconds);
    for (int i = 0; i < INNERS_COMPARED; i++)
        for (int m = 0; m < METHODS_COMPARED; m++)
            study_method(&s, inners[i], methods[m], &curves->of[i][m]);
    json_close(&b->j);
    json_close(&b->j);
    method_study_free(s.others);
}

static void list_to_json(json *j, const char *key, const number_list *list)
{
    json_open(j, key, '[');
    for (int i = 0; i < list->count; i++)
        json_real(j, NULL, list->of[i]);
    json_close(j);
}

bool bench_masses(solver_bench *b)
{
    const bench_solver_options *o = b->o;
    const char *by = solver_kind_names[o->family != STUDY_STAGGERED ? o->method : SOLVER_CG];
    mass_curves curves = { .reference = { 0 } };
    b->picture.title = o->plotted == PLOT_SECONDS ? "Time to solution"
                           : "Iterations, in units of those in double precision";
    b->picture.x_label = "mass";
    b->picture.y_label = o->plotted == PLOT_SECONDS ? "seconds" : "iterations / iterations in double";
    b->picture.log_x = o->family != STUDY_WILSON;
    b->picture.log_y = o->plotted == PLOT_SECONDS;
    make_curves(b, &curves);
    json_text(&b->j, "quarks", study_quarks_names[o->family]);
    json_text(&b->j, "solved_by", by);
    json_real(&b->j, "tolerance", o->tolerance.of[0]);
    list_to_json(&b->j, "deltas", &o->deltas);
    list_to_json(&b->j, "inner_tolerances", &o->inners);
    json_open(&b->j, "masses", '[');
    text_add(&b->table, "%s quarks by %s, until the true residual is %g\n\n"
                        "%8s  %-7s %-18s %-6s %9s %7s %9s %10s %10s %7s  %s\n", study_quarks_names[o->family], by,
             o->tolerance.of[0], "mass", "inner", "method", "", "iter.", "ratio", "residuals", "residual", "time [s]",
             "ratio", "ended by");
    text_add(&b->columns, "# mass, inner precision, method, delta or inner residual, iterations, the same in units of "
                          "double, seconds, the same in units of double, converged, switches\n");
    for (int i = 0; i < o->masses.count; i++)
        study_mass(b, o->masses.of[i], &curves);
    json_close(&b->j);
    text_add(&b->table, "\nreliable updates: with delta; defect correction: with the reduction of |r| in a cycle\n"
                        "ratio: to double; residuals: computed in double; +: not converged when stopped\n");
    return true;
}
