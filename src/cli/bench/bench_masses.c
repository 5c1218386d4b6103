/* bench_masses.c - reliable updates against defect correction as a function of the quark mass, of delta and of the
 * inner residual; for Wilson quarks beside multigrid.
 *
 * As M. A. Clark et al., arXiv:0911.3191, Tables 3 to 5 and Figure 7, compare them for BiCGstab and Wilson quarks.
 * Staggered quarks are solved by conjugate gradients for K + 4 m^2, the others by the method of the options. */
#include "src/bench/method_study.h"
#include "src/cli/bench/bench_multigrid.h"
#include "src/cli/bench/bench_studies.h"

#include <stdio.h>

static const stored_as inners[] = { STORED_HALF, STORED_INT20, STORED_SINGLE };
static const mixed_method methods[] = { BY_RELIABLE_UPDATES, BY_DEFECT_CORRECTION };
enum { INNERS_COMPARED = sizeof inners / sizeof *inners, METHODS_COMPARED = sizeof methods / sizeof *methods };

/* Of each inner precision and method, of double precision, and of multigrid; is_there: whether it has rows. */
typedef struct {
    bench_curve of[INNERS_COMPARED][METHODS_COMPARED], reference;
    bool is_there;
    multigrid_curves multigrid;
} mass_curves;

static bench_curve begin_curve(solver_bench *b, const char *name, plot_style style, int color)
{
    return solver_bench_curve_begin(b, name, style, color, b->o->masses.count);
}

static void make_curves(solver_bench *b, mass_curves *curves)
{
    static char names[INNERS_COMPARED][METHODS_COMPARED][40];
    for (int i = 0; i < INNERS_COMPARED; i++)
        for (int m = 0; m < METHODS_COMPARED; m++) {
            snprintf(names[i][m], sizeof names[i][m], "%s, %s", stored_names[inners[i]],
                     mixed_method_names[methods[m]]);
            curves->of[i][m] = begin_curve(b, names[i][m], m ? PLOT_DASHES_AND_POINTS : PLOT_LINE_AND_POINTS, i);
        }
    if (b->o->plotted == PLOT_SECONDS)
        curves->reference = begin_curve(b, "double", PLOT_LINE_AND_POINTS, INNERS_COMPARED);
    if (curves->is_there)
        curves->multigrid = bench_multigrid_curves(b, INNERS_COMPARED + 1);
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

/* The words of a row for its method, and for its number. */
typedef struct { const char *method; char number[32]; } row_words;

static void finish_row(const mass_study *s, stored_as inner, const row_words *words, const study_solve *of,
                       const char *setup)
{
    solver_bench *b = s->b;
    const int iterations = of->of.solve.iterations;
    const double times = (double)iterations / s->reference.of.solve.iterations;
    const double ratio = of->seconds / s->reference.seconds;
    solver_bench_solve_to_json(&b->j, of);
    json_close(&b->j);
    text_add(&b->table, "%8g  %-7s %-18s %-6s %8d%s %7.3f %9d %10.2e %10.4f %7.3f %10s  %s\n", s->mass,
             stored_names[inner], words->method, words->number, iterations, of->of.solve.converged ? " " : "+", times,
             of->of.record.residuals, of->of.solve.residual, of->seconds, ratio, setup, solver_bench_failure(of));
    text_add(&b->columns, "%g %s \"%s\" %s %d %.4f %.6e %.4f %d %d %.6e\n", s->mass, stored_names[inner],
             words->method, words->number, iterations, times, of->seconds, ratio, of->of.solve.converged,
             of->of.record.switches, of->setup);
    solver_bench_print(b);
}

static void begin_row(const mass_study *s, stored_as inner, const row_words *words)
{
    json_open(&s->b->j, NULL, '{');
    json_text(&s->b->j, "inner", stored_names[inner]);
    json_text(&s->b->j, "method", words->method);
}

static void add_row(const mass_study *s, stored_as inner, const mixed_rule *rule, const study_solve *of)
{
    row_words words = { inner == STORED_DOUBLE ? "high precision" : mixed_method_names[rule->first], "-" };
    begin_row(s, inner, &words);
    if (inner != STORED_DOUBLE) {
        const bool is_reliable = rule->first == BY_RELIABLE_UPDATES;
        const double number = is_reliable ? rule->delta : rule->inner;
        snprintf(words.number, sizeof words.number, "%g", number);
        json_real(&s->b->j, is_reliable ? "delta" : "inner_tolerance", number);
    }
    finish_row(s, inner, &words, of, "-");
}

static void study_multigrid(const mass_study *s, multigrid_curves *curves)
{
    const mixed_rule rule = mixed_rule_default();
    const study_solve of = method_study_solve(s->others, SOLVER_MULTIGRID, STORED_SINGLE, solver_bench_stop(s->b->o),
                                              &rule);
    const row_words words = { solver_kind_names[SOLVER_MULTIGRID], "-" };
    char setup[32];
    snprintf(setup, sizeof setup, "%.4f", of.setup);
    begin_row(s, STORED_SINGLE, &words);
    json_real(&s->b->j, "setup_seconds", of.setup);
    finish_row(s, STORED_SINGLE, &words, &of, setup);
    bench_multigrid_add_point(curves, s->mass, &of,
                              (double)of.of.solve.iterations / s->reference.of.solve.iterations);
}

static void study_method(mass_study *s, stored_as inner, mixed_method method, bench_curve *c)
{
    const number_list *numbers = numbers_of(s->b->o, method);
    for (int i = 0; i < numbers->count; i++) {
        const mixed_rule rule = rule_of(method, numbers->of[i]);
        const study_solve of = solve(s, inner, &rule);
        add_row(s, inner, &rule, &of);
        if (i == 0 && of.of.solve.converged && !of.of.record.switches)
            solver_bench_curve_add(c, s->mass, s->b->o->plotted == PLOT_SECONDS ? of.seconds
                                       : (double)of.of.solve.iterations / s->reference.of.solve.iterations);
    }
}

static void study_mass(solver_bench *b, double mass, mass_curves *curves)
{
    const bench_solver_options *o = b->o;
    const mixed_rule rule = mixed_rule_default();
    const method_system system = { .op = solver_bench_operator(o, mass), .u = b->u,
                                   .source = rng_key_for(1, 0, 0, RNG_TEST),
                                   .multigrid = multigrid_params_settings(&o->multigrid) };
    mass_study s = { .b = b, .mass = mass };
    if (o->family != STUDY_STAGGERED)
        s.others = method_study_create(&system);
    s.reference = solve(&s, STORED_DOUBLE, &rule);
    json_open(&b->j, NULL, '{');
    json_real(&b->j, "mass", mass);
    json_open(&b->j, "solves", '[');
    add_row(&s, STORED_DOUBLE, &rule, &s.reference);
    if (o->plotted == PLOT_SECONDS && s.reference.of.solve.converged)
        solver_bench_curve_add(&curves->reference, mass, s.reference.seconds);
    for (int i = 0; i < INNERS_COMPARED; i++)
        for (int m = 0; m < METHODS_COMPARED; m++)
            study_method(&s, inners[i], methods[m], &curves->of[i][m]);
    if (curves->is_there)
        study_multigrid(&s, &curves->multigrid);
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
    mass_curves curves = { .is_there = false };
    failure why;
    b->picture.title = o->plotted == PLOT_SECONDS ? "Time to solution"
                           : "Iterations, in units of those in double precision";
    b->picture.x_label = "mass";
    b->picture.y_label = o->plotted == PLOT_SECONDS ? "seconds" : "iterations / iterations in double";
    b->picture.log_x = o->family != STUDY_WILSON;
    b->picture.log_y = o->plotted == PLOT_SECONDS;
    curves.is_there = o->family == STUDY_WILSON && bench_multigrid_begin(b, &why);
    make_curves(b, &curves);
    json_text(&b->j, "quarks", study_quarks_names[o->family]);
    solver_bench_wilson_to_json(&b->j, o);
    json_text(&b->j, "solved_by", by);
    json_real(&b->j, "tolerance", o->tolerance.of[0]);
    list_to_json(&b->j, "deltas", &o->deltas);
    list_to_json(&b->j, "inner_tolerances", &o->inners);
    json_open(&b->j, "masses", '[');
    text_add(&b->table, "%s quarks by %s, until the true residual is %g\n\n"
                        "%8s  %-7s %-18s %-6s %9s %7s %9s %10s %10s %7s %10s  %s\n", study_quarks_names[o->family],
             by, o->tolerance.of[0], "mass", "inner", "method", "", "iter.", "ratio", "residuals", "residual",
             "time [s]", "ratio", "set-up [s]", "ended by");
    text_add(&b->columns, "# mass, inner precision, method, delta or inner residual, iterations, the same in units of "
                          "double, seconds, the same in units of double, converged, switches, seconds of the set-up\n");
    for (int i = 0; i < o->masses.count; i++)
        study_mass(b, o->masses.of[i], &curves);
    json_close(&b->j);
    text_add(&b->table, "\nreliable updates: with delta; defect correction: with the reduction of |r| in a cycle\n"
                        "ratio: to double; residuals: computed in double; +: not converged when stopped\n%s",
             curves.is_there ? "multigrid: an iteration is a product in double and a cycle; its set-up is made once "
                               "for all solves with\nthese links, and not in the time\n" : "");
    return true;
}
