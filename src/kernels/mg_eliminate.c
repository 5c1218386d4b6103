/* mg_eliminate.c - copies of the diagonal matrices of multigrid, and a step of Gauss and Jordan for each row. */
#define OVER_SLABS
#include "src/kernels/mg_matrix.h"

SITE_MAP(mg_eliminate, mg_invert_args, a, part)
{
    const int i = part.before, k = a->step, n = a->components;
    const place_of o = find(in_first_slab(part), 2 * n * n);
    const site_matrix m = { a->inverse, &o, n, 0 };
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
    const site_matrix diagonal = { a->matrices, &from, n, MG_DIAGONAL }, copy = { a->inverse, &to, n, 0 };
    for (int column = 0; column < n; column++)
        store_entry(&copy, row, column, load_entry(&diagonal, row, column));
}
