/* cg_solver.c - the solver_kind of conjugate gradients. */
#include "src/solvers/cg_solver.h"

#include "src/base/memory.h"
#include "src/solvers/cg_mixed.h"

#include <assert.h>

/* The vectors of one storage: x[n][k] and p[n][k], solution and direction of shift k of system n.  In the operator's
 * precision there is no `space`, and x belongs to the caller. */
typedef struct {
    mixed_space *space;
    vec *x[BATCH_MAX_RHS][SHIFTS_MAX], *p[BATCH_MAX_RHS][SHIFTS_MAX];
} cg_side;

typedef struct {
    linear_solver base;
    cg_space *space;
    int shifts;                             /* number for which each side has vectors */
    cg_side side[SOLVER_STORAGES];
} cg_solver_data;

static cg_solver_data *data_of(linear_solver *s)
{
    return (cg_solver_data *)s;
}

static solver_needs needs(const solver_kind *kind, const solver_plan *plan)
{
    const int shifts = plan->systems * plan->shifts, slots = plan->slots[STORED_DOUBLE];
    solver_needs n = { .kept = 2 * slots };
    int engines = 0;
    (void)kind;
    for (int i = STORED_DOUBLE; i < SOLVER_STORAGES; i++) {
        engines += plan->slots[i] > 0;
        n.working[i] = plan->slots[i] * MIXED_VECTORS + (plan->is_krylov[i] ? 2 * shifts : 0);
    }
    n.working[STORED_DOUBLE] = 1;
    if (plan->is_krylov[STORED_DOUBLE] && shifts > 0)
        n.working[STORED_DOUBLE] += KRYLOV_GROUP_VECTORS * slots + shifts;
    n.other.cells = (size_t)engines * krylov_bytes();
    return n;
}

static linear_solver *create_solver(const solver_kind *kind, const solver_plan *plan, const vec *like,
                                    linear_solver *cg)
{
    cg_solver_data *d = memory_alloc(sizeof *d, "conjugate gradients");
    (void)kind, (void)cg;
    d->space = cg_space_create_refining(like, plan->slots[STORED_DOUBLE]);
    d->shifts = plan->shifts;
    return &d->base;
}

/* Creates the vectors of shifts from `from` to `upto`, for all systems. */
static void create_shifts(cg_solver_data *d, stored_as in, const vec *like, int from, int upto)
{
    cg_side *s = &d->side[in];
    for (int k = from; d->base.plan.is_krylov[in] && k < upto; k++)
        for (int n = 0; n < d->base.plan.systems; n++) {
            if (in != STORED_DOUBLE)
                s->x[n][k] = vec_create_like(like);
            s->p[n][k] = vec_create_like(like);
        }
}

static void open_storage(linear_solver *s, stored_as in, const vec *like)
{
    cg_solver_data *d = data_of(s);
    if (in == STORED_DOUBLE) {
        cg_space_complete(d->space);
        if (d->shifts > 0 && s->plan.is_krylov[in])
            cg_space_widen(d->space);
    } else
        d->side[in].space = mixed_space_create_batch(d->space, like, s->plan.slots[in]);
    create_shifts(d, in, like, 0, d->shifts);
}

void cg_solver_reserve(linear_solver *s, int shifts)
{
    cg_solver_data *d = data_of(s);
    assert(shifts <= SHIFTS_MAX);
    if (shifts <= d->shifts)
        return;
    if (s->plan.is_krylov[STORED_DOUBLE])
        cg_space_widen(d->space);
    for (stored_as i = STORED_DOUBLE; i < SOLVER_STORAGES; i++)
        create_shifts(d, i, i == STORED_DOUBLE ? d->space->v[0] : d->side[i].space ? d->side[i].space->r[0] : NULL,
                      d->shifts, shifts);
    d->shifts = shifts;
}

cg_space *cg_solver_space(linear_solver *s)
{
    return data_of(s)->space;
}

static void free_solver(linear_solver *s)
{
    cg_solver_data *d = data_of(s);
    for (int i = SOLVER_STORAGES - 1; i >= 0; i--) {
        for (int n = 0; n < BATCH_MAX_RHS; n++)
            for (int k = 0; k < d->shifts; k++) {
                vec_free(d->side[i].x[n][k]);
                vec_free(d->side[i].p[n][k]);
            }
        mixed_space_free(d->side[i].space);
    }
    cg_space_free(d->space);
    memory_free(d);
}

/* The operators of a solve in mixed precision: `separate`: of separate solves, may be `common`. */
typedef struct { low_system common, separate; } low_pair;

static void make_pair(low_pair *pair, cg_solver_data *d, const solver_operator *a, solver_precision in)
{
    const solver_stores *s = &solver_precisions[in];
    pair->common = (low_system){ a->in[s->inner], d->side[s->inner].space, NULL };
    pair->separate = pair->common;
    if (s->refine != s->inner)
        pair->separate = (low_system){ a->in[s->refine], d->side[s->refine].space, &pair->common };
}

static bool is_mixed(solver_precision in)
{
    return solver_precisions[in].inner != STORED_DOUBLE;
}

static void solve_tasks(linear_solver *s, const solver_operator *a, dirac_task *task, int tasks, const dirac_goal *goal)
{
    cg_solver_data *d = data_of(s);
    const stop_rule stop = { goal->residual, goal->max_iterations };
    const linop *high = a->in[STORED_DOUBLE];
    if (!is_mixed(goal->precision)) {
        for (int n = 0; n < tasks; n++) {
            const solve_result r = cg_solve(high, task[n].x, task[n].shift, task[n].b, stop, d->space);
            task[n].solved = dirac_solved_of(&r, NULL);
        }
        return;
    }
    const mixed_rule rule = goal->rule ? *goal->rule : mixed_rule_default();
    mixed_task *mixed = memory_alloc((size_t)tasks * sizeof *mixed, "solves");
    low_pair low;
    make_pair(&low, d, a, goal->precision);
    for (int n = 0; n < tasks; n++)
        mixed[n] = (mixed_task){ .x = task[n].x, .shift = task[n].shift, .b = task[n].b, .stop = stop };
    cg_solve_mixed_batch(high, &low.separate, mixed, tasks, &rule);
    for (int n = 0; n < tasks; n++)
        task[n].solved = dirac_solved_of(&mixed[n].result.solve, &mixed[n].result.record);
    memory_free(mixed);
}

static void solve_shifts(linear_solver *s, const solver_operator *a, dirac_shifts_task *task, int tasks,
                         const dirac_goal *goal)
{
    cg_solver_data *d = data_of(s);
    multishift_task each[BATCH_MAX_RHS];
    const stored_as first = solver_precisions[goal->precision].inner;
    cg_side *inner = &d->side[first];
    assert(tasks <= s->plan.systems && s->plan.is_krylov[first]);
    for (int n = 0; n < tasks; n++)
        cg_solver_reserve(s, task[n].count);
    for (int n = 0; n < tasks; n++) {
        for (int k = 0; k < task[n].count; k++)
            vec_move_to(inner->p[n][k], task[n].b->f.on);
        each[n] = (multishift_task){ .b = task[n].b, .system = task[n].system, .count = task[n].count, .x = task[n].x,
                                     .x_low = inner->x[n], .p_low = inner->p[n] };
    }
    if (is_mixed(goal->precision)) {
        const mixed_rule rule = mixed_rule_default();
        low_pair low;
        make_pair(&low, d, a, goal->precision);
        const multishift_method by = { .high = a->in[STORED_DOUBLE], .inner = &low.common, .refine = &low.separate,
                                       .rule = &rule, .max_iterations = goal->max_iterations };
        multishift_solve_mixed_batch(&by, each, tasks);
    } else
        multishift_solve_batch(a->in[STORED_DOUBLE], each, tasks, goal->max_iterations, goal->verify, d->space);
    for (int n = 0; n < tasks; n++) {
        task[n].result = each[n].result.solve;
        task[n].record = each[n].result.record;
    }
}

const solver_kind cg_solver = {
    .name = "cg",
    .bytes = needs,
    .create = create_solver,
    .open = open_storage,
    .free = free_solver,
    .solve = solve_tasks,
    .solve_shifts = solve_shifts,
};
