/* bench_batches.c - conjugate gradients of batches of systems, in native precision and in the other formats: the cost
 * of a launch and of an iteration per system.
 *
 * Rows are per system: time, bytes and flops of the batch over the number of its systems.  Links and tables of
 * neighbors are read once for all systems. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/bench/bench_groups.h"
#include "src/bench/bench_iterations.h"
#include "src/bench/bench_rows.h"
#include "src/halo/vec_batch.h"
#include "src/kernels/krylov_steps.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_low.h"

#include <limits.h>
#include <string.h>

enum { SIZES = 4, SHIFTS = 10, NEIGHBORS = 16 };
#define BENCH_SHIFT 1e-6
static const int sizes[SIZES] = { 1, 2, 4, 8 };

/* Flops of a site. */
enum { RESIDUAL = 12 + 12 + 18, DIRECTION = 12, SHIFT = 2 * 12 + 6 };

/* The name of a row is the operation, its variant the format and the number of systems. */
#define SYSTEMS(name) { name " x1", name " x2", name " x4", name " x8" }
static const struct { vector_format format; precision p; const char *variant[SIZES]; } storages[] = {
    { VECTOR_NATIVE, PRECISION_DOUBLE, SYSTEMS("native") },
    { VECTOR_INT30, PRECISION_DOUBLE, SYSTEMS("int30") },
    { VECTOR_NATIVE, PRECISION_SINGLE, SYSTEMS("native") },
    { VECTOR_INT20, PRECISION_SINGLE, SYSTEMS("int20") },
    { VECTOR_HALF, PRECISION_SINGLE, SYSTEMS("half") },
};
enum { STORAGES = sizeof storages / sizeof *storages };

typedef struct {
    const bench_request *w;
    lattice *l;
    precision p;
    staggered_low *links;
    staggered_low_op op;
    vec *between[BATCH_MAX_RHS], *r[BATCH_MAX_RHS], *q[BATCH_MAX_RHS], *y[BATCH_MAX_RHS];
    vec *ring[BATCH_MAX_RHS][KRYLOV_RING];
    vec *x[SHIFTS], *directions[SHIFTS];
    krylov_state *host, *there;                      /* the same on the CPU */
    loop *loop;
    double vector_bytes, high_bytes;                 /* of one vector */
    const char *const *variant;
} batch_bench;

/* Of this rank. */
static double sites(const batch_bench *b)
{
    return (double)lattice_local_sites(lattice_shape_of(b->l));
}

/* Mark all systems as active, with a stopping rule that never holds. */
static void begin(batch_bench *b)
{
    memset(b->host, 0, sizeof *b->host);
    b->host->going = 1;
    b->host->count = BATCH_MAX_RHS;
    for (int n = 0; n < BATCH_MAX_RHS; n++) {
        krylov_system *s = &b->host->system[n];
        b->host->number[n] = n;
        vec_set_gaussian(b->y[0], rng_key_for(7, 0, (uint64_t)n, RNG_TEST), 0);
        vec_convert(b->r[n], b->y[0]);
        vec_copy(b->q[n], b->r[n]);
        vec_copy(b->ring[n][0], b->r[n]);
        s->bb = s->rr = s->before = s->top = vec_norm2(b->r[n]);
        s->shift = s->alpha = BENCH_SHIFT;
        s->most = INT_MAX;
        s->reached_at = -1;
        s->stepped = 1;
        s->curvature_per_bound = s->norm_per_bound = SUM_WORD / sum_bound_guessed(s->rr);
    }
    for (int k = 1; k < SHIFTS; k++)
        b->host->system[0].other[k - 1] = (krylov_shift){ .distance = k, .rho = 1, .zeta = 1, .frozen_at = -1 };
    b->host->system[0].shifts = SHIFTS - 1;
    if (b->w->where == PLACE_GPU)
        device_copy_to(b->there, b->host, sizeof *b->host);
    loop_clear(b->loop);
}

static krylov_batch batch_of(const batch_bench *b, int count)
{
    krylov_batch k;
    memset(&k, 0, sizeof k);
    k.state = b->there;
    k.count = count;
    k.last = 1;
    k.full = 1;
    k.sum_launches = comm_size(lattice_comm(b->l)) == 1;      /* several ranks: no scalars */
    for (int n = 0; n < count; n++)
        k.number[n] = n;
    return k;
}

static void run_loop(const void *what)
{
    loop_run_once(*(loop *const *)what);
}

/* A stopped system takes no time: check that all are active. */
static void check_going(const batch_bench *b, int systems, const char *name)
{
    if (b->w->where == PLACE_GPU)
        device_copy_from(b->host, b->there, sizeof *b->host);
    for (int n = 0; n < systems; n++)
        require(b->host->going && b->host->system[n].status == SYSTEM_GOING, "%s, %s: system %d of a batch has stopped",
                name, b->variant[0], n);
}

/* The work of the timed loop. */
typedef struct {
    const char *name;
    int size;                                        /* of the batch: sizes[size] systems */
    double bytes, flops;                             /* of all systems */
} batch_work;

static void add_row(batch_bench *b, bench_table *t, const batch_work *work)
{
    const double systems = sizes[work->size];
    bench_time time = bench_launches(b->w->where, b->w->repeats, run_loop, &b->loop);
    check_going(b, sizes[work->size], work->name);
    time.median /= systems;
    time.fastest /= systems;
    bench_row *row = bench_add_row(t, work->name, b->variant[work->size], b->p, time);
    row->bytes = work->bytes / systems;
    row->flops = work->flops / systems;
}

/* K p of a batch: the links of both hops, a table for each, and five vectors of half the sites. */
static double normal_bytes(const batch_bench *b, int systems)
{
    double vectors = 5 * b->vector_bytes, links = b->op.base.cost.bytes - vectors;
    return links + (double)sizeof(int) * NEIGHBORS * sites(b) + systems * vectors;
}

static void bench_normal(batch_bench *b, bench_table *t, int size)
{
    const int systems = sizes[size];
    krylov_batch k = batch_of(b, systems);
    vec *p[BATCH_MAX_RHS];
    begin(b);
    for (int n = 0; n < systems; n++)
        p[n] = b->ring[n][0];
    b->op.base.add_batch(&b->op.base, b->loop, &k, b->q, p);
    add_row(b, t, &(batch_work){ .name = "batch_normal", .size = size,
                                 .bytes = normal_bytes(b, systems), .flops = systems * b->op.base.cost.flops });
}

static void bench_residual(batch_bench *b, bench_table *t, int size)
{
    krylov_batch k = batch_of(b, sizes[size]);
    double half = sites(b) / 2;
    begin(b);
    vec_batch_residual(b->loop, &k, b->r, b->q);
    add_row(b, t, &(batch_work){ .name = "batch_residual", .size = size,
                                 .bytes = sizes[size] * 3 * b->vector_bytes, .flops = sizes[size] * half * RESIDUAL });
}

static void bench_shifts(batch_bench *b, bench_table *t)
{
    double half = sites(b) / 2;
    const shift_vectors v = { .number = 0, .count = SHIFTS, .x = b->x, .p = b->directions };
    begin(b);
    vec_shifts_update(b->loop, b->there, v, b->r[0]);
    add_row(b, t, &(batch_work){ .name = "shifts_update", .size = 0,
                                 .bytes = (4 * SHIFTS + 1) * b->vector_bytes, .flops = half * SHIFTS * SHIFT });
}

/* Once as a graph of launches, and once as a persistent kernel, if there is one. */
static void bench_iteration(batch_bench *b, bench_table *t, int size)
{
    static const struct { const char *name; iteration_way how; } ways[] = {
        { "cg_iteration", { LOOP_GRAPH, NULL } }, { "cg_iteration_persistent", { LOOP_PERSISTENT, NULL } },
    };
    const int systems = sizes[size];
    double half = sites(b) / 2;
    krylov_vectors v[BATCH_MAX_RHS];
    const iterated_systems s = { .a = &b->op.base, .shift = BENCH_SHIFT, .v = v, .count = systems };
    begin(b);
    for (int n = 0; n < systems; n++)
        v[n] = (krylov_vectors){ .r = b->r[n], .q = b->q[n], .ring = b->ring[n], .y = b->y[n], .unit = 1 };
    double vectors = 3 * b->vector_bytes + 3 * b->vector_bytes + b->vector_bytes + 2 * b->high_bytes / KRYLOV_RING;
    for (unsigned i = 0; i < (systems == 1 && b->w->where == PLACE_GPU ? sizeof ways / sizeof *ways : 1); i++) {
        bench_time time = bench_iterations(b->w, b->l, &s, ways[i].how);
        if (time.median == 0)
            continue;
        time.median /= systems;
        time.fastest /= systems;
        bench_row *row = bench_add_row(t, ways[i].name, b->variant[size], b->p, time);
        row->bytes = normal_bytes(b, systems) / systems + vectors;
        row->flops = b->op.base.cost.flops + half * (RESIDUAL + 2 * DIRECTION);
    }
}

static void bench_storage(const bench_request *w, lattice *l, const staggered_links *links, int storage, bench_table *t)
{
    const char *what = "the state of a batch";
    batch_bench b = { .w = w, .l = l, .p = storages[storage].p, .variant = storages[storage].variant };
    const lattice_shape block = lattice_shape_single(lattice_shape_of(l)->local), *shape = &block;     /* no ghosts */
    vector_format format = storages[storage].format;
    b.vector_bytes = (double)(format == VECTOR_NATIVE ? vec_bytes(shape, b.p, ON_EVEN)
                                                      : vec_format_bytes(shape, format, ON_EVEN));
    b.high_bytes = (double)vec_bytes(shape, PRECISION_DOUBLE, ON_EVEN);
    b.links = staggered_low_create(links, format, b.p);
    staggered_low_update(b.links);
    for (int i = 0; i < BATCH_MAX_RHS; i++) {
        b.between[i] = staggered_low_vec(b.links, ON_ODD);
        b.r[i] = staggered_low_vec(b.links, ON_EVEN);
        b.q[i] = vec_create_like(b.r[i]);
        b.y[i] = vec_create(l, ON_EVEN, w->where, PRECISION_DOUBLE);
        for (int k = 0; k < KRYLOV_RING; k++)
            b.ring[i][k] = vec_create_like(b.r[i]);
    }
    for (int k = 0; k < SHIFTS; k++) {
        b.x[k] = b.ring[k % BATCH_MAX_RHS][2 + k / BATCH_MAX_RHS];
        b.directions[k] = b.ring[k % BATCH_MAX_RHS][4 + k / BATCH_MAX_RHS];
    }
    b.op = staggered_low_operator(b.links, 0, b.between[0]);
    staggered_low_set_work(&b.op, b.between, BATCH_MAX_RHS);
    b.host = memory_alloc(sizeof *b.host, what);
    b.there = w->where == PLACE_GPU ? device_alloc(sizeof *b.there, what) : b.host;
    b.loop = loop_create(w->where);

    for (int size = 0; size < SIZES; size++)
        bench_normal(&b, t, size);
    for (int size = 0; size < SIZES; size++)
        bench_residual(&b, t, size);
    bench_shifts(&b, t);
    for (int size = 0; size < SIZES; size++)
        bench_iteration(&b, t, size);

    loop_free(b.loop);
    if (w->where == PLACE_GPU)
        device_free(b.there);
    memory_free(b.host);
    for (int i = 0; i < BATCH_MAX_RHS; i++) {
        vec_free(b.between[i]);
        vec_free(b.r[i]);
        vec_free(b.q[i]);
        vec_free(b.y[i]);
        for (int k = 0; k < KRYLOV_RING; k++)
            vec_free(b.ring[i][k]);
    }
    staggered_low_free(b.links);
}

void bench_batches(const bench_request *w, lattice *l, precision p, bench_table *t)
{
    const staggered_links_params params = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1 };
    gauge *u = gauge_create(l, w->where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(8, 0, 0, RNG_TEST));
    staggered_links *links = staggered_links_create(&params, u);
    staggered_links_update(links, u);
    for (int i = 0; i < STORAGES; i++)
        if (storages[i].p == p)
            bench_storage(w, l, links, i, t);
    staggered_links_free(links);
    gauge_free(u);
}
