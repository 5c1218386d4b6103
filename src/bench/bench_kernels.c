/* bench_kernels.c - time the kernels of a pure-gauge trajectory, portable and tuned, and the other groups of
 * kernels. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/bench/bench_groups.h"
#include "src/bench/bench_rows.h"
#include "src/lattice/rng.h"

#include <string.h>

MAP_KERNEL(fma_rate);
MAP_KERNEL(momentum_axpy_sites);
MAP_KERNEL(link_drift);
MAP_KERNEL(reunitarize);
SUM_KERNEL(momentum_norms, 1, 1);
site_sum_fn momentum_norms_plain_gpu_f, momentum_norms_plain_gpu_d;         /* gpu/momentum_norms_plain.cu */
static site_sum_fn *const plain_norms[PRECISIONS] = { GPU_VARIANT(momentum_norms_plain_gpu_f),
                                                      GPU_VARIANT(momentum_norms_plain_gpu_d) };
SUM_KERNEL(plaquette, 2, 0);
SUM_KERNEL(rectangle, 1, 0);
SUM_KERNEL_TUNED(gauge_force_plaquette, 1, 1);
SUM_KERNEL_TUNED(gauge_force_rectangle, 1, 1);
SUM_KERNEL_TUNED(gauge_force_parallelogram, 1, 1);

/* Of one site. */
enum { UP = 4, UP_AND_DOWN = 8, FORCE_REALS = GAUGE_REALS + 2 * MOMENTUM_REALS };

typedef enum { ARGS_GAUGE, ARGS_DRIFT, ARGS_FORCE, ARGS_MOMENTUM } args_of;

static const struct bench_case {
    const map_kernel *map;            /* one of the two */
    const sum_kernel *sum;
    args_of args;
    int flops, reals, table;          /* reals read and written, entries of tables of neighbors */
} cases[] = {
    { &momentum_axpy_sites, NULL, ARGS_MOMENTUM, 4 * ALGEBRA_AXPY, 3 * MOMENTUM_REALS, 0 },
    { NULL, &momentum_norms, ARGS_MOMENTUM, 4 * (NORM2 + 1), MOMENTUM_REALS, 0 },
    { &link_drift, NULL, ARGS_DRIFT, 4 * (EXPONENTIAL + PRODUCT), 2 * GAUGE_REALS + MOMENTUM_REALS, 0 },
    { &reunitarize, NULL, ARGS_GAUGE, 4 * TWO_ROWS, 2 * GAUGE_REALS, 0 },
    { NULL, &plaquette, ARGS_GAUGE, 6 * (2 * PRODUCT + TRACE_OF_PRODUCT), GAUGE_REALS, UP },
    { NULL, &rectangle, ARGS_GAUGE, 4 * PRODUCT + 12 * (3 * PRODUCT + TRACE_OF_PRODUCT), GAUGE_REALS, UP },
    { NULL, &gauge_force_plaquette, ARGS_FORCE, 4 * (6 * PLAQUETTE_STAPLE + LINK_OF_FORCE), FORCE_REALS, UP_AND_DOWN },
    { NULL, &gauge_force_rectangle, ARGS_FORCE, 4 * (6 * RECTANGLE_STAPLES + LINK_OF_FORCE), FORCE_REALS,
      UP_AND_DOWN },
    { NULL, &gauge_force_parallelogram, ARGS_FORCE,
      4 * (6 * (RECTANGLE_STAPLES + PARALLELOGRAM_STAPLES) + LINK_OF_FORCE), FORCE_REALS, UP_AND_DOWN },
};
enum { CASES = sizeof cases / sizeof *cases };

const char *const bench_group_names[] = { "gauge", "staggered", "batches", "dwf", "wilson", "stout", NULL };

/* The rate of a copy */

enum { COPY_BYTES_LEAST = 1 << 28 };          /* several times the largest L2 */

typedef struct { place where; char *to, *from; size_t bytes; } copy_job;

static void run_copy(const void *what)
{
    const copy_job *c = what;
    if (c->where == PLACE_GPU) {
        device_copy_within(c->to, c->from, c->bytes);
        return;
    }
    const size_t piece = 1 << 16;
#pragma omp parallel for schedule(static)
    for (size_t at = 0; at < c->bytes; at += piece)
        memcpy(c->to + at, c->from + at, c->bytes - at < piece ? c->bytes - at : piece);
}

static size_t copy_bytes(const bench_request *w)
{
    size_t links = field_bytes(&w->shape, w->precision[PRECISION_DOUBLE] ? PRECISION_DOUBLE : PRECISION_SINGLE,
                               GAUGE_REALS);
    return links > COPY_BYTES_LEAST ? links : COPY_BYTES_LEAST;
}

double bench_copy_rate(place where, size_t bytes, int repeats)
{
    const bool gpu = where == PLACE_GPU;
    copy_job c = { .where = where, .bytes = bytes > COPY_BYTES_LEAST ? bytes : COPY_BYTES_LEAST };
    c.to = gpu ? device_alloc(c.bytes, "a copy") : memory_alloc(c.bytes, "a copy");
    c.from = gpu ? device_alloc(c.bytes, "what is copied") : memory_alloc(c.bytes, "what is copied");
    bench_time time = bench_launches(where, repeats, run_copy, &c);
    (gpu ? device_free : memory_free)(c.to);
    (gpu ? device_free : memory_free)(c.from);
    return 2 * (double)c.bytes / time.median;
}

/* The rate of fused multiply-adds */

typedef struct { place where; precision p; fma_rate_args args; site_range range; } fma_job;

static void run_fma(const void *what)
{
    const fma_job *j = what;
    run_map(&fma_rate, j->where, j->p, &j->args, j->range);
}

static void measure_fma(const bench_request *w, precision p, bench_table *t)
{
    const int sites = w->where == PLACE_GPU ? 1 << 20 : 1 << 14, rounds = 128;
    bool gpu = w->where == PLACE_GPU;
    size_t bytes = (size_t)sites * sizeof(double);
    void *out = gpu ? device_alloc(bytes, "sums of the FMA chains") : memory_alloc(bytes, "sums of the FMA chains");
    fma_job j = { w->where, p, { out, rounds, 0.5 }, range_of_list(sites) };
    bench_time time = bench_launches(w->where, w->repeats, run_fma, &j);
    t->rates.fma[p] = 2.0 * FMA_CHAINS * FMA_LINKS * rounds * sites / time.median;
    (gpu ? device_free : memory_free)(out);
}

/* The kernels */

typedef struct {
    place where;
    precision p;
    lattice *l;
    gauge *u;
    momentum *x, *y;
    sum_array sums;
} bench_fields;

typedef struct {
    const struct bench_case *c;
    const bench_fields *f;
    kernel_variant variant;
} kernel_job;

static void run_kernel(const void *what)
{
    const kernel_job *j = what;
    const bench_fields *f = j->f;
    lattice_view l = lattice_on(f->l, f->where);
    gauge_args links = { l, gauge_view_of(f->u) };
    link_drift_args drift = { l, links.u, momentum_view_of(f->x), 0.01 };
    momentum_args momenta = { l, momentum_view_of(f->y), momentum_view_of(f->x), 1e-3 };
    gauge_force_args force = { l, links.u, momenta.y, 1e-3, 10.0 / 3, -1.0 / 6, -1.0 / 60 };
    const void *args[] = { [ARGS_GAUGE] = &links, [ARGS_DRIFT] = &drift, [ARGS_FORCE] = &force,
                           [ARGS_MOMENTUM] = &momenta };
    if (j->c->map)
        run_map_variant(j->c->map, j->variant, f->where, f->p, args[j->c->args], lattice_all(f->l));
    else
        run_sum_into(j->c->sum, &(sum_launch){ .variant = j->variant, .where = f->where, .precision = f->p,
                                               .args = args[j->c->args], .range = lattice_all(f->l) }, f->sums.cells);
}

static void set_work(bench_row *row, const struct bench_case *c, const lattice *l)
{
    double volume = (double)lattice_local_sites(lattice_shape_of(l));
    row->flops = volume * c->flops;
    row->bytes = volume * ((double)precision_bytes(row->p) * c->reals + (double)sizeof(int) * c->table);
}

static void measure_variant(const bench_request *w, const bench_fields *f, const struct bench_case *c,
                            kernel_variant variant, bench_table *t)
{
    kernel_job j = { c, f, variant };
    bench_time time = bench_launches(w->where, w->repeats, run_kernel, &j);
    const char *name = c->map ? c->map->name : c->sum->name;
    set_work(bench_add_row(t, name, variant == VARIANT_PORTABLE ? "portable" : "tuned", f->p, time), c, f->l);
}

static void run_plain_sum(const void *what)
{
    const bench_fields *f = what;
    momentum_args args = { lattice_on(f->l, f->where), momentum_view_of(f->y), momentum_view_of(f->x), 0 };
    plain_norms[f->p](&args, lattice_all(f->l), device_stream(), 1, f->sums.cells);
    device_check_launch("momentum_norms_plain");
}

static void measure_case(const bench_request *w, const bench_fields *f, const struct bench_case *c, bench_table *t)
{
    bool tuned = w->where == PLACE_GPU && (c->map ? c->map->tuned[f->p] != NULL : c->sum->tuned[f->p] != NULL);
    measure_variant(w, f, c, VARIANT_PORTABLE, t);
    if (tuned)
        measure_variant(w, f, c, VARIANT_BEST, t);
    if (c->sum == &momentum_norms && w->where == PLACE_GPU)
        set_work(bench_add_row(t, "momentum_norms", "plain", f->p,
                               bench_launches(w->where, w->repeats, run_plain_sum, f)), c, f->l);
}

static void measure_gauge(const bench_request *w, lattice *l, precision p, bench_table *t)
{
    bench_fields f = { .where = w->where, .p = p, .l = l };
    f.u = gauge_create(l, w->where, p);
    f.x = momentum_create(l, w->where, p);
    f.y = momentum_create(l, w->where, p);
    f.sums = sums_create(l, w->where, SUM_SCRATCH, SUM_SCRATCH);
    gauge_set_random(f.u, rng_key_for(1, 0, 0, RNG_TEST));
    momentum_set_gaussian(f.x, rng_key_for(2, 0, 0, RNG_TEST));
    momentum_set_gaussian(f.y, rng_key_for(3, 0, 0, RNG_TEST));
    for (int i = 0; i < CASES; i++)
        measure_case(w, &f, &cases[i], t);
    bench_updates(w, f.u, t);
    sums_free(&f.sums);
    momentum_free(f.y);
    momentum_free(f.x);
    gauge_free(f.u);
}

static void (*const measures[BENCH_GROUPS])(const bench_request *w, lattice *l, precision p, bench_table *t) = {
    [BENCH_GAUGE] = measure_gauge, [BENCH_STAGGERED] = bench_staggered, [BENCH_BATCHES] = bench_batches,
    [BENCH_DWF] = bench_dwf, [BENCH_WILSON] = bench_wilson, [BENCH_STOUT] = bench_stout,
};

void bench_kernels(const bench_request *request, bench_table *table)
{
    lattice *l = lattice_create(&request->shape);
    *table = (bench_table){ .count = 0 };
    table->copy_bytes = copy_bytes(request);
    table->rates.copy = bench_copy_rate(request->where, table->copy_bytes, request->repeats);
    for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
        if (!request->precision[p])
            continue;
        measure_fma(request, p, table);
        for (bench_group g = 0; g < BENCH_GROUPS; g++)
            if (request->group[g])
                measures[g](request, l, p, table);
    }
    lattice_free(l);
}
