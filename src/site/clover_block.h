/* clover_block.h - hermitian 6x6 matrices: a clover term at a site, for one chirality.
 *
 * Rows are 3 spin + color, for the two spins of the chirality (spinor.h).  A block is kept as 36 numbers: the
 * diagonal, then the entries below it, row by row, real and imaginary part; block_storage.h keeps them in 16 bits.  A
 * site has two blocks: spins 0 and 1, then 2 and 3. */
#ifndef KILN_SITE_CLOVER_BLOCK_H
#define KILN_SITE_CLOVER_BLOCK_H

#include "src/site/load.h"
#include "src/site/spinor.h"

enum { BLOCK_ROWS = 6, BLOCK_BELOW = 15 };

typedef struct { real d[BLOCK_ROWS]; cplx below[BLOCK_BELOW]; } clover_block;

/* The index of entry (i, j), i > j, in `below`. */
SITE_FN int block_at(int i, int j)
{
    return i * (i - 1) / 2 + j;
}

SITE_FN clover_block load_clover_block(const clover_view *v, site x, int chirality)
{
    clover_block b;
    place_of o = find(x, CLOVER_REALS);
    const int first = BLOCK_REALS * chirality;
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++)
        b.d[i] = load_real(v->data, &o, first + i);
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_BELOW; i++) {
        b.below[i].re = load_real(v->data, &o, first + BLOCK_ROWS + 2 * i);
        b.below[i].im = load_real(v->data, &o, first + BLOCK_ROWS + 2 * i + 1);
    }
    return b;
}

SITE_FN void store_clover_block(const clover_view *v, site x, int chirality, clover_block b)
{
    place_of o = find(x, CLOVER_REALS);
    const int first = BLOCK_REALS * chirality;
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++)
        store_real(v->data, &o, first + i, b.d[i]);
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_BELOW; i++) {
        store_real(v->data, &o, first + BLOCK_ROWS + 2 * i, b.below[i].re);
        store_real(v->data, &o, first + BLOCK_ROWS + 2 * i + 1, b.below[i].im);
    }
}

/* a + B */
SITE_FN clover_block clover_block_plus(real a, clover_block b)
{
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++)
        b.d[i] = b.d[i] + a;
    return b;
}

/* sum + sum_j B_ij h_j, j not i */
SITE_FN cplx clover_block_off_diagonal(clover_block b, int i, half_spinor h, cplx sum)
{
    UNROLL_LOOP
    for (int j = 0; j < BLOCK_ROWS; j++)
        if (j < i)
            sum = cplx_mad(b.below[block_at(i, j)], h.s[j / 3].c[j % 3], sum);
        else if (j > i)
            sum = cplx_conj_mad(b.below[block_at(j, i)], h.s[j / 3].c[j % 3], sum);
    return sum;
}

/* (a + B) h */
SITE_FN half_spinor clover_block_times(real a, clover_block b, half_spinor h)
{
    half_spinor out;
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++) {
        const cplx mine = h.s[i / 3].c[i % 3];
        const real diagonal = a + b.d[i];
        cplx sum;
        sum.re = diagonal * mine.re;
        sum.im = diagonal * mine.im;
        out.s[i / 3].c[i % 3] = clover_block_off_diagonal(b, i, h, sum);
    }
    return out;
}

/* s - a conj(b) */
SITE_FN cplx cplx_minus_times_conj(cplx a, cplx b, cplx s)
{
    s.re = mad(-a.re, b.re, mad(-a.im, b.im, s.re));
    s.im = mad(-a.im, b.re, mad(a.re, b.im, s.im));
    return s;
}

/* The factors of B = L D L^+: L has ones on the diagonal, D = d, which is real. */
SITE_FN clover_block clover_block_factors(clover_block b)
{
    UNROLL_LOOP
    for (int j = 0; j < BLOCK_ROWS; j++) {
        UNROLL_LOOP
        for (int k = 0; k < j; k++) {
            const cplx l = b.below[block_at(j, k)];
            b.d[j] = mad(-b.d[k], mad(l.re, l.re, l.im * l.im), b.d[j]);
        }
        const real inverse = spread(1) / b.d[j];
        UNROLL_LOOP
        for (int i = j + 1; i < BLOCK_ROWS; i++) {
            cplx sum = b.below[block_at(i, j)];
            UNROLL_LOOP
            for (int k = 0; k < j; k++) {
                cplx l = b.below[block_at(j, k)];
                l.re = l.re * b.d[k];
                l.im = l.im * b.d[k];
                sum = cplx_minus_times_conj(b.below[block_at(i, k)], l, sum);
            }
            b.below[block_at(i, j)].re = sum.re * inverse;
            b.below[block_at(i, j)].im = sum.im * inverse;
        }
    }
    return b;
}

/* B^-1 = K^+ D^-1 K, K = L^-1, from the factors of B. */
SITE_FN clover_block clover_block_inverse(clover_block f)
{
    clover_block k, inverse;
    UNROLL_LOOP
    for (int j = 0; j < BLOCK_ROWS; j++) {
        k.d[j] = spread(1) / f.d[j];
        UNROLL_LOOP
        for (int i = j + 1; i < BLOCK_ROWS; i++) {
            cplx sum = f.below[block_at(i, j)];
            UNROLL_LOOP
            for (int m = j + 1; m < i; m++)
                sum = cplx_mad(f.below[block_at(i, m)], k.below[block_at(m, j)], sum);
            k.below[block_at(i, j)].re = -sum.re;
            k.below[block_at(i, j)].im = -sum.im;
        }
    }
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++) {
        inverse.d[i] = k.d[i];
        UNROLL_LOOP
        for (int m = i + 1; m < BLOCK_ROWS; m++) {
            const cplx l = k.below[block_at(m, i)];
            inverse.d[i] = mad(k.d[m], mad(l.re, l.re, l.im * l.im), inverse.d[i]);
        }
        UNROLL_LOOP
        for (int j = 0; j < i; j++) {
            cplx sum = k.below[block_at(i, j)];
            sum.re = sum.re * k.d[i];
            sum.im = sum.im * k.d[i];
            UNROLL_LOOP
            for (int m = i + 1; m < BLOCK_ROWS; m++) {
                cplx l = k.below[block_at(m, j)];
                l.re = l.re * k.d[m];
                l.im = l.im * k.d[m];
                sum = cplx_conj_mad(k.below[block_at(m, i)], l, sum);
            }
            inverse.below[block_at(i, j)] = sum;
        }
    }
    return inverse;
}

#endif
