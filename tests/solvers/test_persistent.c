/* test_persistent.c - conjugate gradients by a persistent kernel leave the bits of the graph of launches: scalars, the
 * history of residuals and all vectors, in every format, with long links in full and in 13 numbers, in every way of
 * keeping steps; also where the last warp, or the last turn of the blocks, is not full. */
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_low.h"
#include "tests/facts.h"
#include "tests/halo/batch_state.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/kept_vectors.h"

#include <stdio.h>
#include <string.h>

enum { SYSTEMS = 2, STEPS = 21, HISTORY = 64 };

static const staggered_links_params hisq = { .kind = STAGGERED_HISQ, .u0 = 1, .projection = PROJECTION_U3,
                                             .boundary = 1, .epsilons = 1 };

/* K in a format, on some links. */
typedef struct { lattice *l; gauge *u; staggered_links *links; staggered_low *low; vec *between; } quarks;

static quarks quarks_of(const int extents[4], place where, const batch_kind *kind, bool full)
{
    quarks q = { .l = lattice_create_single(extents) };
    q.u = gauge_create(q.l, where, PRECISION_DOUBLE);
    gauge_set_random(q.u, rng_key_for(74, 0, 0, RNG_TEST));
    q.links = staggered_links_create(&hisq, q.u);
    staggered_links_update(q.links, q.u);
    q.low = staggered_low_create_as(q.links, full ? NAIK_IN_18 : NAIK_IN_13, kind->format, kind->precision);
    staggered_low_update(q.low);
    q.between = staggered_low_vec(q.low, ON_ODD);
    return q;
}

static void quarks_free(quarks *q)
{
    vec_free(q->between);
    staggered_low_free(q->low);
    staggered_links_free(q->links);
    gauge_free(q->u);
    lattice_free(q->l);
}

/* The systems after some steps. */
typedef struct {
    krylov_system system[SYSTEMS];
    double history[HISTORY];
    vectors v[SYSTEMS];
    int count;
    bool persistent;
} outcome;

static void vectors_create(vectors *v, const quarks *q, int n)
{
    vec **all = (vec **)v;
    vec *source = vec_create(q->l, ON_EVEN, q->u->links.where, PRECISION_DOUBLE);
    vec_set_gaussian(source, rng_key_for(74, 1, (uint64_t)n, RNG_TEST), 0);
    v->y = vec_create_like(source);
    for (int i = 1; i < VECTORS; i++)
        all[i] = staggered_low_vec(q->low, ON_EVEN);
    vec_convert(v->residuals[KRYLOV_RING - 1], source);
    vec_convert(v->ring[0], source);
    for (int k = 0; k < PARTS; k++)
        vec_convert(v->p[k], source);
    vec_free(source);
}

/* The first system ends in the midst of a body of the loop. */
static outcome solve(const quarks *q, keeping how, loop_way way, int count)
{
    static const int number[SYSTEMS] = { 2, 0 };
    const staggered_low_op op = staggered_low_operator(q->low, 0, q->between);
    krylov *k = krylov_create(q->l, q->u->links.where, FINISH_IN_KERNEL);
    krylov_vectors v[SYSTEMS];
    outcome o = { .count = count };
    loop_set_way(krylov_loop(k), way);
    for (int n = 0; n < count; n++) {
        vectors_create(&o.v[n], q, n);
        v[n] = kept(&o.v[n], how);
        const double bb = vec_norm2(v[n].r);
        krylov_system *system = krylov_begin(k, number[n], 0.5 * (n + 1), bb, bb, 0);
        for (int i = 0; i < SHIFTS && how != IN_RINGS; i++)
            krylov_add_shift(system, 0.3 * (i + 1), 1e-3);
        system->most = STEPS + n;
    }
    krylov_note_history(k, number[0], HISTORY);
    krylov_run(k, &op.base, number, v, count);
    o.persistent = loop_was_persistent(krylov_loop(k));
    krylov_history(k, number[0], 0, krylov_system_of(k, number[0])->steps, o.history);
    for (int n = 0; n < count; n++) {
        o.system[n] = *krylov_system_of(k, number[n]);
        o.system[n].history = NULL;
    }
    krylov_free(k);
    return o;
}

static bool same_vec(const vec *a, const vec *b)
{
    double *numbers[2];
    const vec *of[2] = { a, b };
    const size_t bytes = (size_t)lattice_volume(a->f.lattice) * VEC_REALS * sizeof(double);
    for (int i = 0; i < 2; i++) {
        numbers[i] = memory_alloc(bytes, "a vector");
        vec_export(numbers[i], of[i]);
    }
    const bool same = memcmp(numbers[0], numbers[1], bytes) == 0;
    memory_free(numbers[0]);
    memory_free(numbers[1]);
    return same;
}

static bool same_outcome(const outcome *a, const outcome *b)
{
    bool same = memcmp(a->system, b->system, sizeof a->system) == 0
                && memcmp(a->history, b->history, sizeof a->history) == 0;
    for (int n = 0; n < a->count; n++)
        for (int i = 0; i < VECTORS; i++)
            same &= same_vec(((vec *const *)&a->v[n])[i], ((vec *const *)&b->v[n])[i]);
    return same;
}

static void outcome_free(outcome *o)
{
    for (int n = 0; n < o->count; n++)
        for (int i = 0; i < VECTORS; i++)
            vec_free(((vec **)&o->v[n])[i]);
}

static void same_as_graph(const quarks *q, const char *what, keeping how, int count)
{
    outcome graph = solve(q, how, LOOP_GRAPH, count), kernel = solve(q, how, LOOP_PERSISTENT, count);
    fact(kernel.persistent && !graph.persistent && kernel.system[0].steps >= STEPS
             && kernel.system[0].rr < kernel.system[0].bb,
         "%s, %s, systems: %d: a persistent kernel makes %d steps", what, keeping_names[how], count,
         kernel.system[0].steps);
    fact(same_outcome(&graph, &kernel), "%s, %s, systems: %d: the bits of the graph", what, keeping_names[how], count);
    outcome_free(&graph);
    outcome_free(&kernel);
}

static void same_as_cpu(const quarks *gpu, const quarks *cpu, const char *what, keeping how)
{
    outcome a = solve(cpu, how, LOOP_PERSISTENT, 1), b = solve(gpu, how, LOOP_PERSISTENT, 1);
    fact(!a.persistent && same_outcome(&a, &b), "%s, %s: the bits of the CPU", what, keeping_names[how]);
    outcome_free(&a);
    outcome_free(&b);
}

static void on_lattice(const int extents[4], const batch_kind *kind, bool full, bool with_cpu)
{
    char what[64];
    quarks gpu = quarks_of(extents, PLACE_GPU, kind, full);
    snprintf(what, sizeof what, "%s, %s, %d numbers", extents_to_text(extents).s, kind->name,
             staggered_low_is_compressed(gpu.low) ? 13 : 18);
    for (keeping how = 0; how < KEEPINGS; how++)
        same_as_graph(&gpu, what, how, 1);
    if (with_cpu) {
        quarks cpu = quarks_of(extents, PLACE_CPU, kind, full);
        for (keeping how = 0; how < KEEPINGS; how++)
            same_as_cpu(&gpu, &cpu, what, how);
        same_as_graph(&gpu, what, STEP_BY_STEP, SYSTEMS);    /* one after the other in each step */
        quarks_free(&cpu);
    }
    quarks_free(&gpu);
}

/* Steps that no persistent kernel has: several systems in one launch. */
static void others_stay_graphs(void)
{
    static const int extents[4] = { 4, 6, 4, 4 };
    quarks q = quarks_of(extents, PLACE_GPU, &batch_kinds[0], false);
    vec *between[SYSTEMS] = { q.between, vec_create_like(q.between) };
    staggered_low_op op = staggered_low_operator(q.low, 0, between[0]);
    krylov *k = krylov_create(q.l, PLACE_GPU, FINISH_IN_KERNEL);
    vectors work[SYSTEMS];
    krylov_vectors v[SYSTEMS];
    const int number[SYSTEMS] = { 0, 1 };
    staggered_low_set_work(&op, between, SYSTEMS);
    loop_set_way(krylov_loop(k), LOOP_PERSISTENT);
    for (int n = 0; n < SYSTEMS; n++) {
        vectors_create(&work[n], &q, n);
        v[n] = kept(&work[n], IN_RINGS);
        const double bb = vec_norm2(v[n].r);
        krylov_begin(k, n, 0.5, bb, bb, 0)->most = STEPS;
    }
    krylov_run(k, &op.base, number, v, SYSTEMS);
    fact(!loop_was_persistent(krylov_loop(k)) && krylov_system_of(k, 0)->steps >= STEPS,
         "two systems in one launch stay a graph, if a persistent kernel is asked for too");
    for (int n = 0; n < SYSTEMS; n++)
        for (int i = 0; i < VECTORS; i++)
            vec_free(((vec **)&work[n])[i]);
    krylov_free(k);
    vec_free(between[1]);
    quarks_free(&q);
}

int main(void)
{
    /* 6 warps; 22 and a half; blocks that have 7 or 8; and blocks that have more than 8, which they do in turns */
    static const int small[][4] = { { 4, 6, 4, 4 }, { 6, 4, 10, 6 } }, large[][4] = { { 16, 16, 16, 16 },
                                                                                      { 20, 18, 16, 14 } };
    if (!place_is_there(PLACE_GPU))
        return facts_end();
    for (int kind = 0; kind < BATCH_KINDS; kind++)
        for (int full = 0; full < 2; full++)
            for (int i = 0; i < 2; i++) {
                on_lattice(small[i], &batch_kinds[kind], full, true);
                if (!full)
                    on_lattice(large[i], &batch_kinds[kind], full, false);
            }
    others_stay_graphs();
    return facts_end();
}
