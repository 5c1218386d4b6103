/* staggered_solver.c - which solver serves a monomial of staggered quarks, and its memory. */
#include "actions/staggered_solver.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_low.h"

typedef struct { vector_format format; precision precision; } storage;       /* of native format the precision counts */

#define SINGLE_NATIVE { VECTOR_NATIVE, PRECISION_SINGLE }
#define PACKED_SINGLE(format) { format, PRECISION_SINGLE }
#define PACKED_DOUBLE(format) { format, PRECISION_DOUBLE }

static const struct { bool mixed; storage inner, refine; } kinds[] = {
    { .mixed = false },
    { true, SINGLE_NATIVE, SINGLE_NATIVE },
    { true, SINGLE_NATIVE, PACKED_SINGLE(VECTOR_HALF) },
    { true, SINGLE_NATIVE, PACKED_SINGLE(VECTOR_INT20) },
    { true, PACKED_DOUBLE(VECTOR_INT30), PACKED_SINGLE(VECTOR_INT20) },
};

const char *const staggered_solver_names[] = { "double", "double-single", "double-single-half", "double-single-int20",
                                               "double-int30-int20", NULL };

/* The operator and the vectors of one low precision. */
typedef struct {
    staggered_low *links;
    vec *like, *between;                      /* on even and on odd sites */
    mixed_space *space;
    staggered_low_op op;
} low_side;

struct staggered_solver {
    const staggered_links *links;
    int kind, shifts;
    vec *x[SHIFTS_MAX], *room[SHIFTS_MAX], *odd;
    cg_space *space;
    low_side inner, refine;                   /* refine.like is NULL where it is the same as inner */
    vec *x_low[SHIFTS_MAX], *p_low[SHIFTS_MAX];
};

static bool same_storage(storage a, storage b)
{
    return a.format == b.format && a.precision == b.precision;
}

static void side_create(low_side *s, storage in, const staggered_links *links, cg_space *high)
{
    s->links = staggered_low_create(links, in.format, in.precision);
    s->like = staggered_low_vec(s->links, ON_EVEN);
    s->between = staggered_low_vec(s->links, ON_ODD);
    s->space = mixed_space_create(high, s->like);
}

static void side_free(low_side *s)
{
    if (!s->links)
        return;
    mixed_space_free(s->space);
    vec_free(s->like);
    vec_free(s->between);
    staggered_low_free(s->links);
}

static void side_update(low_side *s)
{
    if (s->links)
        staggered_low_update(s->links);
}

static low_system side_system(low_side *s, int set)
{
    s->op = staggered_low_operator(s->links, set, s->between);
    return (low_system){ &s->op.base, s->space };
}

staggered_solver *staggered_solver_create(const staggered_links *s, const gauge *u, int kind, int shifts)
{
    staggered_solver *w = memory_alloc(sizeof *w, "solves of staggered quarks");
    lattice *l = u->links.lattice;
    place where = u->links.where;
    w->links = s;
    w->kind = kind;
    w->odd = vec_create(l, ON_ODD, where, u->links.precision);
    w->space = cg_space_create(l, ON_EVEN, where, u->links.precision);
    if (kinds[kind].mixed) {
        side_create(&w->inner, kinds[kind].inner, s, w->space);
        if (!same_storage(kinds[kind].inner, kinds[kind].refine))
            side_create(&w->refine, kinds[kind].refine, s, w->space);
    }
    staggered_solver_reserve(w, shifts);
    return w;
}

void staggered_solver_free(staggered_solver *w)
{
    if (!w)
        return;
    for (int k = 0; k < w->shifts; k++) {
        vec_free(w->x[k]);
        vec_free(w->room[k]);
        vec_free(w->x_low[k]);
        vec_free(w->p_low[k]);
    }
    side_free(&w->inner);
    side_free(&w->refine);
    vec_free(w->odd);
    cg_space_free(w->space);
    memory_free(w);
}

void staggered_solver_reserve(staggered_solver *w, int shifts)
{
    const field *f = &w->odd->f;
    for (; w->shifts < shifts; w->shifts++) {
        w->x[w->shifts] = vec_create(f->lattice, ON_EVEN, f->where, f->precision);
        w->room[w->shifts] = vec_create(f->lattice, ON_EVEN, f->where, f->precision);
        if (kinds[w->kind].mixed) {
            w->x_low[w->shifts] = vec_create_like(w->inner.like);
            w->p_low[w->shifts] = vec_create_like(w->inner.like);
        }
    }
}

void staggered_solver_update(staggered_solver *w)
{
    side_update(&w->inner);
    side_update(&w->refine);
}

multishift_result staggered_solver_run(staggered_solver *w, int set, const shifted *system, int count, const vec *b,
                                       int max_iterations, bool verify, mixed_record *record)
{
    staggered_normal_op high = staggered_normal_operator(w->links, set, w->odd);
    if (!kinds[w->kind].mixed)
        return multishift_solve(&high.base, w->x, w->room, system, count, b, max_iterations, verify, w->space);
    low_system inner = side_system(&w->inner, set);
    low_system refine = w->refine.like ? side_system(&w->refine, set) : inner;
    mixed_rule rule = mixed_rule_default();
    multishift_mixed_result r = multishift_solve_mixed(&high.base, inner, refine, w->x, w->x_low, w->p_low, system,
                                                       count, b, max_iterations, &rule);
    if (record)
        mixed_record_add(record, &r.record);
    return r.solve;
}

vec *const *staggered_solver_x(const staggered_solver *w) { return w->x; }
vec *const *staggered_solver_room(const staggered_solver *w) { return w->room; }
vec *staggered_solver_odd(const staggered_solver *w) { return w->odd; }
cg_space *staggered_solver_space(const staggered_solver *w) { return w->space; }

static size_t vector_bytes(storage in, const int extents[4])
{
    return in.format == VECTOR_NATIVE ? vec_bytes(extents, in.precision, ON_EVEN)
                                      : vec_format_bytes(extents, in.format, ON_EVEN);
}

/* Links, two vectors, and the two and the ring of a mixed_space. */
static size_t side_bytes(storage in, const staggered_links_params *p, const int extents[4])
{
    size_t links = staggered_low_bytes(p, extents, in.format, in.precision);
    return links + (2 + 2 + MIXED_RING) * vector_bytes(in, extents);
}

size_t staggered_solver_bytes(const staggered_links_params *p, const int extents[4], int kind, int shifts)
{
    size_t count = (size_t)shifts, high = vec_bytes(extents, PRECISION_DOUBLE, ON_EVEN);
    size_t bytes = (2 * count + 1) * high + cg_space_bytes(extents, PRECISION_DOUBLE, ON_EVEN);
    if (!kinds[kind].mixed)
        return bytes;
    bytes += 2 * count * vector_bytes(kinds[kind].inner, extents) + side_bytes(kinds[kind].inner, p, extents);
    if (!same_storage(kinds[kind].inner, kinds[kind].refine))
        bytes += side_bytes(kinds[kind].refine, p, extents);
    return bytes;
}
