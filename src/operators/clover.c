/* clover.c - Wilson quarks, without and with a clover term, a twisted mass or both: products, and operators for
 * solvers. */
#include "src/operators/clover.h"

#include "src/halo/vec_batch.h"
#include "src/lattice/kernels.h"
#include "src/operators/wilson_launch.h"

#include <assert.h>
#include <string.h>

const char *const clover_form_names[] = { "asymmetric", "symmetric", NULL };

MAP_KERNEL_FORMATS(clover_product);
MAP_KERNEL_FORMATS(twisted_product);

/* Flops of a site: a hop; two hermitian 6x6 blocks times a half spinor each; a product with a number, added to a
 * multiple of a spinor (docs/conventions.md). */
enum { HOP_FLOPS = 1320, BLOCK_FLOPS = 552, AXPY_FLOPS = 48 };

clover_links clover_plain_links(const hop_links *links, double mass)
{
    return (clover_links){ .links = links, .mass = mass };
}

/* ---- products */

static void assert_term(const vec *v, const clover_term *t)
{
    assert(v->f.on != ON_ALL && v->f.slabs == SLAB_GROUP);
    assert(clover_term_fits(t, v));
    (void)v, (void)t;
}

static clover_factor adjoint_if(bool dagger, clover_factor by)
{
    by.sign = dagger ? -by.sign : by.sign;
    return by;
}

static const map_kernel *product_kernel(const clover_factor *by, const vec *out)
{
    return clover_factor_is_twisted(by) ? &twisted_product[out->format] : &clover_product[out->format];
}

/* out <- by in + a y; y may be NULL. */
typedef struct { clover_factor by; const vec *in, *y; double a; } product;

static void multiply(vec *out, product p)
{
    const field *f = &out->f;
    const vec *y = p.y ? p.y : out;
    assert(vec_are_alike(p.in, out) && vec_are_alike(y, out));
    const clover_product_args args = { .by = p.by, .out = { vec_view(out) }, .in = { vec_view(p.in) },
                                       .y = { vec_view(y) }, .a = p.y ? p.a : 0 };
    run_map(product_kernel(&p.by, out), f->where, f->precision, &args, lattice_range(f->lattice, f->on));
}

/* out_n <- by in_n */
static void add_batch_product(loop *l, const krylov_batch *b, vec *const *out, const clover_factor *by, vec *const *in)
{
    clover_product_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    args.by = *by;
    for (int n = 0; n < b->count; n++) {
        assert(vec_are_alike(in[n], out[n]));
        args.out[n] = args.y[n] = vec_view(out[n]);
        args.in[n] = vec_view(in[n]);
    }
    loop_add(l, product_kernel(by, out[0]), out[0]->f.precision, &args, sizeof args,
             lattice_range(out[0]->f.lattice, out[0]->f.on));
}

void clover_multiply(vec *out, const clover_term *t, int which, const vec *in, double a, const vec *y)
{
    const bool inverse = which & CLOVER_INVERSE;
    assert_term(out, t);
    assert(!inverse || out->f.on == t->on);
    const clover_factor by = inverse ? clover_term_inverse(t) : clover_term_factor(t, 0);
    multiply(out, (product){ .by = adjoint_if(which & CLOVER_ADJOINT, by), .in = in, .y = y, .a = a });
}

/* The diagonal of M on the sites of one parity: a factor for hop kernels; of plain quarks a number, and no factor. */
typedef struct { bool plain; clover_factor factor; double number; } diagonal;

static diagonal diagonal_of(clover_links l, parity_set on, bool dagger)
{
    if (!l.term)
        return (diagonal){ .plain = true, .number = 4 + l.mass };
    return (diagonal){ .factor = adjoint_if(dagger, clover_term_factor(l.term, on == ON_ODD ? l.rho : 0)) };
}

static const clover_factor *factor_of(const diagonal *t)
{
    return t->plain ? NULL : &t->factor;
}

void clover_diagonal(vec *out, clover_links l, const vec *in)
{
    assert_term(out, l.term);
    multiply(out, (product){ .by = diagonal_of(l, out->f.on, false).factor, .in = in });
}

void clover_apply(spinor_field out, clover_links l, bool dagger, spinor_field in)
{
    const diagonal even = diagonal_of(l, ON_EVEN, dagger), odd = diagonal_of(l, ON_ODD, dagger);
    wilson_hop_with(out.even, l.links, &(wilson_hop_terms){ .scale = HOP_SCALE, .dagger = dagger, .in = in.odd,
                                                            .by = factor_of(&even), .of_y = true, .a = even.number,
                                                            .y = in.even });
    wilson_hop_with(out.odd, l.links, &(wilson_hop_terms){ .scale = HOP_SCALE, .dagger = dagger, .in = in.even,
                                                           .by = factor_of(&odd), .of_y = true, .a = odd.number,
                                                           .y = in.odd });
}

/* The parts of Mhat in, where E = T_e^-1 (of plain quarks 1), O = T_o^-1, both with their twists:
 *     asymmetric   even = E inner S in,       Mhat in = T_o in + outer S even
 *     symmetric    even = E inner S in,       Mhat in = in + O outer S even
 *     its adjoint  even = E^+ inner S^+ O^+ in,   Mhat^+ in = in + outer S^+ even  (first: begin with O^+) */
typedef struct { bool plain, first; clover_factor inverse, odd; double inner, outer; } mhat_hops;

static mhat_hops hops_of(clover_links l, bool dagger)
{
    if (!l.term)
        return (mhat_hops){ .plain = true, .inner = -HOP_SCALE / (4 + l.mass), .outer = HOP_SCALE };
    mhat_hops h = { .inverse = adjoint_if(dagger, clover_term_inverse(l.term)), .inner = HOP_SCALE, .outer = -HOP_SCALE,
                    .first = l.odd && dagger };
    if (l.odd)
        h.odd = adjoint_if(dagger, clover_term_inverse(l.odd));
    return h;
}

static const clover_factor *inverse_of(const mhat_hops *h)
{
    return h->plain ? NULL : &h->inverse;
}

/* How the last hop of Mhat adds y = in: as `by` y (of_y), or as a y with a number a; then `by`, if not NULL, multiplies
 * the hop. */
typedef struct { const clover_factor *by; bool of_y; double a; } mhat_end;

static mhat_end end_of(clover_links l, const mhat_hops *h, const diagonal *t)
{
    if (!l.odd)
        return (mhat_end){ factor_of(t), factor_of(t) != NULL, t->number };
    return (mhat_end){ h->first ? NULL : &h->odd, false, 1 };
}

void clover_hop_even(vec *even, clover_links l, double factor, bool dagger, const vec *odd)
{
    assert(l.term);
    const mhat_hops h = hops_of(l, dagger);
    wilson_hop_with(even, l.links, &(wilson_hop_terms){ .scale = h.inner * factor, .dagger = dagger, .in = odd,
                                                        .by = &h.inverse });
}

void clover_hop_odd(vec *odd, clover_links l, double factor, const vec *even)
{
    assert(l.odd);
    const clover_factor inverse = clover_term_inverse(l.odd);
    wilson_hop_with(odd, l.links, &(wilson_hop_terms){ .scale = HOP_SCALE * factor, .in = even, .by = &inverse });
}

/* out <- Mhat in + shift z */
typedef struct { const vec *in, *z; double shift; bool dagger; } mhat_terms;

static void mhat(vec *out, clover_links l, mhat_terms m, vec *even)
{
    const mhat_hops h = hops_of(l, m.dagger);
    const diagonal odd = diagonal_of(l, ON_ODD, m.dagger);
    const mhat_end end = end_of(l, &h, &odd);
    if (h.first)
        multiply(out, (product){ .by = h.odd, .in = m.in });
    wilson_hop_with(even, l.links, &(wilson_hop_terms){ .scale = h.inner, .dagger = m.dagger,
                                                        .in = h.first ? out : m.in, .by = inverse_of(&h) });
    wilson_hop_with(out, l.links, &(wilson_hop_terms){ .scale = h.outer, .dagger = m.dagger, .in = even, .by = end.by,
                                                       .of_y = end.of_y, .a = end.a, .y = m.in, .z = m.z,
                                                       .shift = m.shift });
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

/* out_n <- Mhat in_n, or Mhat^+ in_n, + shift_n shifted_n */
typedef struct { vec *const *out, *const *in, *const *shifted; bool dagger; } batch_mhat;

static void add_mhat(loop *l, const krylov_batch *b, const clover_op *op, const batch_mhat *m)
{
    const mhat_hops h = hops_of(op->links, m->dagger);
    const diagonal odd = diagonal_of(op->links, ON_ODD, m->dagger);
    const mhat_end end = end_of(op->links, &h, &odd);
    if (h.first)
        add_batch_product(l, b, m->out, &h.odd, m->in);
    wilson_add_batch_hop(l, b, op->links.links, &(wilson_batch_hops){ .out = op->even, .in = h.first ? m->out : m->in,
                                                                      .scale = h.inner, .dagger = m->dagger,
                                                                      .by = inverse_of(&h) });
    wilson_add_batch_hop(l, b, op->links.links, &(wilson_batch_hops){ .out = m->out, .in = op->even, .scale = h.outer,
                                                                      .dagger = m->dagger, .by = end.by,
                                                                      .of_y = end.of_y, .a = end.a, .y = m->in,
                                                                      .shifted = m->shifted });
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
    assert(even[0]->f.slabs == SLAB_GROUP);
    op.base.max_rhs = linop_batch_size(max_rhs);
    for (int n = 0; n < op.base.max_rhs; n++)
        op.even[n] = even[n];
    return op;
}

static work_count normal_work_on(const vec *v, clover_links l)
{
    const lattice_shape *shape = lattice_shape_of(v->f.lattice);
    if (!l.term)
        return clover_plain_work(shape, v->format, v->f.precision);
    if (l.odd)
        return clover_symmetric_work(shape, v->format, v->f.precision, l.term->blocks, l.odd->mu != 0);
    return l.term->mu != 0 || !l.term->blocks
               ? clover_twisted_work(shape, v->format, v->f.precision, l.term->blocks != NULL)
               : clover_normal_work(shape, v->format, v->f.precision);
}

clover_op clover_normal_operator(clover_links l, vec *const *even, vec *const *odd, int max_rhs)
{
    const linop base = { apply_dot, apply, add_batch, 1, normal_work_on(even[0], l) };
    clover_op op = operator_of(base, l, even, max_rhs);
    for (int n = 0; n < op.base.max_rhs; n++)
        op.odd[n] = odd[n];
    return op;
}

/* One Mhat has half the work of Mhat^+ Mhat. */
clover_op clover_mhat_operator(clover_links l, bool dagger, vec *const *even, int max_rhs)
{
    const work_count normal = normal_work_on(even[0], l);
    const linop base = { NULL, apply_mhat, add_batch_mhat, 1, { normal.flops / 2, normal.bytes / 2 } };
    clover_op op = operator_of(base, l, even, max_rhs);
    op.dagger = dagger;
    return op;
}

/* Bytes of spinors: each of the four hops reads one and writes one; the second hops of Mhat and Mhat^+ also read
 * `in`. */
work_count clover_plain_work(const lattice_shape *shape, vector_format f, precision p)
{
    const double sites = (double)lattice_half(shape);
    const size_t slab = f == VECTOR_NATIVE ? vec_bytes(shape, p, ON_ODD) : vec_format_bytes(shape, f, ON_ODD);
    return (work_count){ .flops = 2 * (2 * HOP_FLOPS + AXPY_FLOPS) * sites,
                         .bytes = 10.0 * SLAB_GROUP * (double)slab
                                  + 4 * (double)hop_links_bytes_for(shape, (vec_storage){ f, p }) };
}

/* The work of plain Wilson quarks, and the blocks that each of the four hops also reads. */
work_count clover_normal_work(const lattice_shape *shape, vector_format f, precision p)
{
    const double sites = (double)lattice_half(shape);
    const work_count plain = clover_plain_work(shape, f, p);
    const size_t blocks = clover_blocks_bytes(shape, (vec_storage){ f, p }, ON_EVEN);
    return (work_count){ .flops = plain.flops + (4 * BLOCK_FLOPS + 2 * AXPY_FLOPS) * sites,
                         .bytes = plain.bytes + 4 * (double)blocks };
}

/* Mhat^+ Mhat has four site-diagonal products.  Two have the twist of T; the two with inverses read further blocks,
 * -mu S.  Without blocks all four are products with numbers. */
work_count clover_twisted_work(const lattice_shape *shape, vector_format f, precision p, bool blocks)
{
    const double sites = (double)lattice_half(shape);
    const double of_blocks = (double)clover_blocks_bytes(shape, (vec_storage){ f, p }, ON_EVEN);
    const work_count clover = clover_normal_work(shape, f, p);
    if (blocks)
        return (work_count){ .flops = clover.flops + (2 * BLOCK_FLOPS + 4 * AXPY_FLOPS) * sites,
                             .bytes = clover.bytes + 2 * of_blocks };
    return (work_count){ .flops = clover.flops - (4 * BLOCK_FLOPS - 8 * AXPY_FLOPS) * sites,
                         .bytes = clover.bytes - 4 * of_blocks };
}

/* In the asymmetric form, T_o reads one block, with or without twist; here its inverse reads two with a twist. */
work_count clover_symmetric_work(const lattice_shape *shape, vector_format f, precision p, bool blocks, bool twisted)
{
    const double sites = (double)lattice_half(shape);
    const size_t slab = f == VECTOR_NATIVE ? vec_bytes(shape, p, ON_ODD) : vec_format_bytes(shape, f, ON_ODD);
    work_count w = twisted || !blocks ? clover_twisted_work(shape, f, p, blocks) : clover_normal_work(shape, f, p);
    if (twisted && blocks) {
        w.flops += 2 * BLOCK_FLOPS * sites;
        w.bytes += 2 * (double)clover_blocks_bytes(shape, (vec_storage){ f, p }, ON_ODD);
    }
    w.bytes += 2.0 * SLAB_GROUP * (double)slab;
    return w;
}

/* ---- all sites */

/* out <- scale S in + a y */
static void hop(vec *out, clover_links l, double scale, const vec *in, double a, const vec *y)
{
    wilson_hop_with(out, l.links, &(wilson_hop_terms){ .scale = scale, .in = in, .a = a, .y = y });
}

void clover_prepare(vec *rhs, clover_links l, spinor_field v, vec *even)
{
    if (!l.term) {
        hop(rhs, l, hops_of(l, false).inner, v.even, 1, v.odd);
        return;
    }
    clover_multiply(even, l.term, CLOVER_INVERSE, v.even, 0, NULL);
    hop(rhs, l, -HOP_SCALE, even, 1, v.odd);
    if (l.odd)
        clover_multiply(rhs, l.odd, CLOVER_INVERSE, rhs, 0, NULL);
}

void clover_reconstruct(spinor_field x, clover_links l, spinor_field v, const vec *solution)
{
    if (l.term) {
        hop(x.even, l, -HOP_SCALE, solution, 1, v.even);
        clover_multiply(x.even, l.term, CLOVER_INVERSE, x.even, 0, NULL);
    } else
        hop(x.even, l, hops_of(l, false).inner, solution, 1 / (4 + l.mass), v.even);
    if (x.odd != solution)
        vec_copy(x.odd, solution);
}
