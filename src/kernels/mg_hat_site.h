/* mg_hat_site.h - products with preconditioned hops of the coarse operator of multigrid, D^-1 Y (mg_args.h), at a site.
 *
 * Each direction's term is summed over the columns, and the terms are added in the order of the directions: the kernels
 * of src/kernels/mg_hat.c and gpu/coarse_hop.cu have the same bits. */
#ifndef KILN_KERNELS_MG_HAT_SITE_H
#define KILN_KERNELS_MG_HAT_SITE_H

#include "src/kernels/mg_site.h"
#include "src/kernels/vector_multiple.h"
#include "src/site/words.h"

enum { HAT_ROWS = 3, HAT_COLUMNS = MG_HAT_COLUMNS };

/* HAT_COLUMNS numbers of one row are a record; records are counted through directions, rows and columns. */
SITE_FN int record_of(int components, int direction, int row, int column)
{
    return (direction * components + row) * (components / HAT_COLUMNS) + column / HAT_COLUMNS;
}
SITE_FN int records_of(int components)
{
    return record_of(components, MG_DIAGONAL, 0, 0);
}

/* In single precision a number is a word re | im << 16; both parts are integers n in units of the row's scale, stored
 * as n + 2^15, and are returned as n.  In double, numbers are stored as they are. */
SITE_FN void load_record(cplx *z, const void *hats, site x, int records, int record)
{
#ifdef SINGLE
    bits w[HAT_COLUMNS];
    load_words(w, hats, x, records, record, HAT_COLUMNS);
    UNROLL_LOOP
    for (int j = 0; j < HAT_COLUMNS; j++) {
        z[j].re = real_of_offset16(w[j], 0);
        z[j].im = real_of_offset16(w[j], 1);
    }
#else
    const place_of o = find(x, 2 * HAT_COLUMNS * records);
    UNROLL_LOOP
    for (int j = 0; j < HAT_COLUMNS; j++) {
        z[j].re = load_real(hats, &o, 2 * (HAT_COLUMNS * record + j));
        z[j].im = load_real(hats, &o, 2 * (HAT_COLUMNS * record + j) + 1);
    }
#endif
}

/* HAT_ROWS rows, from `row` on, of the matrix of a direction times the neighbor in this direction.  With gamma5,
 * A_1 v_1 - A_2 v_2 is computed as -(-A_1 v_1 + A_2 v_2), A_1 and A_2 being the two halves of the columns: the sum
 * changes its sign twice, and no column does. */
SITE_FN color_vector rows_times(const mg_hat_hop_args *a, int direction, int row, site x)
{
    const int n = a->components;
    const site from = site_step(&a->l, x, direction);
    color_vector sum = vector_zero();
    UNROLL_TWICE
    for (int column = 0; column < n; column += HAT_COLUMNS) {
        cplx z[HAT_ROWS][HAT_COLUMNS];
        UNROLL_LOOP
        for (int r = 0; r < HAT_ROWS; r++)
            load_record(z[r], a->hats, x, records_of(n), record_of(n, direction, row + r, column));
        UNROLL_LOOP
        for (int j = 0; j < HAT_COLUMNS; j += 3) {
            if (a->between_gamma5 && 2 * (column + j) == n)
                sum = vector_scale(-1, sum);
            const color_vector v = load_vector(&a->in, site_in_slab(&a->in, (column + j) / 3, from));
            UNROLL_LOOP
            for (int r = 0; r < HAT_ROWS; r++)
                UNROLL_LOOP
                for (int i = 0; i < 3; i++)
                    sum.c[r] = cplx_mad(z[r][j + i], v.c[i], sum.c[r]);
        }
    }
    return a->between_gamma5 ? vector_scale(-1, sum) : sum;
}

/* rows_times, multiplied by the scales of the rows. */
SITE_FN color_vector hat_term(const mg_hat_hop_args *a, int direction, int row, site x)
{
    color_vector term = rows_times(a, direction, row, x);
#ifdef SINGLE
    const place_of scales = find(x, MG_DIAGONAL * a->components);
    UNROLL_LOOP
    for (int r = 0; r < HAT_ROWS; r++) {
        const real unit = load_real(a->scales, &scales, direction * a->components + row + r);
        term.c[r].re = unit * term.c[r].re;
        term.c[r].im = unit * term.c[r].im;
    }
#endif
    return term;
}

/* out <- scale sum + of_y y + of_b b */
SITE_FN void store_hat_sum(const mg_hat_hop_args *a, int row, site x, color_vector sum)
{
    const double sign = a->between_gamma5 && 2 * row >= a->components ? -1 : 1;
    color_vector out = vector_plus_multiple(vector_zero(), sign * a->scale.re, sign * a->scale.im, sum);
    if (a->with_y)
        out = vector_plus_multiple(out, a->of_y.re, a->of_y.im, load_vector(&a->y, site_in_slab(&a->y, row / 3, x)));
    if (a->with_b)
        out = vector_plus_multiple(out, a->of_b.re, a->of_b.im, load_vector(&a->b, site_in_slab(&a->b, row / 3, x)));
    store_vector(&a->out, site_in_slab(&a->out, row / 3, x), out);
}

#endif
