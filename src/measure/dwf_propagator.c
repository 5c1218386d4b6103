/* dwf_propagator.c - propagators of four-dimensional quarks from domain-wall quarks. */
#include "src/measure/dwf_propagator.h"

#include "src/base/memory.h"
#include "src/operators/dwf_embed.h"

#include <assert.h>
#include <math.h>

/* Numbers of the spare vectors of the solver, which are on both parities; of its scratch vectors, two for each source
 * on odd sites. */
enum { AT_WALLS, AT_RIGHT = AT_WALLS + 2, AT_PSI = AT_RIGHT + 2, SPARE = AT_PSI + 2 };
enum { AT_RHS, AT_SOLUTION = AT_RHS + BATCH_MAX_RHS };

struct dwf_propagator {
    dwf_weights weights;
    dwf_operator_params params;
    dirac_operator *d;
    dirac_solver *solver;
    solver_precision precision;
    int max_rhs;
    const deflation *modes;
    dwf_matrix matrix;               /* of dwf_propagator_normal */
    dwf_line line[BATCH_MAX_RHS];
};

/* Tolerance for weights that are symmetric between the walls. */
#define SYMMETRY 1e-12

bool dwf_ward_identity_holds(const dwf_weights *w)
{
    bool same = w->Ls % 2 == 0;
    for (int s = 0; s < w->Ls; s++) {
        const int mirrored = w->Ls - 1 - s;
        same &= fabs(w->b[s] - w->b[mirrored]) <= SYMMETRY * fabs(w->b[s]);
        same &= fabs(w->c[s] - w->c[mirrored]) <= SYMMETRY * fabs(w->c[s]);
    }
    return same;
}

static dirac_solver_size size_of(solver_precision solver, int max_rhs)
{
    dirac_solver_size size = dirac_solver_size_of(solver, max_rhs);
    size.scratch = 2 * max_rhs;
    size.spare = SPARE;
    return size;
}

dwf_propagator *dwf_propagator_create(const gauge *u, const dwf_weights *w, double boundary,
                                      const stout_params *smearing, solver_precision solver, int max_rhs)
{
    dwf_propagator *p = memory_alloc(sizeof *p, "domain-wall propagators");
    assert(max_rhs >= 1 && max_rhs <= BATCH_MAX_RHS);
    p->weights = *w;
    p->max_rhs = max_rhs;
    p->params = (dwf_operator_params){ *w, boundary };
    p->precision = solver;
    dirac_plan plan = dwf_operator_plan(&p->params);
    plan.stout = *smearing;
    p->d = dirac_create(&plan, u, false);
    p->solver = dirac_solver_create(p->d, size_of(solver, max_rhs));
    for (int i = 0; i < max_rhs; i++)
        p->line[i] = (dwf_line){ spinor_field_create(u, 1), spinor_field_create(u, 1), spinor_field_create(u, 1) };
    return p;
}

void dwf_propagator_free(dwf_propagator *p)
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

memory_need dwf_propagator_bytes(const lattice_shape *shape, int Ls, const stout_params *smearing,
                                 solver_precision solver, int max_rhs)
{
    const size_t spinor = SLAB_GROUP * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
    const dwf_operator_params params = { .weights = { .Ls = Ls } };
    dirac_plan plan = dwf_operator_plan(&params);
    plan.stout = *smearing;
    const memory_need lines = { .lasting = 6 * (size_t)max_rhs * spinor };
    return memory_need_add(dirac_solver_bytes(&plan, shape, size_of(solver, max_rhs)), lines);
}

bool dwf_propagator_update(dwf_propagator *p, const gauge *u, failure *why)
{
    return dirac_update(p->d, u, why);
}

const hop_links *dwf_propagator_links(const dwf_propagator *p)
{
    return hop_operator_links(p->d);
}

const dwf_line *dwf_propagator_line(const dwf_propagator *p, int i)
{
    assert(i >= 0 && i < p->max_rhs);
    return &p->line[i];
}

static spinor_field spare_field(const dwf_propagator *p, int i)
{
    return (spinor_field){ dirac_solver_spare(p->solver, ON_EVEN, i), dirac_solver_spare(p->solver, ON_ODD, i + 1) };
}

static fifth_table diagonal(const dwf_weights *w, double constant, double of_c)
{
    fifth_table t = fifth_one(w->Ls, 1);
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < w->Ls; s++)
            t.d[c][s] = constant + of_c * w->c[s];
    return t;
}

/* v of a source in four dimensions: w - c Dw w, Dw = -S/2 + (4 - M5); psi is overwritten. */
static spinor_field right_side(const dwf_propagator *p, spinor_field source)
{
    const spinor_field walls = spare_field(p, AT_WALLS), right = spare_field(p, AT_RIGHT);
    const spinor_field local = spare_field(p, AT_PSI);
    const hop_links *links = dwf_propagator_links(p);
    const fifth_table here = diagonal(&p->weights, 1, p->weights.M5 - 4), hop = diagonal(&p->weights, 0, 0.5);
    dwf_source(walls.even, source.even);
    dwf_source(walls.odd, source.odd);
    dwf_fifth(local.even, &here, walls.even);
    dwf_fifth(local.odd, &here, walls.odd);
    dwf_hop_with(right.even, links, &(dwf_hop_terms){ .k = &hop, .in = walls.odd, .a = 1, .y = local.even });
    dwf_hop_with(right.odd, links, &(dwf_hop_terms){ .k = &hop, .in = walls.even, .a = 1, .y = local.odd });
    return right;
}

const linop *dwf_propagator_normal(dwf_propagator *p, double mass)
{
    p->matrix = dwf_matrix_of(&p->weights, mass, (fifth_corner){ 0, 0, 0 });
    return dirac_solver_normal(p->solver, dwf_operator_matrix(&p->matrix));
}

void dwf_propagator_deflate(dwf_propagator *p, const deflation *modes)
{
    p->modes = modes;
}

/* The system of a source for the solver, A x' = C^+ b' for C x' = b', and its start vector. */
static dirac_task system_of(dwf_propagator *p, const dwf_matrix *m, int i)
{
    const hop_links *links = dwf_propagator_links(p);
    const spinor_field right = right_side(p, p->line[i].source);
    const spinor_field free_now = spare_field(p, AT_WALLS), rhs = spare_field(p, AT_PSI);
    vec *b = dirac_solver_scratch(p->solver, ON_ODD, AT_RHS + i);
    vec *x = dirac_solver_scratch(p->solver, ON_ODD, AT_SOLUTION + i);
    dwf_prepare(rhs.odd, links, m, right, free_now.even);
    dwf_c_dagger(b, links, m, rhs.odd, free_now.even, free_now.odd);
    deflation_start(x, p->modes, 0, b);
    return (dirac_task){ .x = x, .b = b };
}

static void reconstruct_line(dwf_propagator *p, const dwf_matrix *m, int i, const vec *solution)
{
    const dwf_line *line = &p->line[i];
    const spinor_field right = right_side(p, line->source), psi = spare_field(p, AT_PSI);
    dwf_reconstruct(psi, dwf_propagator_links(p), m, right, solution, spare_field(p, AT_WALLS).even);
    dwf_quark(line->quark.even, psi.even);
    dwf_quark(line->quark.odd, psi.odd);
    if (p->weights.Ls % 2 == 0) {
        dwf_midpoint(line->midpoint.even, psi.even);
        dwf_midpoint(line->midpoint.odd, psi.odd);
    }
}

bool dwf_propagator_run(dwf_propagator *p, double mass, int count, const dirac_goal *goal, solve_totals *totals,
                        failure *f)
{
    const dwf_matrix m = dwf_matrix_of(&p->weights, mass, (fifth_corner){ 0, 0, 0 });
    dirac_task task[BATCH_MAX_RHS];
    dirac_goal with_precision = *goal;
    with_precision.precision = p->precision;
    assert(count >= 1 && count <= p->max_rhs);
    for (int i = 0; i < count; i++)
        task[i] = system_of(p, &m, i);
    dirac_solve_all(p->solver, dwf_operator_matrix(&m), task, count, &with_precision);
    for (int i = 0; i < count; i++) {
        if (!solve_totals_add(totals, &task[i].solved, mass, goal, f))
            return false;
        reconstruct_line(p, &m, i, task[i].x);
    }
    return true;
}
