/* gcr_solver.c - flexible GCR with deflation and a preconditioner. */
#include "tests/solvers/gcr_solver.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/solvers/gcr.h"

static const eigen_goal modes = { .count = GCR_MODES, .residual = 1e-4, .max_restarts = 100 };

typedef struct {
    linear_solver base;
    gcr_space *space;
    vec *like;                             /* for the modes */
    deflation *modes;
} gcr;

static gcr *gcr_of(linear_solver *s)
{
    return (gcr *)s;
}

static solver_needs needs(const solver_kind *kind, const solver_plan *plan)
{
    (void)kind, (void)plan;
    return (solver_needs){ .kept = 2 + 2 * GCR_DIRECTIONS, .state = deflation_vectors(&modes) };
}

static linear_solver *create_gcr(const solver_kind *kind, const solver_plan *plan, const vec *like, linear_solver *cg)
{
    gcr *g = memory_alloc(sizeof *g, "GCR");
    (void)kind, (void)plan, (void)cg;
    g->like = vec_create_native(like, like->f.precision);
    g->space = gcr_space_create(like, GCR_DIRECTIONS);
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
    gcr_space_free(g->space);
    vec_free(g->like);
    memory_free(g);
}

static deflation *modes_of(gcr *g)
{
    if (!g->modes)
        g->modes = deflation_create(g->like, &modes);
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

typedef struct { gcr *g; const solver_operator *a; dirac_solved *all; } precondition_by;

/* A start vector by deflation, then a few iterations of conjugate gradients. */
static void precondition(void *of, vec *out, const vec *in)
{
    const precondition_by *by = of;
    deflation_start(out, by->g->modes, 0, in);
    const dirac_solved one = linear_solver_precondition(&by->g->base, by->a, out, in);
    dirac_solved_add(by->all, &one);
}

static void solve_task(gcr *g, const solver_operator *a, dirac_task *task, const dirac_goal *goal)
{
    dirac_solved *s = &task->solved;
    *s = (dirac_solved){ .converged = false };
    precondition_by by = { g, a, s };
    const preconditioner k = { precondition, &by };
    const gcr_request how = { .residual = goal->residual, .max_iterations = g->base.kind->parameter,
                              .restart = GCR_DIRECTIONS, .k = &k };
    const gcr_result r = gcr_solve(g->space, task->x, a->in[STORED_DOUBLE], task->b, &how);
    s->iterations += r.iterations;
    s->converged = r.converged;
    s->residual = r.residual;
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
