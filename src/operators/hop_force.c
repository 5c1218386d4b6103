/* hop_force.c - the force of quarks whose C is made of Wilson hops: derivatives of the hops.
 *
 * C = 1 - K hop_oe K hop_eo, K real, hop = -S/2 and k = -K/2 (dwf.h):
 *     Re y^+ dC x = 2 Re a^+ dhop_oe b + 2 Re e^+ dhop_eo x,    a = k^T y,  b = k S_eo x,  e = k^T S_oe^+ a.
 * For dS = c Re left^+ dhop right a link gathers, at its lower end and on either parity,
 *     h_mu(x) += -(c/4) ((1 - gamma_mu) left(x)) right(x+mu)^+  or  -(c/4) right(x) ((1 + gamma_mu) left(x+mu))^+. */
#include "src/operators/hop_force.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/kernels/staggered_args.h"
#include "src/operators/wilson_launch.h"

#include <assert.h>

MAP_KERNEL_TUNED(dwf_force_sites);
SUM_KERNEL(chain_end, 1, 1);

/* What a term needs beside its y and x: a on odd sites, b and e on even ones. */
typedef struct { vec *a, *b, *e; } term_vectors;

struct hop_force {
    gauge *h;                                      /* in double */
    gauge *rounded;                                /* h in the precision of the links, where that is another; or NULL */
    int Ls;
    term_vectors term[HOP_TERMS_TOGETHER];           /* NULL where not yet needed */
};

hop_force *hop_force_create(const gauge *u, int Ls)
{
    hop_force *f = memory_alloc(sizeof *f, "a force of Wilson hops");
    f->h = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    if (u->links.precision != PRECISION_DOUBLE)
        f->rounded = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    f->Ls = Ls;
    return f;
}

void hop_force_free(hop_force *f)
{
    if (!f)
        return;
    for (int n = 0; n < HOP_TERMS_TOGETHER; n++) {
        vec_free(f->term[n].a);
        vec_free(f->term[n].b);
        vec_free(f->term[n].e);
    }
    gauge_free(f->rounded);
    gauge_free(f->h);
    memory_free(f);
}

memory_need hop_force_bytes(const lattice_shape *shape, precision links, int Ls, int terms)
{
    return (memory_need){ .lasting = field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS)
                                     + (links != PRECISION_DOUBLE ? field_bytes(shape, links, GAUGE_REALS) : 0),
                          .shared = 3 * (size_t)hop_terms_together(terms) * (size_t)(SLAB_GROUP * Ls)
                                    * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD) };
}

void hop_force_begin(hop_force *f)
{
    field_zero(&f->h->links);
}

/* dS = sum_n c_n Re left_n^+ dhop right_n, all left ones on the same parity */
static void add_hops(hop_force *f, const hop_links *l, const double *c, const vec *const *left,
                     const vec *const *right, int count)
{
    const field *links = &f->h->links;
    dwf_force_args args = { .l = lattice_on(links->lattice, links->where), .h = gauge_view_of(f->h), .count = count,
                             .Ls = f->Ls, .boundary = l->boundary, .phases = l->phases };
    for (int n = 0; n < count; n++) {
        assert(vec_are_alike(left[n], left[0]) && vec_are_alike(right[n], right[0]));
        args.left[n] = vec_view(left[n]);
        args.right[n] = vec_view(right[n]);
        args.a[n] = -c[n] / 4;
    }
    assert(count <= DWF_PAIRS_MAX && left[0]->f.on != ON_ALL && right[0]->f.on == (ON_EVEN + ON_ODD) - left[0]->f.on);
    assert(left[0]->f.slabs == SLAB_GROUP * f->Ls && right[0]->f.slabs == left[0]->f.slabs);
    assert(left[0]->format == VECTOR_NATIVE && left[0]->f.precision == links->precision);
    for (int n = 0; n < count; n++) {
        field_exchange_hops(&left[n]->f);
        field_exchange_hops(&right[n]->f);
    }
    for (int parity = 0; parity < 2; parity++) {
        args.left_is_here = left[0]->f.on == (parity ? ON_ODD : ON_EVEN);
        run_map(&dwf_force_sites, links->where, links->precision, &args, lattice_parity(links->lattice, parity));
    }
}

static const term_vectors *vectors_of_term(hop_force *f, int n)
{
    term_vectors *r = &f->term[n];
    if (!r->a) {
        const field *h = &f->h->links;
        r->a = spinor_vec_create(h->lattice, ON_ODD, h->where, h->precision, f->Ls);
        r->b = spinor_vec_create(h->lattice, ON_EVEN, h->where, h->precision, f->Ls);
        r->e = spinor_vec_create(h->lattice, ON_EVEN, h->where, h->precision, f->Ls);
    }
    return r;
}

void hop_force_reserve(hop_force *f, int terms)
{
    for (int n = 0; n < hop_terms_together(terms); n++)
        vectors_of_term(f, n);
}

/* out <- K S in, or K S^+ in.  Wilson quarks have one slice, a number for K, and a hop of their own. */
static void hop_times(vec *out, const hop_links *l, const fifth_table *k, bool dagger, const vec *in)
{
    if (in->f.slabs == SLAB_GROUP)
        wilson_hop_with(out, l, &(wilson_hop_terms){ .scale = k->d[0][0], .dagger = dagger, .in = in });
    else
        dwf_hop_with(out, l, &(dwf_hop_terms){ .k = k, .dagger = dagger, .in = in });
}

/* Adds at most HOP_TERMS_TOGETHER terms. */
static void add_together(hop_force *f, const hop_links *l, const dwf_matrix *m, hop_force_terms t)
{
    const vec *a[HOP_TERMS_TOGETHER], *b[HOP_TERMS_TOGETHER], *e[HOP_TERMS_TOGETHER], *odd[HOP_TERMS_TOGETHER];
    double four_c[HOP_TERMS_TOGETHER];                       /* 2 of "2 Re", 2 of both products */
    for (int n = 0; n < t.count; n++) {
        const term_vectors *r = vectors_of_term(f, n);
        dwf_fifth(r->a, &m->k_transposed, t.y[n]);
        hop_times(r->b, l, &m->k, false, t.x[n]);
        hop_times(r->e, l, &m->k_transposed, true, r->a);
        a[n] = r->a;
        b[n] = r->b;
        e[n] = r->e;
        odd[n] = t.x[n];
        four_c[n] = 4 * t.c[n];
    }
    add_hops(f, l, four_c, a, b, t.count);
    add_hops(f, l, four_c, e, odd, t.count);
}

void hop_force_add(hop_force *f, const hop_links *l, const dwf_matrix *m, hop_force_terms t)
{
    assert(m->weights.Ls == f->Ls);
    for (int done = 0; done < t.count; done += HOP_TERMS_TOGETHER) {
        const int together = hop_terms_together(t.count - done);
        add_together(f, l, m, (hop_force_terms){ .count = together, .c = t.c + done, .y = t.y + done,
                                                .x = t.x + done });
    }
}

void hop_force_add_hop(hop_force *f, const hop_links *l, double c, spinor_field left, spinor_field right)
{
    hop_force_add_hops(f, l, &(hop_pair){ c, left, right }, 1);
}

void hop_force_add_hops(hop_force *f, const hop_links *l, const hop_pair *pairs, int count)
{
    double c[HOP_TERMS_TOGETHER];
    const vec *left[2][HOP_TERMS_TOGETHER], *right[2][HOP_TERMS_TOGETHER];
    assert(count <= HOP_TERMS_TOGETHER);
    for (int n = 0; n < count; n++) {
        c[n] = pairs[n].c;
        left[0][n] = pairs[n].left.even;
        left[1][n] = pairs[n].left.odd;
        right[0][n] = pairs[n].right.even;
        right[1][n] = pairs[n].right.odd;
    }
    add_hops(f, l, c, left[1], right[0], count);
    add_hops(f, l, c, left[0], right[1], count);
}

gauge *hop_force_sum(hop_force *f)
{
    return f->h;
}

void hop_force_finish(hop_force *f, const gauge *u, momentum *p, double weight, sum_cells size)
{
    const field *links = &u->links;
    const gauge *h = f->rounded ? f->rounded : f->h;
    assert(links->precision == h->links.precision && p->f.precision == links->precision);
    if (f->rounded)
        field_convert(&f->rounded->links, &f->h->links);
    chain_end_args args = { lattice_on(links->lattice, links->where), gauge_view_of(u), gauge_view_of(h),
                            momentum_view_of(p), weight };
    const sum_launch sum = { .where = links->where, .precision = links->precision, .args = &args,
                             .range = lattice_all(links->lattice) };
    run_sum_into(&chain_end, &sum, size);
}
