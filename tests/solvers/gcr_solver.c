/* gcr_solver.c - flexible GCR with deflation and a preconditioner. */
#include "tests/solvers/gcr_solver.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"

#include <math.h>

static const eigen_goal modes = { .count = GCR_MODES, .residual = 1e-4, .max_restarts = 100 };

typedef struct {
    linear_solver base;
    vec *r, *z[GCR_DIRECTIONS], *q[GCR_DIRECTIONS];
    deflation *modes;
} gcr;

static gcr *gcr_of(linear_solver *s)
{
    return (gcr *)s;
}

static solver_needs needs(const solver_kind *kind, const solver_plan *plan)
{
    (void)kind, (void)plan;
    return (solver_needs){ .kept = 1 + 2 * GCR_DIRECTIONS, .state = deflation_vectors(&modes) };
}

static linear_solver *create_gcr(const solver_kind *kind, const solver_plan *plan, const vec *like, linear_solver *cg)
{
    gcr *g = memory_alloc(sizeof *g, "GCR");
    (void)kind, (void)plan, (void)cg;
    g->r = vec_create_native(like, like->f.precision);
    for (int k = 0; k < GCR_DIRECTIONS; k++) {
        g->z[k] = vec_create_native(like, like->f.precision);
        g->q[k] = vec_create_native(like, like->f.precision);
    }
    return &g->base;
}

static void open_storage(linear_solver *s, stored_as in, const vec *like)
{
    (void)s, (void)in, (void)like;
}

static void free_gcr(linear_solver *s)
{
    gcr *g = gcr_of(s);
    deflation_free(g->modes);
    for (int k = 0; k < GCR_DIRECTIONS; k++) {
        vec_free(g->q[k]);
        vec_free(g->z[k]);
    }
    vec_free(g->r);
    memory_free(g);
}

static deflation *modes_of(gcr *g)
{
    if (!g->modes)
        g->modes = deflation_create(g->r, &modes);
    return g->modes;
}

const deflation *gcr_solver_modes(const linear_solver *s)
{
    return ((const gcr *)s)->modes;
}

static state_update update(linear_solver *s, const solver_operator *a, solver_links of)
{
    deflation *d = modes_of(gcr_of(s));
    const eigen_result from = *deflation_result(d);
    failure why;
    if (of == LINKS_OF_ACTION)
        return STATE_KEPT;
    if (of == LINKS_OF_FORCE && deflation_accept(d, a->in[STORED_DOUBLE], &from))
        return STATE_REFINED;
    require(deflation_compute(d, a->in[STORED_DOUBLE], rng_key_for(41, 0, 0, RNG_TEST), 0, &why), "%s", why.why);
    return STATE_REBUILT;
}

static vec *state(linear_solver *s, int index)
{
    gcr *g = gcr_of(s);
    return g->modes && index < deflation_result(g->modes)->found ? deflation_vector(g->modes, index) : NULL;
}

static void state_row(linear_solver *s, number_row *row)
{
    deflation_row(modes_of(gcr_of(s)), row);
}

/* z_k and q_k from r. */
static void make_direction(gcr *g, const solver_operator *a, int k, dirac_solved *all)
{
    const linop *op = a->in[STORED_DOUBLE];
    deflation_start(g->z[k], g->modes, 0, g->r);
    const dirac_solved one = linear_solver_precondition(&g->base, a, g->z[k], g->r);
    dirac_solved_add(all, &one);
    all->iterations++;
    op->apply(op, g->q[k], 0, g->z[k]);
    for (int i = 0; i < k; i++) {
        const complex_number c = vec_dot(g->q[i], g->q[k]), minus = { -c.re, -c.im };
        vec_direction(g->q[k], minus, g->q[i], 1, g->q[k]);
        vec_direction(g->z[k], minus, g->z[i], 1, g->z[k]);
    }
    const double scale = 1 / sqrt(vec_norm2(g->q[k]));
    vec_combine(g->q[k], scale, g->q[k], NULL, NULL, 0);
    vec_combine(g->z[k], scale, g->z[k], NULL, NULL, 0);
}

static void solve_task(gcr *g, const solver_operator *a, dirac_task *task, const dirac_goal *goal)
{
    const linop *op = a->in[STORED_DOUBLE];
    const double bb = vec_norm2(task->b), target = goal->residual * goal->residual * bb;
    dirac_solved *s = &task->solved;
    *s = (dirac_solved){ .converged = bb == 0 };
    double rr = INFINITY;
    int directions = 0;
    if (bb == 0)
        vec_zero(task->x);
    for (bool going = bb > 0; going;) {
        op->apply(op, g->r, 0, task->x);
        vec_xpay(g->r, task->b, -1);
        rr = vec_norm2(g->r);
        s->record.residuals++;
        s->residual = sqrt(rr / bb);
        s->converged = rr <= target;
        for (int k = 0; k < GCR_DIRECTIONS && rr > target && directions < g->base.kind->parameter; k++, directions++) {
            make_direction(g, a, k, s);
            const complex_number c = vec_dot(g->q[k], g->r), minus = { -c.re, -c.im };
            vec_direction(task->x, c, g->z[k], 1, task->x);
            vec_direction(g->r, minus, g->q[k], 1, g->r);
            rr = vec_norm2(g->r);
        }
        going = !s->converged && isfinite(rr) && directions < g->base.kind->parameter;
    }
    if (!s->converged) {
        s->fallback = FAILED_RESIDUAL;
        s->fallback_at = s->iterations;
    }
}

static void solve_tasks(linear_solver *s, const solver_operator *a, dirac_task *task, int tasks,
                        const dirac_goal *goal)
{
    for (int n = 0; n < tasks; n++)
        solve_task(gcr_of(s), a, &task[n], goal);
}

static void report(linear_solver *s, json *j)
{
    json_int(j, "modes", gcr_of(s)->modes ? deflation_result(gcr_of(s)->modes)->found : 0);
}

static const solver_preconditioner few_iterations = { &cg_solver, SOLVER_DOUBLE_SINGLE, { 0.1, 30 } };

#define OF_GCR                                                                                                         \
    .preconditioner = &few_iterations, .bytes = needs, .create = create_gcr, .open = open_storage, .free = free_gcr,   \
    .update = update, .state = state, .state_row = state_row, .solve = solve_tasks, .report = report

const solver_kind gcr_solver = { .name = "gcr", .parameter = 1000, OF_GCR };
const solver_kind hasty_gcr_solver = { .name = "hasty gcr", .parameter = 1, OF_GCR };
