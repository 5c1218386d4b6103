/* mg_transfer.c - between fine and coarse vectors of multigrid. */
#define OVER_SLABS
#include "src/kernels/mg_site.h"

SITE_FN cplx load_component(const void *array, const place_of *o, int component)
{
    cplx z;
    z.re = load_real(array, o, 2 * component);
    z.im = load_real(array, o, 2 * component + 1);
    return z;
}

SITE_MAP(mg_restrict, mg_restrict_args, a, x)
{
    const site here = in_first_slab(x);
    const term_place t = term_of(x, 2 * a->vectors);
    const int chirality = t.first >= a->vectors, v = t.first - chirality * a->vectors;
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int row = a->sites.rows * t.term / a->count; row < a->sites.rows * (t.term + 1) / a->count; row++) {
        const site fine = site_follow(a->sites.fine + (size_t)row * a->sites.stride, here);
        UNROLL_LOOP
        for (int i = 0; i < 2; i++) {
            const int spin = 2 * chirality + i;
            const color_vector psi = load_vector(&a->in, site_in_slab(&a->in, spin, fine));
            UNROLL_LOOP
            for (int j = 0; j < 3; j++) {
                const color_vector b = load_vector(&a->basis, site_in_slab(&a->basis, SPINS * (v + j) + spin, fine));
                UNROLL_LOOP
                for (int k = 0; k < 3; k++)
                    sum.c[j] = cplx_conj_mad(b.c[k], psi.c[k], sum.c[j]);
            }
        }
    }
    store_term(a->terms, 2 * a->vectors, t, here, sum);
}

SITE_MAP(mg_gather, mg_gather_args, a, x)
{
    const int first = 3 * (x.before / a->in.slab_sites);
    const color_vector v = load_vector(&a->in, x);
    const place_of o = find(in_first_slab(x), a->reals);
    UNROLL_LOOP
    for (int j = 0; j < 3; j++) {
        store_real(a->array, &o, 2 * (first + j), v.c[j].re);
        store_real(a->array, &o, 2 * (first + j) + 1, v.c[j].im);
    }
}

SITE_MAP(mg_prolong, mg_prolong_args, a, x)
{
    const int spin = x.before / a->out.slab_sites, first = spin / 2 * a->vectors;
    const site fine = in_first_slab(x);
    const place_of o = find(site_follow(a->aggregate, fine), a->reals);
    color_vector sum = a->add ? load_vector(&a->out, x) : vector_zero();
    KEEP_LOOP
    for (int v = 0; v < a->vectors; v++) {
        const color_vector b = load_vector(&a->basis, site_in_slab(&a->basis, SPINS * v + spin, fine));
        const cplx z = load_component(a->array, &o, first + v);
        UNROLL_LOOP
        for (int k = 0; k < 3; k++)
            sum.c[k] = cplx_mad(z, b.c[k], sum.c[k]);
    }
    store_vector(&a->out, x, sum);
}

SITE_MAP(mg_column, mg_column_args, a, x)
{
    const int spin = x.before / a->out.slab_sites;
    const bool there = a->chirality == 2 || spin / 2 == a->chirality;
    store_vector(&a->out, x, there ? load_vector(&a->basis, site_in_slab(&a->basis, SPINS * a->v + spin,
                                                                         in_first_slab(x))) : vector_zero());
}

SITE_MAP(mg_set_column, mg_column_args, a, x)
{
    const int spin = x.before / a->out.slab_sites;
    store_vector(&a->basis, site_in_slab(&a->basis, SPINS * a->v + spin, in_first_slab(x)), load_vector(&a->out, x));
}
