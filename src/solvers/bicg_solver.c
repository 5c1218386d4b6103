/* bicg_solver.c - the solver_kinds of BiCGstab(l). */
#include "src/solvers/bicg_solver.h"

#include "src/base/memory.h"
#include "src/solvers/bicg_mixed.h"
#include "src/solvers/cg_solver.h"

typedef struct {
    linear_solver base;
    bicg_space *space[SOLVER_STORAGES];
} bicg_solver_data;

static bicg_solver_data *data_of(linear_solver *s)
{
    return (bicg_solver_data *)s;
}

/* Whether the solver iterates in a storage; it uses double only without a lower precision. */
static bool works_in(const solver_plan *plan, stored_as in)
{
    return in == STORED_DOUBLE ? plan->is_krylov[in] : plan->slots[in] > 0;
}

static solver_needs needs(const solver_kind *kind, const solver_plan *plan)
{
    solver_needs n = { .kept = 0 };
    int engines = 0;
    for (stored_as i = STORED_DOUBLE; i < SOLVER_STORAGES; i++) {
        engines += works_in(plan, i);
        n.working[i] = works_in(plan, i)
                     ? plan->slots[i] * bicg_space_vectors(bicg_solver_order(kind), solver_storages[i].format) : 0;
    }
    n.other.cells = (size_t)engines * krylov_bytes();
    return n;
}

static linear_solver *create_solver(const solver_kind *kind, const solver_plan *plan, const vec *like,
                                    linear_solver *cg)
{
    bicg_solver_data *d = memory_alloc(sizeof *d, "BiCGstab");
    (void)kind, (void)plan, (void)like, (void)cg;
    return &d->base;
}

int bicg_solver_order(const solver_kind *kind)
{
    return kind->create == create_solver ? kind->parameter : 0;
}

static void open_storage(linear_solver *s, stored_as in, const vec *like)
{
    if (works_in(&s->plan, in))
        data_of(s)->space[in] = bicg_space_create(cg_solver_space(s->cg), like, bicg_solver_order(s->kind),
                                                  s->plan.slots[in]);
}

static void free_solver(linear_solver *s)
{
    for (int i = SOLVER_STORAGES - 1; i >= 0; i--)
        bicg_space_free(data_of(s)->space[i]);
    memory_free(s);
}

static void solve_tasks(linear_solver *s, const solver_operator *a, dirac_task *task, int tasks, const dirac_goal *goal)
{
    bicg_space *const *space = data_of(s)->space;
    const solver_stores *stores = &solver_precisions[goal->precision];
    const mixed_rule rule = goal->rule ? *goal->rule : mixed_rule_default();
    const bicg_low common = { a->in[stores->inner], space[stores->inner], NULL };
    bicg_low separate = common;
    if (stores->refine != stores->inner)
        separate = (bicg_low){ a->in[stores->refine], space[stores->refine], &common };
    mixed_task *mixed = memory_alloc((size_t)tasks * sizeof *mixed, "solves");
    for (int n = 0; n < tasks; n++)
        mixed[n] = (mixed_task){ .x = task[n].x, .b = task[n].b, .stop = { goal->residual, goal->max_iterations } };
    bicg_solve_batch(a->in[STORED_DOUBLE], &separate, mixed, tasks, &rule);
    for (int n = 0; n < tasks; n++) {
        const mixed_result *r = &mixed[n].result;
        dirac_solved *solved = &task[n].solved;
        *solved = dirac_solved_of(&r->solve, &r->record);
        solved->restarts = r->solve.restarts;
        solved->fallback_at = r->solve.iterations;
        if (!r->solve.converged)
            solved->fallback = r->record.why[rule.first];
        solved->record.fallbacks += solved->fallback != NO_FAILURE;
    }
    memory_free(mixed);
}

#define OF_BICGSTAB                                                                                                    \
    .square = true, .batches_double = true, .bytes = needs, .create = create_solver, .open = open_storage,             \
    .free = free_solver, .solve = solve_tasks

const solver_kind bicgstab_solver = { .name = "bicgstab", .parameter = 1, OF_BICGSTAB };
const solver_kind bicgstab2_solver = { .name = "bicgstab2", .parameter = 2, OF_BICGSTAB };
const solver_kind bicgstab4_solver = { .name = "bicgstab4", .parameter = 4, OF_BICGSTAB };
