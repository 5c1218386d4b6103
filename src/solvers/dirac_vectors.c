/* dirac_vectors.c - the vectors of the solves of an action.
 *
 * All its vectors lie in the workspace (lattice/workspace.h), in this order:
 *     scratch vectors; scratch of the operator for one system, in full precision        kept between two solves
 *     more scratch of the operator; residuals and best solutions in full precision      kept during a solve
 *     in the same memory, because no two of them are in use at once:
 *         directions, and residuals of windows, of solves in full precision
 *         all vectors of each storage in lower precision; those of BiCGstab where those of conjugate gradients are
 * Spare vectors, and after them what the force needs, begin where the part that is kept between two solves ends. */
#include "src/solvers/dirac_vectors.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"

#include <assert.h>

/* Number of systems that are refined together, out of all shifts of all right-hand sides. */
enum { REFINED_TOGETHER = BATCH_MAX_RHS };

/* The needs of the kinds: slots of each storage (0: none), and which storages are used for common Krylov spaces. */
typedef struct { int slots[SOLVER_STORAGES]; bool is_krylov[SOLVER_STORAGES]; } needs;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static needs needs_of(dirac_solver_size size)
{
    needs n = { .slots = { [STORED_DOUBLE] = size.shifted || size.order > 0 ? size.systems : 1 } };
    n.is_krylov[STORED_DOUBLE] = size.also_double;
    const int refined = !size.shifted ? size.systems : size.systems > 1 ? REFINED_TOGETHER : 1;
    for (int i = 0; i < SOLVER_PRECISIONS_TOGETHER; i++) {
        const solver_stores *s = &solver_precisions[size.precision[i]];
        n.is_krylov[s->inner] = true;
        if (s->inner == STORED_DOUBLE)
            continue;
        n.slots[STORED_DOUBLE] = larger(n.slots[STORED_DOUBLE], refined);
        n.slots[s->refine] = larger(n.slots[s->refine], refined);
        n.slots[s->inner] = larger(n.slots[s->inner], size.systems);
    }
    return n;
}

dirac_solver_size dirac_solver_size_of(solver_precision in, int systems)
{
    dirac_solver_size size = { .systems = systems };
    for (int i = 0; i < SOLVER_PRECISIONS_TOGETHER; i++)
        size.precision[i] = in;
    return size;
}

/* ---- plans: the vectors in the order of create_vectors */

size_t dirac_solver_between_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_size size)
{
    const size_t vectors = (size_t)(size.scratch + plan->kind->rooms + size.spare);
    return vectors * dirac_vec_bytes(plan, shape, solver_storages[STORED_DOUBLE]);
}

static size_t vectors_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_size size)
{
    const needs need = needs_of(size);
    const size_t rooms = (size_t)plan->kind->rooms, shifts = (size_t)size.systems * (size_t)size.shifts;
    const size_t full = dirac_vec_bytes(plan, shape, solver_storages[STORED_DOUBLE]);
    const size_t slots = (size_t)need.slots[STORED_DOUBLE];
    const size_t square = size.order > 0 ? (size_t)bicg_space_vectors(size.order) : 0;
    const size_t kept = ((size_t)size.scratch + slots * (rooms + 2) + (size.square ? SQUARE_VECTORS : 0)) * full;
    size_t most = 1 + (need.is_krylov[STORED_DOUBLE] && shifts > 0 ? KRYLOV_WINDOW * slots + shifts : 0);
    most = (need.is_krylov[STORED_DOUBLE] && square * slots > most ? square * slots : most) * full;
    for (int i = STORED_DOUBLE + 1; i < SOLVER_STORAGES; i++) {
        const size_t normal = (size_t)need.slots[i] * MIXED_VECTORS + (need.is_krylov[i] ? 2 * shifts : 0);
        const size_t other = (size_t)need.slots[i] * square;
        const size_t vectors = (size_t)need.slots[i] * rooms + (normal > other ? normal : other);
        const size_t bytes = vectors * dirac_vec_bytes(plan, shape, solver_storages[i]);
        most = need.slots[i] > 0 && bytes > most ? bytes : most;
    }
    const size_t between = dirac_solver_between_bytes(plan, shape, size);
    return kept + most > between ? kept + most : between;
}

memory_need dirac_solver_bytes(const dirac_plan *plan, const lattice_shape *shape, dirac_solver_size size)
{
    const needs need = needs_of(size);
    vec_storage open[SOLVER_STORAGES];
    int count = 0;
    for (int i = STORED_DOUBLE + 1; i < SOLVER_STORAGES; i++)
        if (need.slots[i] > 0)
            open[count++] = solver_storages[i];
    const memory_need vectors = { .shared = vectors_bytes(plan, shape, size),
                                  .cells = (size_t)((1 + count) * (size.order > 0 ? 2 : 1)) * krylov_bytes(),
                                  .sent = field_exchange_bytes(shape, PRECISION_DOUBLE, VEC_REALS, plan->slabs, 1,
                                                               lattice_vector_ghosts(shape)) };
    return memory_need_add(vectors, dirac_bytes(plan, shape, open, count));
}

vec_storage dirac_solver_storage(const dirac_solver *w, int stored)
{
    return stored == STORED_DOUBLE ? dirac_full_storage(w->d) : solver_storages[stored];
}

static void create_rooms(dirac_solver *w, int stored, int from, int upto)
{
    const dirac_kind *kind = w->d->kind;
    for (int n = from; n < upto; n++)
        for (int k = 0; k < kind->rooms; k++)
            w->side[stored].room[n][k] = dirac_vec_create(w->d, kind->room[k], dirac_solver_storage(w, stored));
}

/* The vectors of shifts from `from` to `upto`, for all systems. */
static void create_shifts(dirac_solver *w, int stored, int from, int upto)
{
    dirac_side *s = &w->side[stored];
    const vec_storage in = dirac_solver_storage(w, stored);
    for (int k = from; s->has_krylov && k < upto; k++)
        for (int n = 0; n < w->size.systems; n++) {
            if (stored != STORED_DOUBLE)
                s->x[n][k] = dirac_vec_create(w->d, w->d->kind->home, in);
            s->p[n][k] = dirac_vec_create(w->d, w->d->kind->home, in);
        }
}

/* The vectors of BiCGstab. */
static void create_bicg(dirac_solver *w, int stored, const vec *like)
{
    dirac_side *s = &w->side[stored];
    if (w->size.order > 0)
        s->bicg = bicg_space_create(w->space, like, w->size.order, s->slots);
}

/* What solves in full precision need besides what all solves need. */
static void create_full(dirac_solver *w)
{
    cg_space_complete(w->space);
    if (w->size.shifts > 0 && w->side[STORED_DOUBLE].has_krylov)
        cg_space_widen(w->space);
    create_shifts(w, STORED_DOUBLE, 0, w->size.shifts);
}

static void create_low(dirac_solver *w, int stored)
{
    const dirac_kind *kind = w->d->kind;
    dirac_side *s = &w->side[stored];
    create_rooms(w, stored, 0, s->slots);
    vec *like = s->room[0][0];                                /* but for its parity, which is put right again */
    vec_move_to(like, kind->home);
    const size_t begin = workspace_position(w->memory);
    s->space = mixed_space_create_batch(w->space, like, s->slots);
    create_shifts(w, stored, 0, w->size.shifts);
    const size_t end = workspace_position(w->memory);
    workspace_move(w->memory, begin);
    create_bicg(w, stored, like);
    if (workspace_position(w->memory) < end)
        workspace_move(w->memory, end);
    vec_move_to(like, kind->room[0]);
}

/* In the order that is shown above. */
static void create_vectors(dirac_solver *w)
{
    const dirac_kind *kind = w->d->kind;
    const vec_storage full = dirac_full_storage(w->d);
    for (; w->unused_count < w->size.scratch; w->unused_count++)
        w->unused[w->unused_count] = dirac_vec_create(w->d, kind->home, full);
    create_rooms(w, STORED_DOUBLE, 0, 1);
    const size_t kept_between = workspace_position(w->memory);
    for (int i = 0; i < w->size.spare; i++)
        w->spare[i] = dirac_vec_create(w->d, kind->home, full);
    w->between = workspace_position(w->memory);
    workspace_move(w->memory, kept_between);
    create_rooms(w, STORED_DOUBLE, 1, w->side[STORED_DOUBLE].slots);
    vec *like = w->side[STORED_DOUBLE].room[0][0];
    vec_move_to(like, kind->home);
    w->space = cg_space_create_refining(like, w->side[STORED_DOUBLE].slots);
    for (int i = 0; i < SQUARE_VECTORS && w->size.square; i++)
        w->square[i] = vec_create_native(like, like->f.precision);
    const size_t kept = workspace_position(w->memory);
    if (w->side[STORED_DOUBLE].has_krylov)
        create_bicg(w, STORED_DOUBLE, like);
    vec_move_to(like, kind->room[0]);
    workspace_move(w->memory, kept);
    create_full(w);
    for (int i = STORED_DOUBLE + 1; i < SOLVER_STORAGES; i++)
        if (w->side[i].slots > 0) {
            workspace_move(w->memory, kept);
            create_low(w, i);
        }
}

static void side_free(dirac_solver *w, int stored)
{
    dirac_side *s = &w->side[stored];
    for (int n = 0; n < w->size.systems; n++)
        for (int k = 0; k < w->size.shifts; k++) {
            vec_free(s->x[n][k]);
            vec_free(s->p[n][k]);
        }
    memory_free(s->op);
    memory_free(s->square);
    bicg_space_free(s->bicg);
    mixed_space_free(s->space);
    for (int n = 0; n < s->slots; n++)
        for (int k = 0; k < w->d->kind->rooms; k++)
            vec_free(s->room[n][k]);
}

dirac_solver *dirac_solver_create(dirac_operator *d, dirac_solver_size size)
{
    dirac_solver *w = memory_alloc(sizeof *w, "the solves of quarks");
    const needs need = needs_of(size);
    const dirac_plan plan = { .kind = d->kind, .slabs = d->slabs };
    assert(size.systems > 0 && size.systems <= BATCH_MAX_RHS && d->kind->rooms > 0);
    assert(size.scratch <= DIRAC_SCRATCH && size.spare <= DIRAC_SCRATCH && size.shifts <= SHIFTS_MAX);
    w->d = d;
    w->size = size;
    w->memory = lattice_workspace(d->lattice, d->where);
    for (int i = 0; i < SOLVER_STORAGES; i++) {
        w->side[i].slots = need.slots[i];
        w->side[i].has_krylov = need.is_krylov[i];
        if (need.slots[i] > 0 && i != STORED_DOUBLE)
            d->kind->open(d, solver_storages[i]);
    }
    const size_t bytes = vectors_bytes(&plan, lattice_shape_of(d->lattice), size);
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
    for (int i = SOLVER_STORAGES - 1; i >= 0; i--)
        side_free(w, i);
    for (int i = 0; i < SQUARE_VECTORS; i++)
        vec_free(w->square[i]);
    cg_space_free(w->space);
    workspace_leave(w->memory);
    memory_free(w);
}

void dirac_solver_reserve(dirac_solver *w, int shifts)
{
    assert(shifts <= SHIFTS_MAX);
    if (shifts <= w->size.shifts)
        return;
    if (w->side[STORED_DOUBLE].has_krylov)
        cg_space_widen(w->space);
    for (int i = 0; i < SOLVER_STORAGES; i++)
        create_shifts(w, i, w->size.shifts, shifts);
    w->size.shifts = shifts;
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

void dirac_solver_apply(vec *out, dirac_solver *w, const dirac_matrix *m, bool dagger, const vec *in)
{
    w->d->kind->apply(out, w->d, m, dagger, in, w->side[STORED_DOUBLE].room[0]);
}
