/* coarse_operator.c - M_c = P^+ M P, column by column, and its even-odd form. */
#include "src/solvers/multigrid/coarse_operator.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/lattice/kernels.h"

#include <math.h>

MAP_KERNEL(mg_hop);
MAP_KERNEL(mg_set_columns);
MAP_KERNEL(mg_coarse_terms);
SUM_KERNEL(mg_invert, 0, 1);

enum { GROUP = MG_VECTORS_STEP };          /* columns that are computed together */
#define HOP (-0.5)                         /* hop = HOP S (clover.h) */
#define WITHIN (-1)                        /* mg_hop_args.direction: hops within a block */
#define INVERSE_MAX 1e10                   /* of 1 / |pivot| */

static int components(const transfer *t)
{
    return 2 * t->vectors;
}

static int matrix_reals(int vectors, int count)
{
    return 2 * count * 2 * vectors * 2 * vectors;
}

coarse_operator *coarse_operator_create(const transfer *t)
{
    const aggregates *a = t->a;
    const precision p = t->array.precision;
    coarse_operator *c = memory_alloc(sizeof *c, "a coarse operator");
    c->t = t;
    c->matrices = field_create_ghosts(a->coarse, GHOSTS_NONE, a->where, p, matrix_reals(t->vectors, MG_MATRICES),
                                      "a coarse operator");
    c->inverse = field_create_ghosts(a->coarse, GHOSTS_NONE, a->where, p, matrix_reals(t->vectors, 1),
                                     "a coarse operator");
    for (int i = 0; i < 2; i++)
        c->even[i] = transfer_coarse_vec(t, ON_EVEN);
    return c;
}

void coarse_operator_free(coarse_operator *c)
{
    if (!c)
        return;
    field_free(&c->matrices);
    field_free(&c->inverse);
    vec_free(c->even[0]);
    vec_free(c->even[1]);
    memory_free(c);
}

size_t coarse_operator_bytes(const lattice_shape *fine, const lattice_shape *coarse, int vectors, precision p)
{
    const size_t vector = (size_t)(2 * vectors / 3) * vec_bytes(coarse, p, ON_EVEN);
    return field_bytes_on(coarse, ON_ALL, GHOSTS_NONE, p, matrix_reals(vectors, MG_MATRICES))
           + field_bytes_on(coarse, ON_ALL, GHOSTS_NONE, p, matrix_reals(vectors, 1)) + 2 * vector
           + 2 * (1 + GROUP) * SLAB_GROUP * vec_bytes(fine, p, ON_ODD);
}

/* ---- the matrices */

/* A group of columns: vectors first, first + 1, .. of the basis, of one chirality. */
typedef struct { int first, chirality; } column_group;

/* one: a basis vector.  hops: M of it without hops, and then with; each column of a group in a slice. */
typedef struct { spinor_field one, hops; } column_scratch;

/* A slice of a vector of spinors as a vector; owns no memory. */
static vec slice_of(const vec *v, int slice)
{
    vec one = *v;
    one.f = field_slab(&v->f, SLAB_GROUP * slice);
    one.f.slabs = SLAB_GROUP;
    one.f.bytes *= SLAB_GROUP;
    return one;
}

/* out <- M without hops */
static void set_diagonals(const column_scratch *s, const transfer *t, clover_links l, column_group g)
{
    for (int k = 0; k < GROUP; k++) {
        transfer_column(s->one, t, g.first + k, g.chirality);
        for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
            vec out = slice_of(spinor_field_part(s->hops, on), k);
            clover_diagonal(&out, l, spinor_field_part(s->one, on));
        }
    }
}

/* out <- terms of M of one direction, or those within blocks, to which `out` is added */
static void add_hops(spinor_field out, const transfer *t, clover_links l, column_group g, int direction)
{
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        const vec *to = spinor_field_part(out, on);
        const vec *from = spinor_field_part(t->basis, (parity_set)(ON_EVEN + ON_ODD - on));
        const field *f = &to->f;
        const mg_hop_args args = { .l = lattice_on(f->lattice, f->where), .u = packed_links_view(l.links->links),
                                   .leaves = t->a->leaves, .basis = vec_view(from), .y = vec_view(to),
                                   .out = vec_view(to), .scale = HOP * l.links->links->unit,
                                   .boundary = l.links->boundary, .phases = l.links->phases, .direction = direction,
                                   .first = g.first, .chirality = g.chirality, .with_y = direction == WITHIN };
        run_map(&mg_hop, f->where, f->precision, &args, transfer_parts(lattice_range(f->lattice, on), GROUP));
    }
}

static void set_columns(coarse_operator *c, column_group g, int matrix, int direction, spinor_field in)
{
    const transfer *t = c->t;
    const field *f = &c->matrices;
    const mg_columns_args args = { .sites = { aggregates_view(t->a, 0), aggregates_view(t->a, 1) },
                                   .basis = { vec_view(t->basis.even), vec_view(t->basis.odd) },
                                   .in = { vec_view(in.even), vec_view(in.odd) }, .leaves = t->a->leaves,
                                   .matrices = field_view_of(f).data, .count = MG_MATRICES, .vectors = t->vectors,
                                   .matrix = matrix, .direction = direction,
                                   .first = g.chirality * t->vectors + g.first };
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++)
        run_map(&mg_set_columns, f->where, f->precision, &args,
                transfer_parts(lattice_range(f->lattice, on), components(t) / MG_TILE * (GROUP / MG_TILE)));
}

static void compute_columns(coarse_operator *c, clover_links l, column_group g, const column_scratch *s)
{
    for (int matrix = 0; matrix < MG_MATRICES; matrix++) {
        const int direction = matrix == MG_DIAGONAL ? WITHIN : matrix;
        if (direction == WITHIN)
            set_diagonals(s, c->t, l, g);
        add_hops(s->hops, c->t, l, g, direction);
        set_columns(c, g, matrix, direction, s->hops);
    }
}

static bool invert_diagonals(coarse_operator *c, failure *why)
{
    const field *f = &c->inverse;
    const mg_invert_args args = { .matrices = field_view_of(&c->matrices).data, .inverse = field_view_of(f).data,
                                  .count = MG_MATRICES, .components = components(c->t) };
    const sum_launch launch = { .where = f->where, .precision = f->precision, .args = &args,
                                .range = lattice_parity(f->lattice, 0) };
    double largest;
    run_sum(&mg_invert, f->lattice, &launch, &largest);
    return largest <= INVERSE_MAX
           || fail(why, "the coarse operator of multigrid has no inverse on a site: a pivot is %.3g", 1 / largest);
}

static spinor_field fine_field(const transfer *t, int slices)
{
    lattice *l = t->a->fine;
    const place where = t->a->where;
    const precision p = t->array.precision;
    return (spinor_field){ spinor_vec_create(l, ON_EVEN, where, p, slices),
                           spinor_vec_create(l, ON_ODD, where, p, slices) };
}

bool coarse_operator_update(coarse_operator *c, clover_links l, failure *why)
{
    const transfer *t = c->t;
    const column_scratch s = { fine_field(t, 1), fine_field(t, GROUP) };
    field_exchange_hops(&t->basis.even->f);
    field_exchange_hops(&t->basis.odd->f);
    for (int chirality = 0; chirality < 2; chirality++)
        for (int first = 0; first < t->vectors; first += GROUP)
            compute_columns(c, l, (column_group){ first, chirality }, &s);
    spinor_field_free(s.one);
    spinor_field_free(s.hops);
    return invert_diagonals(c, why);
}

/* ---- products */

/* The terms of D in, or D_e^-1 in, at each site; NULL: none. */
typedef struct { const field *matrices; int count, matrix; const vec *in; } site_terms;

/* out <- scale (sum of hops of `from`) + site + y; from, site.in, y may be NULL; y may be out */
typedef struct { const vec *from; double scale; site_terms site; const vec *y; } coarse_sum;

static void add_up(vec *out, const coarse_operator *c, bool dagger, coarse_sum s)
{
    const transfer *t = c->t;
    const field *f = &out->f, *matrices = s.from ? &c->matrices : s.site.matrices;
    const terms_sum sum = { .hops = s.from ? MG_DIAGONAL : 0, .others = s.site.in ? MG_CHUNKS : 0, .scale = s.scale,
                            .y = s.y };
    const mg_terms_args args = { .l = lattice_on(f->lattice, f->where), .matrices = field_view_of(matrices).data,
                                 .from = vec_view(s.from ? s.from : s.site.in),
                                 .in = vec_view(s.site.in ? s.site.in : s.from), .terms = field_view_of(&t->terms).data,
                                 .count = s.from ? MG_MATRICES : s.site.count, .components = components(t),
                                 .matrix = s.site.matrix, .hops = sum.hops, .chunks = MG_CHUNKS, .dagger = dagger };
    if (s.from)
        field_exchange_hops(&s.from->f);
    run_map(&mg_coarse_terms, f->where, f->precision, &args,
            transfer_parts(lattice_range(f->lattice, f->on), (sum.hops + sum.others) * (components(t) / 3)));
    transfer_add_terms(out, t, sum);
}

/* D in */
static site_terms diagonal(const coarse_operator *c, const vec *in)
{
    return (site_terms){ &c->matrices, MG_MATRICES, MG_DIAGONAL, in };
}

/* out <- D_e^-1 in */
static void invert(vec *out, const coarse_operator *c, bool dagger, const vec *in)
{
    add_up(out, c, dagger, (coarse_sum){ .site = { &c->inverse, 1, 0, in } });
}

/* out <- scale Y in + y, from one parity to the other */
static void hop(vec *out, const coarse_operator *c, bool dagger, const vec *in, double scale, const vec *y)
{
    add_up(out, c, dagger, (coarse_sum){ .from = in, .scale = scale, .y = y });
}

void coarse_operator_apply(spinor_field out, const coarse_operator *c, bool dagger, spinor_field in)
{
    add_up(out.even, c, dagger, (coarse_sum){ .from = in.odd, .scale = 1, .site = diagonal(c, in.even) });
    add_up(out.odd, c, dagger, (coarse_sum){ .from = in.even, .scale = 1, .site = diagonal(c, in.odd) });
}

static void apply_mhat(const linop *base, vec *out, double shift, const vec *in)
{
    const coarse_mhat *m = (const coarse_mhat *)base;
    const coarse_operator *c = m->c;
    hop(c->even[0], c, m->dagger, in, 1, NULL);
    invert(c->even[1], c, m->dagger, c->even[0]);
    add_up(out, c, m->dagger, (coarse_sum){ .from = c->even[1], .scale = -1, .site = diagonal(c, in) });
    if (shift != 0)
        vec_axpy(out, shift, in);
}

coarse_mhat coarse_operator_mhat(const coarse_operator *c, bool dagger)
{
    return (coarse_mhat){ { .apply = apply_mhat, .max_rhs = 1 }, c, dagger };
}

void coarse_operator_prepare(vec *rhs, const coarse_operator *c, bool dagger, spinor_field v)
{
    invert(c->even[0], c, dagger, v.even);
    hop(rhs, c, dagger, c->even[0], -1, v.odd);
}

void coarse_operator_reconstruct(vec *even, const coarse_operator *c, bool dagger, spinor_field v, const vec *odd)
{
    hop(c->even[0], c, dagger, odd, -1, v.even);
    invert(even, c, dagger, c->even[0]);
}
