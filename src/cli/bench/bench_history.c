/* bench_history.c - the residual of conjugate gradients step by step: the effect of each part of the stabilization.
 *
 * M. A. Clark et al., Maximizing the Bang Per Bit, arXiv:2302.09224, Figure 1. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/bench/bench_studies.h"

#include <limits.h>

static const struct variant { const char *name; stored_as inner; int refinements, color; } variants[] = {
    { "double", STORED_DOUBLE, MIXED_NAIVE, PLOT_GREY },
    { "double-half, naive", STORED_HALF, MIXED_NAIVE, 1 },
    { "+ solution in double", STORED_HALF, MIXED_HIGH_SOLUTION, 3 },
    { "+ re-projection", STORED_HALF, MIXED_HIGH_SOLUTION | MIXED_REPROJECTION, 2 },
    { "+ Polak-Ribiere: stabilized", STORED_HALF, MIXED_STABILIZED, 0 },
    { "double-int20, stabilized", STORED_INT20, MIXED_STABILIZED, 4 },
};
enum { VARIANTS = sizeof variants / sizeof *variants, TIMES_DOUBLE = 3 };

/* In double precision the same solver is plain conjugate gradients with a final check of the residual.  The others
 * never hand over to another method, even if they converge badly. */
static mixed_rule rule_of(const struct variant *v, residual_history *history)
{
    mixed_rule rule = mixed_rule_default();
    rule.refinements = v->refinements;
    rule.history = history;
    rule.increases = rule.fruitless = INT_MAX;
    if (v->inner == STORED_DOUBLE) {
        rule.delta = 0;
        rule.patience = INT_MAX;
    }
    return rule;
}

static void history_to_json(json *j, const residual_history *h)
{
    json_open(j, "iterated", '[');
    for (int i = 0; i < h->count; i++)
        if (!h->seen[i].is_true)
            json_real(j, NULL, h->seen[i].residual);
    json_close(j);
    json_open(j, "true", '[');
    for (int i = 0; i < h->count; i++)
        if (h->seen[i].is_true) {
            json_open(j, NULL, '{');
            json_int(j, "iteration", h->seen[i].iteration);
            json_real(j, "residual", h->seen[i].residual);
            json_close(j);
        }
    json_close(j);
}

static void history_to_curves(solver_bench *b, const struct variant *v, const residual_history *h)
{
    for (int is_true = 0; is_true < 2; is_true++) {
        double *x = solver_bench_numbers(b, h->count), *y = solver_bench_numbers(b, h->count);
        plot_series *curve = plot_add(&b->picture, is_true ? NULL : v->name, is_true ? PLOT_POINTS : PLOT_LINE,
                                      v->color);
        for (int i = 0; i < h->count; i++)
            if (h->seen[i].is_true == is_true) {
                x[curve->count] = h->seen[i].iteration;
                y[curve->count++] = h->seen[i].residual;
            }
        curve->x = x;
        curve->y = y;
        text_add(&b->columns, "\n\n# %s: iteration, %s residual\n", v->name, is_true ? "true" : "iterated");
        for (int i = 0; i < curve->count; i++)
            text_add(&b->columns, "%.0f %.6e\n", x[i], y[i]);
    }
}

static void add_solve(solver_bench *b, const struct variant *v, double shift, stop_rule stop)
{
    residual_history history = { .capacity = 3 * stop.max_iterations + 16 };
    history.seen = memory_alloc((size_t)history.capacity * sizeof *history.seen, "a history of residuals");
    mixed_rule rule = rule_of(v, &history);
    study_solve s = solver_study_mixed(b->solves, v->inner, shift, stop, &rule);
    json_open(&b->j, NULL, '{');
    json_text(&b->j, "name", v->name);
    json_text(&b->j, "inner", stored_names[v->inner]);
    json_bool(&b->j, "solution_in_double", v->refinements & MIXED_HIGH_SOLUTION);
    json_bool(&b->j, "reprojection", v->refinements & MIXED_REPROJECTION);
    json_bool(&b->j, "polak_ribiere", v->refinements & MIXED_POLAK_RIBIERE);
    solver_bench_solve_to_json(&b->j, &s);
    history_to_json(&b->j, &history);
    json_close(&b->j);
    text_add(&b->table, "%-30s %10d%s %10.2e %8d %10.4f\n", v->name, s.of.solve.iterations,
             s.of.solve.converged ? " " : "+", s.of.solve.residual, s.of.record.updates, s.seconds);
    history_to_curves(b, v, &history);
    memory_free(history.seen);
}

bool bench_history(solver_bench *b)
{
    double mass = b->o->quarks.mass, shift = 4 * mass * mass;
    stop_rule stop = { b->o->tolerance.of[0], b->o->max_iterations ? (int)b->o->max_iterations : 100000 };
    study_solve reference = solver_study_double(b->solves, shift, stop);
    if (!reference.of.solve.converged) {
        log_line(LOG_ERROR, "conjugate gradients in double precision did not converge: residual %.3g after %d "
                            "iterations, tolerance %.3g",
                 reference.of.solve.residual, reference.of.solve.iterations, stop.tolerance);
        return false;
    }
    stop.max_iterations = b->o->max_iterations ? stop.max_iterations : TIMES_DOUBLE * reference.of.solve.iterations;
    b->picture.title = "Residual of conjugate gradients (points: true residuals)";
    b->picture.x_label = "iteration";
    b->picture.y_label = "|r| / |b|";
    b->picture.log_y = true;
    b->picture.y_least = stop.tolerance / 10;
    b->picture.y_most = 100;
    json_real(&b->j, "tolerance", stop.tolerance);
    json_open(&b->j, "reference", '{');
    solver_bench_solve_to_json(&b->j, &reference);
    json_close(&b->j);
    json_open(&b->j, "solves", '[');
    text_add(&b->table, "until the true residual is %g; conjugate gradients in double: %d iterations, %.4f s\n\n"
                        "%-30s %11s %10s %8s %10s\n", stop.tolerance, reference.of.solve.iterations, reference.seconds,
             "", "iterations", "residual", "updates", "time [s]");
    for (int i = 0; i < VARIANTS; i++)
        add_solve(b, &variants[i], shift, stop);
    json_close(&b->j);
    text_add(&b->table, "\n+: not converged when stopped\n");
    return true;
}
