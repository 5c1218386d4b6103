/* solver_study.c - solves of one system in many precisions, timed, with their histories of residuals. */
#include "src/bench/solver_study.h"

#include "gpu/device.h"
#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_low.h"

#include <math.h>

const solver_precision study_precisions[STUDY_PRECISIONS] = { SOLVER_DOUBLE, SOLVER_DOUBLE_SINGLE_HALF,
                                                              SOLVER_DOUBLE_INT30_INT20, SOLVER_DOUBLE_INT20,
                                                              SOLVER_DOUBLE_HALF };

/* Links and vectors in one of the precisions. */
typedef struct {
    staggered_low *links;
    vec *like, *between;
    mixed_space *space;
    staggered_low_op op;
} low_side;

struct solver_study {
    const staggered_links *links;
    rng_key source;
    vec *b, *x, *odd;
    cg_space *space;
    staggered_normal_op high;
    low_side side[SOLVER_STORAGES];                     /* made when first asked for */
};

/* ---- vectors and operators */

solver_study *solver_study_create(const staggered_links *links, const gauge *u, rng_key source)
{
    solver_study *s = memory_alloc(sizeof *s, "a study of solvers");
    lattice *l = u->links.lattice;
    place where = u->links.where;
    s->links = links;
    s->source = source;
    s->b = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    s->x = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    s->odd = vec_create(l, ON_ODD, where, PRECISION_DOUBLE);
    s->space = cg_space_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    s->high = staggered_normal_operator(links, 0, s->odd);
    vec_set_gaussian(s->b, source, 0);
    return s;
}

void solver_study_free(solver_study *s)
{
    if (!s)
        return;
    for (int i = 0; i < SOLVER_STORAGES; i++)
        if (s->side[i].links) {
            mixed_space_free(s->side[i].space);
            vec_free(s->side[i].like);
            vec_free(s->side[i].between);
            staggered_low_free(s->side[i].links);
        }
    cg_space_free(s->space);
    vec_free(s->odd);
    vec_free(s->x);
    vec_free(s->b);
    memory_free(s);
}

static low_side *side_of(solver_study *s, stored_as inner)
{
    low_side *side = &s->side[inner];
    if (side->links)
        return side;
    side->links = staggered_low_create(s->links, solver_storages[inner].format, solver_storages[inner].precision);
    staggered_low_update(side->links);
    side->like = staggered_low_vec(side->links, ON_EVEN);
    side->between = staggered_low_vec(side->links, ON_ODD);
    side->space = mixed_space_create(s->space, side->like);
    side->op = staggered_low_operator(side->links, 0, side->between);
    return side;
}

static low_system system_of(solver_study *s, stored_as inner)
{
    low_side *side = side_of(s, inner);
    return (low_system){ &side->op.base, side->space, NULL };
}

double solver_study_largest(solver_study *s)
{
    const int steps = 30;
    return lanczos_spectrum(&s->high.base, s->b, steps, s->space).largest;
}

/* ---- time */

static double now(const solver_study *s)
{
    if (s->b->f.where == PLACE_GPU)
        device_wait();
    return clock_now();
}

enum { UNTIMED = 20 };                                /* iterations of a first run that is not timed */

/* ---- one shift */

study_solve solver_study_double(solver_study *s, double shift, stop_rule stop)
{
    study_solve r = { 0 };
    stop_rule short_stop = { stop.tolerance, UNTIMED };
    vec_zero(s->x);
    cg_solve(&s->high.base, s->x, shift, s->b, short_stop, s->space);
    vec_zero(s->x);
    double began = now(s);
    r.of.solve = cg_solve(&s->high.base, s->x, shift, s->b, stop, s->space);
    r.seconds = now(s) - began;
    r.of.record.last = BY_HIGH_PRECISION;
    r.of.record.high_iterations = r.of.solve.iterations;
    return r;
}

static mixed_result solve_mixed(solver_study *s, low_system low, double shift, stop_rule stop, const mixed_rule *rule)
{
    vec_zero(s->x);
    const mixed_task task = { .x = s->x, .shift = shift, .b = s->b, .stop = stop };
    return cg_solve_mixed(&s->high.base, &low, task, rule);
}

study_solve solver_study_mixed(solver_study *s, stored_as inner, double shift, stop_rule stop, const mixed_rule *rule)
{
    low_system low = system_of(s, inner);
    study_solve r = { .setup = 0 };
    mixed_rule forgetful = *rule;
    stop_rule short_stop = { stop.tolerance, UNTIMED };
    forgetful.history = NULL;
    solve_mixed(s, low, shift, short_stop, &forgetful);
    double began = now(s);
    r.of = solve_mixed(s, low, shift, stop, &forgetful);
    r.seconds = now(s) - began;
    if (rule->history)
        solve_mixed(s, low, shift, stop, rule);
    return r;
}

/* ---- many right-hand sides */

/* The operators and vectors of a batch. */
typedef struct {
    int sources, slots;
    vec *b[STUDY_SOURCES_MAX], *x[STUDY_SOURCES_MAX], *odd[BATCH_MAX_RHS], *between[BATCH_MAX_RHS];
    staggered_normal_op high;
    staggered_low_op low;
    cg_space *space;
    mixed_space *low_space;
} source_batch;

static source_batch open_batch(solver_study *s, stored_as inner, int sources)
{
    low_side *side = side_of(s, inner);
    source_batch m = { .sources = sources, .slots = sources < BATCH_MAX_RHS ? sources : BATCH_MAX_RHS };
    for (int n = 0; n < sources; n++) {
        m.b[n] = vec_create_like(s->b);
        m.x[n] = vec_create_like(s->b);
        vec_set_gaussian(m.b[n], s->source, (uint32_t)(VECTOR_DRAWS * n));
    }
    for (int n = 0; n < m.slots; n++) {
        m.odd[n] = vec_create_like(s->odd);
        m.between[n] = staggered_low_vec(side->links, ON_ODD);
    }
    m.high = staggered_normal_operator(s->links, 0, m.odd[0]);
    staggered_normal_set_work(&m.high, m.odd, m.slots);
    m.low = staggered_low_operator(side->links, 0, m.between[0]);
    staggered_low_set_work(&m.low, m.between, m.slots);
    m.space = cg_space_create_like(s->b, m.slots);
    m.low_space = mixed_space_create_batch(m.space, side->like, m.slots);
    return m;
}

static void close_batch(source_batch *m)
{
    mixed_space_free(m->low_space);
    cg_space_free(m->space);
    for (int n = 0; n < m->slots; n++) {
        vec_free(m->odd[n]);
        vec_free(m->between[n]);
    }
    for (int n = 0; n < m->sources; n++) {
        vec_free(m->b[n]);
        vec_free(m->x[n]);
    }
}

/* Sums over the tasks. */
static mixed_result solve_batch(source_batch *m, double shift, stop_rule stop, const mixed_rule *rule)
{
    const low_system low = { &m->low.base, m->low_space, NULL };
    mixed_task task[STUDY_SOURCES_MAX];
    mixed_result sum = { .solve.converged = true };
    for (int n = 0; n < m->sources; n++) {
        vec_zero(m->x[n]);
        task[n] = (mixed_task){ .x = m->x[n], .shift = shift, .b = m->b[n], .stop = stop };
    }
    cg_solve_mixed_batch(&m->high.base, &low, task, m->sources, rule);
    for (int n = 0; n < m->sources; n++) {
        const solve_result *one = &task[n].result.solve;
        sum.solve.converged &= one->converged;
        sum.solve.spent |= one->spent;
        sum.solve.iterations += one->iterations;
        sum.solve.residual = fmax(sum.solve.residual, one->residual);
        mixed_record_add(&sum.record, &task[n].result.record);
    }
    return sum;
}

study_solve solver_study_mixed_sources(solver_study *s, stored_as inner, double shift, stop_rule stop,
                                       const mixed_rule *rule, int sources)
{
    source_batch m = open_batch(s, inner, sources);
    study_solve r = { .setup = 0 };
    mixed_rule forgetful = *rule;
    forgetful.history = NULL;
    solve_batch(&m, shift, (stop_rule){ stop.tolerance, UNTIMED }, &forgetful);
    double began = now(s);
    r.of = solve_batch(&m, shift, stop, &forgetful);
    r.seconds = now(s) - began;
    close_batch(&m);
    return r;
}

/* ---- many shifts */

typedef struct { int count; vec *of[SHIFTS_MAX]; } vectors;

static vectors vectors_like(const vec *v, int count)
{
    vectors many = { .count = count };
    for (int k = 0; k < count; k++)
        many.of[k] = vec_create_like(v);
    return many;
}

static void vectors_free(vectors *many)
{
    for (int k = 0; k < many->count; k++)
        vec_free(many->of[k]);
}

/* |b - (K + shift) x| / |b|; x itself is kept. */
static double true_residual(solver_study *s, const vec *x, double shift)
{
    vec *r = s->x;
    s->high.base.apply(&s->high.base, r, shift, x);
    vec_axpy(r, -1, s->b);
    return sqrt(vec_norm2(r) / vec_norm2(s->b));
}

static study_shifts shifts_in_double(solver_study *s, const shifted *system, int count, int max_iterations)
{
    study_shifts r = { 0 };
    const linop *a = &s->high.base;
    vectors x = vectors_like(s->b, count), p = vectors_like(s->b, count);
    const shifted_family family = { .b = s->b, .system = system, .count = count, .x = x.of, .p = p.of };
    multishift_solve(a, family, UNTIMED, false, s->space);
    double began = now(s);
    r.of.solve = multishift_solve(a, family, max_iterations, true, s->space);
    r.seconds = now(s) - began;
    multishift_solve(a, family, max_iterations, false, s->space);
    for (int k = 0; k < count; k++) {
        stop_rule stop = { system[k].tolerance, max_iterations };
        r.of.krylov_residual[k] = true_residual(s, x.of[k], system[k].shift);
        if (r.of.krylov_residual[k] > stop.tolerance)
            r.of.refine_iterations[k] = cg_solve(a, x.of[k], system[k].shift, s->b, stop, s->space).iterations;
    }
    vectors_free(&p);
    vectors_free(&x);
    return r;
}

study_shifts solver_study_shifts(solver_study *s, solver_precision solver, const shifted *system, int count,
                                 int max_iterations)
{
    const solver_stores *kind = &solver_precisions[solver];
    if (kind->inner == STORED_DOUBLE)
        return shifts_in_double(s, system, count, max_iterations);
    study_shifts r;
    low_system inner = system_of(s, kind->inner), refine = system_of(s, kind->refine);
    refine.next = kind->inner == kind->refine ? NULL : &inner;
    mixed_rule rule = mixed_rule_default();
    vectors x = vectors_like(s->b, count);
    vectors x_low = vectors_like(s->side[kind->inner].like, count), p_low = vectors_like(x_low.of[0], count);
    const multishift_task task = { .b = s->b, .system = system, .count = count, .x = x.of, .x_low = x_low.of,
                                   .p_low = p_low.of };
    multishift_method by = { .high = &s->high.base, .inner = &inner, .refine = &refine, .rule = &rule,
                             .max_iterations = UNTIMED };
    multishift_solve_mixed(&by, task);
    by.max_iterations = max_iterations;
    double began = now(s);
    r.of = multishift_solve_mixed(&by, task);
    r.seconds = now(s) - began;
    vectors_free(&p_low);
    vectors_free(&x_low);
    vectors_free(&x);
    return r;
}
