/* bench_dwf.c - the operator of domain-wall quarks, a whole iteration of conjugate gradients, and the force, in every
 * storage of the spinors.
 *
 *     dwf_hop            out <- hop in                                      2 spinors, the links once
 *     dwf_c              out <- C in, two hops with the fifth dimension     5 spinors, the links twice
 *     dwf_normal         q <- C^+C p and <p, q>, as in a batch of one       cost as the operator reports it
 *     dwf_cg_iteration   a whole iteration of conjugate gradients
 *     dwf_force_sites    one pair's derivatives of the hop, on all links
 *     hop_force          the force of one pair: three vectors of its own, then two pairs of derivatives
 *
 * Spinors are those of one parity with all their slices; links are read in 12 numbers. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/bench/bench_groups.h"
#include "src/bench/bench_iterations.h"
#include "src/bench/bench_rows.h"
#include "src/halo/vec_batch.h"
#include "src/kernels/krylov_steps.h"
#include "src/lattice/rng.h"
#include "src/operators/dwf.h"
#include "src/operators/hop_force.h"
#include "src/operators/dwf_weights.h"

#include <limits.h>
#include <string.h>

MAP_KERNEL_TUNED(dwf_force_sites);

enum { NEIGHBORS = 8 };

/* Flops of a site and slice. */
enum {
    HOP = 1320,
    RESIDUAL = 4 * (12 + 12 + 18), DIRECTION = 4 * 12,     /* r <- r - alpha q, |r|^2, y; p <- r + beta p */
    PAIR = 4 * (2 * 12 + 2 * 72)                           /* both half spinors and their products, four directions */
};

#define BENCH_MASS 0.01

static const struct { vector_format format; precision p; const char *name; } storages[] = {
    { VECTOR_NATIVE, PRECISION_DOUBLE, "native" }, { VECTOR_INT30, PRECISION_DOUBLE, "int30" },
    { VECTOR_NATIVE, PRECISION_SINGLE, "native" }, { VECTOR_INT20, PRECISION_SINGLE, "int20" },
    { VECTOR_HALF, PRECISION_SINGLE, "half" },
};
enum { STORAGES = sizeof storages / sizeof *storages };

typedef struct {
    const bench_request *w;
    lattice *l;
    precision p;
    const char *variant;
    int Ls;
    double spinor_bytes, links_bytes, table_bytes;         /* of one vector; of what one hop reads beside it */
    dwf_matrix matrix;
    const hop_links *links;
    dwf_op op;
    vec *even, *odd[1][2], *r, *q, *y;
    vec *ring[KRYLOV_RING];
    krylov_state *host, *there;                            /* the same on the CPU */
    loop *loop;
    hop_force *force;                                     /* of pairs (r, q) */
    gauge *h;
} dwf_bench;

/* Of this rank. */
static double sites(const dwf_bench *b)
{
    return (double)lattice_local_sites(lattice_shape_of(b->l));
}

static double site_slices(const dwf_bench *b)
{
    return sites(b) / 2 * b->Ls;
}

static bench_row *add_row(const dwf_bench *b, bench_table *t, const char *name, bench_time time)
{
    return bench_add_row(t, name, b->variant, b->p, time);
}

/* ---- hops */

static void run_hop(const void *what)
{
    const dwf_bench *b = what;
    dwf_hop(b->even, b->links, false, b->ring[0]);
}

static void run_c(const void *what)
{
    const dwf_bench *b = what;
    dwf_c(b->q, b->links, &b->matrix, b->ring[0], b->even);
}

static void bench_hops(const dwf_bench *b, bench_table *t)
{
    bench_row *row = add_row(b, t, "dwf_hop", bench_launches(b->w->where, b->w->repeats, run_hop, b));
    row->bytes = 2 * b->spinor_bytes + b->links_bytes + b->table_bytes;
    row->flops = site_slices(b) * HOP;
    row = add_row(b, t, "dwf_c", bench_launches(b->w->where, b->w->repeats, run_c, b));
    row->bytes = 5 * b->spinor_bytes + 2 * (b->links_bytes + b->table_bytes);
    row->flops = b->op.base.cost.flops / 2;
}

/* ---- conjugate gradients */

/* Mark the system as active, with a stopping rule that never holds. */
static void begin(dwf_bench *b)
{
    krylov_system *s = &b->host->system[0];
    memset(b->host, 0, sizeof *b->host);
    b->host->going = 1;
    b->host->count = 1;
    vec_set_gaussian(b->y, rng_key_for(9, 0, 0, RNG_TEST), 0);
    vec_convert(b->r, b->y);
    vec_copy(b->q, b->r);
    vec_copy(b->ring[0], b->r);
    s->bb = s->rr = s->before = s->top = vec_norm2(b->r);
    s->most = INT_MAX;
    s->reached_at = -1;
    s->stepped = 1;
    s->curvature_per_bound = s->norm_per_bound = SUM_WORD / sum_bound_guessed(s->rr);
    if (b->w->where == PLACE_GPU)
        device_copy_to(b->there, b->host, sizeof *b->host);
    loop_clear(b->loop);
}

static krylov_batch batch_of_one(const dwf_bench *b)
{
    krylov_batch k;
    memset(&k, 0, sizeof k);
    k.state = b->there;
    k.count = k.last = k.full = 1;
    k.sum_launches = comm_size(lattice_comm(b->l)) == 1;      /* several ranks: no scalars */
    return k;
}

static void run_loop(const void *what)
{
    loop_run_once(*(loop *const *)what);
}

/* A stopped system takes no time: check that it is active. */
static void check_going(const dwf_bench *b, const char *name)
{
    if (b->w->where == PLACE_GPU)
        device_copy_from(b->host, b->there, sizeof *b->host);
    require(b->host->going && b->host->system[0].status == SYSTEM_GOING, "%s, %s: the system has stopped", name,
            b->variant);
}

static double normal_bytes(const dwf_bench *b)
{
    return b->op.base.cost.bytes + 4 * b->table_bytes;
}

static void bench_normal(dwf_bench *b, bench_table *t)
{
    krylov_batch k = batch_of_one(b);
    begin(b);
    b->op.base.add_batch(&b->op.base, b->loop, &k, &b->q, &b->ring[0]);
    bench_row *row = add_row(b, t, "dwf_normal", bench_launches(b->w->where, b->w->repeats, run_loop, &b->loop));
    check_going(b, row->name);
    row->bytes = normal_bytes(b);
    row->flops = b->op.base.cost.flops;
}

static void bench_iteration(dwf_bench *b, bench_table *t)
{
    const krylov_vectors v = { .r = b->r, .q = b->q, .ring = b->ring, .y = b->y, .unit = 1 };
    const iterated_systems systems = { .a = &b->op.base, .v = &v, .count = 1 };
    begin(b);
    bench_row *row = add_row(b, t, "dwf_cg_iteration", bench_iterations(b->w, b->l, &systems, (iteration_way){ 0 }));
    /* r, q and r; r, p and p; each p once more for y, which is double */
    const double y_bytes = site_slices(b) * 4 * VEC_REALS * sizeof(double);
    row->bytes = normal_bytes(b) + 7 * b->spinor_bytes + 2 * y_bytes / KRYLOV_RING;
    row->flops = b->op.base.cost.flops + site_slices(b) * (RESIDUAL + 2 * DIRECTION);
}

/* ---- the force, in double */

static void run_force_sites(const void *what)
{
    const dwf_bench *b = what;
    dwf_force_args args = { .l = lattice_on(b->l, b->w->where), .h = gauge_view_of(b->h), .count = 1,
                             .Ls = b->Ls, .boundary = -1, .a = { 1e-3 },
                             .left = { vec_view(b->r) }, .right = { vec_view(b->even) } };
    for (int parity = 0; parity < 2; parity++) {
        args.left_is_here = parity == 1;
        run_map(&dwf_force_sites, b->w->where, b->p, &args, lattice_parity(b->l, parity));
    }
}

static void run_force(const void *what)
{
    const dwf_bench *b = what;
    const double c = 1e-3;
    hop_force_add(b->force, b->links, &b->matrix, (hop_force_terms){ .count = 1, .c = &c, .y = &b->r, .x = &b->q });
}

static void bench_force(dwf_bench *b, const gauge *u, bench_table *t)
{
    const double h_bytes = 2.0 * sites(b) * GAUGE_REALS * sizeof(double);                  /* read and written */
    b->h = gauge_create(b->l, b->w->where, b->p);
    b->force = hop_force_create(u, b->Ls);
    hop_force_begin(b->force);
    bench_row *row = add_row(b, t, "dwf_force_sites", bench_launches(b->w->where, b->w->repeats, run_force_sites, b));
    row->bytes = 4 * b->spinor_bytes + h_bytes + 2 * b->table_bytes;
    row->flops = 2 * site_slices(b) * PAIR;
    row = add_row(b, t, "hop_force", bench_launches(b->w->where, b->w->repeats, run_force, b));
    row->bytes = (6 + 2 * 4) * b->spinor_bytes + 2 * b->links_bytes + 2 * h_bytes + 6 * b->table_bytes;
    row->flops = site_slices(b) * (2 * HOP + 4 * PAIR);
    hop_force_free(b->force);
    gauge_free(b->h);
}

/* ---- all of one storage */

static vec *spinor(const dwf_bench *b, parity_set on, vector_format f)
{
    return f == VECTOR_NATIVE ? spinor_vec_create(b->l, on, b->w->where, b->p, b->Ls)
                              : spinor_vec_create_format(b->l, on, b->w->where, f, b->Ls);
}

static void bench_storage(const bench_request *w, lattice *l, const hop_links *links, const gauge *u, int storage,
                          bench_table *t)
{
    const char *what = "the state of a system";
    const vector_format format = storages[storage].format;
    const lattice_shape block = lattice_shape_single(lattice_shape_of(l)->local), *shape = &block;     /* no ghosts */
    const dwf_weights_params params = { .kind = DWF_MOBIUS, .Ls = w->Ls, .M5 = 1.8, .b = 1.5, .c = 0.5 };
    dwf_bench b = { .w = w, .l = l, .p = storages[storage].p, .variant = storages[storage].name,
                     .Ls = w->Ls, .links = links };
    dwf_weights weights;
    failure why;
    require(dwf_weights_make(&weights, &params, &why), "%s", why.why);
    b.matrix = dwf_matrix_of(&weights, BENCH_MASS, (fifth_corner){ 0 });
    b.spinor_bytes = 4.0 * w->Ls * (double)(format == VECTOR_NATIVE ? vec_bytes(shape, b.p, ON_ODD)
                                                                        : vec_format_bytes(shape, format, ON_ODD));
    b.links_bytes = (double)hop_links_bytes(shape, b.p);
    b.table_bytes = (double)sizeof(int) * NEIGHBORS * sites(&b) / 2;
    b.even = spinor(&b, ON_EVEN, format);
    b.odd[0][0] = spinor(&b, ON_ODD, format);
    b.odd[0][1] = spinor(&b, ON_ODD, format);
    b.r = spinor(&b, ON_ODD, format);
    b.q = spinor(&b, ON_ODD, format);
    b.y = spinor_vec_create(l, ON_ODD, w->where, PRECISION_DOUBLE, w->Ls);
    for (int k = 0; k < KRYLOV_RING; k++)
        b.ring[k] = spinor(&b, ON_ODD, format);
    b.op = dwf_normal_operator(links, &b.matrix, &b.even, b.odd, 1);
    b.host = memory_alloc(sizeof *b.host, what);
    b.there = w->where == PLACE_GPU ? device_alloc(sizeof *b.there, what) : b.host;
    b.loop = loop_create(w->where);

    begin(&b);
    bench_hops(&b, t);
    bench_normal(&b, t);
    bench_iteration(&b, t);
    if (format == VECTOR_NATIVE && b.p == PRECISION_DOUBLE)
        bench_force(&b, u, t);

    loop_free(b.loop);
    if (w->where == PLACE_GPU)
        device_free(b.there);
    memory_free(b.host);
    vec *const made[] = { b.even, b.odd[0][0], b.odd[0][1], b.r, b.q, b.y };
    for (unsigned i = 0; i < sizeof made / sizeof *made; i++)
        vec_free(made[i]);
    for (int k = 0; k < KRYLOV_RING; k++)
        vec_free(b.ring[k]);
}

void bench_dwf(const bench_request *w, lattice *l, precision p, bench_table *t)
{
    gauge *u = gauge_create(l, w->where, PRECISION_DOUBLE);
    hop_links *links = hop_links_create(l, w->where, p, -1);
    failure why;
    gauge_set_random(u, rng_key_for(10, 0, 0, RNG_TEST));
    require(hop_links_update(links, u, &why), "%s", why.why);
    for (int i = 0; i < STORAGES; i++)
        if (storages[i].p == p)
            bench_storage(w, l, links, u, i, t);
    hop_links_free(links);
    gauge_free(u);
}
