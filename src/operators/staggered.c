/* staggered.c - the staggered Dirac operator on colour vectors. */
#include "src/operators/staggered.h"

#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL(staggered_hop_sites);
SUM_KERNEL(staggered_normal, 2, 0);

/* Flops of a site: SU(3) matrix times vector, sum of two vectors, factor times vector added to one. */
enum { MATRIX_VECTOR = 66, VECTOR_SUM = 6, VECTOR_AXPY = 12 };

static staggered_terms terms_of(const staggered_links *s, int set)
{
    return (staggered_terms){ staggered_fat(s, set), staggered_naik(s), staggered_naik_coefficient(s, set) };
}

static staggered_args args_of(vec *out, staggered_terms t, const vec *in)
{
    const field *f = &out->f;
    bool naik = t.naik && t.coefficient != 0;
    assert(f->on == (in->f.on == ON_ALL ? ON_ALL : in->f.on == ON_EVEN ? ON_ODD : ON_EVEN));
    assert(f->precision == in->f.precision && f->precision == t.fat->links.precision);
    return (staggered_args){ .l = lattice_on(f->lattice, f->where), .fat = gauge_view_of(t.fat),
                             .naik_links = gauge_view_of(naik ? t.naik : t.fat), .out = vec_view(out),
                             .in = vec_view(in), .naik = naik ? t.coefficient : 0 };
}

void staggered_hop_with(vec *out, staggered_terms t, const vec *in)
{
    const field *f = &out->f;
    staggered_args args = args_of(out, t, in);
    run_map(&staggered_hop_sites, f->where, f->precision, &args, lattice_range(f->lattice, f->on));
}

void staggered_hop(vec *out, const staggered_links *s, int set, const vec *in)
{
    staggered_hop_with(out, terms_of(s, set), in);
}

/* between <- D in; what is left to do: out <- shift in - D between */
static staggered_args first_hop(const staggered_normal_op *k, vec *out, double shift, const vec *in)
{
    staggered_terms t = k->links ? terms_of(k->links, k->set) : k->given;
    assert(out->f.on == in->f.on && out->f.data != in->f.data);
    staggered_hop_with(k->between, t, in);
    staggered_args args = args_of(out, t, k->between);
    args.y = vec_view(in);
    args.a = shift;
    return args;
}

static double apply_dot(const linop *op, vec *out, double shift, const vec *in, double guess)
{
    const field *f = &out->f;
    staggered_args args = first_hop((const staggered_normal_op *)op, out, shift, in);
    double bound = sum_bound_guessed(guess), sums[2];
    run_sum_once(&staggered_normal, f->lattice, f->where, f->precision, &args, lattice_range(f->lattice, f->on), bound,
                 sums);
    return sum_is_fine(sums[0], bound) ? sums[0] : vec_dot(in, out).re;           /* NaN is not fine */
}

static void apply(const linop *op, vec *out, double shift, const vec *in)
{
    const field *f = &out->f;
    staggered_args args = first_hop((const staggered_normal_op *)op, out, shift, in);
    sum_cell *unread = lattice_sum_scratch(f->lattice, f->where);
    sum_cells_zero(unread, f->where, staggered_normal.sums);
    run_sum_into(&staggered_normal, VARIANT_BEST, f->where, f->precision, &args, lattice_range(f->lattice, f->on),
                 unread);
}

/* Two hops, each reads every link once, one vector, and writes one; the second reads `in` again. */
static work_count work_of(bool naik, const int extents[4], precision p)
{
    double volume = (double)extents[0] * extents[1] * extents[2] * extents[3];
    int terms = naik ? 2 : 1, products = 8 * terms;
    double flops = volume * (products * MATRIX_VECTOR + (products - 1) * VECTOR_SUM) + volume / 2 * VECTOR_AXPY;
    double reals = 2 * volume * terms * GAUGE_REALS + 5 * volume / 2 * VEC_REALS;
    return (work_count){ .flops = flops, .bytes = reals * (double)precision_bytes(p) };
}

work_count staggered_normal_work(const staggered_links_params *p, const int extents[4], precision prec)
{
    return work_of(p->kind != STAGGERED_NAIVE, extents, prec);
}

static staggered_normal_op operator_of(staggered_terms t, vec *between)
{
    const field *f = &between->f;
    bool naik = t.naik && t.coefficient != 0;
    assert(f->on != ON_ALL);
    return (staggered_normal_op){ .base = { apply_dot, apply, work_of(naik, lattice_extents(f->lattice),
                                                                      f->precision) },
                                  .between = between };
}

staggered_normal_op staggered_normal_operator_with(staggered_terms t, vec *between)
{
    staggered_normal_op k = operator_of(t, between);
    k.given = t;
    return k;
}

staggered_normal_op staggered_normal_operator(const staggered_links *s, int set, vec *between)
{
    staggered_normal_op k = operator_of(terms_of(s, set), between);
    k.links = s;
    k.set = set;
    return k;
}
