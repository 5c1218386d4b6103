/* mg_hat.c - preconditioned hops of the coarse operator of multigrid, D^-1 Y: the matrices, and their products. */
#define OVER_SLABS
#include "src/kernels/mg_hat_site.h"
#include "src/kernels/mg_matrix.h"

enum { ROWS = HAT_ROWS, COLUMNS = HAT_COLUMNS };
#define LARGEST_INTEGER 32767
#define OFFSETS 0x80008000                 /* + 2^15 in both halves */

/* Stores a record as load_record of mg_hat_site.h reads it; per_unit: 1 / the scale of the row, in single precision. */
SITE_FN void store_record(void *hats, site x, int records, int record, const cplx *z, real per_unit)
{
#ifdef SINGLE
    bits w[COLUMNS];
    UNROLL_LOOP
    for (int j = 0; j < COLUMNS; j++)
        w[j] = (integer_of_real(z[j].re * per_unit, 16) | integer_of_real(z[j].im * per_unit, 16) << 16) ^ OFFSETS;
    store_words(hats, x, records, record, COLUMNS, w);
#else
    const place_of o = find(x, 2 * COLUMNS * records);
    (void)per_unit;
    UNROLL_LOOP
    for (int j = 0; j < COLUMNS; j++) {
        store_real(hats, &o, 2 * (COLUMNS * record + j), z[j].re);
        store_real(hats, &o, 2 * (COLUMNS * record + j) + 1, z[j].im);
    }
#endif
}

/* ---- the matrices */

typedef struct { cplx e[ROWS][COLUMNS]; } block;
typedef struct { int direction, row, column; } block_place;

/* An element of gamma5 Y gamma5 */
SITE_FN cplx load_between_gamma5(const site_matrix *m, int row, int column)
{
    const cplx z = load_entry(m, row, column);
    cplx other;
    other.re = -z.re;
    other.im = -z.im;
    return (2 * row < m->components) == (2 * column < m->components) ? z : other;
}

/* An element of (D^+)^-1, from D^-1 */
SITE_FN cplx load_adjoint(const site_matrix *m, int row, int column)
{
    cplx z = load_entry(m, column, row);
    z.im = -z.im;
    return z;
}

SITE_FN block product_block(const site_matrix *inverse, const site_matrix *hop, bool dagger, block_place at)
{
    block sum;
    UNROLL_LOOP
    for (int i = 0; i < ROWS; i++)
        UNROLL_LOOP
        for (int j = 0; j < COLUMNS; j++)
            sum.e[i][j] = cplx_zero();
    KEEP_LOOP
    for (int k = 0; k < hop->components; k++) {
        cplx left[ROWS];
        UNROLL_LOOP
        for (int i = 0; i < ROWS; i++)
            left[i] = dagger ? load_adjoint(inverse, at.row + i, k) : load_entry(inverse, at.row + i, k);
        UNROLL_LOOP
        for (int j = 0; j < COLUMNS; j++) {
            const cplx right = dagger ? load_between_gamma5(hop, k, at.column + j) : load_entry(hop, k, at.column + j);
            UNROLL_LOOP
            for (int i = 0; i < ROWS; i++)
                sum.e[i][j] = cplx_mad(left[i], right, sum.e[i][j]);
        }
    }
    return sum;
}

SITE_FN real larger_size(real largest, real x)
{
    const real size = choose(is_above(spread(0), x), -x, x);
    return choose(is_above(size, largest), size, largest);
}

/* The products are computed twice: for the largest size of each row, and to be stored in units of it. */
SITE_MAP(mg_hats, mg_hats_args, a, part)
{
    const int n = a->components;
    const site x = in_first_slab(part);
    const place_of from = find(x, 2 * MG_MATRICES * n * n), diagonal = find(x, 2 * n * n),
                   scales = find(x, MG_DIAGONAL * n);
    block_place at = { part.before / (n / ROWS), ROWS * (part.before % (n / ROWS)), 0 };
    const site_matrix hop = { a->matrices, &from, n, at.direction }, inverse = { a->inverse, &diagonal, n, 0 };
    real largest[ROWS], per_unit[ROWS];
    UNROLL_LOOP
    for (int i = 0; i < ROWS; i++)
        largest[i] = spread(0);
    KEEP_LOOP
    for (at.column = 0; at.column < n; at.column += COLUMNS) {
        const block b = product_block(&inverse, &hop, a->dagger, at);
        UNROLL_LOOP
        for (int i = 0; i < ROWS; i++)
            UNROLL_LOOP
            for (int j = 0; j < COLUMNS; j++)
                largest[i] = larger_size(larger_size(largest[i], b.e[i][j].re), b.e[i][j].im);
    }
    UNROLL_LOOP
    for (int i = 0; i < ROWS; i++) {
        per_unit[i] = choose(is_above(largest[i], spread(0)), spread(LARGEST_INTEGER) / largest[i], spread(0));
        store_real(a->scales, &scales, at.direction * n + at.row + i, largest[i] / spread(LARGEST_INTEGER));
    }
    KEEP_LOOP
    for (at.column = 0; at.column < n; at.column += COLUMNS) {
        const block b = product_block(&inverse, &hop, a->dagger, at);
        UNROLL_LOOP
        for (int i = 0; i < ROWS; i++)
            store_record(a->hats, x, records_of(n), record_of(n, at.direction, at.row + i, at.column), b.e[i],
                         per_unit[i]);
    }
}

/* ---- products */

SITE_MAP(mg_hat_hop, mg_hat_hop_args, a, part)
{
    const int row = HAT_ROWS * part.before;
    const site x = in_first_slab(part);
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int direction = 0; direction < MG_DIAGONAL; direction++)
        sum = vector_axpy(1, hat_term(a, direction, row, x), sum);
    store_hat_sum(a, row, x, sum);
}
