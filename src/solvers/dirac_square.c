/* dirac_square.c - solves with C itself, or C^+, by BiCGstab(l); by conjugate gradients where that fails.
 *
 * Conjugate gradients: C^+ x = b has the solution x = C y with C^+C y = b, and the same residual.  C x = b is solved
 * through C^+C x = C^+ b, whose residual C^+ r is not r: the solution is improved by a solve for the residual that is
 * left, until that is small enough. */
#include "src/solvers/dirac_solver.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"

#include <assert.h>
#include <math.h>

/* A solve with C^+C asks for this part of what is missing (requested / present residual), and for no less than the
 * second number; there are at most so many such solves. */
#define PART_OF_MISSING 0.1
#define SMALLEST_RESIDUAL 1e-15
enum { ROUNDS = 10 };

/* C in a storage; valid until the next call. */
static const linop *square_in(dirac_solver *w, int stored, const dirac_matrix *m, bool dagger)
{
    dirac_side *s = &w->side[stored];
    assert(s->slots > 0 && w->d->kind->square);
    memory_free(s->square);
    s->square = w->d->kind->square(w->d, dirac_solver_storage(w, stored), m, dagger,
                                   (vec *const (*)[DIRAC_ROOMS])s->room, s->slots);
    return s->square;
}

/* ---- conjugate gradients */

typedef struct {
    dirac_solver *w;
    const dirac_matrix *m;
    bool dagger;
    const dirac_goal *goal;
    double bb;                       /* |b|^2 */
} square_system;

/* SQUARE_RESIDUAL <- b - C x; its size, relative to b */
static double residual_of(const square_system *s, const vec *x, const vec *b)
{
    vec *r = s->w->square[SQUARE_RESIDUAL];
    dirac_solver_apply(r, s->w, s->m, s->dagger, x);
    vec_xpay(r, b, -1);
    return sqrt(vec_norm2(r) / s->bb);
}

/* SQUARE_STEP <- C^-1 SQUARE_RESIDUAL, approximately */
static dirac_solved solve_step(const square_system *s, double residual, int iterations)
{
    vec *const *v = s->w->square;
    dirac_goal goal = *s->goal;
    goal.residual = fmax(residual, SMALLEST_RESIDUAL);
    goal.max_iterations = iterations;
    vec_zero(v[SQUARE_STEP]);
    if (!s->dagger) {
        dirac_solver_apply(v[SQUARE_RIGHT], s->w, s->m, true, v[SQUARE_RESIDUAL]);
        return dirac_solve(s->w, s->m, v[SQUARE_STEP], v[SQUARE_RIGHT], &goal);
    }
    vec_zero(v[SQUARE_RIGHT]);
    const dirac_solved solved = dirac_solve(s->w, s->m, v[SQUARE_RIGHT], v[SQUARE_RESIDUAL], &goal);
    dirac_solver_apply(v[SQUARE_STEP], s->w, s->m, false, v[SQUARE_RIGHT]);
    return solved;
}

static void solve_normal(const square_system *s, dirac_task *task)
{
    dirac_solved *all = &task->solved;
    const int most = s->goal->max_iterations;
    bool fine = true;
    all->residual = residual_of(s, task->x, task->b);
    for (int i = 0; i < ROUNDS && fine && all->residual > s->goal->residual && all->iterations < most; i++) {
        const double wanted = PART_OF_MISSING * s->goal->residual / all->residual;
        const dirac_solved one = solve_step(s, wanted, most - all->iterations);
        vec_axpy(task->x, 1, s->w->square[SQUARE_STEP]);
        all->iterations += one.iterations;
        mixed_record_add(&all->record, &one.record);
        const double before = all->residual;
        all->residual = residual_of(s, task->x, task->b);
        fine = all->residual < before;                       /* also if the solve did not converge */
    }
    all->converged = all->residual <= s->goal->residual;
    all->spent = !all->converged && all->iterations >= most;
}

/* ---- BiCGstab */

static void solve_by_bicg(dirac_solver *w, const dirac_matrix *m, bool dagger, dirac_task *task, int tasks,
                          const dirac_goal *goal)
{
    const solver_stores *stores = &solver_precisions[goal->precision];
    const mixed_rule rule = goal->rule ? *goal->rule : mixed_rule_default();
    const linop *high = square_in(w, STORED_DOUBLE, m, dagger);
    const bicg_low common = { stores->inner == STORED_DOUBLE ? high : square_in(w, stores->inner, m, dagger),
                              w->side[stores->inner].bicg, NULL };
    bicg_low single = common;
    if (stores->refine != stores->inner)
        single = (bicg_low){ square_in(w, stores->refine, m, dagger), w->side[stores->refine].bicg, &common };
    mixed_task *mixed = memory_alloc((size_t)tasks * sizeof *mixed, "solves");
    for (int n = 0; n < tasks; n++)
        mixed[n] = (mixed_task){ .x = task[n].x, .b = task[n].b, .stop = { goal->residual, goal->max_iterations } };
    bicg_solve_batch(high, &single, mixed, tasks, &rule);
    for (int n = 0; n < tasks; n++) {
        const mixed_result *r = &mixed[n].result;
        task[n].solved = (dirac_solved){ .converged = r->solve.converged, .spent = r->solve.spent,
                                         .iterations = r->solve.iterations, .residual = r->solve.residual,
                                             .record = r->record,
                                         .restarts = r->solve.restarts, .fallback_at = r->solve.iterations };
        if (!r->solve.converged)
            task[n].solved.fallback = r->record.why[rule.first];
        task[n].solved.record.fallbacks += task[n].solved.fallback != NO_FAILURE;
    }
    memory_free(mixed);
}

void dirac_solve_square_all(dirac_solver *w, const dirac_matrix *m, bool dagger, dirac_task *task, int tasks,
                            const dirac_goal *goal)
{
    if (w->size.order > 0)
        solve_by_bicg(w, m, dagger, task, tasks, goal);
    for (int n = 0; n < tasks; n++) {
        if (w->size.order > 0 && !task[n].solved.fallback)
            continue;
        const square_system s = { w, m, dagger, goal, vec_norm2(task[n].b) };
        if (w->size.order == 0)
            task[n].solved = (dirac_solved){ .converged = s.bb == 0, .residual = s.bb };
        if (s.bb > 0 && isfinite(s.bb))
            solve_normal(&s, &task[n]);
        else if (s.bb == 0)
            vec_zero(task[n].x);
    }
}

/* ---- C^+C by two solves */

/* TWICE_RESIDUAL <- b - C^+C x; its size, relative to b */
static double normal_residual(dirac_solver *w, const dirac_matrix *m, const vec *x, const vec *b, double bb)
{
    vec *r = w->square[TWICE_RESIDUAL], *image = w->square[TWICE_MIDDLE];
    dirac_solver_apply(image, w, m, false, x);
    dirac_solver_apply(r, w, m, true, image);
    vec_xpay(r, b, -1);
    return sqrt(vec_norm2(r) / bb);
}

/* An estimate of the norm of C, from a vector that has something of all eigenvectors. */
#define NORM_MARGIN 3

static double norm_of(dirac_solver *w, const dirac_matrix *m, const vec *b, double bb)
{
    vec *image = w->square[TWICE_MIDDLE];
    dirac_solver_apply(image, w, m, false, b);
    return NORM_MARGIN * sqrt(vec_norm2(image) / bb);
}

static void add_solved(dirac_solved *sum, const dirac_solved *one)
{
    if (one->fallback && !sum->fallback) {
        sum->fallback = one->fallback;
        sum->fallback_at = sum->iterations + one->fallback_at;
    }
    sum->iterations += one->iterations;
    sum->restarts += one->restarts;
    mixed_record_add(&sum->record, &one->record);
}

/* TWICE_STEP <- C^-1 (C^+)^-1 TWICE_RESIDUAL; `missing`: the requested residual, relative to this vector.  Half of it
 * is for each solve; that of the second one is multiplied by C^+. */
static bool step_twice(dirac_solver *w, const dirac_matrix *m, double missing, double norm, dirac_solved *sum,
                       const dirac_goal *goal)
{
    vec *const *v = w->square;
    const double size = sqrt(vec_norm2(v[TWICE_RESIDUAL]));
    dirac_goal part = *goal;
    part.residual = fmax(fmin(missing / 2, 1), SMALLEST_RESIDUAL);
    part.max_iterations = goal->max_iterations - sum->iterations;
    vec_zero(v[TWICE_MIDDLE]);
    const dirac_solved first = dirac_solve_square(w, m, true, (dirac_task){ .x = v[TWICE_MIDDLE],
                                                                            .b = v[TWICE_RESIDUAL] }, &part);
    add_solved(sum, &first);
    part.residual = fmin(missing / 2 * size / (norm * sqrt(vec_norm2(v[TWICE_MIDDLE]))), 1);
    part.residual = fmax(part.residual, SMALLEST_RESIDUAL);
    part.max_iterations = goal->max_iterations - sum->iterations;
    vec_zero(v[TWICE_STEP]);
    if (!first.converged || part.max_iterations <= 0)
        return false;
    const dirac_solved second = dirac_solve_square(w, m, false, (dirac_task){ .x = v[TWICE_STEP],
                                                                              .b = v[TWICE_MIDDLE] }, &part);
    add_solved(sum, &second);
    return second.converged;
}

enum { IMPROVEMENTS = 3 };

dirac_solved dirac_solve_twice(dirac_solver *w, const dirac_matrix *m, vec *x, const vec *b, const dirac_goal *goal)
{
    const double bb = vec_norm2(b);
    dirac_solved all = { .residual = bb };
    if (!(bb > 0 && isfinite(bb)))
        return dirac_solve(w, m, x, b, goal);
    const double norm = norm_of(w, m, b, bb);
    bool fine = true;
    all.residual = normal_residual(w, m, x, b, bb);
    for (int i = 0; i < IMPROVEMENTS && fine && all.residual > goal->residual; i++) {
        fine = step_twice(w, m, goal->residual / all.residual, norm, &all, goal);
        if (fine) {
            vec_axpy(x, 1, w->square[TWICE_STEP]);
            all.residual = normal_residual(w, m, x, b, bb);
        }
    }
    all.converged = all.residual <= goal->residual;
    all.spent = !all.converged && all.iterations >= goal->max_iterations;
    if (all.converged || all.iterations >= goal->max_iterations)
        return all;
    dirac_goal rest = *goal;
    rest.max_iterations -= all.iterations;
    const dirac_solved last = dirac_solve(w, m, x, b, &rest);
    add_solved(&all, &last);
    all.converged = last.converged;
    all.spent = last.spent;
    all.residual = last.residual;
    return all;
}

dirac_solved dirac_solve_square(dirac_solver *w, const dirac_matrix *m, bool dagger, dirac_task task,
                                const dirac_goal *goal)
{
    dirac_solve_square_all(w, m, dagger, &task, 1, goal);
    return task.solved;
}
