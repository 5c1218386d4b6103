/* bench_methods.c - conjugate gradients against BiCGstab(l) as a function of the quark mass, in several precisions.
 *
 * As M. A. Clark et al., arXiv:0911.3191, for Wilson quarks, and arXiv:2302.09224, section 6.1, for the staggered
 * operator on all sites. */
#include "src/base/log.h"
#include "src/bench/method_study.h"
#include "src/cli/bench/bench_studies.h"
#include "src/solvers/multigrid/multigrid.h"

#include <stdio.h>

typedef struct { double *x, *y; plot_series *of; } curve;

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
    if (s->setup > 0)
        json_real(&b->j, "setup_seconds", s->setup);
    json_close(&b->j);
    text_add(&b->table, "%8g  %-9s %-7s %8d%s %7.3f %8d %8d %10.2e %10.4f %7.3f  %s\n", mass,
             solver_kind_names[method], stored_names[inner], of->iterations, of->converged ? " " : "+", times,
             s->of.record.updates, of->restarts, of->residual, s->seconds, s->seconds / reference->seconds, ended_by);
    text_add(&b->columns, "%g %s %s %d %.4f %.6e %.4f %d\n", mass, solver_kind_names[method], stored_names[inner],
             of->iterations, times, s->seconds, s->seconds / reference->seconds, of->converged);
    if (s->setup > 0)
        text_add(&b->table, "%8s  and once for all solves with these links: %.4f s\n", "", s->setup);
    solver_bench_print(b);
}

static void add_point(curve *c, double x, double y)
{
    c->x[c->of->count] = x;
    c->y[c->of->count++] = y;
}

static void study_mass(solver_bench *b, double mass, curve curves[SOLVER_KINDS])
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
            if (inner == STORED_DOUBLE && s.of.solve.converged)
                add_point(&curves[method], mass, o->plotted == PLOT_SECONDS ? s.seconds : s.of.solve.iterations);
        }
    json_close(&b->j);
    json_close(&b->j);
    method_study_free(study);
}

static void settings_to_json(json *j, const multigrid_settings *s)
{
    json_open(j, "multigrid", '{');
    json_open(j, "block", '[');
    for (int mu = 0; mu < 4; mu++)
        json_int(j, NULL, s->block[mu]);
    json_close(j);
    json_int(j, "vectors", s->vectors);
    json_int(j, "setup_iterations", s->setup_iterations);
    json_int(j, "setup_passes", s->setup_passes);
    json_int(j, "pre_smooth", s->pre_smooth);
    json_int(j, "post_smooth", s->post_smooth);
    json_text(j, "smoother_precision", smoothed_names[s->smoothed]);
    json_real(j, "coarse_residual", s->coarse_residual);
    json_int(j, "coarse_iterations", s->coarse_iterations);
    json_close(j);
}

static void settings_to_text(text *t, const multigrid_settings *s)
{
    text_add(t, "multigrid: blocks of %d %d %d %d, %d vectors, set-up %d iterations and %d passes, smoothing %d + %d "
                "steps in %s, coarse residual %g in at most %d iterations\n\n", s->block[0], s->block[1], s->block[2],
             s->block[3], s->vectors, s->setup_iterations, s->setup_passes, s->pre_smooth, s->post_smooth,
             smoothed_names[s->smoothed], s->coarse_residual, s->coarse_iterations);
}

/* The settings of multigrid, or why it has no row; false if it alone was asked for. */
static bool report_multigrid(solver_bench *b)
{
    const bench_solver_options *o = b->o;
    const lattice_shape *shape = lattice_shape_of(b->u->links.lattice);
    const multigrid_settings wanted = multigrid_params_settings(&o->multigrid);
    const multigrid_settings s = multigrid_settings_for(&wanted, shape->global);
    failure why;
    if (o->family != STUDY_WILSON || !is_studied(o, SOLVER_MULTIGRID, STORED_SINGLE))
        return true;
    if (multigrid_is_possible(shape, &s, &why)) {
        settings_to_json(&b->j, &s);
        settings_to_text(&b->table, &s);
        return true;
    }
    if (o->method != SOLVER_MULTIGRID)
        text_add(&b->table, "multigrid is not possible: %s\n\n", why.why);
    else
        log_line(LOG_ERROR, "multigrid is not possible: %s", why.why);
    return o->method != SOLVER_MULTIGRID;
}

bool bench_methods(solver_bench *b)
{
    curve curves[SOLVER_KINDS];
    const bool seconds = b->o->plotted == PLOT_SECONDS;
    b->picture.title = seconds ? "Time to solution in double precision" : "Iterations in double precision";
    b->picture.x_label = "mass";
    b->picture.y_label = seconds ? "seconds" : "iterations";
    b->picture.log_y = true;
    for (solver_kind_index method = SOLVER_CG; method < SOLVER_KINDS; method++) {
        curve *c = &curves[method];
        c->of = plot_add(&b->picture, solver_kind_names[method], PLOT_LINE_AND_POINTS, (int)method);
        c->of->x = c->x = solver_bench_numbers(b, b->o->masses.count);
        c->of->y = c->y = solver_bench_numbers(b, b->o->masses.count);
    }
    if (!report_multigrid(b))
        return false;
    json_text(&b->j, "quarks", study_quarks_names[b->o->family]);
    solver_bench_wilson_to_json(&b->j, b->o);
    json_real(&b->j, "tolerance", b->o->tolerance.of[0]);
    json_open(&b->j, "masses", '[');
    text_add(&b->table, "%s quarks", study_quarks_names[b->o->family]);
    solver_bench_add_anisotropy(&b->table, b->o);
    text_add(&b->table, ", until the true residual is %g; an iteration is two products with the matrix\n",
             b->o->tolerance.of[0]);
    for (int i = 0; i < b->o->kappas.count; i++)
        text_add(&b->table, "mass %g: kappa %g\n", b->o->masses.of[i], b->o->kappas.of[i]);
    text_add(&b->table, "\n%8s  %-9s %-7s %9s %7s %8s %8s %10s %10s %7s  %s\n",
             "mass", "method", "inner", "iter.", "ratio", "updates", "restarts", "residual",
             "time [s]", "ratio", "ended by");
    text_add(&b->columns, "# mass, method, inner precision, iterations, the same in units of the first row of the "
                          "mass, seconds, the same in units of the first row, converged\n");
    for (int i = 0; i < b->o->masses.count; i++)
        study_mass(b, b->o->masses.of[i], curves);
    json_close(&b->j);
    text_add(&b->table, "\nratio: to the first row of the mass; +: not converged when stopped\n");
    return true;
}
