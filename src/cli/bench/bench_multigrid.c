/* bench_multigrid.c - multigrid in studies of methods: its settings, and its curves. */
#include "src/cli/bench/bench_multigrid.h"

#include "src/solvers/multigrid/multigrid.h"

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

bool bench_multigrid_fits(const bench_solver_options *o, failure *f)
{
    const multigrid_settings wanted = multigrid_params_settings(&o->multigrid);
    failure why;
    if (!multigrid_vectors_are_possible(wanted.vectors, &why))
        return fail(f, "--vectors: %s", why.why);
    if (o->extents[0] == 0)
        return true;
    const lattice_shape shape = lattice_shape_single(o->extents);
    const multigrid_settings s = multigrid_settings_for(&wanted, shape.global);
    return multigrid_is_possible(&shape, &s, &why)
           || fail(f, "%s: %s", o->multigrid_given.block ? "--block" : "multigrid is not possible", why.why);
}

bool bench_multigrid_begin(solver_bench *b, failure *why)
{
    const lattice_shape *shape = lattice_shape_of(b->u->links.lattice);
    const multigrid_settings wanted = multigrid_params_settings(&b->o->multigrid);
    const multigrid_settings s = multigrid_settings_for(&wanted, shape->global);
    if (!multigrid_is_possible(shape, &s, why)) {
        text_add(&b->table, "multigrid is not possible: %s\n\n", why->why);
        return false;
    }
    settings_to_json(&b->j, &s);
    settings_to_text(&b->table, &s);
    return true;
}

multigrid_curves bench_multigrid_curves(solver_bench *b, int color)
{
    const int count = b->o->masses.count;
    multigrid_curves m = { .solve = solver_bench_curve_begin(b, "multigrid", PLOT_LINE_AND_POINTS, color, count) };
    if (b->o->plotted == PLOT_SECONDS)
        m.whole = solver_bench_curve_begin(b, "multigrid, set-up included", PLOT_DASHES_AND_POINTS, color, count);
    return m;
}

void bench_multigrid_add_point(multigrid_curves *m, double mass, const study_solve *s, double iterations)
{
    if (!s->of.solve.converged)
        return;
    solver_bench_curve_add(&m->solve, mass, m->whole.of ? s->seconds : iterations);
    if (m->whole.of)
        solver_bench_curve_add(&m->whole, mass, s->seconds + s->setup);
}
