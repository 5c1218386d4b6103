/* mg_eliminate.c - a step of Gauss and Jordan for each row of the diagonal matrices of multigrid (mg_args.h). */
#define OVER_SLABS
#include "src/kernels/mg_site.h"

typedef struct { void *data; place_of o; int components; } matrix_of_site;

SITE_FN cplx load_entry(const matrix_of_site *m, int row, int column)
{
    cplx z;
    z.re = load_real(m->data, &m->o, 2 * (row * m->components + column));
    z.im = load_real(m->data, &m->o, 2 * (row * m->components + column) + 1);
    return z;
}

SITE_FN void store_entry(const matrix_of_site *m, int row, int column, cplx z)
{
    store_real(m->data, &m->o, 2 * (row * m->components + column), z.re);
    store_real(m->data, &m->o, 2 * (row * m->components + column) + 1, z.im);
}

SITE_MAP(mg_eliminate, mg_invert_args, a, part)
{
    const int i = part.before, k = a->step, n = a->components;
    const matrix_of_site m = { a->inverse, find(in_first_slab(part), 2 * n * n), n };
    cplx factor = load_entry(&m, i, k);
    if (i == k)
        return;
    factor.re = -factor.re;
    factor.im = -factor.im;
    store_entry(&m, i, k, cplx_zero());
    for (int j = 0; j < n; j++)
        store_entry(&m, i, j, cplx_mad(factor, load_entry(&m, k, j), load_entry(&m, i, j)));
}

SITE_MAP(mg_copy_diagonal, mg_copy_args, a, part)
{
    const int row = part.before, n = a->components;
    const site x = in_first_slab(part);
    const place_of from = find(x, 2 * a->count * n * n), to = find(x, 2 * n * n);
    for (int i = 2 * row * n; i < 2 * (row + 1) * n; i++)
        store_real(a->inverse, &to, i, load_real(a->matrices, &from, 2 * MG_DIAGONAL * n * n + i));
}
