/* clover_force.c - the force of Wilson quarks, without and with a clover term.
 *
 * With t = T_e + i mu gamma5, x_e = -t^-1 hop_eo x_o and y_e = -(t^+)^-1 (hop_oe)^+ y_o:
 *     y_o^+ dMhat x_o = y^+ dM x,  dM = dhop + dT, on all sites
 * In the symmetric form Mhat is s^-1 times this one, s = T_o + i (mu + rho) gamma5: with w_o = (s^+)^-1 y_o in place of
 * y_o, and w_e of w_o,
 *     y_o^+ dMhat x_o = w^+ dM x - w_o^+ dT Mhat x_o = w^+ dhop x + w_e^+ dT x_e + w_o^+ dT (1 - Mhat) x_o
 * and d log |det t| = Tr R dT with R of clover_term.h.  dT = c_sw dA; of an exponential
 * dT = L(c_sw A / (4 + m), c_sw dA) with L of site/block_exponential.h, and, because T commutes with R and Tr dA = 0,
 *     Tr R dT = Tr R T c_sw dA / (4 + m) = -mu^2 Tr S c_sw dA / (4 + m).
 * With open boundaries in t, A of the first and the last slice is 0 for all links, and so are insertions there: x and y
 * are 0, and R and S are multiples of 1, of which Tr R dA is 0. */
#include "src/operators/clover_force.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/kernels/clover_force_args.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL(clover_insertion_pairs);
MAP_KERNEL(clover_insertion_exponential);
MAP_KERNEL(clover_insertion_blocks);
MAP_KERNEL(clover_force_links);

/* What a term needs beside its y and x: w_e and x_e; of the symmetric form w_o and (1 - Mhat) x_o. */
typedef struct { vec *y, *x, *w, *rest; } term_vectors;

struct clover_force {
    clover_form form;
    hop_force *hops;                              /* its field h sums all terms */
    field insertions;
    bool inserted;                                /* since the beginning of a force, by terms with these planes */
    clover_planes planes;
    gauge *wide;                                  /* links converted to double; NULL: they are in double */
    term_vectors term[HOP_TERMS_TOGETHER];           /* NULL where not yet needed */
};

static clover_force *create_force(const gauge *u, clover_form form, int slices)
{
    lattice *l = u->links.lattice;
    const place where = u->links.where;
    clover_force *f = memory_alloc(sizeof *f, "a force of clover quarks");
    f->form = form;
    f->hops = hop_force_create(u, slices);
    f->insertions = field_create_ghosts(l, GHOSTS_SIDES, where, PRECISION_DOUBLE, PLANES_REALS,
                                        "the force of a clover term");
    if (u->links.precision != PRECISION_DOUBLE)
        f->wide = gauge_create(l, where, PRECISION_DOUBLE);
    return f;
}

clover_force *clover_force_create(const gauge *u, clover_form form)
{
    return create_force(u, form, 1);
}

clover_force *clover_force_create_slices(const gauge *u, int slices)
{
    return create_force(u, CLOVER_ASYMMETRIC, slices);
}

void clover_force_free(clover_force *f)
{
    if (!f)
        return;
    for (int n = 0; n < HOP_TERMS_TOGETHER; n++) {
        vec_free(f->term[n].y);
        vec_free(f->term[n].x);
        vec_free(f->term[n].w);
        vec_free(f->term[n].rest);
    }
    gauge_free(f->wide);
    field_free(&f->insertions);
    hop_force_free(f->hops);
    memory_free(f);
}

static const term_vectors *vectors_of_term(clover_force *f, int n)
{
    term_vectors *r = &f->term[n];
    if (!r->y) {
        const field *s = &f->insertions;
        r->y = spinor_vec_create(s->lattice, ON_EVEN, s->where, PRECISION_DOUBLE, 1);
        r->x = spinor_vec_create(s->lattice, ON_EVEN, s->where, PRECISION_DOUBLE, 1);
        if (f->form == CLOVER_SYMMETRIC) {
            r->w = spinor_vec_create(s->lattice, ON_ODD, s->where, PRECISION_DOUBLE, 1);
            r->rest = spinor_vec_create(s->lattice, ON_ODD, s->where, PRECISION_DOUBLE, 1);
        }
    }
    return r;
}

void clover_force_reserve(clover_force *f, int terms)
{
    for (int n = 0; n < hop_terms_together(terms); n++)
        vectors_of_term(f, n);
}

memory_need clover_force_bytes(const lattice_shape *shape, precision links, clover_form form, int terms)
{
    const size_t vectors = form == CLOVER_SYMMETRIC ? 4 : 2;
    const size_t wide = links != PRECISION_DOUBLE ? field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS) : 0;
    return (memory_need){
        .lasting = hop_force_bytes(shape, links, 1, 0).lasting + wide
                   + field_bytes_on(shape, ON_ALL, GHOSTS_SIDES, PRECISION_DOUBLE, PLANES_REALS),
        .shared = vectors * (size_t)hop_terms_together(terms) * SLAB_GROUP
                  * vec_bytes(shape, PRECISION_DOUBLE, ON_EVEN),
    };
}

/* Flops.  A pair: on each site 12 outer products of color vectors, 72 flops each, and 12 sums of 18 numbers.  The end:
 * on each link 6 plaquettes with 8 products of matrices, 198 flops each, and 4 sums of 18 numbers. */
enum { PAIR_FLOPS = 12 * 72 + 12 * 18, END_FLOPS = 6 * (8 * 198 + 4 * 18) };

work_count clover_force_work(const lattice_shape *shape, double pairs)
{
    const double sites = (double)lattice_local_sites(shape), real = sizeof(double);
    const double pair = 2 * PLANES_REALS + 2 * SLAB_GROUP * VEC_REALS;        /* insertions are read and written */
    const double end = 4 * 3 * MATRIX_REALS + PLANES_REALS;                   /* links; h, read and written */
    return (work_count){ .flops = sites * (pairs * PAIR_FLOPS + 4 * END_FLOPS),
                         .bytes = sites * (pairs * pair + end) * real };
}

static planes_view insertions_of(const clover_force *f)
{
    return (planes_view){ field_view_of(&f->insertions).data };
}

void clover_force_begin(clover_force *f)
{
    hop_force_begin(f->hops);
    f->inserted = false;
    field_zero(&f->insertions);
}

/* All terms of a force have the same planes. */
static void mark_inserted(clover_force *f, const clover_term *t)
{
    const clover_planes *p = &t->blocks->planes;
    assert(!f->inserted || (f->planes.space == p->space && f->planes.time == p->time));
    f->inserted = true;
    f->planes = *p;
}

/* The insertions of dS = sum_n c_n Re y_n^+ dT x_n on the sites of one parity */
static void add_insertions(clover_force *f, const clover_term *t, const hop_pair *pairs, int count, parity_set on)
{
    const field *s = &f->insertions;
    if (!t->blocks)
        return;                                       /* T is a number */
    mark_inserted(f, t);
    clover_insertion_pairs_args args = { .out = insertions_of(f) };
    for (int n = 0; n < count; n++) {
        const vec *y = spinor_field_part(pairs[n].left, on), *x = spinor_field_part(pairs[n].right, on);
        for (int slab = 0; slab < x->f.slabs; slab += SLAB_GROUP) {
            assert(args.count < DWF_PAIRS_MAX);
            args.y[args.count] = vec_slab_view(y, slab);
            args.x[args.count] = vec_slab_view(x, slab);
            args.a[args.count++] = pairs[n].c * t->c_sw / 16;
        }
    }
    if (t->kind == CLOVER_EXPONENTIAL) {
        const clover_insertion_exponential_args all = { .pairs = args, .blocks = { field_view_of(&t->blocks->f).data },
                                                        .scale = 1 / (4 + t->mass) };
        run_map(&clover_insertion_exponential, s->where, s->precision, &all, lattice_range(s->lattice, on));
    } else
        run_map(&clover_insertion_pairs, s->where, s->precision, &args, lattice_range(s->lattice, on));
}

/* Adds at most HOP_TERMS_TOGETHER terms. */
static void add_together(clover_force *f, clover_links l, hop_force_terms t)
{
    hop_pair pairs[HOP_TERMS_TOGETHER];
    for (int n = 0; n < t.count; n++) {
        const term_vectors *r = vectors_of_term(f, n);
        vec *left = t.y[n];
        assert(left->f.on == ON_ODD && vec_are_alike(left, t.x[n]));
        if (l.odd) {
            left = r->w;
            clover_multiply(left, l.odd, CLOVER_INVERSE + CLOVER_ADJOINT, t.y[n], 0, NULL);
        }
        clover_hop_even(r->y, l, -1, true, left);
        clover_hop_even(r->x, l, -1, false, t.x[n]);
        pairs[n] = (hop_pair){ 2 * t.c[n], { r->y, left }, { r->x, t.x[n] } };
    }
    hop_force_add_hops(f->hops, l.links, pairs, t.count);
    add_insertions(f, l.term, pairs, t.count, ON_EVEN);
    for (int n = 0; n < t.count && l.odd; n++) {
        pairs[n].right.odd = f->term[n].rest;
        clover_hop_odd(pairs[n].right.odd, l, -1, pairs[n].right.even);
    }
    add_insertions(f, l.term, pairs, t.count, ON_ODD);
}

void clover_force_add(clover_force *f, clover_links l, hop_force_terms t)
{
    for (int done = 0; done < t.count; done += HOP_TERMS_TOGETHER) {
        const int together = hop_terms_together(t.count - done);
        add_together(f, l, (hop_force_terms){ .count = together, .c = t.c + done, .y = t.y + done, .x = t.x + done });
    }
}

void clover_force_add_pairs(clover_force *f, const hop_links *l, const clover_term *t, const hop_pair *pairs,
                            int count)
{
    hop_force_add_hops(f->hops, l, pairs, count);
    add_insertions(f, t, pairs, count, ON_EVEN);
    add_insertions(f, t, pairs, count, ON_ODD);
}

void clover_plain_force_add(hop_force *f, clover_links l, hop_force_terms t)
{
    dwf_matrix m = { .weights = { .Ls = 1 }, .k = fifth_one(1, -0.5 / sqrt(4 + l.mass)) };
    assert(!l.term);
    m.k_transposed = m.k;
    hop_force_add(f, l.links, &m, t);
}

void clover_force_add_log_det(clover_force *f, const clover_term *t, double c)
{
    const field *s = &f->insertions;
    const bool linear = t->kind == CLOVER_LINEAR;
    assert(t->on == ON_EVEN || f->form == CLOVER_SYMMETRIC);
    if (!t->blocks || (!linear && t->mu == 0))
        return;                                       /* the determinant is a constant */
    assert(t->inverse.precision == s->precision && t->inverse.where == s->where);
    mark_inserted(f, t);
    const double mu = t->imaginary ? -t->mu : t->mu;                    /* T^2 S = 1 - mu^2 S */
    const clover_insertion_blocks_args args = { .out = insertions_of(f),
                                                .a = c * t->c_sw / 16 * (linear ? 1 : mu / (4 + t->mass)),
                                                .blocks = { field_view_of(linear ? &t->inverse : &t->twisted).data } };
    run_map(&clover_insertion_blocks, s->where, s->precision, &args, lattice_range(s->lattice, t->on));
}

/* What the insertions add to the sum over the links. */
static void add_insertions_to_links(clover_force *f, const gauge *u)
{
    const field *s = &f->insertions;
    const gauge *links = f->wide ? f->wide : u;
    if (f->wide) {
        field_convert(&f->wide->links, &u->links);
        gauge_forget_derived(f->wide);
    }
    gauge_exchange(links, GHOSTS_SIDES);
    field_exchange(s, GHOSTS_SIDES);
    const clover_force_links_args args = { .l = lattice_on(s->lattice, s->where), .u = gauge_view_of(links),
                                           .h = gauge_view_of(hop_force_sum(f->hops)),
                                           .insertions = insertions_of(f), .planes = f->planes };
    run_map(&clover_force_links, s->where, s->precision, &args, lattice_all(s->lattice));
}

void clover_force_finish(clover_force *f, const gauge *u, momentum *p, double weight, sum_cells size)
{
    assert(u->links.precision == PRECISION_DOUBLE || f->wide);
    if (f->inserted)
        add_insertions_to_links(f, u);
    hop_force_finish(f->hops, u, p, weight, size);
}

void clover_force_finish_hops(clover_force *f, const gauge *u, momentum *p, double weight, sum_cells size)
{
    hop_force_finish(f->hops, u, p, weight, size);
}

/* finish_hops has added the h of the hops to P already, so h starts from zero for the insertions. */
void clover_force_finish_term(clover_force *f, const gauge *u, momentum *p, double weight, sum_cells size)
{
    hop_force_begin(f->hops);
    clover_force_finish(f, u, p, weight, size);
}
