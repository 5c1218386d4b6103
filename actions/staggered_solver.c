/* staggered_solver.c - which solver serves a monomial of staggered quarks, and its memory. */
#include "actions/staggered_solver.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_low.h"
#include "src/solvers/krylov.h"

#include <assert.h>

/* What the vectors and links of a low precision are stored as; of native format the precision counts. */
enum { IN_SINGLE, IN_INT30, IN_INT20, IN_HALF, STORAGES };
typedef struct { vector_format format; precision precision; } storage;
static const storage storages[STORAGES] = {
    [IN_SINGLE] = { VECTOR_NATIVE, PRECISION_SINGLE },
    [IN_INT30] = { VECTOR_INT30, PRECISION_DOUBLE },
    [IN_INT20] = { VECTOR_INT20, PRECISION_SINGLE },
    [IN_HALF] = { VECTOR_HALF, PRECISION_SINGLE },
};

static const struct { bool mixed; int inner, refine; } kinds[SOLVER_ADAPTIVE] = {
    [SOLVER_DOUBLE] = { .mixed = false },
    [SOLVER_DOUBLE_SINGLE] = { true, IN_SINGLE, IN_SINGLE },
    [SOLVER_DOUBLE_SINGLE_HALF] = { true, IN_SINGLE, IN_HALF },
    [SOLVER_DOUBLE_SINGLE_INT20] = { true, IN_SINGLE, IN_INT20 },
    [SOLVER_DOUBLE_INT30_INT20] = { true, IN_INT30, IN_INT20 },
    [SOLVER_DOUBLE_INT20] = { true, IN_INT20, IN_INT20 },
    [SOLVER_DOUBLE_HALF] = { true, IN_HALF, IN_HALF },
};

/* Systems that are refined together: all shifts of all fields wait for it. */
enum { REFINED_TOGETHER = BATCH_TOGETHER };

/* The operator and the vectors of one low precision. */
typedef struct {
    staggered_low *links;                     /* NULL: no kind has this precision */
    int slots;
    vec *like, *between[BATCH_TOGETHER];      /* on even and on odd sites */
    mixed_space *space;
    staggered_low_op op;
    bool has_krylov;                          /* it carries common Krylov spaces: then there are, like `like`, */
    vec *x[BATCH_TOGETHER][SHIFTS_MAX], *p[BATCH_TOGETHER][SHIFTS_MAX];
} low_side;

struct staggered_solver {
    const staggered_links *links;
    staggered_solver_size size;
    vec *x[BATCH_TOGETHER][SHIFTS_MAX], *room[BATCH_TOGETHER][SHIFTS_MAX], *odd[BATCH_TOGETHER];
    int slots;                                /* of the space, and vectors on odd sites */
    cg_space *space;
    low_side side[STORAGES];
};

/* What the kinds of all roles need: slots in high precision and of each side (0: none), and what each side is for. */
typedef struct { bool has_double, is_krylov[STORAGES]; int high, of[STORAGES]; } needs;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static needs needs_of(staggered_solver_size size)
{
    needs n = { .high = size.fields };
    const int refined = size.fields > 1 ? REFINED_TOGETHER : 1;
    for (int role = 0; role < ROLES; role++) {
        const int kind = size.kind[role], inner = kinds[kind].inner, refine = kinds[kind].refine;
        n.has_double |= !kinds[kind].mixed;
        if (!kinds[kind].mixed)
            continue;
        n.high = larger(n.high, refined);
        n.of[refine] = larger(n.of[refine], refined);
        n.of[inner] = larger(n.of[inner], size.fields);
        n.is_krylov[inner] = true;
    }
    return n;
}

static void side_create(low_side *s, storage in, const staggered_links *links, cg_space *high, int slots)
{
    s->links = staggered_low_create(links, in.format, in.precision);
    s->slots = slots;
    s->like = staggered_low_vec(s->links, ON_EVEN);
    for (int n = 0; n < slots; n++)
        s->between[n] = staggered_low_vec(s->links, ON_ODD);
    s->space = mixed_space_create_batch(high, s->like, slots);
}

static void side_free(low_side *s, staggered_solver_size size)
{
    if (!s->links)
        return;
    for (int n = 0; n < size.fields; n++)
        for (int k = 0; k < size.shifts; k++) {
            vec_free(s->x[n][k]);
            vec_free(s->p[n][k]);
        }
    mixed_space_free(s->space);
    vec_free(s->like);
    for (int n = 0; n < s->slots; n++)
        vec_free(s->between[n]);
    staggered_low_free(s->links);
}

/* The links are copied here, not when they change: a role that is not asked for costs no copies. */
static low_system side_system(low_side *s, int set, const low_system *next)
{
    staggered_low_update(s->links);
    s->op = staggered_low_operator(s->links, set, s->between[0]);
    staggered_low_room(&s->op, s->between, s->slots);
    return (low_system){ &s->op.base, s->space, next };
}

staggered_solver *staggered_solver_create(const staggered_links *s, const gauge *u, staggered_solver_size size)
{
    staggered_solver *w = memory_alloc(sizeof *w, "solves of staggered quarks");
    lattice *l = u->links.lattice;
    place where = u->links.where;
    const needs need = needs_of(size);
    const int shifts = size.shifts;
    assert(size.fields > 0 && size.fields <= BATCH_TOGETHER);
    w->links = s;
    w->size = size;
    w->size.shifts = 0;
    w->slots = need.high;
    for (int n = 0; n < need.high; n++)
        w->odd[n] = vec_create(l, ON_ODD, where, u->links.precision);
    w->space = cg_space_create_batch(l, ON_EVEN, where, u->links.precision, need.high);
    if (need.has_double)
        cg_space_widen(w->space);
    for (int i = 0; i < STORAGES; i++) {
        w->side[i].has_krylov = need.is_krylov[i];
        if (need.of[i] > 0)
            side_create(&w->side[i], storages[i], s, w->space, need.of[i]);
    }
    staggered_solver_reserve(w, shifts);
    return w;
}

void staggered_solver_free(staggered_solver *w)
{
    if (!w)
        return;
    for (int n = 0; n < w->size.fields; n++)
        for (int k = 0; k < w->size.shifts; k++) {
            vec_free(w->x[n][k]);
            vec_free(w->room[n][k]);
        }
    for (int i = 0; i < STORAGES; i++)
        side_free(&w->side[i], w->size);
    for (int n = 0; n < w->slots; n++)
        vec_free(w->odd[n]);
    cg_space_free(w->space);
    memory_free(w);
}

void staggered_solver_reserve(staggered_solver *w, int shifts)
{
    const field *f = &w->odd[0]->f;
    for (; w->size.shifts < shifts; w->size.shifts++)
        for (int n = 0; n < w->size.fields; n++) {
            const int k = w->size.shifts;
            w->x[n][k] = vec_create(f->lattice, ON_EVEN, f->where, f->precision);
            w->room[n][k] = vec_create(f->lattice, ON_EVEN, f->where, f->precision);
            for (int i = 0; i < STORAGES; i++)
                if (w->side[i].has_krylov) {
                    w->side[i].x[n][k] = vec_create_like(w->side[i].like);
                    w->side[i].p[n][k] = vec_create_like(w->side[i].like);
                }
        }
}

void staggered_solver_run(staggered_solver *w, int set, int role, staggered_solve *solve, int fields,
                          int max_iterations)
{
    const mixed_rule rule = mixed_rule_default();
    const int kind = w->size.kind[role];
    low_side *inner = kinds[kind].mixed ? &w->side[kinds[kind].inner] : NULL;
    staggered_normal_op high = staggered_normal_operator(w->links, set, w->odd[0]);
    multishift_task task[BATCH_TOGETHER];
    staggered_normal_room(&high, w->odd, w->slots);
    assert(fields <= w->size.fields);
    for (int n = 0; n < fields; n++)
        task[n] = (multishift_task){ .b = solve[n].b, .system = solve[n].system, .count = solve[n].count, .x = w->x[n],
                                     .x_low = inner ? inner->x[n] : NULL,
                                     .p_low = inner ? inner->p[n] : w->room[n] };
    if (inner) {
        low_side *refine = &w->side[kinds[kind].refine];
        low_system common = side_system(inner, set, NULL);
        low_system single = refine == inner ? common : side_system(refine, set, &common);
        multishift_solve_mixed_batch(&high.base, &common, &single, task, fields, max_iterations, &rule);
    } else
        multishift_solve_batch(&high.base, task, fields, max_iterations, role != ROLE_FORCE, w->space);
    for (int n = 0; n < fields; n++) {
        solve[n].result = task[n].result.solve;
        solve[n].record = task[n].result.record;
    }
}

vec *const *staggered_solver_x(const staggered_solver *w, int i) { return w->x[i]; }
vec *const *staggered_solver_room(const staggered_solver *w, int i) { return w->room[i]; }
vec *staggered_solver_odd(const staggered_solver *w) { return w->odd[0]; }
cg_space *staggered_solver_space(const staggered_solver *w) { return w->space; }

static size_t vector_bytes(storage in, const lattice_shape *shape)
{
    return in.format == VECTOR_NATIVE ? vec_bytes(shape, in.precision, ON_EVEN)
                                      : vec_format_bytes(shape, in.format, ON_EVEN);
}

/* Links, one vector and one a slot between, and those of each slot of a mixed_space. */
static size_t side_bytes(storage in, const staggered_links_params *p, const lattice_shape *shape, int slots)
{
    size_t links = staggered_low_bytes(p, shape, in.format, in.precision);
    return links + krylov_bytes() + (size_t)(1 + slots * (1 + MIXED_VECTORS)) * vector_bytes(in, shape);
}

size_t staggered_solver_bytes(const staggered_links_params *p, const lattice_shape *shape, staggered_solver_size size)
{
    const size_t count = (size_t)size.shifts * (size_t)size.fields;
    const size_t high = vec_bytes(shape, PRECISION_DOUBLE, ON_EVEN);
    const needs need = needs_of(size);
    size_t bytes = (2 * count + (size_t)need.high) * high
                   + cg_space_bytes(shape, PRECISION_DOUBLE, ON_EVEN, 1, need.high);
    if (need.has_double)
        bytes += (size_t)(need.high * KRYLOV_WINDOW) * high;
    for (int i = 0; i < STORAGES; i++) {
        if (need.of[i] > 0)
            bytes += side_bytes(storages[i], p, shape, need.of[i]);
        if (need.is_krylov[i])
            bytes += 2 * count * vector_bytes(storages[i], shape);
    }
    return bytes;
}
