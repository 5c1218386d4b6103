/* staggered_solver.c - which solver serves a monomial of staggered quarks, and its memory. */
#include "actions/staggered_solver.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_low.h"
#include "src/solvers/krylov.h"

#include <assert.h>

typedef struct { vector_format format; precision precision; } storage;       /* of native format the precision counts */

#define SINGLE_NATIVE { VECTOR_NATIVE, PRECISION_SINGLE }
#define PACKED_SINGLE(format) { format, PRECISION_SINGLE }
#define PACKED_DOUBLE(format) { format, PRECISION_DOUBLE }

/* `adaptive`: where residuals are loose the common Krylov spaces are in the precision of refinements, too. */
static const struct { bool mixed; storage inner, refine; bool adaptive; } kinds[] = {
    { .mixed = false },
    { true, SINGLE_NATIVE, SINGLE_NATIVE, false },
    { true, SINGLE_NATIVE, PACKED_SINGLE(VECTOR_HALF), false },
    { true, SINGLE_NATIVE, PACKED_SINGLE(VECTOR_INT20), false },
    { true, PACKED_DOUBLE(VECTOR_INT30), PACKED_SINGLE(VECTOR_INT20), false },
    { true, PACKED_SINGLE(VECTOR_INT20), PACKED_SINGLE(VECTOR_INT20), false },
    { true, PACKED_SINGLE(VECTOR_HALF), PACKED_SINGLE(VECTOR_HALF), false },
    { true, PACKED_DOUBLE(VECTOR_INT30), PACKED_SINGLE(VECTOR_INT20), true },
};

/* Residuals from here on are loose: 20 bits come near them before anything is refined. */
#define LOOSE 1e-6

const char *const staggered_solver_names[] = { "double", "double-single", "double-single-half", "double-single-int20",
                                               "double-int30-int20", "double-int20", "double-half", "adaptive", NULL };

/* Systems that are refined together: all shifts of all fields wait for it. */
enum { REFINED_TOGETHER = BATCH_TOGETHER };

/* The operator and the vectors of one low precision. */
typedef struct {
    staggered_low *links;
    int slots;
    vec *like, *between[BATCH_TOGETHER];      /* on even and on odd sites */
    mixed_space *space;
    staggered_low_op op;
} low_side;

struct staggered_solver {
    const staggered_links *links;
    staggered_solver_size size;
    vec *x[BATCH_TOGETHER][SHIFTS_MAX], *room[BATCH_TOGETHER][SHIFTS_MAX], *odd[BATCH_TOGETHER];
    int slots;                                /* of the space, and vectors on odd sites */
    cg_space *space;
    low_side inner, refine;                   /* refine.like is NULL where it is the same as inner */
    vec *x_low[BATCH_TOGETHER][SHIFTS_MAX], *p_low[BATCH_TOGETHER][SHIFTS_MAX];          /* like inner */
    vec *x_loose[BATCH_TOGETHER][SHIFTS_MAX], *p_loose[BATCH_TOGETHER][SHIFTS_MAX];      /* adaptive: like refine */
};

static bool same_storage(storage a, storage b)
{
    return a.format == b.format && a.precision == b.precision;
}

/* Slots of the spaces: high precision, Krylov spaces, refinement. */
typedef struct { int high, inner, refine; } slot_counts;

static slot_counts slots_of(staggered_solver_size size)
{
    slot_counts s = { size.fields, size.fields, size.fields };
    if (kinds[size.kind].mixed && size.fields > 1) {
        s.high = s.refine = REFINED_TOGETHER;
        if (same_storage(kinds[size.kind].inner, kinds[size.kind].refine))
            s.inner = REFINED_TOGETHER;
    }
    return s;
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

static void side_free(low_side *s)
{
    if (!s->links)
        return;
    mixed_space_free(s->space);
    vec_free(s->like);
    for (int n = 0; n < s->slots; n++)
        vec_free(s->between[n]);
    staggered_low_free(s->links);
}

static void side_update(low_side *s)
{
    if (s->links)
        staggered_low_update(s->links);
}

static low_system side_system(low_side *s, int set, const low_system *next)
{
    s->op = staggered_low_operator(s->links, set, s->between[0]);
    staggered_low_room(&s->op, s->between, s->slots);
    return (low_system){ &s->op.base, s->space, next };
}

staggered_solver *staggered_solver_create(const staggered_links *s, const gauge *u, staggered_solver_size size)
{
    staggered_solver *w = memory_alloc(sizeof *w, "solves of staggered quarks");
    lattice *l = u->links.lattice;
    place where = u->links.where;
    const slot_counts slots = slots_of(size);
    const int shifts = size.shifts;
    assert(size.fields > 0 && size.fields <= BATCH_TOGETHER);
    w->links = s;
    w->size = size;
    w->size.shifts = 0;
    w->slots = slots.high;
    for (int n = 0; n < slots.high; n++)
        w->odd[n] = vec_create(l, ON_ODD, where, u->links.precision);
    w->space = cg_space_create_batch(l, ON_EVEN, where, u->links.precision, slots.high);
    if (!kinds[size.kind].mixed)
        cg_space_widen(w->space);
    else {
        side_create(&w->inner, kinds[size.kind].inner, s, w->space, slots.inner);
        if (!same_storage(kinds[size.kind].inner, kinds[size.kind].refine))
            side_create(&w->refine, kinds[size.kind].refine, s, w->space, slots.refine);
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
            vec_free(w->x_low[n][k]);
            vec_free(w->p_low[n][k]);
            vec_free(w->x_loose[n][k]);
            vec_free(w->p_loose[n][k]);
        }
    side_free(&w->inner);
    side_free(&w->refine);
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
            if (kinds[w->size.kind].mixed) {
                w->x_low[n][k] = vec_create_like(w->inner.like);
                w->p_low[n][k] = vec_create_like(w->inner.like);
            }
            if (kinds[w->size.kind].adaptive) {
                w->x_loose[n][k] = vec_create_like(w->refine.like);
                w->p_loose[n][k] = vec_create_like(w->refine.like);
            }
        }
}

void staggered_solver_update(staggered_solver *w)
{
    side_update(&w->inner);
    side_update(&w->refine);
}

static bool all_loose(const staggered_solve *solve, int fields)
{
    for (int n = 0; n < fields; n++)
        for (int k = 0; k < solve[n].count; k++)
            if (solve[n].system[k].tolerance < LOOSE)
                return false;
    return true;
}

void staggered_solver_run(staggered_solver *w, int set, staggered_solve *solve, int fields, int max_iterations,
                          bool verify)
{
    const mixed_rule rule = mixed_rule_default();
    const bool mixed = kinds[w->size.kind].mixed, loose = kinds[w->size.kind].adaptive && all_loose(solve, fields);
    staggered_normal_op high = staggered_normal_operator(w->links, set, w->odd[0]);
    multishift_task task[BATCH_TOGETHER];
    staggered_normal_room(&high, w->odd, w->slots);
    assert(fields <= w->size.fields);
    for (int n = 0; n < fields; n++)
        task[n] = (multishift_task){ .b = solve[n].b, .system = solve[n].system, .count = solve[n].count, .x = w->x[n],
                                     .x_low = loose ? w->x_loose[n] : w->x_low[n],
                                     .p_low = loose ? w->p_loose[n] : mixed ? w->p_low[n] : w->room[n] };
    if (mixed) {
        low_system inner = side_system(&w->inner, set, NULL);
        low_system refine = w->refine.like ? side_system(&w->refine, set, &inner) : inner;
        multishift_solve_mixed_batch(&high.base, loose ? &refine : &inner, &refine, task, fields, max_iterations,
                                     &rule);
    } else
        multishift_solve_batch(&high.base, task, fields, max_iterations, verify, w->space);
    for (int n = 0; n < fields; n++) {
        solve[n].result = task[n].result.solve;
        solve[n].record = task[n].result.record;
    }
}

vec *const *staggered_solver_x(const staggered_solver *w, int i) { return w->x[i]; }
vec *const *staggered_solver_room(const staggered_solver *w, int i) { return w->room[i]; }
vec *staggered_solver_odd(const staggered_solver *w) { return w->odd[0]; }
cg_space *staggered_solver_space(const staggered_solver *w) { return w->space; }

static size_t vector_bytes(storage in, const int extents[4])
{
    return in.format == VECTOR_NATIVE ? vec_bytes(extents, in.precision, ON_EVEN)
                                      : vec_format_bytes(extents, in.format, ON_EVEN);
}

/* Links, one vector and one a slot between, and those of each slot of a mixed_space. */
static size_t side_bytes(storage in, const staggered_links_params *p, const int extents[4], int slots)
{
    size_t links = staggered_low_bytes(p, extents, in.format, in.precision);
    return links + krylov_bytes() + (size_t)(1 + slots * (1 + MIXED_VECTORS)) * vector_bytes(in, extents);
}

size_t staggered_solver_bytes(const staggered_links_params *p, const int extents[4], staggered_solver_size size)
{
    const size_t count = (size_t)size.shifts * (size_t)size.fields;
    const size_t high = vec_bytes(extents, PRECISION_DOUBLE, ON_EVEN);
    const slot_counts slots = slots_of(size);
    size_t bytes = (2 * count + (size_t)slots.high) * high
                   + cg_space_bytes(extents, PRECISION_DOUBLE, ON_EVEN, 1, slots.high);
    if (!kinds[size.kind].mixed)
        return bytes + (size_t)(slots.high * KRYLOV_WINDOW) * high;
    bytes += 2 * count * vector_bytes(kinds[size.kind].inner, extents)
             + side_bytes(kinds[size.kind].inner, p, extents, slots.inner);
    if (kinds[size.kind].adaptive)
        bytes += 2 * count * vector_bytes(kinds[size.kind].refine, extents);
    if (!same_storage(kinds[size.kind].inner, kinds[size.kind].refine))
        bytes += side_bytes(kinds[size.kind].refine, p, extents, slots.refine);
    return bytes;
}
