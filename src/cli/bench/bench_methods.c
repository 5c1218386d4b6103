/* bench_methods.c - conjugate gradients against BiCGstab(l) as a function of the quark mass, in several precisions.
 *
 * As M. A. Clark et al., arXiv:0911.3191, for Wilson quarks, and arXiv:2302.09224, section 6.1, for the staggered
 * operator on all sites. */
#include "src/bench/method_study.h"
#include "src/cli/bench/bench_studies.h"

#include <stdio.h>

const char *const bench_quarks_names[] = { "staggered", "wilson", NULL };

static const solver_kind kinds[] = { SOLVER_DOUBLE, SOLVER_DOUBLE_SINGLE, SOLVER_DOUBLE_INT20, SOLVER_DOUBLE_HALF };
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct { double *x, *y; plot_series *of; } curve;

static const char *fallback_of(const method_solve *s)
{
    return s->of.fallback ? mixed_failure_names[s->of.fallback] : "";
}

static void add_row(solver_bench *b, double mass, solver_method method, solver_kind kind, const method_solve *s,
                    const method_solve *reference)
{
    const double times = (double)s->of.iterations / reference->of.iterations;
    json_open(&b->j, NULL, '{');
    json_text(&b->j, "method", solver_method_names[method]);
    json_text(&b->j, "solver", solver_names[kind]);
    json_bool(&b->j, "converged", s->of.converged);
    json_int(&b->j, "iterations", s->of.iterations);
    json_int(&b->j, "updates", s->of.record.updates);
    json_int(&b->j, "restarts", s->of.restarts);
    json_text(&b->j, "failure", s->of.fallback ? fallback_of(s) : NULL);
    json_real(&b->j, "true_residual", s->of.residual);
    json_real(&b->j, "seconds", s->seconds);
    json_close(&b->j);
    text_add(&b->table, "%8g  %-9s %-13s %8d%s %7.3f %8d %8d %10.2e %10.4f %7.3f  %s\n", mass,
             solver_method_names[method], solver_names[kind], s->of.iterations, s->of.converged ? " " : "+", times,
             s->of.record.updates, s->of.restarts, s->of.residual, s->seconds, s->seconds / reference->seconds,
             fallback_of(s));
    text_add(&b->columns, "%g %s %s %d %.4f %.6e %.4f %d\n", mass, solver_method_names[method], solver_names[kind],
             s->of.iterations, times, s->seconds, s->seconds / reference->seconds, s->of.converged);
}

static void add_point(curve *c, double x, double y)
{
    c->x[c->of->count] = x;
    c->y[c->of->count++] = y;
}

static void study_mass(solver_bench *b, double mass, curve curves[SOLVER_METHODS])
{
    const bench_solver_options *o = b->o;
    const stop_rule stop = { o->tolerance.of[0], o->max_iterations ? (int)o->max_iterations : 100000 };
    const method_system system = { .u = b->u, .staggered = o->family == BENCH_STAGGERED ? b->links : NULL,
                                   .c_sw = o->c_sw, .mass = mass, .source = rng_key_for(1, 0, 0, RNG_TEST) };
    method_solve reference = { .seconds = 0 };
    json_open(&b->j, NULL, '{');
    json_real(&b->j, "mass", mass);
    json_open(&b->j, "solves", '[');
    for (solver_method method = METHOD_CG; method < SOLVER_METHODS; method++)
        for (int i = 0; i < KINDS; i++) {
            if (!method_study_has(&system, method, kinds[i]))
                continue;
            const method_solve s = method_study_solve(&system, method, kinds[i], stop);
            if (method == METHOD_CG && kinds[i] == SOLVER_DOUBLE)
                reference = s;
            add_row(b, mass, method, kinds[i], &s, &reference);
            if (kinds[i] == SOLVER_DOUBLE && s.of.converged && !s.of.fallback)
                add_point(&curves[method], mass, s.of.iterations);
        }
    json_close(&b->j);
    json_close(&b->j);
}

bool bench_methods(solver_bench *b)
{
    curve curves[SOLVER_METHODS];
    b->picture.title = "Iterations in double precision";
    b->picture.x_label = "mass";
    b->picture.y_label = "iterations";
    for (solver_method method = METHOD_CG; method < SOLVER_METHODS; method++) {
        curve *c = &curves[method];
        c->of = plot_add(&b->picture, solver_method_names[method], PLOT_LINE_AND_POINTS, (int)method);
        c->of->x = c->x = solver_bench_numbers(b, b->o->masses.count);
        c->of->y = c->y = solver_bench_numbers(b, b->o->masses.count);
    }
    json_text(&b->j, "quarks", bench_quarks_names[b->o->family]);
    json_real(&b->j, "c_sw", b->o->c_sw);
    json_real(&b->j, "tolerance", b->o->tolerance.of[0]);
    json_open(&b->j, "masses", '[');
    text_add(&b->table, "%s quarks, until the true residual is %g; an iteration is two products with the matrix\n\n"
                        "%8s  %-9s %-13s %9s %7s %8s %8s %10s %10s %7s  %s\n", bench_quarks_names[b->o->family],
             b->o->tolerance.of[0], "mass", "method", "solver", "iter.", "ratio", "updates", "restarts", "residual",
             "time [s]", "ratio", "BiCGstab failed because");
    text_add(&b->columns, "# mass, method, solver, iterations, the same in units of cg in double, seconds, the same in "
                          "units of cg in double, converged\n");
    for (int i = 0; i < b->o->masses.count; i++)
        study_mass(b, b->o->masses.of[i], curves);
    json_close(&b->j);
    text_add(&b->table, "\nratio: to cg in double; +: not converged when stopped\n");
    return true;
}
