/* mg_invert.c - inverses of the diagonal matrices of the coarse operator of multigrid. */
#define ONE_LANE
#include "src/kernels/mg_args.h"
#include "src/site/site.h"

typedef struct { void *data; const place_of *o; int components; } square_matrix;

SITE_FN cplx load_entry(const square_matrix *m, int row, int column)
{
    cplx z;
    z.re = load_real(m->data, m->o, 2 * (row * m->components + column));
    z.im = load_real(m->data, m->o, 2 * (row * m->components + column) + 1);
    return z;
}

SITE_FN void store_entry(const square_matrix *m, int row, int column, cplx z)
{
    store_real(m->data, m->o, 2 * (row * m->components + column), z.re);
    store_real(m->data, m->o, 2 * (row * m->components + column) + 1, z.im);
}

SITE_FN cplx product_of(cplx a, cplx b)
{
    return cplx_mad(a, b, cplx_zero());
}

/* Row of the element of largest size in column k, from row k on. */
SITE_FN int pivot_row(const square_matrix *m, int k, scalar *size2)
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

SITE_FN void swap_rows(const square_matrix *m, int a, int b)
{
    KEEP_LOOP
    for (int j = 0; j < m->components; j++) {
        const cplx z = load_entry(m, a, j);
        store_entry(m, a, j, load_entry(m, b, j));
        store_entry(m, b, j, z);
    }
}

SITE_FN void swap_columns(const square_matrix *m, int a, int b)
{
    KEEP_LOOP
    for (int i = 0; i < m->components; i++) {
        const cplx z = load_entry(m, i, a);
        store_entry(m, i, a, load_entry(m, i, b));
        store_entry(m, i, b, z);
    }
}

/* Row k becomes the row of the inverse, and is taken from all others. */
SITE_FN void eliminate(const square_matrix *m, int k, scalar size2)
{
    const cplx pivot = load_entry(m, k, k);
    cplx inverse, one;
    inverse.re = pivot.re / size2;
    inverse.im = -pivot.im / size2;
    one.re = 1;
    one.im = 0;
    store_entry(m, k, k, one);
    KEEP_LOOP
    for (int j = 0; j < m->components; j++)
        store_entry(m, k, j, product_of(inverse, load_entry(m, k, j)));
    KEEP_LOOP
    for (int i = 0; i < m->components; i++) {
        if (i == k)
            continue;
        cplx factor = load_entry(m, i, k);
        factor.re = -factor.re;
        factor.im = -factor.im;
        store_entry(m, i, k, cplx_zero());
        KEEP_LOOP
        for (int j = 0; j < m->components; j++)
            store_entry(m, i, j, cplx_mad(factor, load_entry(m, k, j), load_entry(m, i, j)));
    }
}

SITE_SUM(mg_invert, 0, 1, mg_invert_args, a, x, s)
{
    const int n = a->components, square = n * n;
    const place_of from = find(x, 2 * a->count * square), to = find(x, 2 * square);
    const square_matrix m = { a->inverse, &to, n };
    unsigned char pivot[MG_COMPONENTS_MAX];
    scalar least = -1;
    KEEP_LOOP
    for (int i = 0; i < 2 * square; i++)
        store_real(a->inverse, &to, i, load_real(a->matrices, &from, 2 * MG_DIAGONAL * square + i));
    KEEP_LOOP
    for (int k = 0; k < n; k++) {
        scalar size2;
        pivot[k] = (unsigned char)pivot_row(&m, k, &size2);
        if (pivot[k] != k)
            swap_rows(&m, k, pivot[k]);
        eliminate(&m, k, size2);
        least = least < 0 || size2 < least ? size2 : least;
    }
    KEEP_LOOP
    for (int k = n - 1; k >= 0; k--)
        if (pivot[k] != k)
            swap_columns(&m, k, pivot[k]);
    s[0] = spread(1) / square_root(least);
}
