/* dirac_errors.c - the error of one application of C by the storage of vectors and links. */
#include "src/bench/dirac_errors.h"

#include "src/base/memory.h"

/* The links after storing them in a format, with arithmetic in this precision; release with gauge_free. */
static gauge *stored_links(const gauge *u, link_format f, precision p)
{
    lattice *l = u->links.lattice;
    gauge *stored = gauge_create(l, u->links.where, PRECISION_DOUBLE);
    packed_links *packed = link_format_is_fixed(f) ? packed_links_create(l, u->links.where, f)
                                                   : packed_links_create_precision(l, u->links.where, f, p);
    failure why;
    require(packed_links_set(packed, u, &why), "%s", why.why);
    packed_links_unpack(stored, packed);
    gauge_reunitarize(stored);
    packed_links_free(packed);
    return stored;
}

/* C v, computed in a storage with links u, rounded to `out`. */
static void apply_in(vec *out, const dirac_errors_of *of, const gauge *u, vec_storage in, const vec *v)
{
    const dirac_kind *kind = of->plan->kind;
    dirac_operator *d = dirac_create(of->plan, u, false);
    vec *work[1][DIRAC_WORK_VECTORS];
    failure why;
    kind->open(d, in);
    require(dirac_update(d, u, &why), "%s", why.why);
    for (int k = 0; k < kind->work_vectors; k++)
        work[0][k] = dirac_vec_create(d, kind->work[k], in);
    vec *low = dirac_vec_create(d, kind->home, in), *result = dirac_vec_create(d, kind->home, in);
    dirac_matrix *m = kind->matrix(d, 0);
    linop *c = kind->square(d, in, m, false, (vec *const (*)[DIRAC_WORK_VECTORS])work, 1);
    vec_convert(low, v);
    c->apply(c, result, 0, low);
    vec_convert(out, result);
    memory_free(c);
    memory_free(m);
    vec_free(result);
    vec_free(low);
    for (int k = 0; k < kind->work_vectors; k++)
        vec_free(work[0][k]);
    dirac_free(d);
}

format_errors dirac_errors_measure(const dirac_errors_of *of, format_pair in, link_format links, const double *epsilon,
                                   int count)
{
    const gauge *u = of->u;
    const field *f = &u->links;
    const vec_storage full = { VECTOR_NATIVE, PRECISION_DOUBLE };
    const parity_set home = of->plan->kind->home;
    gauge *stored = links == LINK_NATIVE ? NULL : stored_links(u, links, in.computed.precision);
    vec *v = vec_create_stored(f->lattice, home, f->where, full, of->plan->slabs);
    vec *want = vec_create_stored(f->lattice, home, f->where, full, of->plan->slabs);
    vec *low = vec_create_stored(f->lattice, home, f->where, in.stored, of->plan->slabs);
    vec_set_gaussian(v, of->key, 0);
    apply_in(want, of, u, full, v);
    vec_convert(low, v);
    apply_in(low, of, stored ? stored : u, in.computed, low);
    const format_errors e = format_errors_of(low, want, epsilon, count);
    vec_free(low);
    vec_free(want);
    vec_free(v);
    gauge_free(stored);
    return e;
}
