/* method_study.c - solves of C x = b by conjugate gradients and by BiCGstab(l), in many precisions, timed. */
#include "src/bench/method_study.h"

#include "gpu/device.h"
#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/bench/dirac_study.h"
#include "src/operators/staggered_full.h"
#include "src/solvers/bicg_mixed.h"
#include "src/solvers/bicg_solver.h"

#include <math.h>

enum { UNTIMED = 8 };                        /* iterations of a first run that is not timed */

/* Staggered quarks: conjugate gradients on a parity. */
typedef struct { vec *x, *b, *between; staggered_normal_op k; cg_space *space; } parity_system;

/* Staggered quarks: BiCGstab on all sites, in a storage. */
typedef struct { staggered_low *links; staggered_full_op op; bicg_space *space[SOLVER_KINDS]; } full_side;

struct method_study {
    method_system of;
    dirac_study *dirac, *with_terms;         /* NULL until needed; of staggered quarks always, which have */
    parity_system parity[2];
    vec *x, *b;                              /* on all sites */
    cg_space *high;
    full_side side[SOLVER_STORAGES];
};

/* ---- staggered quarks by conjugate gradients: iterations of both parities, in units of both */

static void open_parities(method_study *s)
{
    static const parity_set on[2] = { ON_EVEN, ON_ODD };
    lattice *l = s->of.u->links.lattice;
    const place where = s->of.u->links.where;
    for (int p = 0; p < 2 && !s->parity[p].x; p++) {
        parity_system *y = &s->parity[p];
        y->x = vec_create(l, on[p], where, PRECISION_DOUBLE);
        y->b = vec_create(l, on[p], where, PRECISION_DOUBLE);
        y->between = vec_create(l, on[1 - p], where, PRECISION_DOUBLE);
        y->k = staggered_normal_operator(s->of.staggered, 0, y->between);
        y->space = cg_space_create(l, on[p], where, PRECISION_DOUBLE);
        vec_set_gaussian(y->b, s->of.source, 0);
    }
}

static mixed_result solve_parities(method_study *s, stop_rule stop)
{
    const double shift = 4 * s->of.op.mass * s->of.op.mass;
    mixed_result all = { .solve = { .converged = true } };
    open_parities(s);
    for (int p = 0; p < 2; p++) {
        parity_system *y = &s->parity[p];
        vec_zero(y->x);
        const solve_result r = cg_solve(&y->k.base, y->x, shift, y->b, stop, y->space);
        all.solve.converged &= r.converged;
        all.solve.iterations += r.iterations;
        all.solve.residual = fmax(all.solve.residual, r.residual);
    }
    all.solve.iterations = (all.solve.iterations + 1) / 2;
    all.record.high_iterations = all.solve.iterations;
    return all;
}

/* ---- staggered quarks by BiCGstab */

static void open_full(method_study *s)
{
    lattice *l = s->of.u->links.lattice;
    const place where = s->of.u->links.where;
    if (s->x)
        return;
    s->x = vec_create(l, ON_ALL, where, PRECISION_DOUBLE);
    s->b = vec_create(l, ON_ALL, where, PRECISION_DOUBLE);
    vec_set_gaussian(s->b, s->of.source, 0);
    s->high = cg_space_create_refining(s->b, 1);
    s->side[STORED_DOUBLE].op = staggered_full_operator(s->of.staggered, 0, false);
}

static full_side *side_of(method_study *s, stored_as stored, solver_kind_index method)
{
    full_side *side = &s->side[stored];
    const vec_storage in = solver_storages[stored];
    const field *f = &s->b->f;
    if (stored != STORED_DOUBLE && !side->links) {
        side->links = staggered_low_create(s->of.staggered, in.format, in.precision);
        staggered_low_update(side->links);
        side->op = staggered_full_operator_low(side->links, 0, false);
    }
    if (!side->space[method]) {
        vec *like = vec_create_stored(f->lattice, ON_ALL, f->where, in, 1);
        side->space[method] = bicg_space_create(s->high, like, bicg_solver_order(solver_kinds[method]), 1);
        vec_free(like);
    }
    return side;
}

static mixed_result solve_full(method_study *s, solver_kind_index method, stored_as inner, stop_rule stop,
                               const mixed_rule *rule)
{
    open_full(s);
    full_side *side = side_of(s, inner, method);
    const bicg_low low = { &side->op.base, side->space[method], NULL };
    mixed_task task = { .x = s->x, .shift = 2 * s->of.op.mass, .b = s->b, .stop = stop };
    vec_zero(s->x);
    bicg_solve_batch(&s->side[STORED_DOUBLE].op.base, &low, &task, 1, rule);
    return task.result;
}

/* ---- other quarks */

/* The operator for a method.  Multigrid needs the one with terms at each site, which clover quarks have in any case;
 * true: other methods have another one, with the same C. */
static bool plan_for(study_plan *p, const method_study *s, solver_kind_index method)
{
    study_operator op = s->of.op;
    op.with_terms = method == SOLVER_MULTIGRID;
    study_plan_make(p, &op);
    return op.quarks == STUDY_WILSON && op.with_terms && !clover_params_have_blocks(&p->clover);
}

static dirac_study *dirac_for(method_study *s, solver_kind_index method)
{
    study_plan p;
    dirac_study **d = plan_for(&p, s, method) ? &s->with_terms : &s->dirac;
    if (!*d) {
        *d = dirac_study_create(&p.plan, s->of.u, s->of.source);
        dirac_study_set_multigrid(*d, &s->of.multigrid);
    }
    return *d;
}

static bool has_multigrid(const method_study *s)
{
    study_plan p;
    const solver_settings settings = { .multigrid = s->of.multigrid };
    if (s->of.op.quarks != STUDY_WILSON)
        return false;
    plan_for(&p, s, SOLVER_MULTIGRID);
    return linear_solver_is_possible(&multigrid_solver, &settings, &p.plan, lattice_shape_of(s->of.u->links.lattice),
                                     NULL);
}

/* ---- either */

method_study *method_study_create(const method_system *of)
{
    method_study *s = memory_alloc(sizeof *s, "a study of methods");
    s->of = *of;
    return s;
}

void method_study_free(method_study *s)
{
    if (!s)
        return;
    for (int i = 0; i < SOLVER_STORAGES; i++) {
        for (int method = 0; method < SOLVER_KINDS; method++)
            bicg_space_free(s->side[i].space[method]);
        staggered_low_free(s->side[i].links);
    }
    cg_space_free(s->high);
    vec_free(s->b);
    vec_free(s->x);
    for (int p = 0; p < 2; p++) {
        cg_space_free(s->parity[p].space);
        vec_free(s->parity[p].between);
        vec_free(s->parity[p].b);
        vec_free(s->parity[p].x);
    }
    dirac_study_free(s->with_terms);
    dirac_study_free(s->dirac);
    memory_free(s);
}

bool method_study_has(const method_study *s, solver_kind_index method, stored_as inner)
{
    if (method == SOLVER_MULTIGRID)
        return inner == STORED_SINGLE && has_multigrid(s);
    return s->of.op.quarks != STUDY_STAGGERED || method != SOLVER_CG || inner == STORED_DOUBLE;
}

static mixed_result solve_staggered(method_study *s, solver_kind_index method, stored_as inner, stop_rule stop,
                                    const mixed_rule *rule)
{
    return method == SOLVER_CG ? solve_parities(s, stop) : solve_full(s, method, inner, stop, rule);
}

static double now(const method_study *s)
{
    if (s->of.u->links.where == PLACE_GPU)
        device_wait();
    return clock_now();
}

study_solve method_study_solve(method_study *s, solver_kind_index method, stored_as inner, stop_rule stop,
                               const mixed_rule *rule)
{
    study_solve r = { .setup = 0 };
    if (s->of.op.quarks != STUDY_STAGGERED)
        return dirac_study_solve(dirac_for(s, method), method, inner, stop, rule);
    solve_staggered(s, method, inner, (stop_rule){ stop.tolerance, UNTIMED }, rule);
    const double began = now(s);
    r.of = solve_staggered(s, method, inner, stop, rule);
    r.seconds = now(s) - began;
    return r;
}
