/* bench_staggered.c - time the kernels of staggered quarks: vectors, hops, smearing and its chain rule, portable and
 * tuned.
 *
 * Work of one site; kernels on one parity count half of the sites. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/bench/bench_groups.h"
#include "src/bench/bench_rows.h"
#include "src/gauge/gauge.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec.h"

#include "src/kernels/staggered_args.h"

SUM_KERNEL(vector_axpy_norm2, 1, 0);
MAP_KERNEL(vector_multishift_update);
MAP_KERNEL(vector_combine);
MAP_KERNEL(staggered_hop_sites);
SUM_KERNEL(staggered_normal, 2, 0);
MAP_KERNEL(fat_ahead_behind);
MAP_KERNEL(fat_inner);
MAP_KERNEL(fat_outer);
SUM_KERNEL(unitarize, 1, 1);
MAP_KERNEL(long_links);
MAP_KERNEL(outer_product);
MAP_KERNEL(fat_force_outer);
MAP_KERNEL(fat_force_inner);
MAP_KERNEL(fat_force_middle);
MAP_KERNEL(fat_force_sides);
MAP_KERNEL(naik_force);
SUM_KERNEL(unitarize_force, 6, 2);
SUM_KERNEL(chain_end, 1, 1);

enum { SHIFTS = 10, STAPLES = 9, GAUGES = 5, MAP_VECTORS = 2 * SHIFTS, VECTORS = MAP_VECTORS + 1 };

enum {
    VECTOR_AXPY = 12,
    HOP = 16 * 66 + 15 * 6,                                   /* 16 products with a vector, their sum */
    STAPLE = 2 * (2 * PRODUCT + MATRIX_AXPY),                 /* both sides of one direction */
    SIDE = 4 * (2 * PRODUCT + MATRIX_AXPY),                   /* of one pair of staples */
    OUTER = 72,
    PROJECT = 5 * PRODUCT + 300,                              /* V^+V, its square, V f(V^+V), a step of Newton's */
    ROTATION = 2 * 10 + 22 + 30 + 2 * 6 * 14,                 /* of one-sided Jacobi: norms, product, two matrices */
    PROJECT_CHAIN = 15 * ROTATION + 4 * PRODUCT + 9 * 30,
    LINK = 18
};

/* Reals of one site that a launch reads and writes. */
enum { LINKS_OF_SITE = 4 * LINK, NEAR = 6 * LINK, ALL_STAPLES = STAPLES * LINK };

typedef enum {
    ARGS_VECTOR, ARGS_MULTISHIFT, ARGS_COMBINE, ARGS_HOP, ARGS_FAT, ARGS_UNITARIZE, ARGS_PHASE, ARGS_OUTER,
    ARGS_FAT_FORCE, ARGS_NAIK_FORCE, ARGS_UNITARIZE_FORCE, ARGS_CHAIN_END, ARGS
} args_of;

static const struct staggered_case {
    const map_kernel *map;                        /* one of the two */
    const sum_kernel *sum;
    args_of args;
    parity_set on;
    int flops, reals, table;
} cases[] = {
    { NULL, &vector_axpy_norm2, ARGS_VECTOR, ON_EVEN, 2 * VECTOR_AXPY, 3 * VEC_REALS, 0 },
    { &vector_multishift_update, NULL, ARGS_MULTISHIFT, ON_EVEN, SHIFTS * (2 * VECTOR_AXPY + 6),
      (4 * SHIFTS + 1) * VEC_REALS, 0 },
    { &vector_combine, NULL, ARGS_COMBINE, ON_EVEN, SHIFTS * VECTOR_AXPY + 6, (SHIFTS + 2) * VEC_REALS, 0 },
    { &staggered_hop_sites, NULL, ARGS_HOP, ON_EVEN, HOP, 16 * LINK + 2 * VEC_REALS, 16 },
    { NULL, &staggered_normal, ARGS_HOP, ON_EVEN, HOP + 3 * VECTOR_AXPY, 16 * LINK + 3 * VEC_REALS, 16 },
    { &fat_ahead_behind, NULL, ARGS_FAT, ON_ALL, 3 * 4 * PRODUCT, LINKS_OF_SITE + NEAR, 8 },
    { &fat_inner, NULL, ARGS_FAT, ON_ALL, 6 * (STAPLE + 4 * MATRIX_AXPY), LINKS_OF_SITE + NEAR + 3 * LINK, 8 },
    { &fat_outer, NULL, ARGS_FAT, ON_ALL, 3 * (STAPLE + 2 * MATRIX_AXPY), LINKS_OF_SITE + ALL_STAPLES + LINK, 8 },
    { NULL, &unitarize, ARGS_UNITARIZE, ON_ALL, 4 * PROJECT, 2 * LINKS_OF_SITE, 0 },
    { &long_links, NULL, ARGS_PHASE, ON_ALL, 4 * 2 * PRODUCT, 2 * LINKS_OF_SITE, 4 },
    { &outer_product, NULL, ARGS_OUTER, ON_ALL, 8 * (SHIFTS * OUTER + MATRIX_AXPY),
      4 * LINKS_OF_SITE + SHIFTS * VEC_REALS, 8 },
    { &fat_force_outer, NULL, ARGS_FAT_FORCE, ON_ALL, 3 * 4 * PRODUCT, LINKS_OF_SITE + LINK + NEAR, 8 },
    { &fat_force_inner, NULL, ARGS_FAT_FORCE, ON_ALL, 6 * (STAPLE + 2 * MATRIX_AXPY) + 14 * MATRIX_AXPY,
      LINKS_OF_SITE + NEAR + LINK + 3 * LINK + 2 * LINK, 8 },
    { &fat_force_middle, NULL, ARGS_FAT_FORCE, ON_ALL, 3 * (STAPLE + 2 * MATRIX_AXPY),
      LINKS_OF_SITE + ALL_STAPLES + 2 * LINK, 8 },
    { &fat_force_sides, NULL, ARGS_FAT_FORCE, ON_ALL, 3 * 4 * (SIDE + 4 * MATRIX_AXPY),
      LINKS_OF_SITE + 2 * ALL_STAPLES + LINK + 3 * 2 * LINK, 8 },
    { &naik_force, NULL, ARGS_NAIK_FORCE, ON_ALL, 4 * 3 * (2 * PRODUCT + MATRIX_AXPY), 4 * LINKS_OF_SITE, 8 },
    { NULL, &unitarize_force, ARGS_UNITARIZE_FORCE, ON_ALL, 4 * PROJECT_CHAIN, 3 * LINKS_OF_SITE, 0 },
    { NULL, &chain_end, ARGS_CHAIN_END, ON_ALL, 4 * LINK_OF_FORCE, 2 * LINKS_OF_SITE + 2 * MOMENTUM_REALS, 0 },
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct {
    place where;
    precision p;
    lattice *l;
    gauge *g[GAUGES];                             /* thin, another, h, and two that are written */
    momentum *force;
    field staple[2 * STAPLES];
    vec *v[VECTORS], *odd;
    sum_array sums;
} staggered_fields;

typedef struct { const struct staggered_case *c; const staggered_fields *f; kernel_variant variant; } staggered_job;

static staple_views staples_of(const field f[STAPLES])
{
    staple_views t;
    for (int s = 0; s < 3; s++) {
        t.ahead[s] = matrix_view_of(&f[s]);
        t.behind[s] = matrix_view_of(&f[3 + s]);
        t.inner[s] = matrix_view_of(&f[6 + s]);
    }
    return t;
}

static void run_case(const void *what)
{
    const staggered_job *j = what;
    const staggered_fields *f = j->f;
    lattice_view l = lattice_on(f->l, f->where);
    gauge_view u = gauge_view_of(f->g[0]), w = gauge_view_of(f->g[1]), h = gauge_view_of(f->g[2]);
    gauge_view out = gauge_view_of(f->g[3]), out3 = gauge_view_of(f->g[4]);
    vector_view x = vec_view(f->v[0]), y = vec_view(f->v[1]), r = vec_view(f->v[VECTORS - 1]), odd = vec_view(f->odd);
    path_table c = { 1, 1.0 / 16, 1.0 / 64, 1.0 / 384, -0.125, -1.0 / 24 };
    staple_views t = staples_of(f->staple), ht = staples_of(f->staple + STAPLES);

    vector_args vectors = { y, x, 1e-3 };
    multishift_args many = { .count = SHIFTS, .r = r };
    combine_args combine = { .y = r, .x = x, .a = 1, .count = SHIFTS };
    outer_args outer = { .l = l, .h1 = out, .h3 = out3, .he = out, .fat = 1, .naik = 1, .count = SHIFTS };
    for (int k = 0; k < SHIFTS; k++) {
        many.x[k] = combine.v[k] = outer.x[k] = vec_view(f->v[k]);
        many.p[k] = vec_view(f->v[SHIFTS + k]);
        outer.y[k] = odd;
        many.a[k] = many.b[k] = many.z[k] = combine.c[k] = outer.a[k] = 1e-3;
    }
    staggered_args hop = { l, u, w, x, odd, y, -1.0 / 24, 0.1 };
    fat_args fat = { l, u, out, t, c, 2 };
    unitarize_args project = { l, w, out, false };
    fat_force_args fat_force = { l, u, h, out, t, ht, c, 2 };
    naik_force_args naik = { l, u, h, out };
    unitarize_force_args project_force = { l, w, h, out, 5e-5, false };
    chain_end_args end = { l, u, h, momentum_view_of(f->force), 1e-3 };
    phase_args phase = { l, u, out, { -1, 0 }, 3 };

    const void *args[ARGS] = { [ARGS_VECTOR] = &vectors, [ARGS_MULTISHIFT] = &many,
                               [ARGS_COMBINE] = &combine, [ARGS_HOP] = &hop, [ARGS_FAT] = &fat,
                               [ARGS_UNITARIZE] = &project, [ARGS_PHASE] = &phase, [ARGS_OUTER] = &outer,
                               [ARGS_FAT_FORCE] = &fat_force, [ARGS_NAIK_FORCE] = &naik,
                               [ARGS_UNITARIZE_FORCE] = &project_force, [ARGS_CHAIN_END] = &end };
    site_range range = lattice_range(f->l, j->c->on);
    if (j->c->map)
        run_map_variant(j->c->map, j->variant, f->where, f->p, args[j->c->args], range);
    else
        run_sum_into(j->c->sum, &(sum_launch){ .variant = j->variant, .where = f->where, .precision = f->p,
                                               .args = args[j->c->args], .range = range }, f->sums.cells);
}

static void measure(const bench_request *w, const staggered_fields *f, const struct staggered_case *c,
                    kernel_variant variant, bench_table *t)
{
    staggered_job j = { c, f, variant };
    bench_time time = bench_launches(w->where, w->repeats, run_case, &j);
    const char *name = c->map ? c->map->name : c->sum->name;
    bench_row *row = bench_add_row(t, name, variant == VARIANT_PORTABLE ? "portable" : "tuned", f->p, time);
    double sites = (double)lattice_local_sites(lattice_shape_of(f->l)) / (c->on == ON_ALL ? 1 : 2);
    row->flops = sites * c->flops;
    row->bytes = sites * ((double)precision_bytes(f->p) * c->reals + (double)sizeof(int) * c->table);
}

void bench_staggered(const bench_request *w, lattice *l, precision p, bench_table *t)
{
    staggered_fields f = { .where = w->where, .p = p, .l = l };
    for (int i = 0; i < GAUGES; i++) {
        f.g[i] = gauge_create_straight(l, w->where, p);      /* kernels of the Naik term read three hops away */
        gauge_set_random(f.g[i], rng_key_for(4, 0, (uint64_t)i, RNG_TEST));
    }
    f.force = momentum_create(l, w->where, p);
    for (int i = 0; i < 2 * STAPLES; i++)
        f.staple[i] = field_create(l, w->where, p, MATRIX_REALS, "staples");
    for (int i = 0; i < VECTORS; i++) {
        f.v[i] = vec_create(l, ON_EVEN, w->where, p);
        vec_set_gaussian(f.v[i], rng_key_for(5, 0, (uint64_t)i, RNG_TEST), 0);
    }
    f.odd = vec_create(l, ON_ODD, w->where, p);
    vec_set_gaussian(f.odd, rng_key_for(6, 0, 0, RNG_TEST), 0);
    f.sums = sums_create(l, w->where, SUM_SCRATCH, SUM_SCRATCH);
    for (int i = 0; i < CASES; i++) {
        measure(w, &f, &cases[i], VARIANT_PORTABLE, t);
        if (w->where == PLACE_GPU && (cases[i].map ? cases[i].map->tuned[p] != NULL : cases[i].sum->tuned[p] != NULL))
            measure(w, &f, &cases[i], VARIANT_BEST, t);
    }
    sums_free(&f.sums);
    vec_free(f.odd);
    for (int i = 0; i < VECTORS; i++)
        vec_free(f.v[i]);
    for (int i = 0; i < 2 * STAPLES; i++)
        field_free(&f.staple[i]);
    momentum_free(f.force);
    for (int i = 0; i < GAUGES; i++)
        gauge_free(f.g[i]);
}
