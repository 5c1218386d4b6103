/* dirac_study.c - solves of C x = b in many precisions, timed. */
#include "src/bench/dirac_study.h"

#include "gpu/device.h"
#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/bicg_mixed.h"
#include "src/solvers/bicg_solver.h"
#include "src/solvers/dirac_solver.h"
#include "src/solvers/multigrid_solver.h"

#include <math.h>

enum { UNTIMED = 8 };                        /* iterations of a first run that is not timed */

/* Operators and vectors in one of the storages, created when first needed. */
typedef struct {
    vec *work[1][DIRAC_WORK_VECTORS], *like;
    linop *normal, *square;
    mixed_space *mixed;
    bicg_space *bicg[SOLVER_KINDS];
} storage_side;

struct dirac_study {
    dirac_operator *d;
    dirac_matrix *m;
    vec *b, *x, *rhs, *r;                    /* rhs: C^+ b */
    cg_space *space;
    dirac_solver *multigrid;                 /* NULL until needed */
    solver_settings settings;
    storage_side side[SOLVER_STORAGES];
};

/* ---- vectors and operators */

dirac_study *dirac_study_create(const dirac_plan *plan, const gauge *u, rng_key source)
{
    dirac_study *s = memory_alloc(sizeof *s, "a study of solvers");
    const dirac_kind *kind = plan->kind;
    failure why;
    require(kind->square && kind->home == kind->image, "%s: C maps to the other parity", kind->name);
    s->d = dirac_create(plan, u, false);
    for (int i = STORED_DOUBLE + 1; i < SOLVER_STORAGES; i++)
        kind->open(s->d, solver_storages[i]);
    require(dirac_update(s->d, u, &why), "%s", why.why);
    s->m = kind->matrix(s->d, 0);
    vec **const full[] = { &s->b, &s->x, &s->rhs, &s->r };
    for (unsigned i = 0; i < sizeof full / sizeof *full; i++)
        *full[i] = dirac_vec_create(s->d, kind->home, dirac_full_storage(s->d));
    s->space = cg_space_create_like(s->b, 1);
    vec_set_gaussian(s->b, source, 0);
    return s;
}

void dirac_study_free(dirac_study *s)
{
    if (!s)
        return;
    for (int i = 0; i < SOLVER_STORAGES; i++) {
        storage_side *side = &s->side[i];
        for (int method = 0; method < SOLVER_KINDS; method++)
            bicg_space_free(side->bicg[method]);
        mixed_space_free(side->mixed);
        memory_free(side->square);
        memory_free(side->normal);
        vec_free(side->like);
        for (int k = 0; k < DIRAC_WORK_VECTORS; k++)
            vec_free(side->work[0][k]);
    }
    if (s->multigrid)
        dirac_solver_free(s->multigrid);
    cg_space_free(s->space);
    vec_free(s->r);
    vec_free(s->rhs);
    vec_free(s->x);
    vec_free(s->b);
    memory_free(s->m);
    dirac_free(s->d);
    memory_free(s);
}

static storage_side *side_of(dirac_study *s, stored_as stored)
{
    storage_side *side = &s->side[stored];
    const dirac_kind *kind = s->d->kind;
    const vec_storage in = stored == STORED_DOUBLE ? dirac_full_storage(s->d) : solver_storages[stored];
    if (side->like)
        return side;
    for (int k = 0; k < kind->work_vectors; k++)
        side->work[0][k] = dirac_vec_create(s->d, kind->work[k], in);
    side->like = dirac_vec_create(s->d, kind->home, in);
    vec *const (*work)[DIRAC_WORK_VECTORS] = (vec *const (*)[DIRAC_WORK_VECTORS])side->work;
    side->normal = kind->normal(s->d, in, s->m, work, 1);
    side->square = kind->square(s->d, in, s->m, false, work, 1);
    return side;
}

static void apply(dirac_study *s, vec *out, bool dagger, const vec *in)
{
    s->d->kind->apply(out, s->d, s->m, dagger, in, side_of(s, STORED_DOUBLE)->work[0]);
}

/* |b - C x| / |b| */
static double true_residual(dirac_study *s)
{
    apply(s, s->r, false, s->x);
    vec_axpy(s->r, -1, s->b);
    return sqrt(vec_norm2(s->r) / vec_norm2(s->b));
}

/* ---- the two methods, from zero */

typedef struct { dirac_study *s; solver_kind_index method; stored_as inner; const mixed_rule *rule; } solve_request;

/* C^+C x = C^+ b from the present x */
static mixed_result solve_normal(const solve_request *q, stop_rule stop)
{
    dirac_study *s = q->s;
    const linop *high = side_of(s, STORED_DOUBLE)->normal;
    storage_side *side = side_of(s, q->inner);
    if (q->inner == STORED_DOUBLE) {
        mixed_result r = { .solve = cg_solve(high, s->x, 0, s->rhs, stop, s->space) };
        r.record.high_iterations = r.solve.iterations;
        return r;
    }
    if (!side->mixed)
        side->mixed = mixed_space_create(s->space, side->like);
    const low_system low = { side->normal, side->mixed, NULL };
    return cg_solve_mixed(high, &low, (mixed_task){ .x = s->x, .b = s->rhs, .stop = stop }, q->rule);
}

/* A solve for C^+ r stops at MARGIN times the reduction that |r| still needs; at most ROUNDS solves. */
#define MARGIN 0.1
#define SMALLEST_RESIDUAL 1e-15
enum { ROUNDS = 5 };

static mixed_result solve_by_cg(const solve_request *q, stop_rule stop)
{
    mixed_result all = { .solve = { .residual = 1 } };
    double part = MARGIN * stop.tolerance;
    bool goes_on = true;
    apply(q->s, q->s->rhs, true, q->s->b);
    for (int i = 0; i < ROUNDS && goes_on; i++) {
        const stop_rule now = { fmax(part, SMALLEST_RESIDUAL), stop.max_iterations - all.solve.iterations };
        const mixed_result one = solve_normal(q, now);
        all.solve.iterations += one.solve.iterations;
        all.solve.restarts += one.solve.restarts;
        mixed_record_add(&all.record, &one.record);
        all.solve.residual = true_residual(q->s);
        all.solve.converged = all.solve.residual <= stop.tolerance;
        goes_on = one.solve.converged && !all.solve.converged && all.solve.iterations < stop.max_iterations;
        part *= MARGIN * stop.tolerance / all.solve.residual;
    }
    return all;
}

static mixed_result solve_by_bicg(const solve_request *q, stop_rule stop)
{
    dirac_study *s = q->s;
    storage_side *side = side_of(s, q->inner);
    bicg_space **space = &side->bicg[q->method];
    if (!*space)
        *space = bicg_space_create(s->space, side->like, bicg_solver_order(solver_kinds[q->method]), 1);
    const bicg_low low = { side->square, *space, NULL };
    mixed_task task = { .x = s->x, .b = s->b, .stop = stop };
    bicg_solve_batch(side_of(s, STORED_DOUBLE)->square, &low, &task, 1, q->rule);
    return task.result;
}

static mixed_result solve_from_zero(const solve_request *q, stop_rule stop)
{
    vec_zero(q->s->x);
    return q->method == SOLVER_CG ? solve_by_cg(q, stop) : solve_by_bicg(q, stop);
}

/* ---- multigrid */

void dirac_study_set_multigrid(dirac_study *s, const multigrid_settings *settings)
{
    s->settings.multigrid = *settings;
}

/* A solve that conjugate gradients had to continue counts as failed. */
static mixed_result solve_by_multigrid(dirac_study *s, stop_rule stop)
{
    dirac_solver_spec spec = dirac_solver_spec_of(SOLVER_DOUBLE_SINGLE, 1);
    const dirac_goal goal = { .precision = SOLVER_DOUBLE_SINGLE, .residual = stop.tolerance,
                              .max_iterations = stop.max_iterations };
    spec.kind = &multigrid_solver;
    spec.settings = s->settings;
    if (!s->multigrid)
        s->multigrid = dirac_solver_create(s->d, spec);
    vec_zero(s->x);
    const dirac_solved of = dirac_solve_square(s->multigrid, s->m, false, (dirac_task){ .x = s->x, .b = s->b }, &goal);
    mixed_result r = { .solve = { .converged = of.converged && !of.fallback, .iterations = of.iterations,
                                  .residual = of.residual, .restarts = of.restarts }, .record = of.record };
    r.record.why[BY_RELIABLE_UPDATES] = of.fallback;
    r.record.residuals = of.iterations;                     /* each is in double */
    return r;
}

/* ---- time */

static double now(const dirac_study *s)
{
    if (s->d->where == PLACE_GPU)
        device_wait();
    return clock_now();
}

/* The first solve includes the setup of the hierarchy, the second one does not. */
static study_solve time_multigrid(dirac_study *s, stop_rule stop)
{
    study_solve r;
    double began = now(s);
    solve_by_multigrid(s, stop);
    const double first = now(s) - began;
    began = now(s);
    r.of = solve_by_multigrid(s, stop);
    r.seconds = now(s) - began;
    r.setup = fmax(0, first - r.seconds);
    return r;
}

study_solve dirac_study_solve(dirac_study *s, solver_kind_index method, stored_as inner, stop_rule stop,
                              const mixed_rule *rule)
{
    study_solve r = { .setup = 0 };
    mixed_rule forgetful = *rule;
    forgetful.history = NULL;
    const solve_request q = { s, method, inner, &forgetful };
    if (method == SOLVER_MULTIGRID)
        return time_multigrid(s, stop);
    solve_from_zero(&q, (stop_rule){ stop.tolerance, UNTIMED });
    const double began = now(s);
    r.of = solve_from_zero(&q, stop);
    r.seconds = now(s) - began;
    if (rule->history)
        solve_from_zero(&(solve_request){ s, method, inner, rule }, stop);
    return r;
}

/* ---- speeds */

typedef struct { const linop *c; vec *out; const vec *in; } operator_job;

static void run_operator(const void *what)
{
    const operator_job *j = what;
    j->c->apply(j->c, j->out, 0, j->in);
}

operator_speed dirac_study_operator(dirac_study *s, stored_as in, int repeats)
{
    const storage_side *side = side_of(s, in);
    vec *v = vec_create_like(side->like), *out = vec_create_like(side->like);
    vec_convert(v, s->b);
    const operator_job j = { side->square, out, v };
    const operator_speed speed = { bench_launches(s->d->where, repeats, run_operator, &j), side->square->cost };
    vec_free(out);
    vec_free(v);
    return speed;
}

/* Smaller than any residual or update. */
#define NEVER 1e-100
enum { SOLVES_TIMED = 5 };

/* The shortest of several solves of at most n iterations; their number. */
static double seconds_of(const solve_request *q, int n, int *done)
{
    double shortest = INFINITY;
    apply(q->s, q->s->rhs, true, q->s->b);
    for (int i = 0; i < SOLVES_TIMED; i++) {
        vec_zero(q->s->x);
        const double began = now(q->s);
        const stop_rule stop = { NEVER, n };
        *done = (q->method == SOLVER_CG ? solve_normal(q, stop) : solve_by_bicg(q, stop)).solve.iterations;
        shortest = fmin(shortest, now(q->s) - began);
    }
    return shortest;
}

double dirac_study_iteration(dirac_study *s, solver_kind_index method, stored_as in, int n)
{
    mixed_rule rule = mixed_rule_default();
    rule.delta = NEVER;
    const solve_request q = { s, method, in, &rule };
    int few, many;
    const double short_time = seconds_of(&q, n, &few), long_time = seconds_of(&q, 3 * n, &many);
    return many >= 2 * n ? (long_time - short_time) / (many - few) : NAN;
}
