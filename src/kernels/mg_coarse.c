/* mg_coarse.c - inverses of the diagonal matrices of multigrid times coarse vectors, and sums of terms. */
#define OVER_SLABS
#include "src/kernels/mg_site.h"

/* Three rows of the inverse times slabs first .. end - 1 of `in`. */
typedef struct { int row, first, end; } row_part;

/* dagger (a literal): rows of the adjoint of the inverse */
SITE_FN color_vector rows_times(bool dagger, const mg_terms_args *a, const place_of *o, site here, row_part p)
{
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int slab = p.first; slab < p.end; slab++) {
        const color_vector b = load_vector(&a->in, site_in_slab(&a->in, slab, here));
        const int row = dagger ? 3 * slab : p.row, column = dagger ? p.row : 3 * slab;
        UNROLL_LOOP
        for (int i = 0; i < 3; i++) {
            const int at = 2 * ((row + i) * a->components + column);
            UNROLL_LOOP
            for (int j = 0; j < 3; j++) {
                cplx z;
                z.re = load_real(a->inverse, o, at + 2 * j);
                z.im = load_real(a->inverse, o, at + 2 * j + 1);
                if (dagger)
                    sum.c[j] = cplx_conj_mad(z, b.c[i], sum.c[j]);
                else
                    sum.c[i] = cplx_mad(z, b.c[j], sum.c[i]);
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
               a->dagger ? rows_times(true, a, &o, here, p) : rows_times(false, a, &o, here, p));
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
