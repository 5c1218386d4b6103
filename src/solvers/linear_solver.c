/* linear_solver.c - a solver and its preconditioner (solver_kind.h). */
#include "src/solvers/solver_kind.h"

#include <assert.h>

static solver_plan plan_of_preconditioner(const solver_preconditioner *p, const solver_settings *settings)
{
    const solver_stores *s = &solver_precisions[p->precision];
    solver_plan plan = { .systems = 1, .slots = { [STORED_DOUBLE] = 1 }, .settings = *settings };
    plan.slots[s->inner] = plan.slots[s->refine] = 1;
    plan.is_krylov[s->inner] = true;
    return plan;
}

solver_needs linear_solver_needs(const solver_kind *kind, const solver_plan *plan)
{
    solver_needs all = kind->bytes(kind, plan);
    if (!kind->preconditioner)
        return all;
    const solver_plan of_inner = plan_of_preconditioner(kind->preconditioner, &plan->settings);
    const solver_needs inner = linear_solver_needs(kind->preconditioner->kind, &of_inner);
    all.kept += inner.kept;
    all.state += inner.state;
    for (int i = 0; i < SOLVER_STORAGES; i++)
        all.working[i] += inner.working[i];
    all.other = memory_need_add(all.other, inner.other);
    return all;
}

memory_need linear_solver_lattice_bytes(const solver_kind *kind, const solver_settings *settings,
                                        const lattice_shape *shape)
{
    memory_need all = { .lasting = 0 };
    for (; kind; kind = kind->preconditioner ? kind->preconditioner->kind : NULL)
        if (kind->lattice_bytes)
            all = memory_need_add(all, kind->lattice_bytes(kind, settings, shape));
    return all;
}

bool linear_solver_is_possible(const solver_kind *kind, const solver_settings *settings, const dirac_plan *plan,
                               const lattice_shape *shape, failure *f)
{
    bool possible = true;
    for (; kind && possible; kind = kind->preconditioner ? kind->preconditioner->kind : NULL)
        possible = !kind->is_possible || kind->is_possible(settings, plan, shape, f);
    return possible;
}

linear_solver *linear_solver_create(const solver_kind *kind, const solver_plan *plan, const vec *like,
                                    linear_solver *cg)
{
    const solver_preconditioner *p = kind->preconditioner;
    linear_solver *s = kind->create(kind, plan, like, cg);
    s->kind = kind;
    s->plan = *plan;
    s->cg = cg;
    if (p) {
        const solver_plan of_inner = plan_of_preconditioner(p, &plan->settings);
        assert(p->kind->square == kind->square);
        s->inner = linear_solver_create(p->kind, &of_inner, like, cg);
    }
    return s;
}

void linear_solver_open(linear_solver *s, stored_as in, const vec *like)
{
    if (s->plan.slots[in] > 0)
        s->kind->open(s, in, like);
    if (s->inner)
        linear_solver_open(s->inner, in, like);
}

void linear_solver_free(linear_solver *s)
{
    if (!s)
        return;
    linear_solver_free(s->inner);
    s->kind->free(s);
}

dirac_solved linear_solver_precondition(linear_solver *s, const solver_operator *a, vec *z, const vec *v)
{
    const solver_preconditioner *p = s->kind->preconditioner;
    const dirac_goal goal = { .precision = p->precision, .residual = p->stop.tolerance,
                              .max_iterations = p->stop.max_iterations };
    dirac_task task = { .x = z, .b = v };
    p->kind->solve(s->inner, a, &task, 1, &goal);
    return task.solved;
}
