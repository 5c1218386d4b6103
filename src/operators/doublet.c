/* doublet.c - a non-degenerate doublet of twisted-mass quarks: products, and operators for solvers. */
#include "src/operators/doublet.h"

#include "src/halo/vec_batch.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

MAP_KERNEL_FORMATS(doublet_product);

enum { SLICES = DOUBLET_FLAVORS, SLABS = SLICES * SLAB_GROUP };

/* Flops of a site and flavor, as in clover.c: two hermitian 6x6 blocks times a half spinor each; a number times a
 * spinor, added to another. */
enum { BLOCK_FLOPS = 552, AXPY_FLOPS = 48 };

double doublet_mu(doublet_mus mus)
{
    return sqrt(fabs((mus.sigma - mus.delta) * (mus.sigma + mus.delta)));
}

/* ---- plain quarks */

/* The elements of A at flavor f on chirality c: A v = (A_01 v_1, A_10 v_0) */
static double mixing(doublet_mus mus, int c, int f)
{
    return mus.delta + (c == f ? mus.sigma : -mus.sigma);
}

/* factor (T - A) S as a matrix of the fifth dimension: its walk goes upwards on chirality 0, downwards on 1. */
static fifth_table table_of(double mass, doublet_mus mus, double factor)
{
    const double t = 4 + mass, s = 1 / (t * t + (mus.sigma - mus.delta) * (mus.sigma + mus.delta));
    fifth_table k = fifth_one(SLICES, factor * t * s);
    k.diagonal = false;
    for (int c = 0; c < 2; c++) {
        const int first = c, last = 1 - c;
        k.a[c][first] = 1;
        k.e[c][last] = -factor * s * mixing(mus, c, last);
        k.g[c][last] = 1;
        k.h[c][first] = -factor * s * mixing(mus, c, first);
    }
    return k;
}

dwf_matrix doublet_plain_matrix(double mass, doublet_mus mus)
{
    dwf_matrix m = { .weights = { .Ls = SLICES }, .mass = mass };
    m.k = table_of(mass, mus, HOP_SCALE);
    m.minus_k = table_of(mass, mus, -HOP_SCALE);
    m.k_transposed = fifth_transposed(&m.k, SLICES);
    return m;
}

/* ---- products */

static doublet_factor factor_of(doublet_links l, int which)
{
    const bool inverse = which & CLOVER_INVERSE, adjoint = which & CLOVER_ADJOINT;
    const clover_factor of = inverse ? clover_term_inverse(l.term) : clover_term_factor(l.term, 0);
    doublet_factor by = { .blocks = of.blocks, .diagonal = of.diagonal, .other = 1 };
    double unit = 1;                                  /* A is this times `other` */
    if (inverse) {
        assert(l.term->mu != 0 || l.mus.sigma == 0);
        by.other_blocks = of.twisted;
        by.other = of.twist;
        unit = l.term->mu != 0 ? 1 / l.term->mu : 0;
    }
    for (int c = 0; c < 2; c++)
        for (int f = 0; f < SLICES; f++)
            by.w[c][f] = unit * mixing(l.mus, adjoint ? 1 - c : c, f);
    return by;
}

static void assert_product(const vec *out, doublet_links l, int which)
{
    const clover_term *t = l.term;
    assert(out->f.on != ON_ALL && out->f.slabs == SLABS);
    assert(clover_term_fits(t, out));
    assert(!t->blocks || !(which & CLOVER_INVERSE) || out->f.on == t->on);
    (void)out, (void)which, (void)t;
}

void doublet_multiply(vec *out, doublet_links l, int which, const vec *in, double a, const vec *given)
{
    const field *f = &out->f;
    const vec *y = given ? given : out;
    assert_product(out, l, which);
    assert(vec_are_alike(in, out) && vec_are_alike(y, out));
    const doublet_product_args args = { .by = factor_of(l, which), .out = { vec_view(out) }, .in = { vec_view(in) },
                                        .y = { vec_view(y) }, .a = given ? a : 0 };
    run_map(&doublet_product[out->format], f->where, f->precision, &args, lattice_range(f->lattice, f->on));
}

/* out_n <- B in_n + a out_n, B selected by `which` (doublet_multiply) */
typedef struct { vec *const *out, *const *in; int which; double a; } batch_product;

static void add_batch_product(loop *l, const krylov_batch *b, doublet_links links, const batch_product *p)
{
    const vec *first = p->out[0];
    doublet_product_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    args.by = factor_of(links, p->which);
    args.a = p->a;
    for (int n = 0; n < b->count; n++) {
        assert_product(p->out[n], links, p->which);
        assert(vec_are_alike(p->in[n], p->out[n]));
        args.out[n] = args.y[n] = vec_view(p->out[n]);
        args.in[n] = vec_view(p->in[n]);
    }
    loop_add(l, &doublet_product[first->format], first->f.precision, &args, sizeof args,
             lattice_range(first->f.lattice, first->f.on));
}

/* out <- factor hop in + b z, or with the adjoint of the hop */
static void hop(vec *out, doublet_links l, double factor, bool dagger, const vec *in, double b, const vec *z)
{
    const fifth_table k = fifth_one(SLICES, HOP_SCALE * factor);
    dwf_hop_with(out, l.links, &(dwf_hop_terms){ .k = &k, .dagger = dagger, .in = in, .b = b, .z = z });
}

static int adjoint_if(bool dagger)
{
    return dagger ? CLOVER_ADJOINT : 0;
}

void doublet_apply(spinor_field out, doublet_links l, bool dagger, spinor_field in)
{
    hop(out.even, l, 1, dagger, in.odd, 0, NULL);
    hop(out.odd, l, 1, dagger, in.even, 0, NULL);
    doublet_multiply(out.even, l, CLOVER_T + adjoint_if(dagger), in.even, 1, out.even);
    doublet_multiply(out.odd, l, CLOVER_T + adjoint_if(dagger), in.odd, 1, out.odd);
}

void doublet_hop_even(vec *even, doublet_links l, double factor, bool dagger, const vec *odd)
{
    hop(even, l, factor, dagger, odd, 0, NULL);
    doublet_multiply(even, l, CLOVER_INVERSE + adjoint_if(dagger), even, 0, NULL);
}

/* With a clover term:  out <- C in + shift z */
typedef struct { const vec *in, *z; double shift; bool dagger; } c_terms;

static void clover_c(vec *out, doublet_links l, c_terms t, vec *even)
{
    doublet_hop_even(even, l, 1, t.dagger, t.in);
    hop(out, l, -1, t.dagger, even, t.shift, t.z);
    doublet_multiply(out, l, CLOVER_T + adjoint_if(t.dagger), t.in, 1, out);
}

void doublet_c(vec *out, doublet_links l, bool dagger, const vec *in, vec *even, vec *odd)
{
    if (!l.plain)
        clover_c(out, l, (c_terms){ .in = in, .dagger = dagger }, even);
    else if (dagger)
        dwf_c_dagger(out, l.links, l.plain, in, even, odd);
    else
        dwf_c(out, l.links, l.plain, in, even);
}

/* ---- for solvers, with a clover term */

static void apply(const linop *base, vec *out, double shift, const vec *in)
{
    const doublet_op *op = (const doublet_op *)base;
    clover_c(op->odd[0], op->links, (c_terms){ .in = in }, op->even[0]);
    clover_c(out, op->links, (c_terms){ .in = op->odd[0], .z = in, .shift = shift, .dagger = true }, op->even[0]);
}

static double apply_dot(const linop *base, vec *out, double shift, const vec *in, double guess)
{
    (void)guess;
    apply(base, out, shift, in);               /* leaves C in behind */
    return shift == 0 ? vec_norm2(((const doublet_op *)base)->odd[0]) : vec_dot(in, out).re;
}

/* out_n <- C in_n, or C^+ in_n, + shift_n shifted_n */
typedef struct { vec *const *out, *const *in, *const *shifted; bool dagger; } batch_c;

static void add_c(loop *l, const krylov_batch *b, const doublet_op *op, const batch_c *c)
{
    const fifth_table inner = fifth_one(SLICES, HOP_SCALE), outer = fifth_one(SLICES, -HOP_SCALE);
    const int adjoint = adjoint_if(c->dagger);
    dwf_add_batch_hop(l, b, op->links.links, &(dwf_batch_hops){ .out = op->even, .in = c->in, .k = &inner,
                                                                .dagger = c->dagger });
    add_batch_product(l, b, op->links, &(batch_product){ op->even, op->even, CLOVER_INVERSE + adjoint, 0 });
    dwf_add_batch_hop(l, b, op->links.links, &(dwf_batch_hops){ .out = c->out, .in = op->even, .k = &outer,
                                                                .dagger = c->dagger, .shifted = c->shifted });
    add_batch_product(l, b, op->links, &(batch_product){ c->out, c->in, CLOVER_T + adjoint, 1 });
}

static void add_batch(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const doublet_op *op = (const doublet_op *)base;
    assert(b->count <= base->max_rhs);
    add_c(l, b, op, &(batch_c){ .out = op->odd, .in = p });
    add_c(l, b, op, &(batch_c){ .out = q, .in = op->odd, .shifted = p, .dagger = true });
    vec_batch_curvature(l, b, op->odd, p, q);
}

static void apply_square(const linop *base, vec *out, double shift, const vec *in)
{
    const doublet_op *op = (const doublet_op *)base;
    clover_c(out, op->links, (c_terms){ .in = in, .z = in, .shift = shift, .dagger = op->dagger }, op->even[0]);
}

static void add_batch_square(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const doublet_op *op = (const doublet_op *)base;
    assert(b->count <= base->max_rhs);
    add_c(l, b, op, &(batch_c){ .out = q, .in = p, .shifted = p, .dagger = op->dagger });
}

static doublet_op operator_of(linop base, doublet_links l, vec *const *even, int max_rhs)
{
    doublet_op op = { .base = base, .links = l };
    assert(even[0]->f.slabs == SLABS && !l.plain);
    op.base.max_rhs = linop_batch_size(max_rhs);
    for (int n = 0; n < op.base.max_rhs; n++)
        op.even[n] = even[n];
    return op;
}

static work_count normal_work_on(const vec *v)
{
    return doublet_normal_work(lattice_shape_of(v->f.lattice), v->format, v->f.precision);
}

doublet_op doublet_normal(doublet_links l, vec *const *even, vec *const *odd, int max_rhs)
{
    doublet_op op = operator_of((linop){ apply_dot, apply, add_batch, 1, normal_work_on(even[0]) }, l, even, max_rhs);
    for (int n = 0; n < op.base.max_rhs; n++)
        op.odd[n] = odd[n];
    return op;
}

/* Half the work of C^+C. */
doublet_op doublet_square(doublet_links l, bool dagger, vec *const *even, int max_rhs)
{
    const work_count normal = normal_work_on(even[0]);
    const linop base = { NULL, apply_square, add_batch_square, 1, { normal.flops / 2, normal.bytes / 2 } };
    doublet_op op = operator_of(base, l, even, max_rhs);
    op.dagger = dagger;
    return op;
}

/* Spinors of two flavors: a hop reads one and writes one, E^-1 also, E reads two and writes one; blocks: E^-1 reads
 * two, E one. */
work_count doublet_normal_work(const lattice_shape *shape, vector_format f, precision p)
{
    const double sites = (double)lattice_half(shape);
    const double spinor = (double)SLABS * (double)vec_stored_bytes(shape, (vec_storage){ f, p }, ON_ODD);
    const double blocks = (double)clover_blocks_bytes(shape, (vec_storage){ f, p }, ON_EVEN);
    const double hops = 2 * 1320, products = 3 * BLOCK_FLOPS + 3 * AXPY_FLOPS;
    return (work_count){ .flops = 2 * SLICES * (hops + products) * sites,
                         .bytes = 2 * (9 * spinor + 3 * blocks) + 4 * (double)hop_links_bytes(shape, p) };
}

/* ---- all sites */

void doublet_prepare(vec *rhs, doublet_links l, spinor_field v, vec *even)
{
    doublet_multiply(even, l, CLOVER_INVERSE, v.even, 0, NULL);
    hop(rhs, l, -1, false, even, 1, v.odd);
    if (l.plain)
        doublet_multiply(rhs, l, CLOVER_INVERSE, rhs, 0, NULL);
}

void doublet_reconstruct(spinor_field x, doublet_links l, spinor_field v, const vec *solution)
{
    hop(x.even, l, -1, false, solution, 1, v.even);
    doublet_multiply(x.even, l, CLOVER_INVERSE, x.even, 0, NULL);
    if (x.odd != solution)
        vec_copy(x.odd, solution);
}
