/* dirac_vectors.c - the vectors of the solves of an action.
 *
 * All vectors are in the workspace (lattice/workspace.h), in this order:
 *     scratch vectors; scratch of the operator for one system, in full precision        kept between two solves
 *     more scratch of the operator; residuals and best solutions in full precision      kept during a solve
 *     in the same memory, because no two of them are in use at once:
 *         what solvers open in full precision: directions, and residuals of step groups
 *         all vectors of each storage in lower precision; the method and conjugate gradients share this memory too
 * Spare vectors begin after the part that is kept between two solves, followed by the memory of the force. */
#include "src/solvers/dirac_vectors.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/solvers/cg_solver.h"

#include <assert.h>

/* Number of systems that are refined together, out of all shifts of all right-hand sides. */
enum { REFINED_TOGETHER = BATCH_MAX_RHS };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static const solver_kind *kind_of(const dirac_solver_spec *spec)
{
    return spec->kind ? spec->kind : &cg_solver;
}

static solver_plan plan_of(const dirac_solver_spec *spec)
{
    solver_plan p = { .systems = spec->systems, .shifts = spec->shifts, .settings = spec->settings };
    p.slots[STORED_DOUBLE] = spec->shifted || kind_of(spec)->batches_double ? spec->systems : 1;
    p.is_krylov[STORED_DOUBLE] = spec->also_double;
    const int refined = !spec->shifted ? spec->systems : spec->systems > 1 ? REFINED_TOGETHER : 1;
    for (int i = 0; i < SOLVER_PRECISIONS_TOGETHER; i++) {
        const solver_stores *s = &solver_precisions[spec->precision[i]];
        p.is_krylov[s->inner] = true;
        if (s->inner == STORED_DOUBLE)
            continue;
        p.slots[STORED_DOUBLE] = larger(p.slots[STORED_DOUBLE], refined);
        p.slots[s->refine] = larger(p.slots[s->refine], refined);
        p.slots[s->inner] = larger(p.slots[s->inner], spec->systems);
    }
    for (const solver_kind *k = kind_of(spec); k->preconditioner; k = k->preconditioner->kind) {
        const solver_stores *s = &solver_precisions[k->preconditioner->precision];
        p.slots[s->refine] = larger(p.slots[s->refine], 1);
        p.slots[s->inner] = larger(p.slots[s->inner], 1);
    }
    return p;
}

/* The needs of conjugate gradients and of the method, whose vectors of a storage share memory. */
static solver_needs needs_of(const dirac_solver_spec *spec, const solver_plan *plan)
{
    const solver_kind *kind = kind_of(spec);
    solver_needs all = linear_solver_needs(&cg_solver, plan);
    if (kind == &cg_solver)
        return all;
    const solver_needs more = linear_solver_needs(kind, plan);
    all.kept += more.kept;
    all.state += more.state;
    for (int i = 0; i < SOLVER_STORAGES; i++)
        all.working[i] = larger(all.working[i], more.working[i]);
    all.other = memory_need_add(all.other, more.other);
    return all;
}

dirac_solver_spec dirac_solver_spec_of(solver_precision in, int systems)
{
    dirac_solver_spec spec = { .systems = systems };
    for (int i = 0; i < SOLVER_PRECISIONS_TOGETHER; i++)
        spec.precision[i] = in;
    return spec;
}

/* ---- plans: the vectors in the order of create_vectors */

size_t dirac_solver_between_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_spec spec)
{
    const size_t vectors = (size_t)(spec.scratch + plan->kind->work_vectors + spec.spare);
    return vectors * dirac_vec_bytes(plan, shape, solver_storages[STORED_DOUBLE]);
}

dirac_solver_vectors dirac_solver_vectors_of(const dirac_plan *plan, dirac_solver_spec spec)
{
    const solver_plan of = plan_of(&spec);
    const solver_needs need = needs_of(&spec, &of), own = linear_solver_needs(kind_of(&spec), &of);
    const int work_vectors = plan->kind->work_vectors, square = kind_of(&spec)->square ? SQUARE_VECTORS : 0;
    dirac_solver_vectors v = { .kept = spec.scratch + of.slots[STORED_DOUBLE] * work_vectors + need.kept + square,
                               .working[STORED_DOUBLE] = need.working[STORED_DOUBLE],
                               .own[STORED_DOUBLE] = own.working[STORED_DOUBLE] };
    for (int i = STORED_DOUBLE + 1; i < SOLVER_STORAGES; i++) {
        v.working[i] = of.slots[i] > 0 ? of.slots[i] * work_vectors + need.working[i] : 0;
        v.own[i] = of.slots[i] > 0 ? of.slots[i] * work_vectors + own.working[i] : 0;
    }
    return v;
}

static size_t vectors_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_spec spec)
{
    const dirac_solver_vectors v = dirac_solver_vectors_of(plan, spec);
    const size_t kept = (size_t)v.kept * dirac_vec_bytes(plan, shape, solver_storages[STORED_DOUBLE]);
    size_t most = 0;
    for (int i = STORED_DOUBLE; i < SOLVER_STORAGES; i++) {
        const size_t bytes = (size_t)v.working[i] * dirac_vec_bytes(plan, shape, solver_storages[i]);
        most = bytes > most ? bytes : most;
    }
    const size_t between = dirac_solver_between_bytes(plan, shape, spec);
    return kept + most > between ? kept + most : between;
}

size_t dirac_solver_state_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_spec spec)
{
    const solver_plan of = plan_of(&spec);
    return (size_t)needs_of(&spec, &of).state * dirac_vec_bytes(plan, shape, solver_storages[STORED_DOUBLE]);
}

dirac_solver_memory dirac_solver_memory_of(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_spec spec)
{
    const solver_plan of = plan_of(&spec);
    vec_storage open[SOLVER_STORAGES];
    int count = 0;
    for (int i = STORED_DOUBLE + 1; i < SOLVER_STORAGES; i++)
        if (of.slots[i] > 0)
            open[count++] = solver_storages[i];
    const memory_need vectors = { .shared = vectors_bytes(plan, shape, spec),
                                  .sent = field_exchange_bytes(shape, PRECISION_DOUBLE, VEC_REALS, plan->slabs, 1,
                                                               lattice_vector_ghosts(shape)) };
    const memory_need state = { .lasting = dirac_solver_state_bytes(plan, shape, spec) };
    return (dirac_solver_memory){
        .vectors = memory_need_add(vectors, needs_of(&spec, &of).other),
        .method = memory_need_add(state, linear_solver_lattice_bytes(spec.kind, &spec.settings, shape)),
        .links = dirac_bytes(plan, shape, open, count),
    };
}

memory_need dirac_solver_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_spec spec)
{
    const dirac_solver_memory m = dirac_solver_memory_of(plan, shape, spec);
    return memory_need_add(memory_need_add(m.vectors, m.method), m.links);
}

vec_storage dirac_solver_storage(const dirac_solver *w, int stored)
{
    return stored == STORED_DOUBLE ? dirac_full_storage(w->d) : solver_storages[stored];
}

static void create_work_vectors(dirac_solver *w, int stored, int from, int upto)
{
    const dirac_kind *kind = w->d->kind;
    for (int n = from; n < upto; n++)
        for (int k = 0; k < kind->work_vectors; k++)
            w->side[stored].work[n][k] = dirac_vec_create(w->d, kind->work[k], dirac_solver_storage(w, stored));
}

/* Creates the vectors of a storage, from the current position in the workspace on. */
static void open_solvers(dirac_solver *w, stored_as in, const vec *like)
{
    const size_t begin = workspace_position(w->memory);
    linear_solver_open(w->cg, in, like);
    workspace_move(w->memory, begin);
    if (w->method != w->cg)
        linear_solver_open(w->method, in, like);
}

/* In the order of the head of this file. */
static void create_vectors(dirac_solver *w)
{
    const dirac_kind *kind = w->d->kind;
    const vec_storage full = dirac_full_storage(w->d);
    for (; w->unused_count < w->spec.scratch; w->unused_count++)
        w->unused[w->unused_count] = dirac_vec_create(w->d, kind->home, full);
    create_work_vectors(w, STORED_DOUBLE, 0, 1);
    const size_t kept_between = workspace_position(w->memory);
    for (int i = 0; i < w->spec.spare; i++)
        w->spare[i] = dirac_vec_create(w->d, kind->home, full);
    w->between = workspace_position(w->memory);
    workspace_move(w->memory, kept_between);
    create_work_vectors(w, STORED_DOUBLE, 1, w->side[STORED_DOUBLE].slots);
    vec *like = w->side[STORED_DOUBLE].work[0][0];
    vec_move_to(like, kind->home);
    const solver_plan plan = plan_of(&w->spec);
    const solver_kind *method = kind_of(&w->spec);
    w->cg = w->method = linear_solver_create(&cg_solver, &plan, like, NULL);
    for (int i = 0; i < SQUARE_VECTORS && method->square; i++)
        w->square[i] = vec_create_native(like, like->f.precision);
    if (method != &cg_solver)
        w->method = linear_solver_create(method, &plan, like, w->cg);
    const size_t kept = workspace_position(w->memory);
    open_solvers(w, STORED_DOUBLE, like);
    vec_move_to(like, kind->work[0]);
    for (stored_as i = STORED_DOUBLE + 1; i < SOLVER_STORAGES; i++)
        if (w->side[i].slots > 0) {
            workspace_move(w->memory, kept);
            create_work_vectors(w, i, 0, w->side[i].slots);
            vec *low = w->side[i].work[0][0];                 /* its parity is corrected below */
            vec_move_to(low, kind->home);
            open_solvers(w, i, low);
            vec_move_to(low, kind->work[0]);
        }
}

static void side_free(dirac_solver *w, int stored)
{
    dirac_side *s = &w->side[stored];
    memory_free(s->normal);
    memory_free(s->square);
    for (int n = 0; n < s->slots; n++)
        for (int k = 0; k < w->d->kind->work_vectors; k++)
            vec_free(s->work[n][k]);
}

dirac_solver *dirac_solver_create(dirac_operator *d, dirac_solver_spec spec)
{
    dirac_solver *w = memory_alloc(sizeof *w, "the solves of quarks");
    const solver_plan of = plan_of(&spec);
    const dirac_plan plan = { .kind = d->kind, .slabs = d->slabs };
    assert(spec.systems > 0 && spec.systems <= BATCH_MAX_RHS && d->kind->work_vectors > 0);
    assert(spec.scratch <= DIRAC_SCRATCH && spec.spare <= DIRAC_SCRATCH && spec.shifts <= SHIFTS_MAX);
    w->d = d;
    w->spec = spec;
    w->memory = lattice_workspace(d->lattice, d->where);
    for (int i = 0; i < SOLVER_STORAGES; i++) {
        w->side[i].slots = of.slots[i];
        if (of.slots[i] > 0 && i != STORED_DOUBLE)
            d->kind->open(d, solver_storages[i]);
    }
    const size_t bytes = vectors_bytes(&plan, lattice_shape_of(d->lattice), spec);
    workspace_join(w->memory, bytes);
    const bool was = workspace_begin(w->memory);
    const size_t begin = workspace_position(w->memory);
    create_vectors(w);
    workspace_move(w->memory, begin + bytes);
    workspace_end(w->memory, was);
    return w;
}

void dirac_solver_free(dirac_solver *w)
{
    if (!w)
        return;
    for (int i = 0; i < DIRAC_SCRATCH; i++) {
        vec_free(w->scratch[0][i]);
        vec_free(w->scratch[1][i]);
        vec_free(w->spare[i]);
    }
    for (int i = 0; i < w->unused_count; i++)
        vec_free(w->unused[i]);
    if (w->method != w->cg)
        linear_solver_free(w->method);
    linear_solver_free(w->cg);
    for (int i = SOLVER_STORAGES - 1; i >= 0; i--)
        side_free(w, i);
    for (int i = 0; i < SQUARE_VECTORS; i++)
        vec_free(w->square[i]);
    workspace_leave(w->memory);
    memory_free(w);
}

void dirac_solver_reserve(dirac_solver *w, int shifts)
{
    cg_solver_reserve(w->cg, shifts);
}

size_t dirac_solver_between(const dirac_solver *w)
{
    return w->between;
}

vec *dirac_solver_scratch(dirac_solver *w, parity_set on, int i)
{
    assert(i >= 0 && i < DIRAC_SCRATCH && on != ON_ALL);
    vec **v = &w->scratch[on == ON_ODD][i];
    if (!*v) {
        *v = w->unused_count > 0 ? w->unused[--w->unused_count]
                                 : dirac_vec_create(w->d, on, dirac_full_storage(w->d));
        vec_move_to(*v, on);
    }
    return *v;
}

vec *dirac_solver_spare(dirac_solver *w, parity_set on, int i)
{
    assert(i >= 0 && i < DIRAC_SCRATCH && on != ON_ALL);
    if (!w->spare[i])
        w->spare[i] = dirac_vec_create(w->d, on, dirac_full_storage(w->d));
    vec_move_to(w->spare[i], on);
    return w->spare[i];
}

vec *dirac_solver_square_vector(dirac_solver *w, int i)
{
    if (!w->square[i])
        w->square[i] = dirac_vec_create(w->d, w->d->kind->home, dirac_full_storage(w->d));
    return w->square[i];
}

void dirac_solver_apply(vec *out, dirac_solver *w, const dirac_matrix *m, bool dagger, const vec *in)
{
    w->d->kind->apply(out, w->d, m, dagger, in, w->side[STORED_DOUBLE].work[0]);
}
