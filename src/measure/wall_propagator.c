/* wall_propagator.c - quarks in four dimensions from domain-wall quarks. */
#include "src/measure/wall_propagator.h"

#include "src/base/memory.h"
#include "src/operators/wall_embed.h"

#include <assert.h>
#include <math.h>

/* Scratch vectors of the solver by their number: on both parities, and on odd sites those of each source. */
enum { AT_WALLS, AT_RIGHT, AT_PSI, AT_RHS, AT_SOLUTION = AT_RHS + BATCH_TOGETHER };

struct wall_propagator {
    wall_weights weights;
    dwf_operator_params params;
    dirac_operator *d;
    dirac_solver *solver;
    solver_kind kind;
    int together;
    wall_line line[BATCH_TOGETHER];
};

/* How nearly weights are to be those from the other wall. */
#define SYMMETRY 1e-12

bool wall_ward_identity_holds(const wall_weights *w)
{
    bool same = w->slices % 2 == 0;
    for (int s = 0; s < w->slices; s++) {
        const int mirrored = w->slices - 1 - s;
        same &= fabs(w->b[s] - w->b[mirrored]) <= SYMMETRY * fabs(w->b[s]);
        same &= fabs(w->c[s] - w->c[mirrored]) <= SYMMETRY * fabs(w->c[s]);
    }
    return same;
}

wall_propagator *wall_propagator_create(const gauge *u, const wall_weights *w, double boundary,
                                        solver_kind solver, int together)
{
    wall_propagator *p = memory_alloc(sizeof *p, "domain-wall propagators");
    assert(together >= 1 && together <= BATCH_TOGETHER);
    p->weights = *w;
    p->together = together;
    p->params = (dwf_operator_params){ *w, boundary };
    p->kind = solver;
    const dirac_plan plan = dwf_operator_plan(&p->params);
    p->d = plan.kind->create(&plan, u, false);
    p->solver = dirac_solver_create(p->d, dirac_solver_size_of(solver, together));
    for (int i = 0; i < together; i++)
        p->line[i] = (wall_line){ wall_field_create(u, 1), wall_field_create(u, 1), wall_field_create(u, 1) };
    return p;
}

void wall_propagator_free(wall_propagator *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->together; i++) {
        wall_field_free(p->line[i].source);
        wall_field_free(p->line[i].quark);
        wall_field_free(p->line[i].midpoint);
    }
    dirac_solver_free(p->solver);
    p->d->kind->free(p->d);
    memory_free(p);
}

size_t wall_propagator_bytes(const lattice_shape *shape, int slices, solver_kind solver, int together)
{
    const size_t spinor = SLAB_GROUP * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD), n = (size_t)together;
    const dwf_operator_params params = { .weights = { .slices = slices } };
    const dirac_plan plan = dwf_operator_plan(&params);
    return dirac_solver_bytes(&plan, shape, dirac_solver_size_of(solver, together))
           + (2 * AT_RHS + 2 * n) * (size_t)slices * spinor + 6 * n * spinor;
}

bool wall_propagator_update(wall_propagator *p, const gauge *u, failure *why)
{
    return p->d->kind->update(p->d, u, why);
}

const wall_links *wall_propagator_links(const wall_propagator *p)
{
    return hop_operator_links(p->d);
}

const wall_line *wall_propagator_line(const wall_propagator *p, int i)
{
    assert(i >= 0 && i < p->together);
    return &p->line[i];
}

static wall_field scratch_field(const wall_propagator *p, int i)
{
    return (wall_field){ dirac_solver_scratch(p->solver, ON_EVEN, i), dirac_solver_scratch(p->solver, ON_ODD, i) };
}

static fifth_table diagonal(const wall_weights *w, double constant, double of_c)
{
    fifth_table t = fifth_one(w->slices, 1);
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < w->slices; s++)
            t.d[c][s] = constant + of_c * w->c[s];
    return t;
}

/* v of a source in four dimensions: w - c Dw w, Dw = -S/2 + (4 - M5); psi is overwritten. */
static wall_field right_side(const wall_propagator *p, wall_field source)
{
    const wall_field walls = scratch_field(p, AT_WALLS), right = scratch_field(p, AT_RIGHT);
    const wall_field local = scratch_field(p, AT_PSI);
    const wall_links *links = wall_propagator_links(p);
    const fifth_table here = diagonal(&p->weights, 1, p->weights.height - 4), hop = diagonal(&p->weights, 0, 0.5);
    wall_source(walls.even, source.even);
    wall_source(walls.odd, source.odd);
    wall_fifth(local.even, &here, walls.even);
    wall_fifth(local.odd, &here, walls.odd);
    wall_hop_with(right.even, links, &hop, false, walls.odd, 1, local.even, 0, NULL);
    wall_hop_with(right.odd, links, &hop, false, walls.even, 1, local.odd, 0, NULL);
    return right;
}

/* The system of a source for the solver: A x' = C^+ (right-hand side of C x'), from zero. */
static dirac_task system_of(wall_propagator *p, const wall_matrix *m, int i)
{
    const wall_links *links = wall_propagator_links(p);
    const wall_field right = right_side(p, p->line[i].source);
    const wall_field free_now = scratch_field(p, AT_WALLS), rhs = scratch_field(p, AT_PSI);
    vec *b = dirac_solver_scratch(p->solver, ON_ODD, AT_RHS + i);
    vec *x = dirac_solver_scratch(p->solver, ON_ODD, AT_SOLUTION + i);
    wall_prepare(rhs.odd, links, m, right, free_now.even);
    wall_c_dagger(b, links, m, rhs.odd, free_now.even, free_now.odd);
    vec_zero(x);
    return (dirac_task){ .x = x, .b = b };
}

static void take_line(wall_propagator *p, const wall_matrix *m, int i, const vec *solution)
{
    const wall_line *line = &p->line[i];
    const wall_field right = right_side(p, line->source), psi = scratch_field(p, AT_PSI);
    wall_reconstruct(psi, wall_propagator_links(p), m, right, solution, scratch_field(p, AT_WALLS).even);
    wall_quark(line->quark.even, psi.even);
    wall_quark(line->quark.odd, psi.odd);
    if (p->weights.slices % 2 == 0) {
        wall_midpoint(line->midpoint.even, psi.even);
        wall_midpoint(line->midpoint.odd, psi.odd);
    }
}

bool wall_propagator_run(wall_propagator *p, double mass, int count, const dirac_goal *goal, int64_t *iterations,
                         double *residual, failure *f)
{
    const wall_matrix m = wall_matrix_of(&p->weights, mass, (fifth_corner){ 0, 0, 0 });
    dirac_task task[BATCH_TOGETHER];
    dirac_goal with_kind = *goal;
    with_kind.kind = p->kind;
    assert(count >= 1 && count <= p->together);
    for (int i = 0; i < count; i++)
        task[i] = system_of(p, &m, i);
    dirac_solve_all(p->solver, dwf_operator_matrix(&m), task, count, &with_kind);
    for (int i = 0; i < count; i++) {
        const dirac_solved *s = &task[i].solved;
        *iterations += s->iterations;
        *residual = fmax(*residual, s->residual);
        if (!s->converged)
            return fail(f, "mass %g: residual %.1e after %d iterations, %.1e was wanted", mass, s->residual,
                        s->iterations, goal->residual);
        take_line(p, &m, i, task[i].x);
    }
    return true;
}
