/* bench_masses.c - reliable updates against defect correction as a function of the quark mass.
 *
 * As M. A. Clark et al., arXiv:0911.3191, Tables 3 to 5, compare them for BiCGstab and Wilson quarks; here conjugate
 * gradients and staggered quarks. */
#include "src/cli/bench/bench_studies.h"

#include <stdio.h>

static const stored_as inners[] = { STORED_HALF, STORED_INT20, STORED_SINGLE };
static const mixed_method methods[] = { BY_RELIABLE_UPDATES, BY_DEFECT_CORRECTION };
enum { INNERS_COMPARED = sizeof inners / sizeof *inners, METHODS = sizeof methods / sizeof *methods };

typedef struct { double *x, *y; plot_series *of; } curve;

static void add_point(curve *c, double x, double y)
{
    c->x[c->of->count] = x;
    c->y[c->of->count++] = y;
}

static void make_curves(solver_bench *b, curve curves[INNERS_COMPARED][METHODS])
{
    static char names[INNERS_COMPARED][METHODS][40];
    for (int i = 0; i < INNERS_COMPARED; i++)
        for (int m = 0; m < METHODS; m++) {
            curve *c = &curves[i][m];
            snprintf(names[i][m], sizeof names[i][m], "%s, %s", stored_names[inners[i]],
                     mixed_method_names[methods[m]]);
            c->of = plot_add(&b->picture, names[i][m], m ? PLOT_DASHES_AND_POINTS : PLOT_LINE_AND_POINTS, i);
            c->of->x = c->x = solver_bench_numbers(b, b->o->masses.count);
            c->of->y = c->y = solver_bench_numbers(b, b->o->masses.count);
        }
}

static void add_row(solver_bench *b, double mass, const char *inner, const char *method, const study_solve *s,
                    const study_solve *reference)
{
    int iterations = s->of.solve.iterations;
    double times = (double)iterations / reference->of.solve.iterations;
    json_open(&b->j, NULL, '{');
    json_text(&b->j, "inner", inner);
    json_text(&b->j, "method", method);
    solver_bench_solve_to_json(&b->j, s);
    json_close(&b->j);
    text_add(&b->table, "%8g  %-7s %-18s %8d%s %7.3f %9d %10.2e %10.4f %7.3f  %s\n", mass, inner, method, iterations,
             s->of.solve.converged ? " " : "+", times, s->of.record.residuals, s->of.solve.residual, s->seconds,
             s->seconds / reference->seconds, s->of.record.switches ? mixed_method_names[s->of.record.last] : "");
    text_add(&b->columns, "%g %s \"%s\" %d %.4f %.6e %.4f %d %d\n", mass, inner, method, iterations, times, s->seconds,
             s->seconds / reference->seconds, s->of.solve.converged, s->of.record.switches);
}

static void study_mass(solver_bench *b, double mass, curve curves[INNERS_COMPARED][METHODS])
{
    double shift = 4 * mass * mass;
    stop_rule stop = { b->o->tolerance.of[0], b->o->max_iterations ? (int)b->o->max_iterations : 100000 };
    study_solve reference = solver_study_double(b->solves, shift, stop);
    json_open(&b->j, NULL, '{');
    json_real(&b->j, "mass", mass);
    json_open(&b->j, "solves", '[');
    add_row(b, mass, "double", "high precision", &reference, &reference);
    for (int i = 0; i < INNERS_COMPARED; i++)
        for (int m = 0; m < METHODS; m++) {
            mixed_rule rule = mixed_rule_default();
            rule.first = methods[m];
            rule.inner = b->o->inner;
            study_solve s = solver_study_mixed(b->solves, inners[i], shift, stop, &rule);
            add_row(b, mass, stored_names[inners[i]], mixed_method_names[methods[m]], &s, &reference);
            if (s.of.solve.converged && !s.of.record.switches)
                add_point(&curves[i][m], mass, (double)s.of.solve.iterations / reference.of.solve.iterations);
        }
    json_close(&b->j);
    json_close(&b->j);
}

bool bench_masses(solver_bench *b)
{
    curve curves[INNERS_COMPARED][METHODS];
    b->picture.title = "Iterations of conjugate gradients, in units of those in double precision";
    b->picture.x_label = "mass";
    b->picture.y_label = "iterations / iterations in double";
    b->picture.log_x = true;
    make_curves(b, curves);
    json_real(&b->j, "tolerance", b->o->tolerance.of[0]);
    json_real(&b->j, "inner_tolerance", b->o->inner);
    json_open(&b->j, "masses", '[');
    text_add(&b->table, "until the true residual is %g; a cycle of defect correction: until it has fallen by %g\n\n"
                        "%8s  %-7s %-18s %9s %7s %9s %10s %10s %7s  %s\n", b->o->tolerance.of[0], b->o->inner, "mass",
             "inner", "method", "iter.", "ratio", "residuals", "residual", "time [s]", "ratio", "handed over to");
    text_add(&b->columns, "# mass, inner precision, method, iterations, the same in units of double, seconds, the same "
                          "in units of double, converged, switches\n");
    for (int i = 0; i < b->o->masses.count; i++)
        study_mass(b, b->o->masses.of[i], curves);
    json_close(&b->j);
    text_add(&b->table, "\nratio: to double; residuals: computed in double; +: not converged when stopped\n");
    return true;
}
