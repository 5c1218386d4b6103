/* mg_coarse.c - inverses of the diagonal matrices of multigrid times coarse vectors, and sums of terms. */
#define OVER_SLABS
#include "src/kernels/mg_site.h"

/* Element (row, column) of a matrix of a site, the first of its two reals. */
SITE_FN int element(int components, int row, int column)
{
    return 2 * (row * components + column);
}

/* Three rows of the inverse times slabs first .. end - 1 of `in`. */
typedef struct { int row, first, end; } row_part;

SITE_FN color_vector rows_times(const mg_terms_args *a, const place_of *o, site here, row_part p)
{
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int slab = p.first; slab < p.end; slab++) {
        const color_vector b = load_vector(&a->in, site_in_slab(&a->in, slab, here));
        UNROLL_LOOP
        for (int i = 0; i < 3; i++) {
            const int at = element(a->components, p.row + i, 3 * slab);
            UNROLL_LOOP
            for (int j = 0; j < 3; j++) {
                cplx z;
                z.re = load_real(a->inverse, o, at + 2 * j);
                z.im = load_real(a->inverse, o, at + 2 * j + 1);
                sum.c[i] = cplx_mad(z, b.c[j], sum.c[i]);
            }
        }
    }
    return sum;
}

/* The same with the adjoint of the inverse. */
SITE_FN color_vector adjoint_rows_times(const mg_terms_args *a, const place_of *o, site here, row_part p)
{
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int slab = p.first; slab < p.end; slab++) {
        const color_vector b = load_vector(&a->in, site_in_slab(&a->in, slab, here));
        UNROLL_LOOP
        for (int j = 0; j < 3; j++) {
            const int at = element(a->components, 3 * slab + j, p.row);
            UNROLL_LOOP
            for (int i = 0; i < 3; i++) {
                cplx z;
                z.re = load_real(a->inverse, o, at + 2 * i);
                z.im = load_real(a->inverse, o, at + 2 * i + 1);
                sum.c[i] = cplx_conj_mad(z, b.c[j], sum.c[i]);
            }
        }
    }
    return sum;
}

SITE_MAP(mg_inverse_terms, mg_terms_args, a, x)
{
    const site here = in_first_slab(x);
    const term_place t = term_of(x, a->components);
    const place_of o = find(here, 2 * a->components * a->components);
    const int slabs = a->components / 3 / a->count;
    const row_part p = { t.first, t.term * slabs, (t.term + 1) * slabs };
    store_term(a->terms, a->components, t, here,
               a->dagger ? adjoint_rows_times(a, &o, here, p) : rows_times(a, &o, here, p));
}

SITE_MAP(mg_add_terms, mg_add_args, a, x)
{
    const int slab = x.before / a->out.slab_sites;
    const place_of o = find(in_first_slab(x), 2 * MG_TERMS_MAX * a->components);
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int term = 0; term < a->count; term++)
        sum = vector_axpy(1, load_term(a->terms, &o, term * a->components + 3 * slab), sum);
    if (a->with_y)
        sum = vector_axpy(1, load_vector(&a->y, x), sum);
    store_vector(&a->out, x, sum);
}
