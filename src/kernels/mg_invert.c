/* mg_invert.c - pivots of the inverses of the diagonal matrices of the coarse operator of multigrid (mg_args.h). */
#define ONE_LANE
#define OVER_SLABS
#include "src/kernels/mg_matrix.h"

SITE_FN cplx product_of(cplx a, cplx b)
{
    return cplx_mad(a, b, cplx_zero());
}

/* Row of the element of largest size in column k, from row k on. */
SITE_FN int pivot_row(const site_matrix *m, int k, scalar *size2)
{
    int row = k;
    *size2 = -1;
    KEEP_LOOP
    for (int i = k; i < m->components; i++) {
        const cplx z = load_entry(m, i, k);
        const scalar s = mad(z.re, z.re, z.im * z.im);
        if (s > *size2) {
            *size2 = s;
            row = i;
        }
    }
    return row;
}

SITE_FN void swap_rows(const site_matrix *m, int a, int b)
{
    KEEP_LOOP
    for (int j = 0; j < m->components; j++) {
        const cplx z = load_entry(m, a, j);
        store_entry(m, a, j, load_entry(m, b, j));
        store_entry(m, b, j, z);
    }
}

SITE_FN site_matrix inverse_at(const mg_invert_args *a, const place_of *o)
{
    const site_matrix m = { a->inverse, o, a->components, 0 };
    return m;
}

SITE_FN place_of find_pivots(const mg_invert_args *a, site x)
{
    return find(x, a->components + 1);
}

SITE_MAP(mg_pivot, mg_invert_args, a, part)
{
    const int k = a->step;
    const site x = in_first_slab(part);
    const place_of o = find(x, 2 * a->components * a->components), p = find_pivots(a, x);
    const site_matrix m = inverse_at(a, &o);
    scalar size2;
    const int row = pivot_row(&m, k, &size2);
    const scalar inverse_size = spread(1) / square_root(size2);
    const scalar before = k > 0 ? load_real(a->pivots, &p, a->components) : 0;
    cplx one, inverse;
    if (row != k)
        swap_rows(&m, k, row);
    store_real(a->pivots, &p, k, (scalar)row);
    store_real(a->pivots, &p, a->components, before > inverse_size ? before : inverse_size);
    inverse = load_entry(&m, k, k);
    inverse.re = inverse.re / size2;
    inverse.im = -inverse.im / size2;
    one.re = 1;
    one.im = 0;
    store_entry(&m, k, k, one);
    KEEP_LOOP
    for (int j = 0; j < m.components; j++)
        store_entry(&m, k, j, product_of(inverse, load_entry(&m, k, j)));
}

SITE_MAP(mg_unpivot, mg_invert_args, a, part)
{
    const int row = part.before;
    const site x = in_first_slab(part);
    const place_of o = find(x, 2 * a->components * a->components), p = find_pivots(a, x);
    const site_matrix m = inverse_at(a, &o);
    KEEP_LOOP
    for (int k = m.components - 1; k >= 0; k--) {
        const int other = (int)load_real(a->pivots, &p, k);
        const cplx z = load_entry(&m, row, k);
        store_entry(&m, row, k, load_entry(&m, row, other));
        store_entry(&m, row, other, z);
    }
}

SITE_SUM(mg_largest_inverse, 0, 1, mg_invert_args, a, x, s)
{
    const place_of p = find_pivots(a, x);
    s[0] = load_real(a->pivots, &p, a->components);
}
