/* coarse_operator.c - M_c = P^+ M P, column by column, and its even-odd form. */
#include "src/solvers/multigrid/coarse_operator.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/lattice/kernels.h"

MAP_KERNEL(mg_hop);
MAP_KERNEL(mg_set_columns);
MAP_KERNEL(mg_inverse_terms);
MAP_KERNEL(mg_copy_diagonal);
MAP_KERNEL(mg_pivot);
MAP_KERNEL(mg_eliminate);
MAP_KERNEL(mg_unpivot);
SUM_KERNEL(mg_largest_inverse, 0, 1);

enum { GROUP = MG_VECTORS_STEP };          /* columns that are computed together */
enum { INVERSE_TERMS = 4 };
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
    const precision p = t->p;
    coarse_operator *c = memory_alloc(sizeof *c, "a coarse operator");
    c->t = t;
    c->matrices = field_create_ghosts(a->coarse, GHOSTS_NONE, a->where, p, matrix_reals(t->vectors, MG_MATRICES),
                                      "a coarse operator");
    c->inverse = field_create_ghosts(a->coarse, GHOSTS_NONE, a->where, p, matrix_reals(t->vectors, 1),
                                     "a coarse operator");
    c->hats[0] = coarse_hats_create(a->coarse, a->where, p, components(t));
    c->even = transfer_coarse_vec(t, ON_EVEN);
    c->two_kinds = false;
    return c;
}

void coarse_operator_free(coarse_operator *c)
{
    if (!c)
        return;
    field_free(&c->matrices);
    field_free(&c->inverse);
    coarse_hats_free(&c->hats[0]);
    if (c->two_kinds)
        coarse_hats_free(&c->hats[1]);
    vec_free(c->even);
    memory_free(c);
}

size_t coarse_operator_bytes(const lattice_shape *fine, const int block[4], int vectors, precision p)
{
    const lattice_shape shape = aggregates_coarse_shape(fine, block), *coarse = &shape;
    const size_t vector = (size_t)(2 * vectors / 3) * vec_bytes(coarse, p, ON_EVEN);
    return field_bytes_on(coarse, ON_ALL, GHOSTS_NONE, p, matrix_reals(vectors, MG_MATRICES))
           + field_bytes_on(coarse, ON_ALL, GHOSTS_NONE, p, matrix_reals(vectors, 1)) + vector
           + 2 * coarse_hats_bytes(coarse, p, 2 * vectors)
           + 4 * GROUP * SLAB_GROUP * vec_bytes(fine, p, ON_ODD) + 2 * transfer_blocked_bytes(coarse, block, GROUP, p);
}

/* ---- the matrices */

/* A group of columns: vectors first, first + 1, .. of the basis, of one chirality. */
typedef struct { int first, chirality; } column_group;

/* Columns of a group, one in each slice.  columns: basis vectors V; hops: M V in parts, first the terms that leave a
 * block, one direction after another, then the diagonal of M with the terms within blocks; blocked: `hops` in blocked
 * order. */
typedef struct { spinor_field columns, hops; field blocked[2]; } column_scratch;

static void set_group(const column_scratch *s, const transfer *t, column_group g)
{
    for (int k = 0; k < GROUP; k++) {
        vec even = vec_slice(s->columns.even, k), odd = vec_slice(s->columns.odd, k);
        transfer_column((spinor_field){ &even, &odd }, t, g.first + k, g.chirality);
    }
    field_exchange_hops(&s->columns.even->f);
    field_exchange_hops(&s->columns.odd->f);
}

/* hops <- (M without hops) columns */
static void set_diagonals(const column_scratch *s, clover_links l)
{
    for (int k = 0; k < GROUP; k++)
        for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
            vec out = vec_slice(spinor_field_part(s->hops, on), k);
            const vec in = vec_slice(spinor_field_part(s->columns, on), k);
            clover_diagonal(&out, l, &in);
        }
}

/* hops <- the terms of M columns of one direction that leave a block.  direction WITHIN: hops <- hops + the terms of
 * all directions within a block. */
static void add_hops(const column_scratch *s, const transfer *t, clover_links l, column_group g, int direction)
{
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        const vec *to = spinor_field_part(s->hops, on);
        const vec *from = spinor_field_part(s->columns, (parity_set)(ON_EVEN + ON_ODD - on));
        const field *f = &to->f;
        const mg_hop_args args = { .l = lattice_on(f->lattice, f->where), .u = packed_links_view(l.links->links),
                                   .leaves = t->a->leaves, .in = vec_view(from), .y = vec_view(to),
                                   .out = vec_view(to), .scale = HOP_SCALE * l.links->links->unit,
                                   .boundary = l.links->boundary, .phases = l.links->phases, .direction = direction,
                                   .chirality = g.chirality, .with_y = direction == WITHIN };
        run_map(&mg_hop, f->where, f->precision, &args, transfer_parts(lattice_range(f->lattice, on), GROUP));
        transfer_block(&s->blocked[on == ON_ODD], t, to, GROUP, direction);
    }
}

static void set_columns(coarse_operator *c, const column_scratch *s, column_group g, int matrix, int direction)
{
    const transfer *t = c->t;
    const field *f = &c->matrices;
    mg_columns_args args = { .leaves = t->a->leaves, .matrices = field_view_of(f).data, .count = MG_MATRICES,
                             .matrix = matrix, .direction = direction,
                             .first = g.chirality * t->vectors + g.first };
    for (int parity = 0; parity < 2; parity++) {
        args.sites[parity] = aggregates_view(t->a, parity);
        args.basis[parity] = transfer_blocked_view(t, &t->basis[parity], t->vectors);
        args.in[parity] = transfer_blocked_view(t, &s->blocked[parity], GROUP);
    }
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++)
        run_map(&mg_set_columns, f->where, f->precision, &args,
                transfer_parts(lattice_range(f->lattice, on), components(t) / MG_TILE * (GROUP / MG_TILE)));
}

static void compute_columns(coarse_operator *c, clover_links l, column_group g, const column_scratch *s)
{
    set_group(s, c->t, g);
    for (int matrix = 0; matrix < MG_MATRICES; matrix++) {
        const int direction = matrix == MG_DIAGONAL ? WITHIN : matrix;
        if (direction == WITHIN)
            set_diagonals(s, l);
        add_hops(s, c->t, l, g, direction);
        set_columns(c, s, g, matrix, direction);
    }
}

/* D^-1 on one parity; the largest 1 / |pivot| */
static double invert_on(coarse_operator *c, const field *pivots, int parity)
{
    const field *f = &c->inverse;
    const int n = components(c->t);
    const site_range sites = lattice_parity(f->lattice, parity), rows = transfer_parts(sites, n);
    const mg_copy_args copy = { field_view_of(&c->matrices).data, field_view_of(f).data, MG_MATRICES, n };
    mg_invert_args args = { .inverse = field_view_of(f).data, .pivots = field_view_of(pivots).data, .components = n };
    const sum_launch launch = { .where = f->where, .precision = f->precision, .args = &args, .range = sites };
    double largest;
    run_map(&mg_copy_diagonal, f->where, f->precision, &copy, rows);
    for (args.step = 0; args.step < n; args.step++) {
        run_map(&mg_pivot, f->where, f->precision, &args, transfer_parts(sites, 1));
        run_map(&mg_eliminate, f->where, f->precision, &args, rows);
    }
    run_map(&mg_unpivot, f->where, f->precision, &args, rows);
    run_sum(&mg_largest_inverse, f->lattice, &launch, &largest);
    return largest;
}

static bool invert_diagonals(coarse_operator *c, failure *why)
{
    const field *f = &c->inverse;
    field pivots = field_create_ghosts(f->lattice, GHOSTS_NONE, f->where, f->precision, components(c->t) + 1,
                                       "pivots of a coarse operator");
    const double even = invert_on(c, &pivots, 0), odd = invert_on(c, &pivots, 1);
    field_free(&pivots);
    const double worst = even <= INVERSE_MAX ? odd : even;
    return worst <= INVERSE_MAX
           || fail(why, "the coarse operator of multigrid has no inverse on a site: a pivot is %.3g, but at least %.0e "
                        "is needed", 1 / worst, 1 / INVERSE_MAX);
}

/* Without twists M_c^+ = gamma5 M_c gamma5: the preconditioned hops of M_c^+ are those of M_c between two gamma5, and
 * are not stored. */
static void make_hats(coarse_operator *c, clover_links l)
{
    const bool two_kinds = l.term->mu != 0 || l.rho != 0;
    const field *f = &c->matrices;
    if (two_kinds && !c->two_kinds)
        c->hats[1] = coarse_hats_create(f->lattice, f->where, f->precision, components(c->t));
    if (!two_kinds && c->two_kinds)
        coarse_hats_free(&c->hats[1]);
    c->two_kinds = two_kinds;
    for (int dagger = 0; dagger <= two_kinds; dagger++)
        coarse_hats_make(&c->hats[dagger], f, &c->inverse, dagger);
}

static spinor_field fine_group(const transfer *t)
{
    lattice *l = t->a->fine;
    const place where = t->a->where;
    return (spinor_field){ spinor_vec_create(l, ON_EVEN, where, t->p, GROUP),
                           spinor_vec_create(l, ON_ODD, where, t->p, GROUP) };
}

bool coarse_operator_update(coarse_operator *c, clover_links l, failure *why)
{
    const transfer *t = c->t;
    column_scratch s = { fine_group(t), fine_group(t),
                         { transfer_blocked(t->a, GROUP, t->p), transfer_blocked(t->a, GROUP, t->p) } };
    for (int chirality = 0; chirality < 2; chirality++)
        for (int first = 0; first < t->vectors; first += GROUP)
            compute_columns(c, l, (column_group){ first, chirality }, &s);
    spinor_field_free(s.columns);
    spinor_field_free(s.hops);
    field_free(&s.blocked[0]);
    field_free(&s.blocked[1]);
    const bool possible = invert_diagonals(c, why);
    if (possible)
        make_hats(c, l);
    return possible;
}

/* ---- products */

/* out <- D^-1 in, or (D^+)^-1 in */
static void invert(vec *out, const coarse_operator *c, bool dagger, const vec *in)
{
    const transfer *t = c->t;
    const field *f = &out->f;
    const mg_terms_args args = { .inverse = field_view_of(&c->inverse).data, .in = vec_view(in),
                                 .terms = field_view_of(&t->terms).data, .components = components(t),
                                 .count = INVERSE_TERMS, .dagger = dagger };
    run_map(&mg_inverse_terms, f->where, f->precision, &args,
            transfer_parts(lattice_range(f->lattice, f->on), INVERSE_TERMS * (components(t) / 3)));
    transfer_add_terms(out, t, INVERSE_TERMS, NULL);
}

static void hop_with(vec *out, const coarse_operator *c, bool dagger, const vec *in, coarse_terms terms)
{
    const bool own = dagger && c->two_kinds;
    coarse_hats_hop(out, &c->hats[own], dagger && !own, in, &terms);
}

/* out <- scale D^-1 Y in + y; y may be NULL or out */
static void hop(vec *out, const coarse_operator *c, bool dagger, const vec *in, double scale, const vec *y)
{
    hop_with(out, c, dagger, in, (coarse_terms){ .scale = { scale, 0 }, .of_y = { 1, 0 }, .y = y });
}

static void apply_mhat(const linop *base, vec *out, double shift, const vec *in)
{
    const coarse_mhat *m = (const coarse_mhat *)base;
    const coarse_operator *c = m->c;
    hop(c->even, c, m->dagger, in, 1, NULL);
    hop(out, c, m->dagger, c->even, -1, in);
    if (shift != 0)
        vec_axpy(out, shift, in);
}

void coarse_operator_relax(const linop *mhat, vec *x, complex_number u, const vec *b)
{
    const coarse_mhat *m = (const coarse_mhat *)mhat;
    hop(m->c->even, m->c, m->dagger, x, 1, NULL);
    hop_with(x, m->c, m->dagger, m->c->even,
             (coarse_terms){ .scale = u, .of_y = { 1 - u.re, -u.im }, .of_b = u, .y = x, .b = b });
}

coarse_mhat coarse_operator_mhat(const coarse_operator *c, bool dagger)
{
    return (coarse_mhat){ { .apply = apply_mhat, .max_rhs = 1 }, c, dagger };
}

void coarse_operator_prepare(vec *rhs, const coarse_operator *c, bool dagger, spinor_field v)
{
    invert(c->even, c, dagger, v.even);
    invert(rhs, c, dagger, v.odd);
    hop(rhs, c, dagger, c->even, -1, rhs);
}

void coarse_operator_reconstruct(vec *even, const coarse_operator *c, bool dagger, spinor_field v, const vec *odd)
{
    invert(even, c, dagger, v.even);
    hop(even, c, dagger, odd, -1, even);
}
