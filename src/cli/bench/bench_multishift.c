/* bench_multishift.c - many shifts in mixed precision: the refinement after the common Krylov space.
 *
 * M. A. Clark et al., Maximizing the Bang Per Bit, arXiv:2302.09224, Table 2. */
#include "src/base/log.h"
#include "src/cli/bench/bench_studies.h"
#include "src/rational/rational.h"

typedef struct { int count; shifted of[SHIFTS_MAX]; } shift_list;

/* The poles of the force of quarks of this mass, lightest first. */
static bool shifts_of_force(shift_list *list, const solver_bench *b, failure *f)
{
    const bench_solver_options *o = b->o;
    mass_flavors quark = { o->quarks.mass, (int)o->flavors };
    power_product target = rational_set_targets(&quark, 1, 1).force;
    rational r;
    if (!rational_make_order(&r, &target, 0, b->largest, (int)o->poles, f))
        return false;
    list->count = r.order;
    for (int k = 0; k < r.order; k++) {
        int last = o->tolerance.count - 1;
        list->of[k] = (shifted){ r.pole[k], o->tolerance.of[k < last ? k : last] };
    }
    return true;
}

static int total_iterations(const study_shifts *s, int count)
{
    int sum = s->of.solve.iterations;
    for (int k = 1; k < count; k++)
        sum += s->of.refine_iterations[k];
    return sum;
}

/* Iterations of the lightest shift after the others have left are iterations of the Krylov space, too. */
static int krylov_iterations(const study_shifts *s)
{
    return s->of.solve.iterations - s->of.refine_iterations[0];
}

static void kind_to_json(json *j, solver_precision kind, const study_shifts *s, const shift_list *shifts)
{
    json_open(j, NULL, '{');
    json_text(j, "name", solver_names[kind]);
    json_bool(j, "converged", s->of.solve.converged);
    json_int(j, "krylov_iterations", krylov_iterations(s));
    json_int(j, "total_iterations", total_iterations(s, shifts->count));
    json_real(j, "seconds", s->seconds);
    json_int(j, "residuals_in_double", s->of.record.residuals);
    json_int(j, "krylov_updates", s->of.krylov_updates);
    json_text(j, "krylov_failure", mixed_failure_names[s->of.krylov_failure]);
    json_open(j, "shifts", '[');
    for (int k = 0; k < shifts->count; k++) {
        json_open(j, NULL, '{');
        json_real(j, "krylov_residual", s->of.krylov_residual[k]);
        json_int(j, "refine_iterations", s->of.refine_iterations[k]);
        json_real(j, "residual", s->of.solve.residual[k]);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static void table_of(solver_bench *b, const study_shifts *s, const shift_list *shifts)
{
    text_add(&b->table, "\n%-12s %10s %9s", "shift", "K +", "target");
    for (int i = 0; i < STUDY_PRECISIONS; i++)
        text_add(&b->table, "  %19s", solver_names[study_precisions[i]]);
    text_add(&b->table, "\n%-12s %10s %9s", "", "", "");
    for (int i = 0; i < STUDY_PRECISIONS; i++)
        text_add(&b->table, "  %9s %9s", "iter.", "residual");
    text_add(&b->table, "\n%-33s", "common");
    for (int i = 0; i < STUDY_PRECISIONS; i++)
        text_add(&b->table, "  %9d %9s", krylov_iterations(&s[i]), "");
    text_add(&b->columns, "# shift, pole, target; for each of ");
    for (int i = 0; i < STUDY_PRECISIONS; i++)
        text_add(&b->columns, "%s%s", i ? ", " : "", solver_names[study_precisions[i]]);
    text_add(&b->columns, ": iterations of refinement, residual before\n");
    for (int k = 0; k < shifts->count; k++) {
        text_add(&b->table, "\n%-12d %10.3e %9.2e", k, shifts->of[k].shift, shifts->of[k].tolerance);
        text_add(&b->columns, "%d %.6e %.3e", k, shifts->of[k].shift, shifts->of[k].tolerance);
        for (int i = 0; i < STUDY_PRECISIONS; i++) {
            text_add(&b->table, "  %9d %9.2e", s[i].of.refine_iterations[k], s[i].of.krylov_residual[k]);
            text_add(&b->columns, " %d %.6e", s[i].of.refine_iterations[k], s[i].of.krylov_residual[k]);
        }
        text_add(&b->columns, "\n");
    }
    text_add(&b->table, "\n%-33s", "total");
    for (int i = 0; i < STUDY_PRECISIONS; i++)
        text_add(&b->table, "  %9d %9s", total_iterations(&s[i], shifts->count),
                 s[i].of.solve.converged ? "" : "FAILED");
    text_add(&b->table, "\n%-33s", "time [s]");
    for (int i = 0; i < STUDY_PRECISIONS; i++)
        text_add(&b->table, "  %9.4f %9s", s[i].seconds, "");
    text_add(&b->table, "\n\nresidual: after the common Krylov space; iter.: iterations of the refinement\n");
}

static void curves_of(solver_bench *b, const study_shifts *s, const shift_list *shifts)
{
    double *x = solver_bench_numbers(b, shifts->count), *target = solver_bench_numbers(b, shifts->count);
    for (int k = 0; k < shifts->count; k++) {
        x[k] = k;
        target[k] = shifts->of[k].tolerance;
    }
    for (int i = 0; i < STUDY_PRECISIONS; i++) {
        double *y = solver_bench_numbers(b, shifts->count);
        const char *inner = stored_names[solver_precisions[study_precisions[i]].inner];
        plot_series *c = plot_add(&b->picture, inner, PLOT_LINE_AND_POINTS, i);
        for (int k = 0; k < shifts->count; k++)
            y[k] = s[i].of.krylov_residual[k];
        c->x = x;
        c->y = y;
        c->count = shifts->count;
    }
    plot_series *c = plot_add(&b->picture, "target", PLOT_DASHES, PLOT_GREY);
    c->x = x;
    c->y = target;
    c->count = shifts->count;
}

bool bench_multishift(solver_bench *b)
{
    shift_list shifts;
    failure f;
    study_shifts s[STUDY_PRECISIONS];
    if (!shifts_of_force(&shifts, b, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return false;
    }
    b->picture.title = "True residuals after the common Krylov space";
    b->picture.x_label = "shift, the lightest first";
    b->picture.y_label = "|r| / |b|";
    b->picture.log_y = true;
    for (int i = 0; i < STUDY_PRECISIONS; i++)
        s[i] = solver_study_shifts(b->solves, study_precisions[i], shifts.of, shifts.count,
                                   b->o->max_iterations ? (int)b->o->max_iterations : 100000);
    json_int(&b->j, "flavors", b->o->flavors);
    json_open(&b->j, "shifts", '[');
    for (int k = 0; k < shifts.count; k++) {
        json_open(&b->j, NULL, '{');
        json_real(&b->j, "pole", shifts.of[k].shift);
        json_real(&b->j, "tolerance", shifts.of[k].tolerance);
        json_close(&b->j);
    }
    json_close(&b->j);
    json_open(&b->j, "solvers", '[');
    for (int i = 0; i < STUDY_PRECISIONS; i++)
        kind_to_json(&b->j, study_precisions[i], &s[i], &shifts);
    json_close(&b->j);
    table_of(b, s, &shifts);
    curves_of(b, s, &shifts);
    return true;
}
