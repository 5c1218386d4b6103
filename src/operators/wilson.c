/* wilson.c - Wilson quarks: the operator on all sites, and on those of one parity.
 *
 * The force:  dMhat = -d(K hop_oe K hop_eo) with K = (4 + m)^-1/2: that of C in hop_force.h, with one slice. */
#include "src/operators/wilson.h"

#include "src/halo/vec_batch.h"
#include "src/operators/wilson_launch.h"

#include <assert.h>
#include <math.h>

/* Flops of a site: a hop; its product with a number, added to a multiple of a spinor (docs/conventions.md). */
enum { HOP_FLOPS = 1320, AXPY_FLOPS = 48 };

/* Mhat = 4 + m + OUTER S_oe inner S_eo, inner S = -hop / (4 + m), OUTER S = hop */
#define OUTER (-0.5)

static double inner_of(double mass)
{
    return 0.5 / (4 + mass);
}

void wilson_apply(spinor_field out, const hop_links *l, double mass, bool dagger, spinor_field in)
{
    wilson_hop_with(out.even, l, &(wilson_hop_terms){ .scale = OUTER, .dagger = dagger, .in = in.odd, .a = 4 + mass,
                                                      .y = in.even });
    wilson_hop_with(out.odd, l, &(wilson_hop_terms){ .scale = OUTER, .dagger = dagger, .in = in.even, .a = 4 + mass,
                                                     .y = in.odd });
}

void wilson_mhat(vec *out, const hop_links *l, double mass, bool dagger, const vec *in, vec *even)
{
    wilson_hop_with(even, l, &(wilson_hop_terms){ .scale = inner_of(mass), .dagger = dagger, .in = in });
    wilson_hop_with(out, l, &(wilson_hop_terms){ .scale = OUTER, .dagger = dagger, .in = even, .a = 4 + mass,
                                                 .y = in });
}

static void apply(const linop *base, vec *out, double shift, const vec *in)
{
    const wilson_op *op = (const wilson_op *)base;
    vec *mhat = op->odd[0], *even = op->even[0];
    wilson_mhat(mhat, op->links, op->mass, false, in, even);
    wilson_hop_with(even, op->links, &(wilson_hop_terms){ .scale = inner_of(op->mass), .dagger = true, .in = mhat });
    wilson_hop_with(out, op->links, &(wilson_hop_terms){ .scale = OUTER, .dagger = true, .in = even,
                                                         .a = 4 + op->mass, .y = mhat, .shift = shift, .z = in });
}

static double apply_dot(const linop *base, vec *out, double shift, const vec *in, double guess)
{
    (void)guess;
    apply(base, out, shift, in);               /* leaves Mhat in behind */
    return shift == 0 ? vec_norm2(((const wilson_op *)base)->odd[0]) : vec_dot(in, out).re;
}

static void add_batch(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const wilson_op *op = (const wilson_op *)base;
    const double a = 4 + op->mass, inner = inner_of(op->mass);
    const wilson_batch_hops hops[] = {
        { .out = op->even, .in = p, .scale = inner },
        { .out = op->odd, .in = op->even, .scale = OUTER, .a = a, .y = p },
        { .out = op->even, .in = op->odd, .scale = inner, .dagger = true },
        { .out = q, .in = op->even, .scale = OUTER, .dagger = true, .a = a, .y = op->odd, .shifted = p },
    };
    assert(b->count <= base->max_rhs);
    for (size_t i = 0; i < sizeof hops / sizeof *hops; i++)
        wilson_add_batch_hop(l, b, op->links, &hops[i]);
    vec_batch_curvature(l, b, op->odd, p, q);
}

static void apply_mhat(const linop *base, vec *out, double shift, const vec *in)
{
    const wilson_op *op = (const wilson_op *)base;
    wilson_hop_with(op->even[0], op->links, &(wilson_hop_terms){ .scale = inner_of(op->mass), .dagger = op->dagger,
                                                                 .in = in });
    wilson_hop_with(out, op->links, &(wilson_hop_terms){ .scale = OUTER, .dagger = op->dagger, .in = op->even[0],
                                                         .a = 4 + op->mass, .y = in, .shift = shift, .z = in });
}

static void add_batch_mhat(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const wilson_op *op = (const wilson_op *)base;
    assert(b->count <= base->max_rhs);
    wilson_add_batch_hop(l, b, op->links, &(wilson_batch_hops){ .out = op->even, .in = p,
                                                                .scale = inner_of(op->mass), .dagger = op->dagger });
    wilson_add_batch_hop(l, b, op->links, &(wilson_batch_hops){ .out = q, .in = op->even, .scale = OUTER,
                                                                .dagger = op->dagger, .a = 4 + op->mass, .y = p,
                                                                .shifted = p });
}

static wilson_op operator_of(linop base, const hop_links *l, double mass, vec *const *even, int max_rhs)
{
    wilson_op op = { .base = base, .links = l, .mass = mass };
    assert(even[0]->f.slabs == SLAB_GROUP);
    op.base.max_rhs = 1;
    while (2 * op.base.max_rhs <= max_rhs && 2 * op.base.max_rhs <= BATCH_MAX_RHS)
        op.base.max_rhs *= 2;
    for (int n = 0; n < op.base.max_rhs; n++)
        op.even[n] = even[n];
    return op;
}

static work_count normal_work_on(const vec *v)
{
    return wilson_normal_work(lattice_shape_of(v->f.lattice), v->format, v->f.precision);
}

wilson_op wilson_operator(const hop_links *l, double mass, vec *const *even, vec *const *odd, int max_rhs)
{
    const linop base = { apply_dot, apply, add_batch, 1, normal_work_on(even[0]) };
    wilson_op op = operator_of(base, l, mass, even, max_rhs);
    for (int n = 0; n < op.base.max_rhs; n++)
        op.odd[n] = odd[n];
    return op;
}

/* Half the work of Mhat^+ Mhat. */
wilson_op wilson_mhat_operator(const hop_links *l, double mass, bool dagger, vec *const *even, int max_rhs)
{
    const work_count normal = normal_work_on(even[0]);
    const linop base = { NULL, apply_mhat, add_batch_mhat, 1, { normal.flops / 2, normal.bytes / 2 } };
    wilson_op op = operator_of(base, l, mass, even, max_rhs);
    op.dagger = dagger;
    return op;
}

/* Spinors: each of four hops reads one and writes one; Mhat and its adjoint read theirs again. */
work_count wilson_normal_work(const lattice_shape *shape, vector_format f, precision p)
{
    double sites = (double)lattice_half(shape);
    size_t slab = f == VECTOR_NATIVE ? vec_bytes(shape, p, ON_ODD) : vec_format_bytes(shape, f, ON_ODD);
    return (work_count){ .flops = 2 * (2 * HOP_FLOPS + AXPY_FLOPS) * sites,
                         .bytes = 10.0 * SLAB_GROUP * (double)slab
                                  + 4 * (double)hop_links_bytes_for(shape, (vec_storage){ f, p }) };
}

void wilson_prepare(vec *rhs, const hop_links *l, double mass, bool dagger, spinor_field v)
{
    wilson_hop_with(rhs, l, &(wilson_hop_terms){ .scale = inner_of(mass), .dagger = dagger, .in = v.even, .a = 1,
                                                 .y = v.odd });
}

void wilson_reconstruct(spinor_field x, const hop_links *l, double mass, bool dagger, spinor_field v,
                        const vec *solution)
{
    wilson_hop_with(x.even, l, &(wilson_hop_terms){ .scale = inner_of(mass), .dagger = dagger, .in = solution,
                                                    .a = 1 / (4 + mass), .y = v.even });
    if (x.odd != solution)
        vec_copy(x.odd, solution);
}

void wilson_force_add(hop_force *f, const hop_links *l, double mass, hop_force_terms t)
{
    dwf_matrix m = { .weights = { .Ls = 1 }, .k = fifth_one(1, -0.5 / sqrt(4 + mass)) };
    m.k_transposed = m.k;
    hop_force_add(f, l, &m, t);
}
