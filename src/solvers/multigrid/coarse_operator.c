/* coarse_operator.c - M_c = P^+ M P, column by column, and its even-odd form. */
#include "src/solvers/multigrid/coarse_operator.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/lattice/kernels.h"

#include <math.h>

MAP_KERNEL(mg_hop);
MAP_KERNEL(mg_set_matrix_column);
MAP_KERNEL(mg_coarse_hop);
MAP_KERNEL(mg_coarse_site);
SUM_KERNEL(mg_invert, 0, 1);

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

size_t coarse_operator_bytes(const lattice_shape *coarse, int vectors, precision p)
{
    const size_t vector = (size_t)(2 * vectors / 3) * vec_bytes(coarse, p, ON_EVEN);
    return field_bytes_on(coarse, ON_ALL, GHOSTS_NONE, p, matrix_reals(vectors, MG_MATRICES))
           + field_bytes_on(coarse, ON_ALL, GHOSTS_NONE, p, matrix_reals(vectors, 1)) + 2 * vector;
}

/* ---- the matrices */

/* out <- terms of M in of one direction, or those within blocks without T, to which `out` is added */
static void add_hops(spinor_field out, const coarse_operator *c, clover_links l, spinor_field in, int direction)
{
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        const vec *to = spinor_field_part(out, on), *from = spinor_field_part(in, (parity_set)(ON_EVEN + ON_ODD - on));
        const field *f = &to->f;
        const mg_hop_args args = { .l = lattice_on(f->lattice, f->where), .u = packed_links_view(l.links->links),
                                   .leaves = c->t->a->leaves, .in = vec_view(from), .y = vec_view(to),
                                   .out = vec_view(to), .scale = HOP * l.links->links->unit,
                                   .boundary = l.links->boundary, .phases = l.links->phases, .direction = direction,
                                   .with_y = direction == WITHIN };
        run_map(&mg_hop, f->where, f->precision, &args, lattice_range(f->lattice, on));
    }
}

static void set_column(coarse_operator *c, int matrix, int column, spinor_field in)
{
    const field *f = &c->matrices;
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        const vec *v = spinor_field_part(in, on);
        const mg_matrix_column_args args = { .in = vec_view(v), .matrices = field_view_of(f).data,
                                             .count = MG_MATRICES, .components = components(c->t), .matrix = matrix,
                                             .column = column };
        run_map(&mg_set_matrix_column, f->where, f->precision, &args, vec_sites(v));
    }
}

/* fine: scratch for the basis vector and its image; coarse: for a column */
typedef struct { spinor_field in, out, coarse; } column_scratch;

static void compute_column(coarse_operator *c, clover_links l, int column, const column_scratch *s)
{
    const transfer *t = c->t;
    transfer_column(s->in, t, column % t->vectors, column / t->vectors);
    field_exchange_hops(&s->in.even->f);
    field_exchange_hops(&s->in.odd->f);
    for (int matrix = 0; matrix < MG_MATRICES; matrix++) {
        const bool diagonal = matrix == MG_DIAGONAL;
        if (diagonal) {
            clover_diagonal(s->out.even, l, s->in.even);
            clover_diagonal(s->out.odd, l, s->in.odd);
        }
        add_hops(s->out, c, l, s->in, diagonal ? WITHIN : matrix);
        transfer_restrict(s->coarse, t, s->out.even, false);
        transfer_restrict(s->coarse, t, s->out.odd, true);
        set_column(c, matrix, column, s->coarse);
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

static vec *fine_vec(const transfer *t, parity_set on)
{
    return spinor_vec_create(t->a->fine, on, t->a->where, t->array.precision, 1);
}

bool coarse_operator_update(coarse_operator *c, clover_links l, failure *why)
{
    const transfer *t = c->t;
    const column_scratch s = { { fine_vec(t, ON_EVEN), fine_vec(t, ON_ODD) },
                               { fine_vec(t, ON_EVEN), fine_vec(t, ON_ODD) }, transfer_coarse_field(t) };
    for (int column = 0; column < components(t); column++)
        compute_column(c, l, column, &s);
    spinor_field_free(s.in);
    spinor_field_free(s.out);
    spinor_field_free(s.coarse);
    return invert_diagonals(c, why);
}

/* ---- products */

/* out <- scale matrix in + y, or with its adjoint; y may be out or NULL */
typedef struct {
    const field *matrices;
    int count, matrix;
    bool dagger;
    double scale;
    const vec *in, *y;
} coarse_product;

static void multiply(const map_kernel *k, vec *out, const coarse_operator *c, const coarse_product *p)
{
    const field *f = &out->f;
    const mg_coarse_args args = { .l = lattice_on(f->lattice, f->where), .matrices = field_view_of(p->matrices).data,
                                  .in = vec_view(p->in), .y = vec_view(p->y ? p->y : out), .out = vec_view(out),
                                  .count = p->count, .components = components(c->t), .matrix = p->matrix,
                                  .scale = p->scale, .dagger = p->dagger, .with_y = p->y != NULL };
    run_map(k, f->where, f->precision, &args, vec_sites(out));
}

/* out <- D in */
static void diagonal(vec *out, const coarse_operator *c, bool dagger, const vec *in)
{
    multiply(&mg_coarse_site, out, c, &(coarse_product){ .matrices = &c->matrices, .count = MG_MATRICES,
                                                         .matrix = MG_DIAGONAL, .dagger = dagger, .scale = 1,
                                                         .in = in });
}

/* out <- D_e^-1 in */
static void inverse(vec *out, const coarse_operator *c, bool dagger, const vec *in)
{
    multiply(&mg_coarse_site, out, c, &(coarse_product){ .matrices = &c->inverse, .count = 1, .dagger = dagger,
                                                         .scale = 1, .in = in });
}

/* out <- scale Y in + y, from one parity to the other */
typedef struct { bool dagger; double scale; const vec *in, *y; } hop_terms;

static void hop(vec *out, const coarse_operator *c, hop_terms h)
{
    field_exchange_hops(&h.in->f);
    multiply(&mg_coarse_hop, out, c, &(coarse_product){ .matrices = &c->matrices, .count = MG_MATRICES,
                                                        .dagger = h.dagger, .scale = h.scale, .in = h.in, .y = h.y });
}

void coarse_operator_apply(spinor_field out, const coarse_operator *c, bool dagger, spinor_field in)
{
    diagonal(out.even, c, dagger, in.even);
    diagonal(out.odd, c, dagger, in.odd);
    hop(out.even, c, (hop_terms){ dagger, 1, in.odd, out.even });
    hop(out.odd, c, (hop_terms){ dagger, 1, in.even, out.odd });
}

static void apply_mhat(const linop *base, vec *out, double shift, const vec *in)
{
    const coarse_mhat *m = (const coarse_mhat *)base;
    const coarse_operator *c = m->c;
    hop(c->even[0], c, (hop_terms){ m->dagger, 1, in, NULL });
    inverse(c->even[1], c, m->dagger, c->even[0]);
    diagonal(out, c, m->dagger, in);
    hop(out, c, (hop_terms){ m->dagger, -1, c->even[1], out });
    if (shift != 0)
        vec_axpy(out, shift, in);
}

coarse_mhat coarse_operator_mhat(const coarse_operator *c, bool dagger)
{
    return (coarse_mhat){ { .apply = apply_mhat, .max_rhs = 1 }, c, dagger };
}

void coarse_operator_prepare(vec *rhs, const coarse_operator *c, bool dagger, spinor_field v)
{
    inverse(c->even[0], c, dagger, v.even);
    hop(rhs, c, (hop_terms){ dagger, -1, c->even[0], v.odd });
}

void coarse_operator_reconstruct(vec *even, const coarse_operator *c, bool dagger, spinor_field v, const vec *odd)
{
    hop(c->even[0], c, (hop_terms){ dagger, -1, odd, v.even });
    inverse(even, c, dagger, c->even[0]);
}
