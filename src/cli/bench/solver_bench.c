/* solver_bench.c - numbers and reports that all studies of solvers share. */
#include "src/cli/bench/solver_bench.h"

#include "src/base/memory.h"
#include "src/solvers/solver_kinds.h"

#include <stdio.h>
#include <string.h>

const char *const bench_plot_names[] = { "iterations", "seconds", NULL };

study_operator solver_bench_operator(const bench_solver_options *o, double mass)
{
    return (study_operator){ .quarks = (study_quarks)o->family, .mass = mass, .Ls = (int)o->Ls, .wilson = o->wilson };
}

void solver_bench_wilson_to_json(json *j, const bench_solver_options *o)
{
    const wilson_operator_input *in = &o->wilson;
    if (o->family != STUDY_WILSON)
        return;
    if (!in->given.c_s)
        json_real(j, "c_sw", in->c_sw);
    if (!in->given.xi_0)
        return;
    json_real(j, "xi_0", in->xi_0);
    json_real(j, "nu", wilson_operator_nu(in));
    if (in->given.c_s) {
        json_real(j, "c_s", in->c_s);
        json_real(j, "c_t", in->c_t);
    }
}

void solver_bench_add_anisotropy(text *t, const bench_solver_options *o)
{
    const wilson_operator_input *in = &o->wilson;
    if (in->given.xi_0)
        text_add(t, ", xi_0 = %g, nu = %g", in->xi_0, wilson_operator_nu(in));
    if (in->given.c_s)
        text_add(t, ", c_s = %g, c_t = %g", in->c_s, in->c_t);
}

bool solver_bench_has(const bench_solver_options *o, stored_as in)
{
    return o->precisions >> in & 1;
}

double *solver_bench_numbers(solver_bench *b, int count)
{
    require(b->owned < (int)(sizeof b->numbers / sizeof *b->numbers), "too many curves in a picture");
    double *numbers = memory_alloc(((size_t)count + 1) * sizeof *numbers, "a curve");
    return b->numbers[b->owned++] = numbers;
}

bench_curve solver_bench_curve_begin(solver_bench *b, const char *name, plot_style style, int color, int count)
{
    bench_curve c = { solver_bench_numbers(b, count), solver_bench_numbers(b, count),
                      plot_add(&b->picture, name, style, color) };
    c.of->x = c.x;
    c.of->y = c.y;
    return c;
}

void solver_bench_curve_add(bench_curve *c, double x, double y)
{
    c->x[c->of->count] = x;
    c->y[c->of->count++] = y;
}

void solver_bench_solve_to_json(json *j, const study_solve *s)
{
    const mixed_record *r = &s->of.record;
    json_bool(j, "converged", s->of.solve.converged);
    json_int(j, "iterations", s->of.solve.iterations);
    json_real(j, "residual", s->of.solve.residual);
    json_real(j, "seconds", s->seconds);
    json_int(j, "updates", r->updates);
    json_int(j, "residuals_in_double", r->residuals);
    json_int(j, "switches", r->switches);
    json_text(j, "method_at_the_end", mixed_method_names[r->last]);
}

void solver_bench_print(solver_bench *b)
{
    if (b->o->json)
        return;
    const char *all = text_string(&b->table);
    fputs(all + b->printed, stdout);
    fflush(stdout);
    b->printed = strlen(all);
}

enum { MOST_ITERATIONS = 100000 };

stop_rule solver_bench_stop(const bench_solver_options *o)
{
    return (stop_rule){ o->tolerance.of[0], o->max_iterations ? (int)o->max_iterations : MOST_ITERATIONS };
}

const char *solver_bench_failure(const study_solve *s)
{
    const mixed_record *r = &s->of.record;
    for (int m = 0; m < MIXED_METHODS; m++)
        if (r->why[m] && !s->of.solve.converged)
            return mixed_failure_names[r->why[m]];
    return r->switches ? mixed_method_names[r->last] : "";
}
