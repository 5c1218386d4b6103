/* bench_wilson.c - the hop of Wilson quarks, and clover quarks, in every storage of the spinors, for one system and for
 * several.
 *
 *     wilson_hop        out <- hop in                               2 spinors, the links once
 *     wilson_hop_anisotropic   the same with other weights of hops in space and in t
 *     wilson_mhat       out <- Mhat in, two hops                    5 spinors, the links twice
 *     clover_mhat       the same with a clover term                 5 spinors, the links and the blocks twice
 *     twisted_mhat      the same with a twisted mass as well        5 spinors, the links twice, blocks three times
 *     clover_cg_iteration     a whole iteration of conjugate gradients with Mhat^+ Mhat with a clover term
 *     clover_bicg_iteration   a whole iteration of BiCGstab, with two Mhat with a clover term
 *     bicg_shadow, ...        the launches of that iteration between its hops, without the scalars after their sums
 *                             (halo/vec_bicg.h): 16 spinors and x, in short cycles 14 and x
 *
 * Spinors are those of one parity.  Rows "x8": of one of eight systems that share links and blocks. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/bench/bench_groups.h"
#include "src/bench/bench_iterations.h"
#include "src/bench/bench_rows.h"
#include "src/lattice/rng.h"
#include "src/operators/clover.h"
#include "src/operators/wilson_launch.h"
#include "src/solvers/bicg_mixed.h"

#include <string.h>

/* Flops of a site. */
enum { HOP = 1320, SPINOR_REALS = SLAB_GROUP * VEC_REALS };
enum { BICG_PRODUCT = 8 * 12 };               /* a complex update or product of a spinor; a norm is half of it */
enum { SYSTEMS = BATCH_MAX_RHS };

#define BENCH_MASS 0.01
#define BENCH_C_SW 1.0
#define BENCH_MU 0.01

static const struct { vector_format format; precision p; const char *name, *together; } storages[] = {
    { VECTOR_NATIVE, PRECISION_DOUBLE, "native", "native x8" }, { VECTOR_INT30, PRECISION_DOUBLE, "int30", "int30 x8" },
    { VECTOR_NATIVE, PRECISION_SINGLE, "native", "native x8" }, { VECTOR_INT20, PRECISION_SINGLE, "int20", "int20 x8" },
    { VECTOR_HALF, PRECISION_SINGLE, "half", "half x8" },
};
enum { STORAGES = sizeof storages / sizeof *storages };

/* Links and the terms of clover and of twisted quarks, in one storage. */
typedef struct { hop_links *links; clover_term *clover, *twisted; } wilson_fields;

typedef struct {
    const bench_request *w;
    lattice *l;
    precision p;
    vector_format format;
    const char *variant;
    int systems;
    double spinor_bytes, links_bytes, blocks_bytes;        /* of one vector; of what one hop reads beside it */
    wilson_fields f;
    vec *in[SYSTEMS], *even[SYSTEMS], *out[SYSTEMS], *odd[SYSTEMS];
    krylov_state *host, *there;                            /* the same on the CPU */
    loop *loop;
} wilson_bench;

static double half_sites(const wilson_bench *b)
{
    return (double)lattice_local_sites(lattice_shape_of(b->l)) / 2;
}

static vec *spinor(const wilson_bench *b, parity_set on)
{
    return b->format == VECTOR_NATIVE ? spinor_vec_create(b->l, on, b->w->where, b->p, 1)
                                      : spinor_vec_create_format(b->l, on, b->w->where, b->format, 1);
}

/* ---- products of a batch of active systems */

static krylov_batch batch_of_all(const wilson_bench *b)
{
    krylov_batch k;
    memset(&k, 0, sizeof k);
    k.state = b->there;
    k.count = k.last = k.full = b->systems;
    for (int n = 0; n < b->systems; n++)
        k.number[n] = n;
    k.sum_launches = comm_size(lattice_comm(b->l)) == 1;
    return k;
}

/* `stepped`: of each system */
static void begin_loop_with(wilson_bench *b, int stepped)
{
    memset(b->host, 0, sizeof *b->host);
    b->host->going = 1;
    b->host->count = b->systems;
    for (int n = 0; n < b->systems; n++)
        b->host->system[n].stepped = stepped;
    if (b->w->where == PLACE_GPU)
        device_copy_to(b->there, b->host, sizeof *b->host);
    loop_clear(b->loop);
}

static void begin_loop(wilson_bench *b)
{
    begin_loop_with(b, 0);
}

static void run_loop(const void *what)
{
    loop_run_once(((const wilson_bench *)what)->loop);
}

/* Times what is in the loop; bytes and flops are those of one system. */
static void add_row(const wilson_bench *b, bench_table *t, const char *name, double bytes, double flops)
{
    bench_time time = bench_launches(b->w->where, b->w->repeats, run_loop, b);
    time.median /= b->systems;
    time.fastest /= b->systems;
    bench_row *row = bench_add_row(t, name, b->variant, b->p, time);
    row->bytes = bytes;
    row->flops = flops;
}

static void bench_hop(wilson_bench *b, bench_table *t, const char *name, hop_phases phases)
{
    const hop_phases usual = b->f.links->phases;
    const krylov_batch k = batch_of_all(b);
    begin_loop(b);
    b->f.links->phases = phases;
    wilson_add_batch_hop(b->loop, &k, b->f.links, &(wilson_batch_hops){ .out = b->even, .in = b->in, .scale = -0.5 });
    b->f.links->phases = usual;
    add_row(b, t, name, 2 * b->spinor_bytes + b->links_bytes / b->systems, HOP * half_sites(b));
}

static void bench_mhat(wilson_bench *b, bench_table *t, const char *name, const linop *mhat, double blocks)
{
    const krylov_batch k = batch_of_all(b);
    begin_loop(b);
    mhat->add_batch(mhat, b->loop, &k, b->out, b->in);
    add_row(b, t, name, 5 * b->spinor_bytes + (2 * b->links_bytes + blocks * b->blocks_bytes) / b->systems,
            mhat->cost.flops);
}

static clover_links links_with(const wilson_bench *b, const clover_term *t)
{
    return (clover_links){ .links = b->f.links, .term = t };
}

static void bench_products(wilson_bench *b, bench_table *t)
{
    const clover_links plain = clover_plain_links(b->f.links, BENCH_MASS);
    const clover_op wilson = clover_mhat_operator(plain, false, b->even, b->systems),
                    clover = clover_mhat_operator(links_with(b, b->f.clover), false, b->even, b->systems),
                    twisted = clover_mhat_operator(links_with(b, b->f.twisted), false, b->even, b->systems);
    bench_hop(b, t, "wilson_hop", b->f.links->phases);
    bench_hop(b, t, "wilson_hop_anisotropic", (hop_phases){ true, { { 0.3 }, { 0.3 }, { 0.3 }, { 1 } } });
    bench_mhat(b, t, "wilson_mhat", &wilson.base, 0);
    bench_mhat(b, t, "clover_mhat", &clover.base, 2);
    bench_mhat(b, t, "twisted_mhat", &twisted.base, 3);
}

/* ---- iterations */

typedef struct {
    krylov *k;
    const linop *a;
    vec *start;
    bicg_vectors v;
    double rr;
    int iterations;
} bicg_job;

static void run_bicg(const void *what)
{
    const bicg_job *j = what;
    const int number = 0;
    vec_copy(j->v.r[0], j->start);
    vec_copy(j->v.shadow, j->start);
    for (int i = 0; i < 2; i++)
        vec_zero(j->v.u[i]);
    krylov_begin(j->k, 0, 0, j->rr, j->rr, 0)->most = j->iterations;
    bicg_begin(j->k, 0, 1);
    bicg_run(j->k, j->a, 1, &number, &j->v, 1);
}

static void add_shadow(loop *l, const krylov_batch *b, const bicg_batch *v)
{
    vec_bicg_shadow(l, b, v, 0, false);
}

static void add_residuals(loop *l, const krylov_batch *b, const bicg_batch *v)
{
    vec_bicg_residuals(l, b, v, 0, false);
}

static void add_minimum(loop *l, const krylov_batch *b, const bicg_batch *v)
{
    vec_bicg_minimum(l, b, v);
}

static void add_gram(loop *l, const krylov_batch *b, const bicg_batch *v)
{
    vec_bicg_gram(l, b, v, 0);
}

static void add_cycle(loop *l, const krylov_batch *b, const bicg_batch *v)
{
    vec_bicg_cycle(l, b, v, 1);
}

static void add_directions(loop *l, const krylov_batch *b, const bicg_batch *v)
{
    vec_bicg_directions(l, b, v, 0, 1);
}

/* The launches of an iteration for vectors: spinors that are read and written, how often x is, and products. */
typedef struct {
    const char *name;
    void (*add)(loop *l, const krylov_batch *b, const bicg_batch *v);
    int spinors, x;
    double products;
} bicg_launch;

enum { LAUNCHES_MOST = 5 };
static const bicg_launch bicg_launches[2][LAUNCHES_MOST] = {
    { { "bicg_shadow", add_shadow, 2, 0, 1.5 }, { "bicg_residuals", add_residuals, 3, 0, 1 },
      { "bicg_gram", add_gram, 2, 0, 1.5 }, { "bicg_cycle", add_cycle, 5, 2, 4.5 },
      { "bicg_directions", add_directions, 4, 0, 2 } },
    { { "bicg_shadow", add_shadow, 2, 0, 1.5 }, { "bicg_residuals", add_residuals, 3, 0, 1 },
      { "bicg_minimum", add_minimum, 3, 0, 3 }, { "bicg_advance", vec_bicg_advance, 6, 2, 5 } },
};

static const bicg_launch *launches_of(const bicg_vectors *v)
{
    return bicg_launches[vec_bicg_is_short(v->shadow, v->x, 1)];
}

static double launch_bytes(const wilson_bench *b, const bicg_launch *k, const bicg_vectors *v)
{
    const size_t real = v->x->f.precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    return k->spinors * b->spinor_bytes + k->x * half_sites(b) * SPINOR_REALS * (double)real;
}

static double launch_flops(const wilson_bench *b, const bicg_launch *k)
{
    return k->products * BICG_PRODUCT * half_sites(b);
}

/* The launches one by one; the state has neither scalars nor sums. */
static void bench_bicg_launches(wilson_bench *b, bench_table *t, bicg_vectors *v)
{
    vec *const *const r[] = { &v->r[0], &v->r[1] }, *const *const u[] = { &v->u[0], &v->u[1] };
    const bicg_batch of = { .x = &v->x, .unit = &v->unit, .shadow = &v->shadow, .r = r, .u = u };
    const bicg_launch *launches = launches_of(v);
    krylov_batch k = batch_of_all(b);
    k.sum_launches = 0;
    for (int i = 0; i < LAUNCHES_MOST && launches[i].name; i++) {
        begin_loop_with(b, 1);
        launches[i].add(b->loop, &k, &of);
        add_row(b, t, launches[i].name, launch_bytes(b, &launches[i], v), launch_flops(b, &launches[i]));
    }
}

static void bench_bicg(wilson_bench *b, bench_table *t)
{
    enum { RUNS = 5 };
    const clover_op op = clover_mhat_operator(links_with(b, b->f.clover), false, b->even, 1);
    bicg_job j = { .k = krylov_create(b->l, b->w->where, FINISH_IN_KERNEL), .a = &op.base, .start = b->in[0],
                   .rr = vec_norm2(b->in[0]), .iterations = 8 * b->w->repeats };
    vec *terms = bicg_terms_create(b->in[0]);
    j.v = (bicg_vectors){ .x = terms ? terms : spinor_vec_create(b->l, ON_ODD, b->w->where, PRECISION_DOUBLE, 1),
                          .unit = 1, .shadow = spinor(b, ON_ODD) };
    for (int i = 0; i < 2; i++) {
        j.v.r[i] = spinor(b, ON_ODD);
        j.v.u[i] = spinor(b, ON_ODD);
    }
    bench_time time = bench_launches(b->w->where, b->w->repeats < RUNS ? b->w->repeats : RUNS, run_bicg, &j);
    const int done = krylov_system_of(j.k, 0)->steps;
    require(done > 0, "no iteration of BiCGstab was possible");
    time.median /= done;
    time.fastest /= done;
    bench_row *row = bench_add_row(t, "clover_bicg_iteration", b->variant, b->p, time);
    row->bytes = 2 * (5 * b->spinor_bytes + 2 * (b->links_bytes + b->blocks_bytes));
    row->flops = 2 * op.base.cost.flops;
    const bicg_launch *launches = launches_of(&j.v);
    for (int i = 0; i < LAUNCHES_MOST && launches[i].name; i++) {
        row->bytes += launch_bytes(b, &launches[i], &j.v);
        row->flops += launch_flops(b, &launches[i]);
    }
    bench_bicg_launches(b, t, &j.v);
    vec_free(j.v.x);
    vec_free(j.v.shadow);
    for (int i = 0; i < 2; i++) {
        vec_free(j.v.r[i]);
        vec_free(j.v.u[i]);
    }
    krylov_free(j.k);
}

static void bench_cg(wilson_bench *b, bench_table *t)
{
    enum { RESIDUAL = 4 * (12 + 12 + 18), DIRECTION = 4 * 12 };
    const clover_op op = clover_normal_operator(links_with(b, b->f.clover), b->even, b->odd, 1);
    vec *ring[KRYLOV_RING], *r = spinor(b, ON_ODD), *q = spinor(b, ON_ODD),
        *y = spinor_vec_create(b->l, ON_ODD, b->w->where, PRECISION_DOUBLE, 1);
    for (int k = 0; k < KRYLOV_RING; k++)
        ring[k] = spinor(b, ON_ODD);
    vec_copy(r, b->in[0]);
    const krylov_vectors v = { .r = r, .q = q, .ring = ring, .y = y, .unit = 1 };
    const iterated_systems systems = { .a = &op.base, .v = &v, .count = 1 };
    bench_row *row = bench_add_row(t, "clover_cg_iteration", b->variant, b->p,
                                   bench_iterations(b->w, b->l, &systems, (iteration_way){ 0 }));
    const double y_bytes = half_sites(b) * SPINOR_REALS * sizeof(double);
    row->bytes = 2 * (5 * b->spinor_bytes + 2 * (b->links_bytes + b->blocks_bytes)) + 7 * b->spinor_bytes
                 + 2 * y_bytes / KRYLOV_RING;
    row->flops = op.base.cost.flops + half_sites(b) * (RESIDUAL + 2 * DIRECTION);
    for (int k = 0; k < KRYLOV_RING; k++)
        vec_free(ring[k]);
    vec_free(r);
    vec_free(q);
    vec_free(y);
}

/* ---- all of one storage */

/* A term with a twisted mass or without, for the storage of the rows, rounded from double. */
static clover_term *term_of(const wilson_bench *b, const gauge *u, double mu)
{
    clover_term *exact = clover_term_create(b->l, b->w->where, PRECISION_DOUBLE, CLOVER_LINEAR, BENCH_C_SW),
                *term = clover_term_create_for(b->l, b->w->where, (vec_storage){ b->format, b->p }, CLOVER_LINEAR,
                                               BENCH_C_SW);
    failure why;
    clover_term_twist(exact, mu);
    clover_term_twist(term, mu);
    require(clover_term_update(exact, u, BENCH_MASS, &why), "%s", why.why);
    clover_term_convert(term, exact);
    clover_term_free(exact);
    return term;
}

static wilson_fields fields_of(const wilson_bench *b, const gauge *u)
{
    const quark_boundary antiperiodic = { .t = -1 };
    wilson_fields f = { .links = hop_links_create_for(b->l, b->w->where, (vec_storage){ b->format, b->p },
                                                     antiperiodic) };
    failure why;
    require(hop_links_update(f.links, u, &why), "%s", why.why);
    f.clover = term_of(b, u, 0);
    f.twisted = term_of(b, u, BENCH_MU);
    return f;
}

static void bench_storage(const bench_request *w, lattice *l, const gauge *u, int storage, bench_table *t)
{
    const lattice_shape block = lattice_shape_single(lattice_shape_of(l)->local), *shape = &block;     /* no ghosts */
    wilson_bench b = { .w = w, .l = l, .p = storages[storage].p, .format = storages[storage].format };
    b.spinor_bytes = (double)SLAB_GROUP * (double)(b.format == VECTOR_NATIVE
                                                       ? vec_bytes(shape, b.p, ON_ODD)
                                                       : vec_format_bytes(shape, b.format, ON_ODD));
    b.links_bytes = (double)hop_links_bytes_for(shape, (vec_storage){ b.format, b.p });
    b.blocks_bytes = (double)clover_blocks_bytes(shape, (vec_storage){ b.format, b.p }, ON_EVEN);
    b.f = fields_of(&b, u);
    for (int n = 0; n < SYSTEMS; n++) {
        b.in[n] = spinor(&b, ON_ODD);
        b.out[n] = spinor(&b, ON_ODD);
        b.even[n] = spinor(&b, ON_EVEN);
        b.odd[n] = spinor(&b, ON_ODD);
        vec_set_gaussian(b.in[n], rng_key_for(9, 0, (unsigned)n, RNG_TEST), 0);
    }
    b.host = memory_alloc(sizeof *b.host, "the state of a batch");
    b.there = w->where == PLACE_GPU ? device_alloc(sizeof *b.there, "the state of a batch") : b.host;
    b.loop = loop_create(w->where);
    b.variant = storages[storage].name;
    b.systems = 1;
    bench_products(&b, t);
    bench_cg(&b, t);
    bench_bicg(&b, t);
    b.variant = storages[storage].together;
    b.systems = SYSTEMS;
    bench_products(&b, t);
    loop_free(b.loop);
    if (w->where == PLACE_GPU)
        device_free(b.there);
    memory_free(b.host);
    for (int n = 0; n < SYSTEMS; n++) {
        vec_free(b.in[n]);
        vec_free(b.out[n]);
        vec_free(b.even[n]);
        vec_free(b.odd[n]);
    }
    clover_term_free(b.f.clover);
    clover_term_free(b.f.twisted);
    hop_links_free(b.f.links);
}

void bench_wilson(const bench_request *w, lattice *l, precision p, bench_table *t)
{
    gauge *u = gauge_create(l, w->where, PRECISION_DOUBLE);
    gauge_set_unit(u);                       /* on which the methods need many iterations */
    for (int i = 0; i < STORAGES; i++)
        if (storages[i].p == p)
            bench_storage(w, l, u, i, t);
    gauge_free(u);
}
