/* wilson_propagator.c - propagators of Wilson quarks. */
#include "src/measure/wilson_propagator.h"

#include "src/base/memory.h"
#include "src/operators/dwf_embed.h"

#include <assert.h>

/* Numbers of the spare vectors of the solver; of its scratch vectors on odd sites, two for each source. */
enum { AT_EVEN, AT_RIGHT, SPARE };
enum { AT_RHS, AT_SOLUTION = AT_RHS + BATCH_MAX_RHS };

struct wilson_propagator {
    clover_operator_params params;
    dirac_operator *d;
    dirac_solver *solver;
    solver_precision precision;
    int max_rhs;
    const deflation *modes;
    wilson_line line[BATCH_MAX_RHS];
};

static dirac_solver_size size_of(solver_precision solver, int max_rhs)
{
    dirac_solver_size size = dirac_solver_size_of(solver, max_rhs);
    size.scratch = 2 * max_rhs;
    size.spare = SPARE;
    return size;
}

/* Borrows params. */
static dirac_plan plan_of(const clover_operator_params *params, const stout_params *smearing)
{
    dirac_plan plan = clover_operator_plan(params);
    plan.stout = *smearing;
    return plan;
}

wilson_propagator *wilson_propagator_create(const gauge *u, const clover_operator_params *params,
                                            const stout_params *smearing, solver_precision solver, int max_rhs)
{
    wilson_propagator *p = memory_alloc(sizeof *p, "propagators of Wilson quarks");
    assert(max_rhs >= 1 && max_rhs <= BATCH_MAX_RHS);
    p->params = *params;
    p->precision = solver;
    p->max_rhs = max_rhs;
    const dirac_plan plan = plan_of(&p->params, smearing);
    p->d = dirac_create(&plan, u, false);
    p->solver = dirac_solver_create(p->d, size_of(solver, max_rhs));
    for (int i = 0; i < max_rhs; i++)
        p->line[i] = (wilson_line){ spinor_field_create(u, 1), spinor_field_create(u, 1) };
    return p;
}

void wilson_propagator_free(wilson_propagator *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->max_rhs; i++) {
        spinor_field_free(p->line[i].source);
        spinor_field_free(p->line[i].quark);
    }
    dirac_solver_free(p->solver);
    dirac_free(p->d);
    memory_free(p);
}

memory_need wilson_propagator_bytes(const lattice_shape *shape, const clover_operator_params *params,
                                    const stout_params *smearing, solver_precision solver, int max_rhs)
{
    const size_t spinor = SLAB_GROUP * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
    const dirac_plan plan = plan_of(params, smearing);
    const memory_need lines = { .lasting = 4 * (size_t)max_rhs * spinor };
    return memory_need_add(dirac_solver_bytes(&plan, shape, size_of(solver, max_rhs)), lines);
}

bool wilson_propagator_update(wilson_propagator *p, const gauge *u, failure *why)
{
    return dirac_update(p->d, u, why);
}

dirac_operator *wilson_propagator_operator(const wilson_propagator *p)
{
    return p->d;
}

dirac_solver *wilson_propagator_solver(const wilson_propagator *p)
{
    return p->solver;
}

dirac_matrix *wilson_propagator_matrix(const wilson_propagator *p, int mass)
{
    return dirac_matrix_create(p->d, p->params.mass[mass], (dirac_twist){ p->params.mu[mass], 0 });
}

const wilson_line *wilson_propagator_line(const wilson_propagator *p, int i)
{
    assert(i >= 0 && i < p->max_rhs);
    return &p->line[i];
}

void wilson_propagator_deflate(wilson_propagator *p, const deflation *modes)
{
    p->modes = modes;
}

/* The system of a source for the solver, with its start vector. */
static dirac_task system_of(wilson_propagator *p, clover_links links, int i)
{
    vec *even = dirac_solver_spare(p->solver, ON_EVEN, AT_EVEN);
    vec *right = dirac_solver_spare(p->solver, ON_ODD, AT_RIGHT);
    vec *b = dirac_solver_scratch(p->solver, ON_ODD, AT_RHS + i);
    vec *x = dirac_solver_scratch(p->solver, ON_ODD, AT_SOLUTION + i);
    clover_prepare(right, links, p->line[i].source, even);
    clover_mhat(b, links, true, right, even);
    deflation_start(x, p->modes, 0, b);
    return (dirac_task){ .x = x, .b = b };
}

bool wilson_propagator_run(wilson_propagator *p, int mass, int count, const dirac_goal *goal, solve_totals *totals,
                           failure *f)
{
    dirac_matrix *m = wilson_propagator_matrix(p, mass);
    const clover_links links = clover_operator_links(p->d, m);
    dirac_task task[BATCH_MAX_RHS];
    dirac_goal with_precision = *goal;
    bool ok = true;
    assert(count >= 1 && count <= p->max_rhs);
    with_precision.precision = p->precision;
    for (int i = 0; i < count; i++)
        task[i] = system_of(p, links, i);
    dirac_solve_all(p->solver, m, task, count, &with_precision);
    for (int i = 0; ok && i < count; i++) {
        ok = solve_totals_add(totals, &task[i].solved, p->params.mass[mass], goal, f);
        clover_reconstruct(p->line[i].quark, links, p->line[i].source, task[i].x);
    }
    memory_free(m);
    return ok;
}

complex_number wilson_propagator_dot5(const wilson_propagator *p, int i)
{
    const wilson_line *line = wilson_propagator_line(p, i);
    const spinor_field turned = { dirac_solver_spare(p->solver, ON_EVEN, AT_EVEN),
                               dirac_solver_spare(p->solver, ON_ODD, AT_RIGHT) };
    dwf_reflect(turned.even, line->quark.even);
    dwf_reflect(turned.odd, line->quark.odd);
    return spinor_field_dot(line->source, turned);
}
