/* test_batch.c - systems that are solved together: each gets the numbers that it would get alone, by whatever way its
 * steps are made; a precision that fails hands over to the next. */
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/mixed_pair.h"

#include <math.h>
#include <stdlib.h>

enum { SOURCES = 5, SLOTS = 4, SHIFTS = 3, MANY = 1000, ALWAYS = 1000000 };

static const int extents[4] = { 4, 6, 4, 4 };

/* Sources of different sizes, each with shifts and tolerances of its own. */
typedef struct {
    vec *b, *x[SHIFTS], *x_low[SHIFTS], *p[SHIFTS];
    shifted system[SHIFTS];
} source;

static void source_create(source *s, int n, lattice *l, place where, const vec *like)
{
    *s = (source){ .b = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE) };
    vec_set_gaussian(s->b, rng_key_for(31, 0, (uint64_t)n, RNG_TEST), 0);
    vec_combine(s->b, pow(10, 3 * n), s->b, NULL, NULL, 0);
    for (int k = 0; k < SHIFTS; k++) {
        s->x[k] = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
        s->x_low[k] = vec_create_like(like);
        s->p[k] = vec_create_like(like);
        s->system[k] = (shifted){ 0.02 * (n + 1) + 0.3 * k * k, pow(10, -6 - (n + k) % 4) };
    }
}

static void source_free(source *s)
{
    for (int k = 0; k < SHIFTS; k++) {
        vec_free(s->x[k]);
        vec_free(s->x_low[k]);
        vec_free(s->p[k]);
    }
    vec_free(s->b);
}

static multishift_task task_of(source *s)
{
    return (multishift_task){ .b = s->b, .system = s->system, .count = SHIFTS, .x = s->x, .x_low = s->x_low,
                              .p_low = s->p };
}

static bool same(const vec *a, const vec *b)
{
    vec *difference = vec_create_like(a);
    vec_copy(difference, a);
    vec_axpy(difference, -1, b);
    bool equal = vec_norm2(difference) == 0;
    vec_free(difference);
    return equal;
}

/* K in double with room for a batch, and K in single precision. */
typedef struct {
    mixed_pair pair;
    vec *between[SLOTS];
    cg_space *space;
    mixed_space *low_space;
} batch_setup;

static void batch_setup_create(batch_setup *r, place where)
{
    mixed_pair_create(&r->pair, extents, where, LOW_SINGLE);
    for (int n = 0; n < SLOTS; n++)
        r->between[n] = vec_create(r->pair.s.l, ON_ODD, where, PRECISION_DOUBLE);
    r->space = cg_space_create_batch(r->pair.s.l, ON_EVEN, where, PRECISION_DOUBLE, SLOTS);
    r->low_space = mixed_space_create_batch(r->space, r->pair.like, SLOTS);
    staggered_normal_set_work(&r->pair.s.k, r->between, SLOTS);
}

static void batch_setup_free(batch_setup *r)
{
    mixed_space_free(r->low_space);
    cg_space_free(r->space);
    for (int n = 0; n < SLOTS; n++)
        vec_free(r->between[n]);
    mixed_pair_free(&r->pair);
}

/* The same systems together, alone, and alone by the oracle on the host. */
static void same_numbers(place where, bool mixed)
{
    const mixed_rule rule = mixed_rule_default();
    const char *what = mixed ? "double-single" : "double";
    batch_setup r;
    batch_setup_create(&r, where);
    const vec *like = mixed ? r.pair.like : r.pair.s.b;
    source rhs[2][SOURCES];
    multishift_task task[SOURCES];
    low_system low = { &r.pair.low.base, r.low_space, NULL };
    multishift_method by = { .high = &r.pair.s.k.base, .inner = &low, .refine = &low, .rule = &rule,
                             .max_iterations = MANY };
    staggered_normal_op alone = r.pair.s.k;
    alone.base.add_batch = NULL;
    for (int n = 0; n < SOURCES; n++) {
        source_create(&rhs[0][n], n, r.pair.s.l, where, like);
        source_create(&rhs[1][n], n, r.pair.s.l, where, like);
        task[n] = task_of(&rhs[0][n]);
    }
    if (mixed)
        multishift_solve_mixed_batch(&by, task, SOURCES);
    else
        multishift_solve_batch(&r.pair.s.k.base, task, SOURCES, MANY, true, r.space);
    for (int n = 0; n < SOURCES; n++) {
        multishift_task one = task_of(&rhs[1][n]);
        const linop *high = by.high = n % 2 ? &alone.base : &r.pair.s.k.base;
        if (mixed)
            multishift_solve_mixed_batch(&by, &one, 1);
        else
            multishift_solve_batch(high, &one, 1, MANY, true, r.space);
        const multishift_result *a = &task[n].result.solve, *b = &one.result.solve;
        bool equal = a->iterations == b->iterations && a->polish_iterations == b->polish_iterations && a->converged &&
                     b->converged;
        for (int k = 0; k < SHIFTS; k++) {
            equal = equal && same(rhs[0][n].x[k], rhs[1][n].x[k]) && a->frozen_at[k] == b->frozen_at[k];
            double is = true_residual_of(&r.pair.s.k.base, rhs[0][n].system[k].shift, rhs[0][n].x[k],
                                         rhs[0][n].b);
            fact(is <= rhs[0][n].system[k].tolerance, "%s, %s: source %d, shift %d: the residual is small enough",
                 place_name(where), what, n, k);
        }
        fact(equal, "%s, %s: source %d gets the same numbers alone%s", place_name(where), what, n,
             n % 2 ? ", with scalars on the host" : "");
    }
    for (int n = 0; n < SOURCES; n++) {
        source_free(&rhs[0][n]);
        source_free(&rhs[1][n]);
    }
    batch_setup_free(&r);
}

/* More systems than slots, of which some come to an end early; one source is NaN. */
static void one_by_one(place where)
{
    const mixed_rule rule = mixed_rule_default();
    const stop_rule stop = { 1e-9, MANY };
    batch_setup r;
    batch_setup_create(&r, where);
    low_system low = { &r.pair.low.base, r.low_space, NULL };
    source rhs[2][SOURCES];
    mixed_task task[SOURCES + 1];
    vec *bad = vec_create_like(r.pair.s.b), *x = vec_create_like(bad);
    vec_combine(bad, NAN, r.pair.s.b, NULL, NULL, 0);
    for (int n = 0; n < SOURCES; n++) {
        source_create(&rhs[0][n], n, r.pair.s.l, where, r.pair.like);
        source_create(&rhs[1][n], n, r.pair.s.l, where, r.pair.like);
        task[n + (n > 1)] = (mixed_task){ .x = rhs[0][n].x[0], .shift = 0.05 * (n + 1), .b = rhs[0][n].b,
                                          .stop = stop };
    }
    task[2] = (mixed_task){ .x = x, .shift = 0.1, .b = bad, .stop = stop };
    cg_solve_mixed_batch(&r.pair.s.k.base, &low, task, SOURCES + 1, &rule);
    fact(!task[2].result.solve.converged, "%s: a source with a NaN is reported", place_name(where));
    for (int n = 0; n < SOURCES; n++) {
        const mixed_task *t = &task[n + (n > 1)];
        const mixed_task by_itself = { .x = rhs[1][n].x[0], .shift = t->shift, .b = rhs[1][n].b, .stop = stop };
        mixed_result alone = cg_solve_mixed(&r.pair.s.k.base, &low, by_itself, &rule);
        fact(t->result.solve.converged && t->result.solve.iterations == alone.solve.iterations &&
                 same(t->x, rhs[1][n].x[0]), "%s: source %d of a queue gets the numbers that it gets alone",
             place_name(where), n);
    }
    for (int n = 0; n < SOURCES; n++) {
        source_free(&rhs[0][n]);
        source_free(&rhs[1][n]);
    }
    vec_free(x);
    vec_free(bad);
    batch_setup_free(&r);
}

static void escalation(place where)
{
    const mixed_rule rule = mixed_rule_default();
    int applications;
    batch_setup r;
    batch_setup_create(&r, where);
    wrong_operator wrong = wrong_operator_of(&r.pair.low.base, 20, 1, 0, ALWAYS, &applications);
    mixed_space *other = mixed_space_create(r.space, r.pair.like);
    low_system next = { &r.pair.low.base, r.low_space, NULL }, first = { &wrong.base, other, &next };
    mixed_task task = { .x = r.pair.s.x, .shift = 0.05, .b = r.pair.s.b, .stop = { 1e-10, MANY } };
    cg_solve_mixed_batch(&r.pair.s.k.base, &first, &task, 1, &rule);
    const mixed_record *record = &task.result.record;
    double is = true_residual_of(&r.pair.s.k.base, task.shift, task.x, task.b);
    fact(task.result.solve.converged && is <= task.stop.tolerance, "%s: a precision that fails is no obstacle (%g)",
         place_name(where), is);
    fact(record->escalations == 1 && record->switches == 2 && record->high_iterations == 0,
         "%s: after both methods the next precision takes over, not double", place_name(where));
    fact(record->why[BY_RELIABLE_UPDATES] == FAILED_RESIDUAL && record->why[BY_DEFECT_CORRECTION] != NO_FAILURE,
         "%s: and why is told", place_name(where));
    fact(record->low_iterations == task.result.solve.iterations, "%s: all steps are counted", place_name(where));
    mixed_space_free(other);
    batch_setup_free(&r);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        same_numbers(where, false);
        same_numbers(where, true);
        one_by_one(where);
        escalation(where);
    }
    setenv("KILN_LOOPS", "host", 1);                         /* the way of older drivers */
    FOR_EVERY_PLACE(where)
        same_numbers(where, true);
    return facts_end();
}
