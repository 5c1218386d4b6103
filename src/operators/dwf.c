/* dwf.c - the domain-wall operator on the sites of one parity. */
#include "src/operators/dwf.h"

#include "src/halo/exchange.h"
#include "src/halo/vec_batch.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

MAP_KERNEL_FORMATS_TUNED(dwf_hop_sites);
MAP_KERNEL_FORMATS(dwf_fifth_sites);
MAP_KERNEL_FORMATS_BESIDE(dwf_batch_hop);

enum { SPINS = SLAB_GROUP };

/* Flops of a site and slice: a hop; adding a multiple of a spinor (docs/conventions.md). */
enum { HOP_FLOPS = 1320, AXPY_FLOPS = 48 };

static fifth_table times(const fifth_table *k, double factor, int Ls)
{
    fifth_table t = *k;
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < Ls; s++) {
            t.d[c][s] *= factor;
            t.e[c][s] *= factor;
            t.h[c][s] *= factor;
        }
    return t;
}

dwf_matrix dwf_matrix_of(const dwf_weights *w, double mass, fifth_corner corner)
{
    dwf_matrix m = { .weights = *w, .mass = mass, .corner = corner };
    bool scaled = corner.strength == 0;
    for (int s = 0; s < w->Ls; s++)
        scaled &= w->b[s] > 0;
    for (int s = 0; s < w->Ls; s++)
        m.s[s] = scaled ? sqrt(w->b[s]) : 1;
    m.k = scaled ? fifth_k_scaled(w, mass, corner, -0.5) : fifth_k(w, mass, corner, -0.5);
    m.minus_k = times(&m.k, -1, w->Ls);
    m.k_transposed = fifth_transposed(&m.k, w->Ls);
    return m;
}

static int slices_of(const vec *v)
{
    return v->f.slabs / SPINS;
}

static void assert_hops(const vec *out, const hop_links *l, const vec *in)
{
    assert(out->f.on != ON_ALL && in->f.on != ON_ALL && out->f.on != in->f.on && out->f.slabs == in->f.slabs);
    assert(out->f.precision == in->f.precision && out->format == in->format);
    assert(l->links->f.precision == in->f.precision && l->links->f.where == in->f.where);
    assert(l->links->format == LINK_12);
    (void)out, (void)l, (void)in;
}

/* The sites of one slab, for kernels that loop over the slices. */
static site_range sites_of(const vec *v)
{
    return lattice_range(v->f.lattice, v->f.on);
}

/* The four slabs (spins) of one slice, for kernels that do not read neighbors. */
static site_range spins_of(const vec *v)
{
    return lattice_slabs(v->f.lattice, v->f.on, SPINS);
}

void dwf_hop_with(vec *out, const hop_links *l, const dwf_hop_terms *t)
{
    const field *f = &out->f;
    const vec *y = t->y, *z = t->z;
    assert_hops(out, l, t->in);
    assert(!y || (vec_are_alike(y, out) && y->f.data != f->data));
    assert(!z || (vec_are_alike(z, out) && z->f.data != f->data));
    dwf_hop_args args = {
        .l = lattice_on(f->lattice, f->where), .u = packed_links_view(l->links), .out = vec_view(out),
        .in = vec_view(t->in), .y = vec_view(y ? y : out), .z = vec_view(z ? z : out), .a = y ? t->a : 0,
        .b = z ? t->b : 0, .boundary = l->boundary, .phases = l->phases, .dagger = t->dagger, .Ls = slices_of(out),
        .k = *t->k,
    };
    field_exchange_hops(&t->in->f);
    run_map(&dwf_hop_sites[out->format], f->where, f->precision, &args, sites_of(out));
}

void dwf_hop(vec *out, const hop_links *l, bool dagger, const vec *in)
{
    fifth_table half = fifth_one(slices_of(out), -0.5);
    dwf_hop_with(out, l, &(dwf_hop_terms){ .k = &half, .dagger = dagger, .in = in });
}

void dwf_fifth(vec *out, const fifth_table *k, const vec *in)
{
    const field *f = &out->f;
    assert(vec_are_alike(out, in));
    dwf_fifth_args args = { vec_view(out), vec_view(in), slices_of(out), *k };
    run_map(&dwf_fifth_sites[out->format], f->where, f->precision, &args, spins_of(out));
}

void dwf_add_fifth(loop *l, vec *out, const fifth_table *k, const vec *in)
{
    const field *f = &out->f;
    dwf_fifth_args args;
    memset(&args, 0, sizeof args);
    args.out = vec_view(out);
    args.in = vec_view(in);
    args.Ls = slices_of(out);
    args.k = *k;
    assert(vec_are_alike(out, in));
    loop_add(l, &dwf_fifth_sites[out->format], f->precision, &args, sizeof args, spins_of(out));
}

void dwf_c(vec *out, const hop_links *l, const dwf_matrix *m, const vec *in, vec *even)
{
    dwf_hop_with(even, l, &(dwf_hop_terms){ .k = &m->k, .in = in });
    dwf_hop_with(out, l, &(dwf_hop_terms){ .k = &m->minus_k, .in = even, .a = 1, .y = in });
}

/* The first of the two hops of C^+:  even <- -(1/2) K^T hop_oe^+ K^T in */
static void first_of_c_dagger(vec *even, const hop_links *l, const dwf_matrix *m, const vec *in, vec *odd)
{
    dwf_fifth(odd, &m->k_transposed, in);
    dwf_hop_with(even, l, &(dwf_hop_terms){ .k = &m->k_transposed, .dagger = true, .in = odd });
}

void dwf_c_dagger(vec *out, const hop_links *l, const dwf_matrix *m, const vec *in, vec *even, vec *odd)
{
    fifth_table minus = fifth_one(slices_of(out), -1);
    first_of_c_dagger(even, l, m, in, odd);
    dwf_hop_with(out, l, &(dwf_hop_terms){ .k = &minus, .dagger = true, .in = even, .a = 1, .y = in });
}

static void apply(const linop *base, vec *out, double shift, const vec *in)
{
    const dwf_op *op = (const dwf_op *)base;
    vec *c = op->odd[0][0], *even = op->even[0];
    fifth_table minus = fifth_one(slices_of(out), -1);
    dwf_c(c, op->links, &op->matrix, in, even);
    first_of_c_dagger(even, op->links, &op->matrix, c, op->odd[0][1]);
    dwf_hop_with(out, op->links, &(dwf_hop_terms){ .k = &minus, .dagger = true, .in = even, .a = 1, .y = c,
                                                     .b = shift, .z = in });
}

static double apply_dot(const linop *base, vec *out, double shift, const vec *in, double guess)
{
    (void)guess;
    apply(base, out, shift, in);               /* afterwards odd[0][0] has the vector C * in */
    return shift == 0 ? vec_norm2(((const dwf_op *)base)->odd[0][0]) : vec_dot(in, out).re;
}

void dwf_add_batch_hop(loop *l, const krylov_batch *b, const hop_links *links, const dwf_batch_hops *h)
{
    const field *f = &h->out[0]->f;
    dwf_batch_hop_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    args.l = lattice_on(f->lattice, f->where);
    args.u = packed_links_view(links->links);
    args.a = h->y ? h->a : 0;
    args.boundary = links->boundary;
    args.phases = links->phases;
    args.dagger = h->dagger;
    args.with_shift = h->shifted != NULL;
    args.has_second = h->second != NULL;
    args.Ls = slices_of(h->out[0]);
    args.k = *h->k;
    if (h->second)
        args.k2 = *h->k2;
    for (int n = 0; n < b->count; n++) {
        assert_hops(h->out[n], links, h->in[n]);
        args.out[n] = vec_view(h->out[n]);
        args.in[n] = vec_view(h->in[n]);
        args.y[n] = vec_view(h->y ? h->y[n] : h->out[n]);
        args.z[n] = vec_view(h->shifted ? h->shifted[n] : h->out[n]);
        if (h->second)
            args.second[n] = vec_view(h->second[n]);
    }
    const loop_hop hop = { &dwf_batch_hop[h->out[0]->format], h->out[0], h->in, b->count, 1 };
    loop_add_hop(l, &hop, &args, sizeof args);
}

static void add_batch(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const dwf_op *op = (const dwf_op *)base;
    const dwf_matrix *m = &op->matrix;
    vec *c[BATCH_MAX_RHS], *second[BATCH_MAX_RHS];
    fifth_table minus = fifth_one(m->weights.Ls, -1);
    assert(b->count <= base->max_rhs);
    for (int n = 0; n < b->count; n++) {
        c[n] = op->odd[n][0];
        second[n] = op->odd[n][1];
    }
    const dwf_batch_hops hops[] = {
        { .out = op->even, .in = p, .k = &m->k },
        { .out = c, .in = op->even, .k = &m->minus_k, .a = 1, .y = p, .second = second, .k2 = &m->k_transposed },
        { .out = op->even, .in = second, .k = &m->k_transposed, .dagger = true },
        { .out = q, .in = op->even, .k = &minus, .dagger = true, .a = 1, .y = c, .shifted = p },
    };
    for (size_t i = 0; i < sizeof hops / sizeof *hops; i++)
        dwf_add_batch_hop(l, b, op->links, &hops[i]);
    vec_batch_curvature(l, b, c, p, q);
}

dwf_op dwf_normal_operator(const hop_links *l, const dwf_matrix *m, vec *const *even, vec *const (*odd)[2],
                           int max_rhs)
{
    const vec *v = even[0];
    dwf_op op = { .base = { apply_dot, apply, add_batch, 1,
                             dwf_normal_work(lattice_shape_of(v->f.lattice), m->weights.Ls, v->format,
                                              v->f.precision) },
                   .links = l, .matrix = *m };
    assert(slices_of(v) == m->weights.Ls);
    op.base.max_rhs = linop_batch_size(max_rhs);
    for (int n = 0; n < op.base.max_rhs; n++) {
        op.even[n] = even[n];
        op.odd[n][0] = odd[n][0];
        op.odd[n][1] = odd[n][1];
    }
    return op;
}

/* Spinors: each of the four hops reads one and writes one, 8 in all.  C reads p once more, C^+ reads C p once more, and
 * the hop that makes C p also writes a second vector made from it: 11. */
work_count dwf_normal_work(const lattice_shape *shape, int Ls, vector_format f, precision p)
{
    double sites = (double)lattice_half(shape);
    size_t one = f == VECTOR_NATIVE ? vec_bytes(shape, p, ON_ODD) : vec_format_bytes(shape, f, ON_ODD);
    double spinor = (double)one * SPINS * Ls, links = (double)hop_links_bytes(shape, p);
    double flops = 2 * (2 * HOP_FLOPS + 2 * 24.0 * (2 * Ls - 1) + AXPY_FLOPS / 2);
    return (work_count){ .flops = flops * sites * Ls, .bytes = 11 * spinor + 4 * links };
}

/* ---- all sites */

/* Powers as rank 0 of the lattice rounds them: processors may differ. */
static fifth_table x_with_corner(const dwf_matrix *m, double factor, const lattice *l)
{
    const int Ls = m->weights.Ls, c = m->corner.chirality;
    fifth_table x = fifth_x(&m->weights, m->mass, factor);
    if (m->corner.strength == 0)
        return x;
    for (int s = 0; s < Ls; s++)
        x.h[c][s] += factor * m->corner.strength * pow(-m->corner.ratio, c == 0 ? s : Ls - 1 - s);
    comm_broadcast(lattice_comm(l), x.h[c], (size_t)Ls * sizeof x.h[c][0]);
    return x;
}

void dwf_apply(spinor_field out, const hop_links *l, const dwf_matrix *m, bool dagger, spinor_field in,
               spinor_field work)
{
    const int Ls = m->weights.Ls;
    fifth_table x = x_with_corner(m, 1, in.even->f.lattice), y = fifth_y(&m->weights, m->mass, -0.5),
                half = fifth_one(Ls, -0.5);
    if (dagger) {
        x = fifth_transposed(&x, Ls);
        y = fifth_transposed(&y, Ls);
        dwf_fifth(work.even, &x, in.even);
        dwf_fifth(work.odd, &x, in.odd);
        dwf_hop_with(out.even, l, &(dwf_hop_terms){ .k = &y, .dagger = true, .in = in.odd, .a = 1, .y = work.even });
        dwf_hop_with(out.odd, l, &(dwf_hop_terms){ .k = &y, .dagger = true, .in = in.even, .a = 1, .y = work.odd });
        return;
    }
    y = fifth_y(&m->weights, m->mass, 1);
    dwf_fifth(work.odd, &y, in.odd);
    dwf_fifth(work.even, &x, in.even);
    dwf_hop_with(out.even, l, &(dwf_hop_terms){ .k = &half, .in = work.odd, .a = 1, .y = work.even });
    dwf_fifth(work.even, &y, in.even);
    dwf_fifth(work.odd, &x, in.odd);
    dwf_hop_with(out.odd, l, &(dwf_hop_terms){ .k = &half, .in = work.even, .a = 1, .y = work.odd });
}

/* The table K s^-1 = s^-1 Y X^-1, times `factor`: the last factor of a right-hand side (dwf_prepare). */
static fifth_table k_of_source(const dwf_matrix *m, double factor)
{
    fifth_table k = fifth_k(&m->weights, m->mass, m->corner, factor);
    double left[SLICES_MAX], right[SLICES_MAX];
    for (int s = 0; s < m->weights.Ls; s++) {
        left[s] = 1 / m->s[s];
        right[s] = 1;
    }
    return fifth_scaled(&k, left, right, m->weights.Ls);
}

void dwf_prepare(vec *rhs, const hop_links *l, const dwf_matrix *m, spinor_field v, vec *even)
{
    const int Ls = m->weights.Ls;
    fifth_table inner = fifth_k(&m->weights, m->mass, m->corner, 1), outer = k_of_source(m, 1);
    fifth_table half = fifth_one(Ls, 0.5);
    dwf_fifth(even, &inner, v.even);
    dwf_hop_with(rhs, l, &(dwf_hop_terms){ .k = &half, .in = even, .a = 1, .y = v.odd });
    dwf_fifth(rhs, &outer, rhs);
}

void dwf_reconstruct(spinor_field x, const hop_links *l, const dwf_matrix *m, spinor_field v, const vec *solution,
                      vec *even)
{
    const int Ls = m->weights.Ls;
    fifth_table inverse = fifth_x_inverse(&m->weights, m->mass, m->corner, 1), y = fifth_y(&m->weights, m->mass, 1);
    fifth_table half = fifth_one(Ls, 0.5), z = fifth_one(Ls, 1);
    memcpy(z.d[0], m->s, sizeof m->s);
    memcpy(z.d[1], m->s, sizeof m->s);
    dwf_fifth(x.odd, &z, solution);
    dwf_hop_with(x.even, l, &(dwf_hop_terms){ .k = &half, .in = x.odd, .a = 1, .y = v.even });
    dwf_fifth(x.even, &inverse, x.even);
    dwf_fifth(even, &y, x.even);
    dwf_hop_with(x.odd, l, &(dwf_hop_terms){ .k = &half, .in = even, .a = 1, .y = v.odd });
    dwf_fifth(x.odd, &inverse, x.odd);
}
