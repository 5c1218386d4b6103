/* quark_propagator.c - propagators of quarks with spin. */
#include "src/measure/quark_propagator.h"

#include "src/base/memory.h"
#include "src/operators/dwf_embed.h"

#include <assert.h>

/* Of the scratch vectors of the solver on odd sites, two for each source.  Its spare vectors are scratch fields: the
 * first one of all operators, the others of walls. */
enum { AT_RHS, AT_SOLUTION = AT_RHS + BATCH_MAX_RHS };

struct quark_propagator {
    const quark_walls *walls;
    dirac_operator *d;
    dirac_solver *solver;
    solver_precision precision;
    int max_rhs;
    const deflation *modes;
    quark_line line[BATCH_MAX_RHS];
};

static dirac_solver_spec spec_of(const quark_walls *walls, solver_precision solver, int max_rhs)
{
    dirac_solver_spec spec = dirac_solver_spec_of(solver, max_rhs);
    spec.scratch = 2 * max_rhs;
    spec.spare = 2 * (walls ? WALLS_FIELDS : 1);
    return spec;
}

/* Of the fields of a line. */
static int slices_of(const dirac_plan *plan, const quark_walls *walls)
{
    return walls ? 1 : plan->slabs / SLAB_GROUP;
}

quark_propagator *quark_propagator_create(const gauge *u, const dirac_plan *plan, const quark_walls *walls,
                                          solver_precision solver, int max_rhs)
{
    quark_propagator *p = memory_alloc(sizeof *p, "propagators of quarks");
    assert(max_rhs >= 1 && max_rhs <= BATCH_MAX_RHS && plan->kind->prepare);
    p->walls = walls;
    p->precision = solver;
    p->max_rhs = max_rhs;
    p->d = dirac_create(plan, u, false);
    p->solver = dirac_solver_create(p->d, spec_of(walls, solver, max_rhs));
    for (int i = 0; i < max_rhs; i++) {
        p->line[i] = (quark_line){ .source = spinor_field_create(u, slices_of(plan, walls)),
                                   .quark = spinor_field_create(u, slices_of(plan, walls)) };
        if (walls)
            p->line[i].midpoint = spinor_field_create(u, 1);
    }
    return p;
}

void quark_propagator_free(quark_propagator *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->max_rhs; i++) {
        spinor_field_free(p->line[i].source);
        spinor_field_free(p->line[i].quark);
        spinor_field_free(p->line[i].midpoint);
    }
    dirac_solver_free(p->solver);
    dirac_free(p->d);
    memory_free(p);
}

memory_need quark_propagator_bytes(const lattice_shape *shape, const dirac_plan *plan, const quark_walls *walls,
                                   solver_precision solver, int max_rhs)
{
    const size_t spinor = SLAB_GROUP * (size_t)slices_of(plan, walls) * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
    const size_t fields = walls ? 3 : 2;
    const memory_need lines = { .lasting = 2 * fields * (size_t)max_rhs * spinor };
    return memory_need_add(dirac_solver_bytes(plan, shape, spec_of(walls, solver, max_rhs)), lines);
}

bool quark_propagator_update(quark_propagator *p, const gauge *u, failure *why)
{
    return dirac_update(p->d, u, why);
}

dirac_operator *quark_propagator_operator(const quark_propagator *p)
{
    return p->d;
}

dirac_solver *quark_propagator_solver(const quark_propagator *p)
{
    return p->solver;
}

const quark_line *quark_propagator_line(const quark_propagator *p, int i)
{
    assert(i >= 0 && i < p->max_rhs);
    return &p->line[i];
}

void quark_propagator_deflate(quark_propagator *p, const deflation *modes)
{
    p->modes = modes;
}

static spinor_field scratch_field(const quark_propagator *p, int which)
{
    return (spinor_field){ dirac_solver_spare(p->solver, ON_EVEN, 2 * which),
                           dirac_solver_spare(p->solver, ON_ODD, 2 * which + 1) };
}

/* v of M psi = v for the source of a line, borrowed; with walls, all scratch fields are overwritten. */
static spinor_field right_side(const quark_propagator *p, int i)
{
    if (!p->walls)
        return p->line[i].source;
    const spinor_field scratch[WALLS_FIELDS] = {
        [WALLS_FREE] = scratch_field(p, WALLS_FREE), [WALLS_RIGHT] = scratch_field(p, WALLS_RIGHT),
        [WALLS_PSI] = scratch_field(p, WALLS_PSI),
    };
    p->walls->source(p->d, p->line[i].source, scratch);
    return scratch[WALLS_RIGHT];
}

/* The system of a source for the solver, C^+C x' = C^+ b' for C x' = b', and its start vector. */
static dirac_task system_of(quark_propagator *p, const dirac_matrix *m, int i)
{
    const spinor_field right = right_side(p, i), scratch = scratch_field(p, WALLS_FREE);
    vec *b = dirac_solver_scratch(p->solver, ON_ODD, AT_RHS + i);
    vec *x = dirac_solver_scratch(p->solver, ON_ODD, AT_SOLUTION + i);
    p->d->kind->prepare(scratch.odd, p->d, m, right, scratch.even);
    dirac_solver_apply(b, p->solver, m, true, scratch.odd);
    deflation_start(x, p->modes, 0, b);
    return (dirac_task){ .x = x, .b = b };
}

static void reconstruct_line(quark_propagator *p, const dirac_matrix *m, int i, const vec *solution)
{
    const quark_line *line = &p->line[i];
    const spinor_field right = right_side(p, i), psi = p->walls ? scratch_field(p, WALLS_PSI) : line->quark;
    p->d->kind->reconstruct(psi, p->d, m, right, solution, scratch_field(p, WALLS_FREE).even);
    if (p->walls)
        p->walls->quark(line, p->d, psi);
}

bool quark_propagator_run(quark_propagator *p, quark_matrix m, int count, const dirac_goal *goal, solve_totals *totals,
                          failure *f)
{
    dirac_task task[BATCH_MAX_RHS];
    dirac_goal with_precision = *goal;
    assert(count >= 1 && count <= p->max_rhs);
    with_precision.precision = p->precision;
    for (int i = 0; i < count; i++)
        task[i] = system_of(p, m.matrix, i);
    dirac_solve_all(p->solver, m.matrix, task, count, &with_precision);
    for (int i = 0; i < count; i++) {
        if (!solve_totals_add(totals, &task[i].solved, m.mass, goal, f))
            return false;
        reconstruct_line(p, m.matrix, i, task[i].x);
    }
    return true;
}

complex_number quark_propagator_dot5(const quark_propagator *p, const quark_line *line)
{
    const spinor_field turned = scratch_field(p, WALLS_FREE);
    assert(!p->walls);
    dwf_reflect(turned.even, line->quark.even);
    dwf_reflect(turned.odd, line->quark.odd);
    return spinor_field_dot(line->source, turned);
}
