/* bench_methods.c - conjugate gradients, BiCGstab(l) and multigrid as a function of the quark mass, in several
 * precisions.
 *
 * As M. A. Clark et al., arXiv:0911.3191, for Wilson quarks, and arXiv:2302.09224, section 6.1, for the staggered
 * operator on all sites. */
#include "src/base/log.h"
#include "src/bench/method_study.h"
#include "src/cli/bench/bench_multigrid.h"
#include "src/cli/bench/bench_studies.h"

#include <stdio.h>

/* Of double precision, and of multigrid; is_there: whether multigrid has rows. */
typedef struct { bench_curve of[SOLVER_KINDS]; bool is_there; multigrid_curves multigrid; } method_curves;

static bool is_studied(const bench_solver_options *o, solver_kind_index method, stored_as inner)
{
    return (o->method < 0 || o->method == (int)method) && solver_bench_has(o, inner);
}

static void add_row(solver_bench *b, double mass, solver_kind_index method, stored_as inner, const study_solve *s,
                    const study_solve *reference)
{
    const solve_result *of = &s->of.solve;
    const char *ended_by = solver_bench_failure(s);
    const double times = (double)of->iterations / reference->of.solve.iterations;
    char setup[32] = "-";
    json_open(&b->j, NULL, '{');
    json_text(&b->j, "method", solver_kind_names[method]);
    json_text(&b->j, "inner", stored_names[inner]);
    json_bool(&b->j, "converged", of->converged);
    json_int(&b->j, "iterations", of->iterations);
    json_int(&b->j, "updates", s->of.record.updates);
    json_int(&b->j, "restarts", of->restarts);
    json_text(&b->j, "failure", *ended_by ? ended_by : NULL);
    json_real(&b->j, "true_residual", of->residual);
    json_real(&b->j, "seconds", s->seconds);
    if (method == SOLVER_MULTIGRID) {
        json_real(&b->j, "setup_seconds", s->setup);
        snprintf(setup, sizeof setup, "%.4f", s->setup);
    }
    json_close(&b->j);
    text_add(&b->table, "%8g  %-9s %-7s %8d%s %7.3f %8d %8d %10.2e %10.4f %7.3f %10s  %s\n", mass,
             solver_kind_names[method], stored_names[inner], of->iterations, of->converged ? " " : "+", times,
             s->of.record.updates, of->restarts, of->residual, s->seconds, s->seconds / reference->seconds, setup,
             ended_by);
    text_add(&b->columns, "%g %s %s %d %.4f %.6e %.4f %d %.6e\n", mass, solver_kind_names[method], stored_names[inner],
             of->iterations, times, s->seconds, s->seconds / reference->seconds, of->converged, s->setup);
    solver_bench_print(b);
}

static void study_mass(solver_bench *b, double mass, method_curves *curves)
{
    const bench_solver_options *o = b->o;
    const mixed_rule rule = mixed_rule_default();
    const method_system system = { .op = solver_bench_operator(o, mass), .u = b->u, .staggered = b->links,
                                   .source = rng_key_for(1, 0, 0, RNG_TEST),
                                   .multigrid = multigrid_params_settings(&o->multigrid) };
    method_study *study = method_study_create(&system);
    study_solve reference = { .seconds = 0 };
    json_open(&b->j, NULL, '{');
    json_real(&b->j, "mass", mass);
    if (o->family == STUDY_WILSON)
        json_real(&b->j, "kappa", 1 / (2 * mass + 8));
    json_open(&b->j, "solves", '[');
    for (solver_kind_index method = SOLVER_CG; method < SOLVER_KINDS; method++)
        for (stored_as inner = STORED_DOUBLE; inner < SOLVER_STORAGES; inner++) {
            if (!is_studied(o, method, inner) || !method_study_has(study, method, inner))
                continue;
            const study_solve s = method_study_solve(study, method, inner, solver_bench_stop(o), &rule);
            if (reference.seconds == 0)
                reference = s;
            add_row(b, mass, method, inner, &s, &reference);
            if (method == SOLVER_MULTIGRID)
                bench_multigrid_add_point(&curves->multigrid, mass, &s, s.of.solve.iterations);
            else if (inner == STORED_DOUBLE && s.of.solve.converged)
                solver_bench_curve_add(&curves->of[method], mass,
                                       o->plotted == PLOT_SECONDS ? s.seconds : s.of.solve.iterations);
        }
    json_close(&b->j);
    json_close(&b->j);
    method_study_free(study);
}

/* False after a message if only multigrid is requested, but it is not possible. */
static bool begin_multigrid(solver_bench *b, bool *is_there)
{
    const bench_solver_options *o = b->o;
    failure why;
    *is_there = false;
    if (o->family != STUDY_WILSON || !is_studied(o, SOLVER_MULTIGRID, STORED_SINGLE))
        return true;
    *is_there = bench_multigrid_begin(b, &why);
    if (!*is_there && o->method == SOLVER_MULTIGRID)
        log_line(LOG_ERROR, "multigrid is not possible: %s", why.why);
    return *is_there || o->method != SOLVER_MULTIGRID;
}

static void make_curves(solver_bench *b, method_curves *curves)
{
    const bool seconds = b->o->plotted == PLOT_SECONDS;
    b->picture.title = seconds ? "Time to solution in double precision" : "Iterations in double precision";
    b->picture.x_label = "mass";
    b->picture.y_label = seconds ? "seconds" : "iterations";
    b->picture.log_y = true;
    for (solver_kind_index method = SOLVER_CG; method < SOLVER_MULTIGRID; method++)
        curves->of[method] = solver_bench_curve_begin(b, solver_kind_names[method], PLOT_LINE_AND_POINTS, (int)method,
                                                      b->o->masses.count);
    if (curves->is_there)
        curves->multigrid = bench_multigrid_curves(b, SOLVER_MULTIGRID);
}

bool bench_methods(solver_bench *b)
{
    method_curves curves = { .is_there = false };
    if (!begin_multigrid(b, &curves.is_there))
        return false;
    make_curves(b, &curves);
    json_text(&b->j, "quarks", study_quarks_names[b->o->family]);
    solver_bench_wilson_to_json(&b->j, b->o);
    json_real(&b->j, "tolerance", b->o->tolerance.of[0]);
    json_open(&b->j, "masses", '[');
    text_add(&b->table, "%s quarks", study_quarks_names[b->o->family]);
    solver_bench_add_anisotropy(&b->table, b->o);
    text_add(&b->table, ", until the true residual is %g; an iteration is two products with the matrix%s\n",
             b->o->tolerance.of[0], curves.is_there ? ", of multigrid one and a cycle" : "");
    for (int i = 0; i < b->o->kappas.count; i++)
        text_add(&b->table, "mass %g: kappa %g\n", b->o->masses.of[i], b->o->kappas.of[i]);
    text_add(&b->table, "\n%8s  %-9s %-7s %9s %7s %8s %8s %10s %10s %7s %10s  %s\n",
             "mass", "method", "inner", "iter.", "ratio", "updates", "restarts", "residual",
             "time [s]", "ratio", "set-up [s]", "ended by");
    text_add(&b->columns, "# mass, method, inner precision, iterations, the same in units of the first row of the "
                          "mass, seconds, the same in units of the first row, converged, seconds of the set-up\n");
    for (int i = 0; i < b->o->masses.count; i++)
        study_mass(b, b->o->masses.of[i], &curves);
    json_close(&b->j);
    text_add(&b->table, "\nratio: to the first row of the mass; +: not converged when stopped%s\n",
             curves.is_there ? "; set-up: of multigrid, once for\nall solves with these links, and not in the time"
                             : "");
    return true;
}
