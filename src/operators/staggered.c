/* staggered.c - the staggered Dirac operator on color vectors. */
#include "src/operators/staggered.h"

#include "src/halo/exchange.h"
#include "src/halo/vec_batch.h"
#include "src/operators/staggered_apply.h"

#include <assert.h>
#include <string.h>

MAP_KERNEL_FORMATS(staggered_hop_sites);
MAP_KERNEL_FORMATS(staggered_hop_sites_13);
SUM_KERNEL_FORMATS(staggered_normal, 2, 0);
SUM_KERNEL_FORMATS(staggered_normal_13, 2, 0);

/* By the storage of long links. */
static const map_kernel *const hop_kernels[NAIK_STORAGES] = { staggered_hop_sites, staggered_hop_sites_13 };
static const sum_kernel *const normal_kernels[NAIK_STORAGES] = { staggered_normal, staggered_normal_13 };

MAP_KERNEL_FORMATS_BESIDE(staggered_batch_hop_1);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_hop_2);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_hop_4);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_hop_8);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_hop_1_13);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_hop_2_13);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_hop_4_13);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_hop_8_13);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_normal_1);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_normal_2);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_normal_4);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_normal_8);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_normal_1_13);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_normal_2_13);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_normal_4_13);
MAP_KERNEL_FORMATS_BESIDE(staggered_batch_normal_8_13);

/* Kernels of batches, [storage of long links][logarithm of the number of systems] */
static const map_kernel *const staggered_batch_hop[NAIK_STORAGES][4] = {
    { staggered_batch_hop_1, staggered_batch_hop_2, staggered_batch_hop_4, staggered_batch_hop_8 },
    { staggered_batch_hop_1_13, staggered_batch_hop_2_13, staggered_batch_hop_4_13, staggered_batch_hop_8_13 },
};
static const map_kernel *const staggered_batch_normal[NAIK_STORAGES][4] = {
    { staggered_batch_normal_1, staggered_batch_normal_2, staggered_batch_normal_4, staggered_batch_normal_8 },
    { staggered_batch_normal_1_13, staggered_batch_normal_2_13,
      staggered_batch_normal_4_13, staggered_batch_normal_8_13 },
};

/* Flops of a site: SU(3) matrix times vector, sum of two vectors, factor times vector added to one. */
enum { MATRIX_VECTOR = 66, VECTOR_SUM = 6, VECTOR_AXPY = 12 };

static staggered_terms terms_of(const staggered_links *s, int set)
{
    return (staggered_terms){ staggered_fat(s, set), staggered_naik(s), staggered_naik_coefficient(s, set) };
}

static staggered_links_view links_of(staggered_terms t)
{
    bool naik = t.naik && t.coefficient != 0;
    gauge_exchange(t.fat, GHOSTS_NEAR);
    if (naik)
        gauge_exchange(t.naik, GHOSTS_STRAIGHT);
    return (staggered_links_view){ .format = VECTOR_NATIVE, .precision = t.fat->links.precision,
                                   .fat = gauge_view_of(t.fat), .long_links = gauge_view_of(naik ? t.naik : t.fat),
                                   .unit = 1, .naik = naik ? t.coefficient : 0 };
}

static void assert_hops(const vec *out, const staggered_links_view *h, const vec *in)
{
    const field *f = &out->f;
    assert(f->on == (in->f.on == ON_ALL ? ON_ALL : in->f.on == ON_EVEN ? ON_ODD : ON_EVEN));
    assert(f->precision == in->f.precision && f->precision == h->precision);
    assert(out->format == in->format && out->format == h->format);
    (void)f, (void)h, (void)in;
}

static packed_hop_args args_of(vec *out, const staggered_links_view *h, const vec *in)
{
    const field *f = &out->f;
    assert_hops(out, h, in);
    return (packed_hop_args){ { .l = lattice_on(f->lattice, f->where), .fat = h->fat, .long_links = h->long_links,
                                .out = vec_view(out), .in = vec_view(in), .naik = h->naik }, h->unit };
}

/* Kernels of native format, with all links in full, take what packed_hop_args begin with. */
void staggered_apply_hop(vec *out, const staggered_links_view *h, const vec *in)
{
    const field *f = &out->f;
    packed_hop_args args = args_of(out, h, in);
    field_exchange_hops(&in->f);
    run_map(&hop_kernels[h->naik_in][out->format], f->where, f->precision, &args, lattice_range(f->lattice, f->on));
}

void staggered_hop_with(vec *out, staggered_terms t, const vec *in)
{
    staggered_links_view h = links_of(t);
    staggered_apply_hop(out, &h, in);
}

staggered_links_view staggered_links_now(const staggered_links *s, int set)
{
    return links_of(terms_of(s, set));
}

void staggered_hop(vec *out, const staggered_links *s, int set, const vec *in)
{
    staggered_hop_with(out, terms_of(s, set), in);
}

/* between <- D in; what is left to do: out <- shift in - D between */
static packed_hop_args first_hop(vec *out, const staggered_links_view *h, double shift, const vec *in, vec *between)
{
    assert(out->f.on == in->f.on && out->f.data != in->f.data);
    staggered_apply_hop(between, h, in);
    field_exchange_hops(&between->f);
    packed_hop_args args = args_of(out, h, between);
    args.hop.y = vec_view(in);
    args.hop.a = shift;
    return args;
}

double staggered_apply_normal_dot(vec *out, const staggered_links_view *h, double shift, const vec *in, vec *between,
                                  double guess)
{
    const field *f = &out->f;
    packed_hop_args args = first_hop(out, h, shift, in, between);
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args,
                             .range = lattice_range(f->lattice, f->on) };
    double bound = sum_bound_guessed(guess), sums[2];
    run_sum_once(&normal_kernels[h->naik_in][out->format], f->lattice, &sum, bound, sums);
    return sum_is_fine(sums[0], bound) ? sums[0] : vec_dot(in, out).re;           /* NaN is not fine */
}

void staggered_apply_normal(vec *out, const staggered_links_view *h, double shift, const vec *in, vec *between)
{
    const field *f = &out->f;
    const sum_kernel *k = &normal_kernels[h->naik_in][out->format];
    packed_hop_args args = first_hop(out, h, shift, in, between);
    const sum_array unread = sums_scratch(f->lattice, f->where, k->sums, k->maxima);
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args,
                             .range = lattice_range(f->lattice, f->on) };
    run_sum_into(k, &sum, unread.cells);
}

static void add_hop(loop *l, const map_kernel *of_formats, const vec *out, vec *const *in, const batch_hop_args *args)
{
    const loop_hop hop = { &of_formats[out->format], out, in, args->b.count, args->naik != 0 ? 3 : 1 };
    loop_add_hop(l, &hop, args, sizeof *args);
}

/* out_n <- D in_n; y is set to out. */
static void set_batch_args(batch_hop_args *a, const staggered_links_view *h, const krylov_batch *b, vec *const *out,
                           vec *const *in)
{
    memset(a, 0, sizeof *a);
    a->b = *b;
    a->l = lattice_on(out[0]->f.lattice, out[0]->f.where);
    a->fat = h->fat;
    a->long_links = h->long_links;
    a->unit = h->unit;
    a->naik = h->naik;
    for (int n = 0; n < b->count; n++) {
        assert_hops(out[n], h, in[n]);
        a->in[n] = vec_view(in[n]);
        a->out[n] = a->y[n] = vec_view(out[n]);
    }
}

void staggered_add_batch_hop(loop *l, const staggered_links_view *h, const krylov_batch *b, vec *const *out,
                             vec *const *in)
{
    batch_hop_args args;
    set_batch_args(&args, h, b, out, in);
    add_hop(l, staggered_batch_hop[h->naik_in][vec_batch_logarithm(b->count)], out[0], in, &args);
}

void staggered_add_batch_normal(loop *l, const staggered_links_view *h, const krylov_batch *b, vec *const *q,
                                vec *const *p, vec *const *between)
{
    batch_hop_args second;
    staggered_add_batch_hop(l, h, b, between, p);
    set_batch_args(&second, h, b, q, between);
    for (int n = 0; n < b->count; n++) {
        assert(q[n]->f.data != p[n]->f.data);
        second.y[n] = vec_view(p[n]);
    }
    add_hop(l, staggered_batch_normal[h->naik_in][vec_batch_logarithm(b->count)], q[0], between, &second);
}

void staggered_set_work(linop *base, vec **between, vec *const *given, int count)
{
    base->max_rhs = linop_batch_size(count);
    for (int n = 0; n < base->max_rhs; n++)
        between[n] = given[n];
}

static staggered_links_view links_now(const staggered_normal_op *k)
{
    return links_of(k->links ? terms_of(k->links, k->set) : k->given);
}

static double apply_dot(const linop *op, vec *out, double shift, const vec *in, double guess)
{
    const staggered_normal_op *k = (const staggered_normal_op *)op;
    staggered_links_view h = links_now(k);
    return staggered_apply_normal_dot(out, &h, shift, in, k->between[0], guess);
}

static void apply(const linop *op, vec *out, double shift, const vec *in)
{
    const staggered_normal_op *k = (const staggered_normal_op *)op;
    staggered_links_view h = links_now(k);
    staggered_apply_normal(out, &h, shift, in, k->between[0]);
}

static void add_batch(const linop *op, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const staggered_normal_op *k = (const staggered_normal_op *)op;
    staggered_links_view h = links_now(k);
    assert(b->count <= op->max_rhs);
    staggered_add_batch_normal(l, &h, b, q, p, k->between);
}

/* Two hops, each reads every link once, one vector, and writes one; the second reads `in` again. */
work_count staggered_work_of(const lattice_shape *shape, double fat_bytes, double naik_bytes, double vector_bytes)
{
    double volume = (double)lattice_local_sites(shape);
    int products = naik_bytes > 0 ? 16 : 8;
    double flops = volume * (products * MATRIX_VECTOR + (products - 1) * VECTOR_SUM) + volume / 2 * VECTOR_AXPY;
    return (work_count){ .flops = flops, .bytes = volume * (2 * (fat_bytes + naik_bytes) + 5 * vector_bytes / 2) };
}

static work_count native_work(bool naik, const lattice_shape *shape, precision p)
{
    double real = (double)precision_bytes(p);
    return staggered_work_of(shape, GAUGE_REALS * real, naik ? GAUGE_REALS * real : 0, VEC_REALS * real);
}

work_count staggered_normal_work(const staggered_links_params *p, const lattice_shape *shape, precision prec)
{
    return native_work(p->kind != STAGGERED_NAIVE, shape, prec);
}

static staggered_normal_op operator_of(staggered_terms t, vec *between)
{
    const field *f = &between->f;
    bool naik = t.naik && t.coefficient != 0;
    assert(f->on != ON_ALL);
    return (staggered_normal_op){ .base = { apply_dot, apply, add_batch, 1,
                                            native_work(naik, lattice_shape_of(f->lattice), f->precision) },
                                  .between = { between } };
}

staggered_normal_op staggered_normal_operator_with(staggered_terms t, vec *between)
{
    staggered_normal_op k = operator_of(t, between);
    k.given = t;
    return k;
}

staggered_normal_op staggered_normal_operator(const staggered_links *s, int set, vec *between)
{
    staggered_normal_op k = operator_of(terms_of(s, set), between);
    k.links = s;
    k.set = set;
    return k;
}

void staggered_normal_set_work(staggered_normal_op *k, vec *const *between, int count)
{
    staggered_set_work(&k->base, k->between, between, count);
}
