/* clover.c - the clover term of a gauge field, and the operators that have it. */
#include "src/operators/clover.h"

#include "src/base/memory.h"
#include "src/kernels/clover_args.h"
#include "src/lattice/kernels.h"
#include "src/lattice/vec_batch.h"

#include <assert.h>
#include <math.h>
#include <string.h>

MAP_KERNEL(clover_blocks);
MAP_KERNEL(clover_exponential);
SUM_KERNEL(clover_inverse, 1, 1);
MAP_KERNEL_FORMATS(clover_product);
MAP_KERNEL_FORMATS(clover_batch);

/* Flops of a site: a hop; two hermitian 6x6 blocks times a half spinor each; a product with a number, added
 * (docs/conventions.md). */
enum { HOP_FLOPS = 1320, BLOCK_FLOPS = 552, AXPY_FLOPS = 48 };

enum { CLOVER_ROWS = 12 };                  /* of T at a site */

/* Times the unit of T, which is about 4. */
#define LEAST_PIVOT 1e-10

const char *const clover_kind_names[] = { "linear", "exponential", NULL };

/* ---- the term */

static clover_view view_of(const field *f)
{
    return (clover_view){ field_view_of(f).data };
}

static field blocks_on(lattice *l, parity_set on, place where, precision p)
{
    const field kind = { .lattice = l, .where = where, .precision = p, .reals = CLOVER_REALS, .slabs = 1, .on = on,
                         .ghosts = GHOSTS_NONE };
    return field_create_slabs(&kind, "clover term");
}

static clover_term *term_of(clover_field *blocks, clover_kind kind, double c_sw)
{
    clover_term *t = memory_alloc(sizeof *t, "clover term");
    const field *f = &blocks->f;
    t->kind = kind;
    t->blocks = blocks;
    if (kind == CLOVER_EXPONENTIAL)
        t->exponential = blocks_on(f->lattice, ON_ALL, f->where, f->precision);
    t->inverse = blocks_on(f->lattice, ON_EVEN, f->where, f->precision);
    t->c_sw = c_sw;
    return t;
}

clover_term *clover_term_create(lattice *l, place where, precision p, clover_kind kind, double c_sw)
{
    clover_field *blocks = memory_alloc(sizeof *blocks, "clover term");
    blocks->f = blocks_on(l, ON_ALL, where, p);
    return term_of(blocks, kind, c_sw);
}

clover_term *clover_term_create_beside(const clover_term *other)
{
    clover_term *t = term_of(other->blocks, other->kind, other->c_sw);
    t->beside = other;
    return t;
}

void clover_term_free(clover_term *t)
{
    if (!t)
        return;
    field_free(&t->inverse);
    if (t->kind == CLOVER_EXPONENTIAL)
        field_free(&t->exponential);
    if (!t->beside) {
        field_free(&t->blocks->f);
        memory_free(t->blocks);
    }
    memory_free(t);
}

size_t clover_term_bytes(const lattice_shape *shape, precision p, clover_kind kind, int masses)
{
    const size_t all = field_bytes_on(shape, ON_ALL, GHOSTS_NONE, p, CLOVER_REALS),
                 even = field_bytes_on(shape, ON_EVEN, GHOSTS_NONE, p, CLOVER_REALS);
    return all + (size_t)masses * (even + (kind == CLOVER_EXPONENTIAL ? all : 0));
}

static void compute_blocks(clover_term *t, const gauge *u)
{
    const field *f = &t->blocks->f;
    gauge_exchange(u, GHOSTS_SIDES);
    const clover_blocks_args args = { .l = lattice_on(f->lattice, f->where), .u = gauge_view_of(u),
                                      .out = view_of(f), .c_sw = t->c_sw };
    run_map(&clover_blocks, f->where, f->precision, &args, lattice_all(f->lattice));
    t->blocks->version = u->version;
}

/* out <- factor exp(scale c_sw A) */
static void exponentiate(field *out, const clover_term *t, double scale, double factor)
{
    const clover_exponential_args args = { .in = view_of(&t->blocks->f), .out = view_of(out), .scale = scale,
                                           .factor = factor };
    run_map(&clover_exponential, out->where, out->precision, &args, lattice_range(out->lattice, out->on));
}

static bool exponentials(clover_term *t, double mass, failure *why)
{
    const double diagonal = 4 + mass, sites = (double)lattice_volume(t->inverse.lattice) / 2;
    if (diagonal < LEAST_PIVOT)
        return fail(why, "the exponential clover term has no inverse: 4 + m is %.3g (m = %g)", diagonal, mass);
    exponentiate(&t->exponential, t, 1 / diagonal, diagonal);
    exponentiate(&t->inverse, t, -1 / diagonal, 1 / diagonal);
    t->mass = mass;
    t->log_det = CLOVER_ROWS * sites * log(diagonal);
    return true;
}

static bool invert(clover_term *t, double mass, failure *why)
{
    const field *f = &t->inverse;
    const clover_inverse_args args = { .in = view_of(&t->blocks->f), .out = view_of(f),
                                       .diagonal = 4 + mass };
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args,
                             .range = lattice_range(f->lattice, ON_EVEN) };
    double result[2];
    run_sum(&clover_inverse, f->lattice, &sum, result);
    t->mass = mass;
    t->log_det = result[0];
    return result[1] <= 1 / LEAST_PIVOT
           || fail(why, "the clover term has no inverse: a pivot of 4 + m + c_sw A is %.3g (m = %g, c_sw = %g)",
                   result[1] > 0 ? 1 / result[1] : 0, mass, t->c_sw);       /* it may be no number */
}

bool clover_term_update(clover_term *t, const gauge *u, double mass, failure *why)
{
    assert(u->links.precision == t->inverse.precision);
    if (t->version == u->version && t->mass == mass)
        return true;
    if (t->blocks->version != u->version)
        compute_blocks(t, u);
    t->version = 0;
    if (!(t->kind == CLOVER_EXPONENTIAL ? exponentials : invert)(t, mass, why))
        return false;
    t->version = u->version;
    return true;
}

void clover_term_convert(clover_term *t, const clover_term *from)
{
    if (t->blocks->version != from->blocks->version)
        field_convert(&t->blocks->f, &from->blocks->f);
    t->blocks->version = from->blocks->version;
    if (t->version != from->version || t->mass != from->mass) {
        field_convert(&t->inverse, &from->inverse);
        if (t->kind == CLOVER_EXPONENTIAL)
            field_convert(&t->exponential, &from->exponential);
    }
    t->mass = from->mass;
    t->log_det = from->log_det;
    t->version = from->version;
}

/* ---- products */

static void assert_term(const vec *v, const clover_term *t)
{
    assert(v->f.on != ON_ALL && v->f.slabs == SLAB_GROUP);
    assert(t->inverse.precision == v->f.precision && t->inverse.where == v->f.where);
    (void)v, (void)t;
}

/* The blocks of T, or of T_e^-1, and what is added to their diagonal. */
typedef struct { clover_view blocks; double diagonal; } product_factor;

static product_factor factor_of(const clover_term *t, bool inverse)
{
    if (inverse)
        return (product_factor){ view_of(&t->inverse), 0 };
    return t->kind == CLOVER_EXPONENTIAL ? (product_factor){ view_of(&t->exponential), 0 }
                                         : (product_factor){ view_of(&t->blocks->f), 4 + t->mass };
}

/* out <- T in + a y + shift z, or T_e^-1 in + ... */
typedef struct { const vec *in, *y, *z; double a, shift; bool inverse; } product;

static void multiply(vec *out, const clover_term *t, product p)
{
    const field *f = &out->f;
    const vec *y = p.y ? p.y : out, *z = p.z ? p.z : out;
    assert_term(out, t);
    assert(vec_are_alike(p.in, out) && vec_are_alike(y, out) && vec_are_alike(z, out));
    assert(!p.inverse || f->on == ON_EVEN);
    const product_factor by = factor_of(t, p.inverse);
    const clover_product_args args = { .blocks = by.blocks, .out = vec_view(out), .in = vec_view(p.in),
                                       .y = vec_view(y), .z = vec_view(z),
                                       .diagonal = by.diagonal, .a = p.y ? p.a : 0,
                                       .shift = p.z ? p.shift : 0 };
    run_map(&clover_product[out->format], f->where, f->precision, &args, lattice_range(f->lattice, f->on));
}

void clover_multiply(vec *out, const clover_term *t, bool inverse, const vec *in, double a, const vec *y)
{
    multiply(out, t, (product){ .in = in, .y = y, .a = a, .inverse = inverse });
}

/* out <- hop in, times a number */
static void hop(vec *out, clover_links l, double factor, bool dagger, const vec *in)
{
    const fifth_table k = fifth_one(1, -0.5 * factor);
    dwf_hop_with(out, l.links, &(dwf_hop_terms){ .k = &k, .dagger = dagger, .in = in });
}

void clover_apply(dwf_field out, clover_links l, bool dagger, dwf_field in)
{
    hop(out.even, l, 1, dagger, in.odd);
    clover_multiply(out.even, l.term, false, in.even, 1, out.even);
    hop(out.odd, l, 1, dagger, in.even);
    clover_multiply(out.odd, l.term, false, in.odd, 1, out.odd);
}

/* out <- Mhat in + shift z */
typedef struct { const vec *in, *z; double shift; bool dagger; } mhat_terms;

static void mhat(vec *out, clover_links l, mhat_terms m, vec *even)
{
    hop(even, l, 1, m.dagger, m.in);
    multiply(even, l.term, (product){ .in = even, .inverse = true });
    hop(out, l, -1, m.dagger, even);
    multiply(out, l.term, (product){ .in = m.in, .y = out, .a = 1, .z = m.z, .shift = m.shift });
}

void clover_mhat(vec *out, clover_links l, bool dagger, const vec *in, vec *even)
{
    mhat(out, l, (mhat_terms){ .in = in, .dagger = dagger }, even);
}

/* ---- for solvers */

static void apply(const linop *base, vec *out, double shift, const vec *in)
{
    const clover_op *op = (const clover_op *)base;
    mhat(op->odd[0], op->links, (mhat_terms){ .in = in }, op->even[0]);
    mhat(out, op->links, (mhat_terms){ .in = op->odd[0], .z = in, .shift = shift, .dagger = true }, op->even[0]);
}

static double apply_dot(const linop *base, vec *out, double shift, const vec *in, double guess)
{
    (void)guess;
    apply(base, out, shift, in);               /* leaves Mhat in behind */
    return shift == 0 ? vec_norm2(((const clover_op *)base)->odd[0]) : vec_dot(in, out).re;
}

/* A product of a batch: out_n <- T in_n + a y_n + shift_n z_n; y and z may be NULL. */
typedef struct { vec *const *out, *const *in, *const *y, *const *z; bool inverse; } batch_product;

static void add_product(loop *l, const krylov_batch *b, const clover_term *t, const batch_product *p)
{
    const vec *first = p->out[0];
    const field *f = &first->f;
    const product_factor by = factor_of(t, p->inverse);
    clover_batch_args args;
    memset(&args, 0, sizeof args);
    assert_term(first, t);
    args.b = *b;
    args.blocks = by.blocks;
    args.diagonal = by.diagonal;
    args.a = p->y ? 1 : 0;
    args.with_shift = p->z != NULL;
    for (int n = 0; n < b->count; n++) {
        args.out[n] = vec_view(p->out[n]);
        args.in[n] = vec_view(p->in[n]);
        args.y[n] = vec_view(p->y ? p->y[n] : p->out[n]);
        args.z[n] = vec_view(p->z ? p->z[n] : p->out[n]);
    }
    loop_add(l, &clover_batch[first->format], f->precision, &args, sizeof args, lattice_range(f->lattice, f->on));
}

/* out_n <- Mhat in_n, or Mhat^+ in_n, + shift_n shifted_n */
typedef struct { vec *const *out, *const *in, *const *shifted; bool dagger; } batch_mhat;

static void add_mhat(loop *l, const krylov_batch *b, const clover_op *op, const batch_mhat *m)
{
    const fifth_table inner = fifth_one(1, -0.5), outer = fifth_one(1, 0.5);
    const clover_term *t = op->links.term;
    dwf_add_batch_hop(l, b, op->links.links, &(dwf_batch_hops){ .out = op->even, .in = m->in, .k = &inner,
                                                                .dagger = m->dagger });
    add_product(l, b, t, &(batch_product){ .out = op->even, .in = op->even, .inverse = true });
    dwf_add_batch_hop(l, b, op->links.links, &(dwf_batch_hops){ .out = m->out, .in = op->even, .k = &outer,
                                                                .dagger = m->dagger });
    add_product(l, b, t, &(batch_product){ .out = m->out, .in = m->in, .y = m->out, .z = m->shifted });
}

static void add_batch(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const clover_op *op = (const clover_op *)base;
    assert(b->count <= base->max_rhs);
    add_mhat(l, b, op, &(batch_mhat){ .out = op->odd, .in = p });
    add_mhat(l, b, op, &(batch_mhat){ .out = q, .in = op->odd, .shifted = p, .dagger = true });
    vec_batch_curvature(l, b, op->odd, p, q);
}

static void apply_mhat(const linop *base, vec *out, double shift, const vec *in)
{
    const clover_op *op = (const clover_op *)base;
    mhat(out, op->links, (mhat_terms){ .in = in, .z = in, .shift = shift, .dagger = op->dagger }, op->even[0]);
}

static void add_batch_mhat(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const clover_op *op = (const clover_op *)base;
    assert(b->count <= base->max_rhs);
    add_mhat(l, b, op, &(batch_mhat){ .out = q, .in = p, .shifted = p, .dagger = op->dagger });
}

static clover_op operator_of(linop base, clover_links l, vec *const *even, int max_rhs)
{
    clover_op op = { .base = base, .links = l };
    op.base.max_rhs = 1;
    while (2 * op.base.max_rhs <= max_rhs && 2 * op.base.max_rhs <= BATCH_MAX_RHS)
        op.base.max_rhs *= 2;
    for (int n = 0; n < op.base.max_rhs; n++)
        op.even[n] = even[n];
    return op;
}

static work_count normal_work_on(const vec *v)
{
    return clover_normal_work(lattice_shape_of(v->f.lattice), v->format, v->f.precision);
}

clover_op clover_operator(clover_links l, vec *const *even, vec *const *odd, int max_rhs)
{
    const linop base = { apply_dot, apply, add_batch, 1, normal_work_on(even[0]) };
    clover_op op = operator_of(base, l, even, max_rhs);
    for (int n = 0; n < op.base.max_rhs; n++)
        op.odd[n] = odd[n];
    return op;
}

/* Half the work of Mhat^+ Mhat. */
clover_op clover_mhat_operator(clover_links l, bool dagger, vec *const *even, int max_rhs)
{
    const work_count normal = normal_work_on(even[0]);
    const linop base = { NULL, apply_mhat, add_batch_mhat, 1, { normal.flops / 2, normal.bytes / 2 } };
    clover_op op = operator_of(base, l, even, max_rhs);
    op.dagger = dagger;
    return op;
}

/* That of Wilson quarks; each of four products reads its blocks, reads a spinor or two, and writes one. */
work_count clover_normal_work(const lattice_shape *shape, vector_format f, precision p)
{
    const double sites = (double)lattice_half(shape);
    const work_count wilson = wilson_normal_work(shape, f, p);
    const size_t slab = f == VECTOR_NATIVE ? vec_bytes(shape, p, ON_ODD) : vec_format_bytes(shape, f, ON_ODD);
    const size_t blocks = field_bytes_on(shape, ON_EVEN, GHOSTS_NONE, p, CLOVER_REALS);
    return (work_count){ .flops = wilson.flops + (4 * BLOCK_FLOPS + 2 * AXPY_FLOPS) * sites,
                         .bytes = wilson.bytes + 4 * (double)blocks + 10.0 * SLAB_GROUP * (double)slab };
}

/* ---- all sites */

void clover_prepare(vec *rhs, clover_links l, dwf_field v, vec *even)
{
    clover_multiply(even, l.term, true, v.even, 0, NULL);
    hop(rhs, l, -1, false, even);
    vec_axpy(rhs, 1, v.odd);
}

void clover_reconstruct(dwf_field x, clover_links l, dwf_field v, const vec *solution)
{
    hop(x.even, l, -1, false, solution);
    vec_axpy(x.even, 1, v.even);
    clover_multiply(x.even, l.term, true, x.even, 0, NULL);
    if (x.odd != solution)
        vec_copy(x.odd, solution);
}
