/* persistent_climb.c - the ladder of the persistent kernel: iterations of conjugate gradients by a graph of launches,
 * and by the steps of the ladder, which give the same bits. */
#include "gpu/bench/ladder.h"
#include "src/base/memory.h"
#include "src/bench/bench_iterations.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_low.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    lattice *l;
    staggered_low *low;
    vec *between, *r, *q, *y, *ring[KRYLOV_RING];
    double *first;                       /* the result of the graph of launches */
    int repeats;
} persistent_climb;

static void begin_format(persistent_climb *c, const staggered_links *links, vector_format format, precision p)
{
    c->low = staggered_low_create(links, format, p);
    staggered_low_update(c->low);
    c->between = staggered_low_vec(c->low, ON_ODD);
    c->r = staggered_low_vec(c->low, ON_EVEN);
    c->q = vec_create_like(c->r);
    c->y = vec_create(c->l, ON_EVEN, PLACE_GPU, PRECISION_DOUBLE);
    for (int i = 0; i < KRYLOV_RING; i++)
        c->ring[i] = vec_create_like(c->r);
    vec_set_gaussian(c->y, rng_key_for(7, 0, 0, RNG_TEST), 0);
    vec_convert(c->r, c->y);
}

static void end_format(persistent_climb *c)
{
    vec_free(c->between);
    vec_free(c->r);
    vec_free(c->q);
    vec_free(c->y);
    for (int i = 0; i < KRYLOV_RING; i++)
        vec_free(c->ring[i]);
    staggered_low_free(c->low);
    memory_free(c->first);
    c->first = NULL;
}

static void climb_step(persistent_climb *c, const char *name, iteration_way how)
{
    const bench_request request = { .where = PLACE_GPU, .repeats = c->repeats };
    const staggered_low_op op = staggered_low_operator(c->low, 0, c->between);
    const krylov_vectors v = { .r = c->r, .q = c->q, .ring = c->ring, .y = c->y, .unit = 1 };
    const iterated_systems s = { .a = &op.base, .shift = 1e-6, .v = &v, .count = 1 };
    const size_t bytes = (size_t)lattice_volume(c->l) * VEC_REALS * sizeof(double);
    double *got = memory_alloc(bytes, "what a step left");
    vec_zero(c->y);
    const bench_time t = bench_iterations(&request, c->l, &s, how);
    vec_export(got, c->y);
    if (!c->first)
        c->first = got;
    printf("%-6s %-6s %-40s %8.2f us an iteration  %s\n", c->r->f.precision == PRECISION_SINGLE ? "single" : "double",
           vector_format_names[c->r->format], name, t.median * 1e6,
           t.median == 0 ? "not possible" : memcmp(c->first, got, bytes) == 0 ? "same bits" : "DIFFERENT");
    fflush(stdout);
    if (got != c->first)
        memory_free(got);
}

static void climb_precision(persistent_climb *c, const staggered_links *links, precision p,
                            const persistent_ladder_step *steps)
{
    for (const persistent_ladder_step *s = steps; s->run; s++) {
        if (s == steps || s->format != s[-1].format) {
            begin_format(c, links, s->format, p);
            climb_step(c, "graph of launches", (iteration_way){ LOOP_GRAPH, NULL });
        }
        climb_step(c, s->step, (iteration_way){ LOOP_PERSISTENT, s->run });
        if (!s[1].run || s[1].format != s->format)
            end_format(c);
    }
}

void climb_persistent(lattice *l, int repeats)
{
    const staggered_links_params params = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1 };
    persistent_climb c = { .l = l, .repeats = repeats };
    gauge *u = gauge_create(l, PLACE_GPU, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(8, 0, 0, RNG_TEST));
    staggered_links *links = staggered_links_create(&params, u);
    staggered_links_update(links, u);
    climb_precision(&c, links, PRECISION_SINGLE, persistent_ladder_gpu_f);
    climb_precision(&c, links, PRECISION_DOUBLE, persistent_ladder_gpu_d);
    staggered_links_free(links);
    gauge_free(u);
}
