/* wall_solver.c - which solver serves a monomial of domain-wall quarks, and its memory. */
#include "actions/wall_solver.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/krylov.h"

#include <assert.h>

enum { SPINS = SLAB_GROUP };

typedef struct { vector_format format; precision precision; } storage;       /* of native format the precision counts */

#define SINGLE { VECTOR_NATIVE, PRECISION_SINGLE }
#define HALF   { VECTOR_HALF, PRECISION_SINGLE }
#define INT20  { VECTOR_INT20, PRECISION_SINGLE }
#define INT30  { VECTOR_INT30, PRECISION_DOUBLE }

static const struct { bool mixed; storage inner, refine; } kinds[SOLVER_ADAPTIVE] = {
    [SOLVER_DOUBLE] = { .mixed = false },
    [SOLVER_DOUBLE_SINGLE] = { true, SINGLE, SINGLE },
    [SOLVER_DOUBLE_SINGLE_HALF] = { true, SINGLE, HALF },
    [SOLVER_DOUBLE_SINGLE_INT20] = { true, SINGLE, INT20 },
    [SOLVER_DOUBLE_INT30_INT20] = { true, INT30, INT20 },
    [SOLVER_DOUBLE_INT20] = { true, INT20, INT20 },
    [SOLVER_DOUBLE_HALF] = { true, HALF, HALF },
};

/* The operator's vectors in one precision, and those of solvers. */
typedef struct {
    const wall_links *links;
    vec *even[BATCH_TOGETHER], *odd[BATCH_TOGETHER][2];
    mixed_space *space;
    wall_op op;
} low_side;

struct wall_solver {
    int slices, together;
    solver_kind kind;
    wall_links *links, *single;                /* in double; in single precision, NULL where none is asked for */
    vec *even[BATCH_TOGETHER], *odd[BATCH_TOGETHER][2];
    cg_space *space;
    low_side inner, refine;                    /* refine.space is NULL where it is the same as inner */
    int shifts;                                /* there are vectors for so many */
    vec *p[SHIFTS_MAX], *x_low[SHIFTS_MAX], *p_low[SHIFTS_MAX];      /* in double alone p; else the others, as inner */
    vec *scratch[2][WALL_SCRATCH];             /* on even, on odd sites */
};

static bool same_storage(storage a, storage b)
{
    return a.format == b.format && a.precision == b.precision;
}

static bool has_refine(solver_kind kind)
{
    return kinds[kind].mixed && !same_storage(kinds[kind].inner, kinds[kind].refine);
}

static bool needs_single(solver_kind kind)
{
    return kinds[kind].mixed && (kinds[kind].inner.precision == PRECISION_SINGLE
                                 || kinds[kind].refine.precision == PRECISION_SINGLE);
}

static vec *low_vec(const wall_solver *w, parity_set on, storage in)
{
    const field *f = &w->even[0]->f;
    return in.format == VECTOR_NATIVE ? wall_vec_create(f->lattice, on, f->where, in.precision, w->slices)
                                      : wall_vec_create_format(f->lattice, on, f->where, in.format, w->slices);
}

static void side_create(low_side *s, const wall_solver *w, storage in)
{
    s->links = in.precision == PRECISION_SINGLE ? w->single : w->links;
    for (int n = 0; n < w->together; n++) {
        s->even[n] = low_vec(w, ON_EVEN, in);
        for (int i = 0; i < 2; i++)
            s->odd[n][i] = low_vec(w, ON_ODD, in);
    }
    s->space = mixed_space_create_batch(w->space, s->odd[0][0], w->together);
}

static void free_vectors(vec *const *even, vec *const (*odd)[2])
{
    for (int n = 0; n < BATCH_TOGETHER; n++) {
        vec_free(even[n]);
        vec_free(odd[n][0]);
        vec_free(odd[n][1]);
    }
}

static void side_free(low_side *s)
{
    mixed_space_free(s->space);
    free_vectors(s->even, s->odd);
}

static low_system side_system(low_side *s, int together, const wall_matrix *m, const low_system *next)
{
    s->op = wall_operator(s->links, m, s->even, (vec *const (*)[2])s->odd, together);
    return (low_system){ &s->op.base, s->space, next };
}

wall_solver *wall_solver_create_batch(const gauge *u, int slices, double boundary, solver_kind kind, int together)
{
    wall_solver *w = memory_alloc(sizeof *w, "solves of domain-wall quarks");
    lattice *l = u->links.lattice;
    const place where = u->links.where;
    assert(together >= 1 && together <= BATCH_TOGETHER && kind < SOLVER_ADAPTIVE);
    w->slices = slices;
    w->kind = kind;
    w->together = kinds[kind].mixed ? together : 1;
    w->links = wall_links_create(l, where, PRECISION_DOUBLE, boundary);
    if (needs_single(kind))
        w->single = wall_links_create(l, where, PRECISION_SINGLE, boundary);
    for (int n = 0; n < w->together; n++) {
        w->even[n] = wall_vec_create(l, ON_EVEN, where, PRECISION_DOUBLE, slices);
        for (int i = 0; i < 2; i++)
            w->odd[n][i] = wall_vec_create(l, ON_ODD, where, PRECISION_DOUBLE, slices);
    }
    w->space = cg_space_create_like(w->odd[0][0], w->together);
    if (kinds[kind].mixed)
        side_create(&w->inner, w, kinds[kind].inner);
    if (has_refine(kind))
        side_create(&w->refine, w, kinds[kind].refine);
    return w;
}

wall_solver *wall_solver_create(const gauge *u, int slices, double boundary, solver_kind kind)
{
    return wall_solver_create_batch(u, slices, boundary, kind, 1);
}

void wall_solver_free(wall_solver *w)
{
    if (!w)
        return;
    for (int i = 0; i < WALL_SCRATCH; i++) {
        vec_free(w->scratch[0][i]);
        vec_free(w->scratch[1][i]);
    }
    for (int k = 0; k < w->shifts; k++) {
        vec_free(w->p[k]);
        vec_free(w->x_low[k]);
        vec_free(w->p_low[k]);
    }
    side_free(&w->refine);
    side_free(&w->inner);
    cg_space_free(w->space);
    free_vectors(w->even, w->odd);
    wall_links_free(w->single);
    wall_links_free(w->links);
    memory_free(w);
}

bool wall_solver_update(wall_solver *w, const gauge *u, failure *why)
{
    return wall_links_update(w->links, u, why) && (!w->single || wall_links_update(w->single, u, why));
}

const wall_links *wall_solver_links(const wall_solver *w)
{
    return w->links;
}

vec *wall_solver_scratch(wall_solver *w, parity_set on, int i)
{
    vec **v = &w->scratch[on == ON_ODD][i];
    assert(i >= 0 && i < WALL_SCRATCH && on != ON_ALL);
    if (!*v)
        *v = wall_vec_create(w->even[0]->f.lattice, on, w->even[0]->f.where, PRECISION_DOUBLE, w->slices);
    return *v;
}

static wall_op high_operator(wall_solver *w, const wall_matrix *m)
{
    return wall_operator(w->links, m, w->even, (vec *const (*)[2])w->odd, w->together);
}

void wall_solve_all(wall_solver *w, const wall_matrix *m, wall_task *task, int tasks, const wall_goal *goal)
{
    const stop_rule stop = { goal->residual, goal->max_iterations };
    const wall_op high = high_operator(w, m);
    if (!kinds[w->kind].mixed) {
        for (int n = 0; n < tasks; n++) {
            solve_result s = cg_solve(&high.base, task[n].x, 0, task[n].b, stop, w->space);
            task[n].solved = (wall_solved){ .converged = s.converged, .iterations = s.iterations,
                                            .residual = s.residual };
        }
        return;
    }
    const mixed_rule rule = mixed_rule_default();
    const low_system inner = side_system(&w->inner, w->together, m, NULL);
    const low_system refine = w->refine.space ? side_system(&w->refine, w->together, m, &inner) : inner;
    mixed_task *mixed = memory_alloc((size_t)tasks * sizeof *mixed, "solves");
    for (int n = 0; n < tasks; n++)
        mixed[n] = (mixed_task){ .x = task[n].x, .b = task[n].b, .stop = stop };
    cg_solve_mixed_batch(&high.base, &refine, mixed, tasks, &rule);
    for (int n = 0; n < tasks; n++) {
        const mixed_result *r = &mixed[n].result;
        task[n].solved = (wall_solved){ .converged = r->solve.converged, .iterations = r->solve.iterations,
                                        .residual = r->solve.residual, .record = r->record };
    }
    memory_free(mixed);
}

wall_solved wall_solve(wall_solver *w, const wall_matrix *m, vec *x, const vec *b, const wall_goal *goal)
{
    wall_task task = { .x = x, .b = b };
    wall_solve_all(w, m, &task, 1, goal);
    return task.solved;
}

static void reserve(wall_solver *w, int shifts)
{
    assert(shifts <= SHIFTS_MAX);
    if (!kinds[w->kind].mixed)
        cg_space_widen(w->space);
    for (; w->shifts < shifts; w->shifts++)
        if (kinds[w->kind].mixed) {
            w->x_low[w->shifts] = vec_create_like(w->inner.odd[0][0]);
            w->p_low[w->shifts] = vec_create_like(w->inner.odd[0][0]);
        } else
            w->p[w->shifts] = vec_create_like(w->odd[0][0]);
}

static wall_solved of_shifts(const multishift_result *result, int count, const mixed_record *record)
{
    wall_solved s = { .converged = result->converged, .iterations = result->iterations,
                      .polish_iterations = result->polish_iterations };
    for (int k = 0; k < count; k++)
        s.residual = result->residual[k] <= s.residual ? s.residual : result->residual[k];       /* keeps a NaN */
    if (record)
        s.record = *record;
    return s;
}

wall_solved wall_solve_shifts(wall_solver *w, const wall_matrix *m, vec *const *x, const shifted *system, int count,
                              const vec *b, const wall_goal *goal)
{
    const wall_op high = high_operator(w, m);
    reserve(w, count);
    if (!kinds[w->kind].mixed) {
        multishift_result result = multishift_solve(&high.base, x, w->p, system, count, b, goal->max_iterations,
                                                    goal->verify, w->space);
        return of_shifts(&result, count, NULL);
    }
    const mixed_rule rule = mixed_rule_default();
    const low_system inner = side_system(&w->inner, w->together, m, NULL);
    const low_system refine = w->refine.space ? side_system(&w->refine, w->together, m, &inner) : inner;
    multishift_mixed_result result = multishift_solve_mixed(&high.base, inner, refine, x, w->x_low, w->p_low, system,
                                                            count, b, goal->max_iterations, &rule);
    return of_shifts(&result.solve, count, &result.record);
}

double wall_largest_eigenvalue(wall_solver *w, const wall_matrix *m, const vec *start, int steps)
{
    const wall_op high = high_operator(w, m);
    return lanczos_spectrum(&high.base, start, steps, w->space).largest;
}

/* Of one vector on one parity. */
static size_t vector_bytes(storage in, const lattice_shape *shape, int slices)
{
    return (size_t)(SPINS * slices) * (in.format == VECTOR_NATIVE ? vec_bytes(shape, in.precision, ON_ODD)
                                                                  : vec_format_bytes(shape, in.format, ON_ODD));
}

static size_t side_bytes(storage in, const lattice_shape *shape, int slices, size_t systems)
{
    return krylov_bytes() + systems * (3 + MIXED_VECTORS) * vector_bytes(in, shape, slices);
}

size_t wall_solver_batch_bytes(const lattice_shape *shape, int slices, solver_kind kind, int shifts, int together)
{
    const size_t systems = kinds[kind].mixed ? (size_t)together : 1;
    const size_t high = vector_bytes((storage){ VECTOR_NATIVE, PRECISION_DOUBLE }, shape, slices);
    size_t bytes = wall_links_bytes(shape, PRECISION_DOUBLE) + 3 * systems * high
                   + cg_space_bytes(shape, PRECISION_DOUBLE, ON_ODD, SPINS * slices, (int)systems);
    if (needs_single(kind))
        bytes += wall_links_bytes(shape, PRECISION_SINGLE);
    if (kinds[kind].mixed)
        bytes += side_bytes(kinds[kind].inner, shape, slices, systems);
    if (has_refine(kind))
        bytes += side_bytes(kinds[kind].refine, shape, slices, systems);
    if (shifts > 0)
        bytes += kinds[kind].mixed ? 2 * (size_t)shifts * vector_bytes(kinds[kind].inner, shape, slices)
                                   : (size_t)(KRYLOV_WINDOW + shifts) * high;
    return bytes;
}

size_t wall_solver_bytes(const lattice_shape *shape, int slices, solver_kind kind, int shifts)
{
    return wall_solver_batch_bytes(shape, slices, kind, shifts, 1);
}
