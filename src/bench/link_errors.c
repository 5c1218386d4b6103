/* link_errors.c - the error of one application of C, by the number of reals per link that the hop reads. */
#include "src/bench/link_errors.h"

#include "src/operators/clover.h"

/* out <- C v, by links in a format */
static void apply_reading(vec *out, const link_errors_of *of, precision p, link_format reads, const vec *v)
{
    const field *f = &of->u->links;
    hop_links *links = hop_links_create_format(f->lattice, f->where, reads, p, -1);
    failure why;
    require(hop_links_update(links, of->u, &why), "%s", why.why);
    vec *even = spinor_vec_create(f->lattice, ON_EVEN, f->where, p, 1);
    vec *in = spinor_vec_create(f->lattice, ON_ODD, f->where, p, 1);
    vec *result = spinor_vec_create(f->lattice, ON_ODD, f->where, p, 1);
    const clover_op c = clover_mhat_operator(clover_plain_links(links, of->mass), false, &even, 1);
    vec_convert(in, v);
    c.base.apply(&c.base, result, 0, in);
    vec_convert(out, result);
    vec_free(result);
    vec_free(in);
    vec_free(even);
    hop_links_free(links);
}

format_errors link_errors_measure(const link_errors_of *of, precision p, link_format reads, const double *epsilon,
                                  int count)
{
    const field *f = &of->u->links;
    vec *v = spinor_vec_create(f->lattice, ON_ODD, f->where, PRECISION_DOUBLE, 1);
    vec *want = spinor_vec_create(f->lattice, ON_ODD, f->where, PRECISION_DOUBLE, 1);
    vec_set_gaussian(v, of->key, 0);
    apply_reading(want, of, PRECISION_DOUBLE, LINK_12, v);
    apply_reading(v, of, p, reads, v);
    const format_errors e = format_errors_of(v, want, epsilon, count);
    vec_free(want);
    vec_free(v);
    return e;
}
