/* quark_plan.c - memory and work of quarks before they are created, as numbers and as text; the work of a force does
 * not include the iterations of its solves, whose number is unknown. */
#include "actions/quarks.h"

#include "actions/stout_params.h"
#include "src/base/memory.h"

#include <math.h>
#include <string.h>

static const vec_storage high = { VECTOR_NATIVE, PRECISION_DOUBLE };

static const quark_family *family_of(const monomial_kind *kind)
{
    return kind->family;
}

/* The first index whose C has the same blocks as this matrix (dirac_kind.blocks). */
static int blocks_of(const dirac_plan *d, int matrix)
{
    return d->kind->blocks ? d->kind->blocks(d, matrix) : matrix;
}

/* Factors represent only det C.  If the operator also has determinants of blocks (log_det), adds these for all
 * factors. */
static bool add_blocks(quark_plan *plan, failure *f)
{
    const dirac_kind *kind = plan->d.kind;
    if (!kind->log_det)
        return true;
    for (int n = 0; n < plan->count; n++) {
        const quark_factor_plan *p = &plan->factor[n];
        if (p->kind->flavors == 0)
            return fail(f, "%s: factor %d (%s) does not include the determinant that the operator %s has besides "
                           "det C (log_det)", plan->name, n, p->kind->name, kind->name);
        block_list_add(&plan->blocks, blocks_of(&plan->d, p->light), p->kind->flavors);
        if (!p->alone)
            block_list_add(&plan->blocks, blocks_of(&plan->d, p->heavy), -p->kind->flavors);
    }
    return true;
}

bool quark_plan_make(quark_plan *plan, const monomial_kind *kind, const void *params, failure *f)
{
    failure why;
    memset(plan, 0, sizeof *plan);
    if (family_of(kind)->plan(plan, params, f) && add_blocks(plan, f)
        && (stout_params_check(&plan->d.stout, &why) || fail(f, "%s: %s", plan->name, why.why)))
        return true;
    quark_plan_free(plan);
    return false;
}

void quark_plan_free(quark_plan *plan)
{
    memory_free(plan->own);
    plan->own = NULL;
}

/* A number of a factor; 0 if its kind has no such function. */
static int count_of(int (*of)(const quark_factor_plan *p), const quark_factor_plan *p)
{
    return of ? of(p) : 0;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

quark_needs quark_plan_needs(const quark_plan *plan)
{
    quark_needs all = { 0 };
    for (int n = 0; n < plan->count; n++) {
        const quark_factor_plan *p = &plan->factor[n];
        all.vectors += count_of(p->kind->vectors, p);
        all.slices += count_of(p->kind->slices, p);
        all.scratch = larger(all.scratch, count_of(p->kind->scratch, p));
        all.spare = larger(all.spare, count_of(p->kind->spare, p));
        all.shifts = larger(all.shifts, count_of(p->kind->shifts, p));
        all.pairs += count_of(p->kind->pairs, p);
    }
    return all;
}

void quark_plan_hop_solvers(solver_precision by_role[ROLES], const quark_plan *plan, const lattice_shape *shape)
{
    double residual = INFINITY;
    bool has_shifts = false;
    for (int n = 0; n < plan->count; n++) {
        has_shifts |= plan->factor[n].kind->shifts != NULL;
        for (int role = 0; role < ROLES; role++)
            residual = fmin(residual, plan->factor[n].residual.of[role]);
    }
    for (int role = 0; role < ROLES; role++)
        by_role[role] = dwf_solver_choose(plan->solver, has_shifts, shape, plan->d.slabs / SLAB_GROUP, residual);
}

double quark_plan_least_iterations(const quark_plan *plan, const monomial_kind *kind, const lattice_shape *shape)
{
    const solver_table *table = family_of(kind)->table;
    return table ? solver_least_iterations(plan->solver, table, solver_sites(shape)) : 0;
}

dirac_solver_spec quark_plan_solver(const quark_plan *plan, const monomial_kind *kind, const lattice_shape *shape)
{
    _Static_assert((int)ROLES == (int)SOLVER_PRECISIONS_TOGETHER, "a precision for each role");
    const quark_needs all = quark_plan_needs(plan);
    dirac_solver_spec spec = { .kind = plan->method, .settings = plan->settings, .systems = plan->systems,
                               .shifts = all.shifts, .scratch = all.scratch, .spare = all.spare };
    for (int n = 0; n < plan->count; n++)
        spec.shifted |= plan->factor[n].kind->shifts != NULL;
    family_of(kind)->solvers(spec.precision, plan, shape);
    spec.also_double = quark_plan_least_iterations(plan, kind, shape) > 0;
    return spec;
}

int quark_plan_pairs_together(const quark_plan *plan)
{
    return quark_plan_needs(plan).shifts > 0 ? plan->d.kind->max_rhs : 1;
}

/* The memory that `create` allocates; the links belong to the solver. */
typedef struct { memory_need fields, force, solver; } quark_memory;

static quark_memory memory_of(const quark_plan *plan, const monomial_kind *kind, const lattice_shape *shape)
{
    const quark_needs all = quark_plan_needs(plan);
    const dirac_solver_spec spec = quark_plan_solver(plan, kind, shape);
    const size_t vector = dirac_vec_bytes(&plan->d, shape, high);
    const size_t slice = vector / (size_t)plan->d.slabs * SLAB_GROUP;
    quark_memory m = { .fields = { .lasting = (size_t)all.vectors * vector + (size_t)all.slices * slice },
                       .force = dirac_force_bytes(&plan->d, shape, quark_plan_pairs_together(plan)),
                       .solver = dirac_solver_bytes(&plan->d, shape, spec) };
    m.force.shared += dirac_solver_between_bytes(&plan->d, shape, spec);
    const memory_need end = { .shared = dirac_force_end_bytes(&plan->d, shape) };
    m.force = memory_need_add(m.force, end);
    return m;
}

static memory_need sum_of(const quark_memory *m)
{
    return memory_need_add(m->fields, memory_need_add(m->force, m->solver));
}

memory_need quarks_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    quark_plan plan;
    if (!quark_plan_make(&plan, kind, params, NULL))
        return (memory_need){ 0 };
    const quark_memory m = memory_of(&plan, kind, shape);
    quark_plan_free(&plan);
    return sum_of(&m);
}

size_t quarks_pseudofermion_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    quark_plan plan;
    size_t bytes = 0;
    if (!quark_plan_make(&plan, kind, params, NULL))
        return 0;
    const size_t vector = dirac_vec_bytes(&plan.d, shape, high);
    for (int n = 0; n < plan.count; n++) {
        const quark_factor_plan *p = &plan.factor[n];
        const int fields = p->kind->fields ? p->kind->fields(p) : p->kind->entries ? p->kind->entries(p) : 1;
        bytes += (size_t)fields * (p->kind->thin ? vector / (size_t)plan.d.slabs * SLAB_GROUP : vector);
    }
    quark_plan_free(&plan);
    return bytes;
}

size_t quarks_start_vector_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    quark_plan plan;
    size_t vectors = 0;
    if (!quark_plan_make(&plan, kind, params, NULL))
        return 0;
    for (int n = 0; n < plan.count; n++)
        vectors += (size_t)count_of(plan.factor[n].kind->start_vectors_most, &plan.factor[n]);
    const size_t bytes = vectors * dirac_vec_bytes(&plan.d, shape, high)
                         + dirac_solver_state_bytes(&plan.d, shape, quark_plan_solver(&plan, kind, shape));
    quark_plan_free(&plan);
    return bytes;
}

static void describe_solvers(text *lines, const solver_precision by_role[ROLES], double least_iterations)
{
    bool same = true;
    for (int role = 1; role < ROLES; role++)
        same &= by_role[role] == by_role[0];
    text_add(lines, "solver adaptive: ");
    for (int role = 0; role < ROLES && !same; role++)
        text_add(lines, "%s %s%s", role_names[role], solver_names[by_role[role]], role < ROLES - 1 ? ", " : "");
    if (same)
        text_add(lines, "%s", solver_names[by_role[0]]);
    if (least_iterations > 0 && (by_role[ROLE_ACTION] != SOLVER_DOUBLE || by_role[ROLE_FORCE] != SOLVER_DOUBLE))
        text_add(lines, "; double for action and force after a refresh of fewer than %.0f iterations",
                 ceil(least_iterations));
    text_add(lines, "\n");
}

static void describe_factor(text *lines, const quark_factor_plan *p, const dirac_plan *d, int n)
{
    const int entries = p->kind->entries ? p->kind->entries(p) : 1;
    for (int entry = 0; entry < entries; entry++) {
        text_add(lines, p->kind->entries ? "pseudofermion %d: " : "factor %d: ", p->kind->entries ? entry : n);
        p->kind->describe(lines, p, d, entry);
        if (p->kind->describe_functions)
            p->kind->describe_functions(lines, p, entry);
        text_add(lines, "\n");
    }
}

void quarks_describe(text *lines, const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    quark_plan plan;
    if (!quark_plan_make(&plan, kind, params, NULL))
        return;
    if (family_of(kind)->describe)
        family_of(kind)->describe(lines, params);
    if (plan.d.stout.levels > 0) {
        stout_params_describe(lines, &plan.d.stout);
        text_add(lines, "\n");
    }
    for (int n = 0; n < plan.count; n++)
        describe_factor(lines, &plan.factor[n], &plan.d, n);
    for (int n = 0; n < plan.blocks.count; n++) {
        text_add(lines, "blocks: %+d ", -plan.blocks.of[n].flavors);
        plan.d.kind->describe_blocks(lines, &plan.d, plan.blocks.of[n].matrix);
        text_add(lines, "\n");
    }
    if (plan.solver == SOLVER_ADAPTIVE)
        describe_solvers(lines, quark_plan_solver(&plan, kind, shape).precision,
                         quark_plan_least_iterations(&plan, kind, shape));
    const quark_memory m = memory_of(&plan, kind, shape);
    text_add(lines, "memory: fields %s, ", bytes_to_text((double)memory_need_sum(m.fields)).s);
    text_add(lines, "force %s, ", bytes_to_text((double)(m.force.lasting + m.force.cells)).s);
    text_add(lines, "links %s; ", bytes_to_text((double)(m.solver.lasting + m.solver.cells)).s);
    text_add(lines, "workspace %s\n", bytes_to_text((double)sum_of(&m).shared).s);
    quark_plan_free(&plan);
}

void quarks_energy_errors(energy_errors *e, const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    quark_plan plan;
    if (!quark_plan_make(&plan, kind, params, NULL))
        return;
    for (int n = 0; n < plan.count; n++)
        plan.factor[n].kind->energy_errors(e, &plan.factor[n], &plan.d, shape);
    quark_plan_free(&plan);
}

work quarks_force_work(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    quark_plan plan;
    if (!quark_plan_make(&plan, kind, params, NULL))
        return (work){ 0 };
    const work_count w = dirac_force_work(&plan.d, shape, quark_plan_needs(&plan).pairs);
    quark_plan_free(&plan);
    return (work){ .flops = w.flops, .bytes = w.bytes };
}

/* In double precision: C^+C of each solve, and the vectors that conjugate gradients read and write. */
work quarks_iteration_work(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    quark_plan plan;
    if (!quark_plan_make(&plan, kind, params, NULL))
        return (work){ 0 };
    const work_count apply = plan.d.kind->normal_work(&plan.d, shape);
    const double vector = (double)dirac_vec_bytes(&plan.d, shape, high);
    quark_iteration all = { 0, 0 };
    for (int n = 0; n < plan.count; n++) {
        const quark_iteration one = plan.factor[n].kind->iteration(&plan.factor[n]);
        all.applications += one.applications;
        all.vectors += one.vectors;
    }
    quark_plan_free(&plan);
    return (work){ all.applications * apply.flops + all.vectors * vector / sizeof(double),
                   all.applications * apply.bytes + all.vectors * vector, all.applications };
}
