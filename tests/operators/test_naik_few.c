/* test_naik_few.c - long links in 13 numbers are those in full, to what the format can tell; for one vector and for
 * batches; and are left for those in full where they are no U(3) matrices. */
#include "gpu/device.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/gauge/packed_links.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_low.h"
#include "tests/facts.h"
#include "tests/halo/batch_state.h"
#include "tests/on_every_backend.h"
#include "tests/operators/link_fields.h"
#include "tests/operators/milc_quarks.h"

#include <math.h>

static const int extents[4] = { 4, 6, 2, 6 };             /* a hop wraps twice in z, and once over the boundary in t */
static const int split_extents[4] = { 4, 4, 8, 8 };
static const staggered_links_params hisq = { .kind = STAGGERED_HISQ, .u0 = 1, .projection = PROJECTION_U3,
                                             .boundary = 1, .epsilons = 2, .epsilon = { 0, -0.17 } };
static const staggered_links_params asqtad = { .kind = STAGGERED_ASQTAD, .u0 = 0.87, .boundary = 1, .epsilons = 1 };

enum { SYSTEMS = BATCH_MAX_RHS };
#define SHIFT 0.1
#define GUESS 3000.0                     /* of <v, (K + shift) v> */

static rng_key key_of(unsigned n)
{
    return rng_key_for(95, 0, n, RNG_TEST);
}

static bool is_fixed16(const batch_kind *kind)
{
    return kind->format != VECTOR_NATIVE && link_format_with(kind->format) == LINK_FIXED16;
}

static const int numbers[NAIK_STORAGES] = { 18, 13 };

typedef struct { lattice *l; gauge *u; staggered_links *s; staggered_low *low; } quarks;

static quarks quarks_of(lattice *l, place where, const staggered_links_params *params, const batch_kind *kind,
                        naik_storage naik)
{
    quarks q = { .l = l };
    q.u = gauge_create(q.l, where, PRECISION_DOUBLE);
    gauge_set_random(q.u, key_of(0));
    q.s = staggered_links_create(params, q.u);
    staggered_links_update(q.s, q.u);
    q.low = staggered_low_create_as(q.s, naik, kind->format, kind->precision);
    return q;
}

static void quarks_free(quarks *q)
{
    staggered_low_free(q->low);
    staggered_links_free(q->s);
    gauge_free(q->u);
}

static void update(quarks *q)
{
    staggered_links_update(q->s, q->u);
    staggered_low_update(q->low);
}

/* D v, and (K + SHIFT) v, of the same v. */
typedef struct { vec *d, *k; } products;

static products products_of(const quarks *q, int set)
{
    vec *v = staggered_low_vec(q->low, ON_EVEN), *between = staggered_low_vec(q->low, ON_ODD);
    products p = { staggered_low_vec(q->low, ON_ODD), staggered_low_vec(q->low, ON_EVEN) };
    staggered_low_op op = staggered_low_operator(q->low, set, between);
    vec_set_gaussian(v, key_of(1), 0);
    staggered_low_hop(p.d, q->low, set, v);
    op.base.apply(&op.base, p.k, SHIFT, v);
    vec_free(between);
    vec_free(v);
    return p;
}

static void products_free(products *p)
{
    vec_free(p->d);
    vec_free(p->k);
}

/* |a - b| / |b| of vectors in any format */
static double apart(const vec *a, const vec *b)
{
    vec *x = vec_create(a->f.lattice, a->f.on, a->f.where, PRECISION_DOUBLE), *y = vec_create_like(x);
    vec_convert(x, a);
    vec_convert(y, b);
    double far = relative_distance(x, y);
    vec_free(y);
    vec_free(x);
    return far;
}

/* What vectors and long links are rounded to; these are a small part of D. */
static double rounding(const vec *v, const batch_kind *kind)
{
    return 5 * (vec_rounding(v) + (is_fixed16(kind) ? 0.5 / FIXED16_ONE / 4 : 0));
}

static void are_those_in_full(lattice *l, place where, const batch_kind *kind, naik_storage naik)
{
    quarks full = quarks_of(l, where, &hisq, kind, NAIK_IN_18), few = quarks_of(l, where, &hisq, kind, naik);
    update(&full);
    update(&few);
    fact(staggered_low_is_compressed(few.low) && !staggered_low_is_compressed(full.low),
         "%s, %s: three of HISQ's links in a row are U(3) matrices", place_name(where), kind->name);
    for (int set = 0; set < hisq.epsilons; set++) {
        products a = products_of(&few, set), b = products_of(&full, set);
        fact(!same_numbers(a.d, b.d), "%s, %s: %d numbers round otherwise than 18", place_name(where), kind->name,
             numbers[naik]);
        note("%s, %s, %d numbers: D is off by %.2g, K by %.2g", place_name(where), kind->name, numbers[naik],
             apart(a.d, b.d), apart(a.k, b.k));
        fact_close(apart(a.d, b.d), 0, rounding(b.d, kind), "%s, %s, %d numbers: D of set %d", place_name(where),
                   kind->name, numbers[naik], set);
        fact_close(apart(a.k, b.k), 0, 2 * rounding(b.k, kind), "%s, %s, %d numbers: K of set %d", place_name(where),
                   kind->name, numbers[naik], set);
        products_free(&a);
        products_free(&b);
    }
    quarks_free(&few);
    quarks_free(&full);
}

/* One application, by `count` systems at once. */
static bool batch_is_each_alone(const quarks *q, int count)
{
    place where = q->u->links.where;
    krylov_state host, *at;
    loop *body = loop_create(where);
    vec *p[SYSTEMS], *k[SYSTEMS], *between[SYSTEMS], *alone = staggered_low_vec(q->low, ON_EVEN);
    vec *scratch = staggered_low_vec(q->low, ON_ODD);
    bool same = true;
    batch_state_begin(&host, count);
    for (int n = 0; n < count; n++) {
        p[n] = staggered_low_vec(q->low, ON_EVEN);
        k[n] = staggered_low_vec(q->low, ON_EVEN);
        between[n] = staggered_low_vec(q->low, ON_ODD);
        vec_set_gaussian(p[n], key_of(10 + (unsigned)n), 0);
        host.system[n].shift = SHIFT * (n + 1);
        host.system[n].rr = vec_norm2(p[n]);
        host.system[n].curvature_per_bound = SUM_WORD / sum_bound_guessed(GUESS);
    }
    at = batch_state_create(where, &host);
    batch_state_put(at, where, &host);
    krylov_batch b = batch_of(at, 0, count, true);
    staggered_low_op op = staggered_low_operator(q->low, 0, between[0]);
    staggered_low_set_work(&op, between, count);
    op.base.add_batch(&op.base, body, &b, k, p);
    vec_batch_residual(body, &b, p, k);                   /* the step after which they are spent */
    loop_run(body, &at->going);
    for (int n = 0; n < count; n++) {
        vec_set_gaussian(p[n], key_of(10 + (unsigned)n), 0);
        op = staggered_low_operator(q->low, 0, scratch);
        op.base.apply(&op.base, alone, SHIFT * (n + 1), p[n]);
        same &= same_numbers(alone, k[n]) && same_numbers(scratch, between[n]);
        vec_free(p[n]);
        vec_free(k[n]);
        vec_free(between[n]);
    }
    batch_state_free(at, where);
    vec_free(scratch);
    vec_free(alone);
    loop_free(body);
    return same;
}

static void batches(lattice *l, place where, const batch_kind *kind, naik_storage naik)
{
    quarks q = quarks_of(l, where, &hisq, kind, naik);
    update(&q);
    for (int count = 1; count <= SYSTEMS; count *= 2)
        fact(batch_is_each_alone(&q, count), "%s, %s, %d numbers: %d at once have the bits of each alone",
             place_name(where), kind->name, numbers[naik], count);
    quarks_free(&q);
}

static void same_bits_everywhere(lattice *l, const batch_kind *kind, naik_storage naik)
{
    products p[PLACES];
    quarks q[PLACES];
    bool there[PLACES] = { false };
    FOR_EVERY_PLACE(where) {
        q[where] = quarks_of(l, where, &hisq, kind, naik);
        update(&q[where]);
        p[where] = products_of(&q[where], 1);
        there[where] = true;
    }
    if (there[PLACE_GPU])
        fact(same_numbers(p[PLACE_CPU].d, p[PLACE_GPU].d) && same_numbers(p[PLACE_CPU].k, p[PLACE_GPU].k),
             "%s, %d numbers: CPU and GPU give the same bits of D v and K v", kind->name, numbers[naik]);
    for (place where = PLACE_CPU; where <= PLACE_GPU; where++)
        if (there[where]) {
            products_free(&p[where]);
            quarks_free(&q[where]);
        }
}

/* K in low precision from K in double, of what is stored of a vector. */
static double off(const quarks *q)
{
    const place where = q->u->links.where;
    vec *low = staggered_low_vec(q->low, ON_EVEN), *between = vec_create(q->l, ON_ODD, where, PRECISION_DOUBLE);
    vec *v = vec_create(q->l, ON_EVEN, where, PRECISION_DOUBLE), *want = vec_create_like(v);
    products p = products_of(q, 0);
    vec_set_gaussian(low, key_of(1), 0);
    vec_convert(v, low);
    staggered_normal_op high = staggered_normal_operator(q->s, 0, between);
    high.base.apply(&high.base, want, SHIFT, v);
    double far = apart(p.k, want);
    products_free(&p);
    vec_free(want);
    vec_free(v);
    vec_free(between);
    vec_free(low);
    return far;
}

static size_t bytes_now(place where) { return where == PLACE_GPU ? device_bytes_now() : memory_bytes_now(); }

/* Thin links of which one is multiplied by `factor`. */
static void set_links(gauge *u, unsigned n, double factor)
{
    gauge_set_random(u, key_of(n));
    double *links = links_of(u);
    for (int i = 0; i < 18; i++)
        links[link_numbers(u->links.lattice) / 2 / 18 * 18 + (size_t)i] *= factor;
    gauge_import(u, links);
    memory_free(links);
}

/* Asqtad's Naik links are products of the thin ones, whatever matrices these are. */
static void links_that_are_no_matrices(lattice *l, place where, const batch_kind *kind, naik_storage naik)
{
    const size_t plan = staggered_low_bytes_as(&asqtad, naik, lattice_shape_of(l), kind->format, kind->precision);
    const size_t slack = where == PLACE_CPU ? 4096 : 0;                /* what describes fields is on the host */
    quarks q = quarks_of(l, where, &asqtad, kind, naik);
    staggered_low_free(q.low);
    const size_t before = bytes_now(where);
    q.low = staggered_low_create_as(q.s, naik, kind->format, kind->precision);
    staggered_low_update(q.low);
    const size_t taken = bytes_now(where) - before;
    vec *v = staggered_low_vec(q.low, ON_EVEN);
    const double most = 20 * fmax(vec_rounding(v), is_fixed16(kind) ? 0.5 / FIXED16_ONE : 0);
    vec_free(v);
    fact(staggered_low_is_compressed(q.low) && taken >= plan && taken <= plan + slack,
         "%s, %s: memory is what is planned, %.1f KiB", place_name(where), kind->name, (double)plan / 1024);
    fact_close(off(&q), 0, most, "%s, %s: Asqtad's K", place_name(where), kind->name);

    for (unsigned n = 1; n <= 2; n++) {
        set_links(q.u, n, 2);
        update(&q);
        fact(!staggered_low_is_compressed(q.low), "%s, %s: twice an SU(3) matrix is no U(3) matrix", place_name(where),
             kind->name);
        fact_close(off(&q), 0, most, "%s, %s: K has all numbers of it, links %u", place_name(where), kind->name, n);
    }
    set_links(q.u, 3, 1);
    update(&q);
    fact(staggered_low_is_compressed(q.low), "%s, %s: %d numbers are enough again", place_name(where), kind->name,
         numbers[naik]);
    fact_close(off(&q), 0, most, "%s, %s: and those of now", place_name(where), kind->name);

    set_links(q.u, 4, NAN);
    update(&q);
    fact(!staggered_low_is_compressed(q.low) && isnan(off(&q)), "%s, %s: links with NaN give NaN",
         place_name(where), kind->name);
    quarks_free(&q);
}

/* The numbers of D v and K v with long links in 13 numbers, in every format, on a grid of ranks. */
enum { MOST_RANKS = 4 };
typedef struct { place where; const int *grid; uint64_t of[MOST_RANKS]; } rank_task;

static uint64_t digest_of(uint64_t digest, const vec *v)
{
    double *x = memory_alloc((size_t)lattice_volume(v->f.lattice) * VEC_REALS * sizeof *x, "numbers");
    vec_export(x, v);
    digest = digest64(digest, x, (size_t)lattice_volume(v->f.lattice) * VEC_REALS * sizeof *x);
    memory_free(x);
    return digest;
}

static int digest_products(void *of)
{
    rank_task *t = of;
    failure why;
    grid_want(t->grid);
    if (t->where == PLACE_GPU)
        require(device_open(comm_rank(comm_world()) % device_count(NULL), &why), "%s", why.why);
    const lattice_shape shape = grid_shape_here(split_extents, GRID_HOPS_MOST);
    lattice *l = lattice_create(&shape);
    uint64_t digest = DIGEST64_START;
    for (int k = 0; k < BATCH_KINDS; k++) {
        quarks q = quarks_of(l, t->where, &hisq, &batch_kinds[k], NAIK_IN_13);
        update(&q);
        products p = products_of(&q, 1);
        digest = digest_of(digest_of(digest, p.d), p.k);
        products_free(&p);
        quarks_free(&q);
    }
    t->of[comm_rank(comm_world())] = digest;
    lattice_free(l);
    return 0;
}

static void same_on_grids(place where)
{
    static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 2 } };
    rank_task single = { .where = PLACE_CPU };
    digest_products(&single);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        rank_task t = { .where = where, .grid = grids[g] };
        const int ranks = grids[g][2] * grids[g][3];
        int different = 0;
        comm_run_threads(ranks, digest_products, &t);
        for (int r = 0; r < ranks; r++)
            different += t.of[r] != single.of[0];
        fact(different == 0, "%s, 13 numbers: D v and K v are the same, bit for bit, on %d ranks", place_name(where),
             ranks);
    }
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where)
        for (int k = 0; k < BATCH_KINDS; k++) {
            batches(l, where, &batch_kinds[k], NAIK_IN_18);
            for (naik_storage naik = NAIK_IN_13; naik < NAIK_STORAGES; naik++) {
                are_those_in_full(l, where, &batch_kinds[k], naik);
                batches(l, where, &batch_kinds[k], naik);
                links_that_are_no_matrices(l, where, &batch_kinds[k], naik);
            }
        }
    for (int k = 0; k < BATCH_KINDS; k++)
        for (naik_storage naik = NAIK_IN_13; naik < NAIK_STORAGES; naik++)
            same_bits_everywhere(l, &batch_kinds[k], naik);
    FOR_EVERY_PLACE(where)
        same_on_grids(where);
    lattice_free(l);
    return facts_end();
}
