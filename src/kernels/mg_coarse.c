/* mg_coarse.c - the coarse operator of multigrid: its matrices, and their products with coarse vectors. */
#define OVER_SLABS
#include "src/kernels/mg_site.h"

/* Element (row, column) of a matrix of a site, the first of its two reals. */
SITE_FN int element(int components, int matrix, int row, int column)
{
    return 2 * ((matrix * components + row) * components + column);
}

/* sum + three rows of a matrix at o times gamma5 times the vector at site y; gamma5 if `turned` */
SITE_FN color_vector rows_times(const mg_coarse_args *a, const place_of *o, int matrix, int first, site y, bool turned,
                                color_vector sum)
{
    KEEP_LOOP
    for (int slab = 0; slab < a->components / 3; slab++) {
        color_vector b = load_vector(&a->in, site_in_slab(&a->in, slab, y));
        if (turned && 6 * slab >= a->components)
            b = vector_scale(-1, b);
        UNROLL_LOOP
        for (int i = 0; i < 3; i++) {
            const int at = element(a->components, matrix, first + i, 3 * slab);
            UNROLL_LOOP
            for (int j = 0; j < 3; j++) {
                cplx z;
                z.re = load_real(a->matrices, o, at + 2 * j);
                z.im = load_real(a->matrices, o, at + 2 * j + 1);
                sum.c[i] = cplx_mad(z, b.c[j], sum.c[i]);
            }
        }
    }
    return sum;
}

/* sum + three rows of the adjoint of a matrix at o times the vector at site y */
SITE_FN color_vector adjoint_rows_times(const mg_coarse_args *a, const place_of *o, int matrix, int first, site y,
                                        color_vector sum)
{
    KEEP_LOOP
    for (int slab = 0; slab < a->components / 3; slab++) {
        const color_vector b = load_vector(&a->in, site_in_slab(&a->in, slab, y));
        UNROLL_LOOP
        for (int j = 0; j < 3; j++) {
            const int at = element(a->components, matrix, 3 * slab + j, first);
            UNROLL_LOOP
            for (int i = 0; i < 3; i++) {
                cplx z;
                z.re = load_real(a->matrices, o, at + 2 * i);
                z.im = load_real(a->matrices, o, at + 2 * i + 1);
                sum.c[i] = cplx_conj_mad(z, b.c[j], sum.c[i]);
            }
        }
    }
    return sum;
}

SITE_FN void store_sum(const mg_coarse_args *a, site x, color_vector sum)
{
    sum = vector_scale((scalar)a->scale, sum);
    if (a->with_y)
        sum = vector_axpy(1, load_vector(&a->y, x), sum);
    store_vector(&a->out, x, sum);
}

SITE_MAP(mg_coarse_hop, mg_coarse_args, a, x)
{
    const int first = 3 * (x.before / a->out.slab_sites);
    const site here = in_first_slab(x);
    const place_of o = find(here, 2 * a->count * a->components * a->components);
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int direction = 0; direction < MG_DIAGONAL; direction++)
        sum = rows_times(a, &o, direction, first, site_step(&a->l, here, direction), a->dagger, sum);
    if (a->dagger && 2 * first >= a->components)
        sum = vector_scale(-1, sum);
    store_sum(a, x, sum);
}

SITE_MAP(mg_coarse_site, mg_coarse_args, a, x)
{
    const int first = 3 * (x.before / a->out.slab_sites);
    const site here = in_first_slab(x);
    const place_of o = find(here, 2 * a->count * a->components * a->components);
    store_sum(a, x, a->dagger ? adjoint_rows_times(a, &o, a->matrix, first, here, vector_zero())
                              : rows_times(a, &o, a->matrix, first, here, false, vector_zero()));
}
