/* method_study.c - solves of C x = b by conjugate gradients and by BiCGstab(l), timed. */
#include "src/bench/method_study.h"

#include "gpu/device.h"
#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/operators/clover_operator.h"
#include "src/operators/staggered_full.h"
#include "src/operators/wilson_operator.h"

#include <math.h>

enum { UNTIMED = 8 };                        /* iterations of a first run that is not timed */

static double now(place where)
{
    if (where == PLACE_GPU)
        device_wait();
    return clock_now();
}

/* A solve of at most so many iterations, of vectors and operators that exist. */
typedef dirac_solved solve_fn(void *system, stop_rule stop);

static method_solve timed(solve_fn *solve, void *system, place where, stop_rule stop)
{
    method_solve r;
    solve(system, (stop_rule){ stop.tolerance, UNTIMED });
    const double began = now(where);
    r.of = solve(system, stop);
    r.seconds = now(where) - began;
    return r;
}

/* ---- Wilson quarks */

typedef struct { dirac_solver *w; dirac_matrix *m; solver_kind kind; vec *x, *b; } wilson_system;

static dirac_solved solve_wilson(void *system, stop_rule stop)
{
    wilson_system *s = system;
    const dirac_goal goal = { .kind = s->kind, .residual = stop.tolerance, .max_iterations = stop.max_iterations };
    vec_zero(s->x);
    return dirac_solve_square(s->w, s->m, false, (dirac_task){ .x = s->x, .b = s->b }, &goal);
}

static method_solve wilson(const method_system *of, solver_method method, solver_kind kind, stop_rule stop)
{
    wilson_operator_params plain = { .boundary = -1 };
    clover_operator_params clover = { .boundary = -1, .c_sw = of->c_sw };
    clover_operator_add_mass(&clover, of->mass);
    const dirac_plan plan = of->c_sw != 0 ? clover_operator_plan(&clover) : wilson_operator_plan(&plain);
    dirac_operator *d = dirac_create(&plan, of->u, false);
    dirac_solver_size size = dirac_solver_size_of(kind, 1);
    failure why;
    size.square = true;
    size.order = solver_orders[method];
    wilson_system s = { .w = dirac_solver_create(d, size), .m = d->kind->matrix(d, of->mass), .kind = kind };
    require(dirac_update(d, of->u, &why), "%s", why.why);
    s.x = dirac_vec_create(d, ON_ODD, dirac_full_storage(d));
    s.b = dirac_vec_create(d, ON_ODD, dirac_full_storage(d));
    vec_set_gaussian(s.b, of->source, 0);
    const method_solve r = timed(solve_wilson, &s, of->u->links.where, stop);
    vec_free(s.b);
    vec_free(s.x);
    dirac_solver_free(s.w);
    memory_free(s.m);
    dirac_free(d);
    return r;
}

/* ---- staggered quarks by conjugate gradients: iterations of both parities, in units of both */

typedef struct {
    const method_system *of;
    vec *x[2], *b[2];
    staggered_normal_op k[2];
    cg_space *space[2];
} parities;

static dirac_solved solve_parities(void *system, stop_rule stop)
{
    parities *s = system;
    const double shift = 4 * s->of->mass * s->of->mass;
    dirac_solved all = { .converged = true };
    for (int p = 0; p < 2; p++) {
        vec_zero(s->x[p]);
        const solve_result r = cg_solve(&s->k[p].base, s->x[p], shift, s->b[p], stop, s->space[p]);
        all.converged &= r.converged;
        all.iterations += r.iterations;
        all.residual = fmax(all.residual, r.residual);
    }
    all.iterations = (all.iterations + 1) / 2;
    return all;
}

static method_solve staggered_cg(const method_system *of, stop_rule stop)
{
    static const parity_set on[2] = { ON_EVEN, ON_ODD };
    lattice *l = of->u->links.lattice;
    const place where = of->u->links.where;
    vec *between[2];
    parities s = { .of = of };
    for (int p = 0; p < 2; p++) {
        s.x[p] = vec_create(l, on[p], where, PRECISION_DOUBLE);
        s.b[p] = vec_create(l, on[p], where, PRECISION_DOUBLE);
        between[p] = vec_create(l, on[1 - p], where, PRECISION_DOUBLE);
        s.k[p] = staggered_normal_operator(of->staggered, 0, between[p]);
        s.space[p] = cg_space_create(l, on[p], where, PRECISION_DOUBLE);
        vec_set_gaussian(s.b[p], of->source, 0);
    }
    const method_solve r = timed(solve_parities, &s, where, stop);
    for (int p = 0; p < 2; p++) {
        cg_space_free(s.space[p]);
        vec_free(between[p]);
        vec_free(s.b[p]);
        vec_free(s.x[p]);
    }
    return r;
}

/* ---- staggered quarks by BiCGstab */

typedef struct {
    const method_system *of;
    staggered_full_op high;
    vec *x, *b;
    bicg_low first, second;                  /* of separate systems, of common Krylov spaces; may be the same */
    staggered_low *links[SOLVER_STORAGES];
    staggered_full_op op[SOLVER_STORAGES];
    bicg_space *space[SOLVER_STORAGES];
} full_system;

static dirac_solved solve_full(void *system, stop_rule stop)
{
    full_system *s = system;
    const mixed_rule rule = mixed_rule_default();
    mixed_task task = { .x = s->x, .shift = 2 * s->of->mass, .b = s->b, .stop = stop };
    vec_zero(s->x);
    bicg_solve_batch(&s->high.base, &s->first, &task, 1, &rule);
    const solve_result *r = &task.result.solve;
    return (dirac_solved){ .converged = r->converged, .iterations = r->iterations, .residual = r->residual,
                           .record = task.result.record, .restarts = r->restarts,
                           .fallback = r->converged ? NO_FAILURE : task.result.record.why[rule.first] };
}

static void open_storage(full_system *s, stored_as stored, cg_space *high, int order)
{
    const vec_storage in = solver_storages[stored];
    const field *f = &s->b->f;
    if (s->space[stored])
        return;
    s->op[stored] = s->high;
    if (stored != STORED_DOUBLE) {
        s->links[stored] = staggered_low_create(s->of->staggered, in.format, in.precision);
        staggered_low_update(s->links[stored]);
        s->op[stored] = staggered_full_operator_low(s->links[stored], 0, false);
    }
    vec *like = vec_create_stored(f->lattice, ON_ALL, f->where, in, 1);
    s->space[stored] = bicg_space_create(high, like, order, 1);
    vec_free(like);
}

static method_solve staggered_bicg(const method_system *of, solver_method method, solver_kind kind, stop_rule stop)
{
    lattice *l = of->u->links.lattice;
    const place where = of->u->links.where;
    const solver_stores *stores = &solver_kinds[kind];
    full_system s = { .of = of, .high = staggered_full_operator(of->staggered, 0, false) };
    s.x = vec_create(l, ON_ALL, where, PRECISION_DOUBLE);
    s.b = vec_create(l, ON_ALL, where, PRECISION_DOUBLE);
    vec_set_gaussian(s.b, of->source, 0);
    cg_space *high = cg_space_create_refining(s.b, 1);
    open_storage(&s, stores->inner, high, solver_orders[method]);
    open_storage(&s, stores->refine, high, solver_orders[method]);
    s.second = (bicg_low){ &s.op[stores->inner].base, s.space[stores->inner], NULL };
    s.first = stores->inner == stores->refine ? s.second
                  : (bicg_low){ &s.op[stores->refine].base, s.space[stores->refine], &s.second };
    const method_solve r = timed(solve_full, &s, where, stop);
    for (int i = 0; i < SOLVER_STORAGES; i++) {
        bicg_space_free(s.space[i]);
        staggered_low_free(s.links[i]);
    }
    cg_space_free(high);
    vec_free(s.b);
    vec_free(s.x);
    return r;
}

/* ---- any */

bool method_study_has(const method_system *s, solver_method method, solver_kind kind)
{
    return !s->staggered || method != METHOD_CG || kind == SOLVER_DOUBLE;
}

method_solve method_study_solve(const method_system *s, solver_method method, solver_kind kind, stop_rule stop)
{
    if (!s->staggered)
        return wilson(s, method, kind, stop);
    return method == METHOD_CG ? staggered_cg(s, stop) : staggered_bicg(s, method, kind, stop);
}
