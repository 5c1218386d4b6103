/* block_exponential.h - the exponential of a hermitian 6x6 matrix, and its derivative.
 *
 *     E(X) = exp(X),   L(X, M) = integral over 0 < s < 1 of exp(s X) M exp((1 - s) X) ds,   dE = L(X, dX)
 * For hermitian X and M both are hermitian, and Tr M L(X, dX) = Tr L(X, M) dX.
 * Scaling and squaring of the Taylor series, n = EXPONENTIAL_SQUARINGS: Y = X / 2^n, and M / 2^n in place of M,
 *     P_k = Y P_k-1 / k,   D_k = (M P_k-1 + Y D_k-1) / k,   E = sum P_k,   L = sum D_k,
 * and n times L <- E L + L E, E <- E^2 (A. H. Al-Mohy, N. J. Higham, SIAM J. Matrix Anal. Appl. 30 (2009) 1639).  The
 * first omitted term is |Y|^13 / 13!, which is 2e-18 for |X| = 8 and 2e-14 for |X| = 16. */
#ifndef KILN_SITE_BLOCK_EXPONENTIAL_H
#define KILN_SITE_BLOCK_EXPONENTIAL_H

#include "src/site/clover_block.h"

enum { EXPONENTIAL_TERMS = 12, EXPONENTIAL_SQUARINGS = 5 };

/* s + a b for hermitian a and b: elements j <= i only, so the final sum of such products must be hermitian. */
SITE_PART clover_block clover_block_mad(clover_block a, clover_block b, clover_block s)
{
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++) {
        s.d[i] = mad(a.d[i], b.d[i], s.d[i]);
        UNROLL_LOOP
        for (int m = 0; m < BLOCK_ROWS; m++) {
            if (m == i)
                continue;
            const int at = m < i ? block_at(i, m) : block_at(m, i);           /* Re a_im b_mi, from stored elements */
            s.d[i] = mad(a.below[at].re, b.below[at].re, mad(a.below[at].im, b.below[at].im, s.d[i]));
        }
        UNROLL_LOOP
        for (int j = 0; j < i; j++) {
            cplx sum = s.below[block_at(i, j)];
            sum.re = mad(a.d[i], b.below[block_at(i, j)].re, mad(a.below[block_at(i, j)].re, b.d[j], sum.re));
            sum.im = mad(a.d[i], b.below[block_at(i, j)].im, mad(a.below[block_at(i, j)].im, b.d[j], sum.im));
            UNROLL_LOOP
            for (int m = 0; m < BLOCK_ROWS; m++) {
                if (m == i || m == j)
                    continue;
                if (m < j)                                                   /* a_im conj(b_jm) */
                    sum = cplx_conj_mad(b.below[block_at(j, m)], a.below[block_at(i, m)], sum);
                else if (m < i)
                    sum = cplx_mad(a.below[block_at(i, m)], b.below[block_at(m, j)], sum);
                else
                    sum = cplx_conj_mad(a.below[block_at(m, i)], b.below[block_at(m, j)], sum);
            }
            s.below[block_at(i, j)] = sum;
        }
    }
    return s;
}

SITE_FN clover_block clover_block_scale(real a, clover_block b)
{
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++)
        b.d[i] = a * b.d[i];
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_BELOW; i++) {
        b.below[i].re = a * b.below[i].re;
        b.below[i].im = a * b.below[i].im;
    }
    return b;
}

SITE_FN clover_block clover_block_add(clover_block a, clover_block b)
{
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++)
        a.d[i] = a.d[i] + b.d[i];
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_BELOW; i++) {
        a.below[i].re = a.below[i].re + b.below[i].re;
        a.below[i].im = a.below[i].im + b.below[i].im;
    }
    return a;
}

SITE_FN clover_block clover_block_number(scalar a)
{
    clover_block b;
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++)
        b.d[i] = spread(a);
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_BELOW; i++)
        b.below[i].re = b.below[i].im = spread(0);
    return b;
}

/* E(a X) */
SITE_FN clover_block clover_block_exponential(scalar a, clover_block x)
{
    const clover_block y = clover_block_scale(spread(a / (1 << EXPONENTIAL_SQUARINGS)), x);
    clover_block p = clover_block_number(1), e = p;
    KEEP_LOOP
    for (int k = 1; k <= EXPONENTIAL_TERMS; k++) {
        p = clover_block_scale(spread((scalar)1 / (scalar)k), clover_block_mad(y, p, clover_block_number(0)));
        e = clover_block_add(e, p);
    }
    KEEP_LOOP
    for (int n = 0; n < EXPONENTIAL_SQUARINGS; n++)
        e = clover_block_mad(e, e, clover_block_number(0));
    return e;
}

/* L(a X, M) */
SITE_FN clover_block clover_block_exponential_derivative(scalar a, clover_block x, clover_block m)
{
    const scalar scale = (scalar)1 / (1 << EXPONENTIAL_SQUARINGS);
    const clover_block y = clover_block_scale(spread(a * scale), x);
    clover_block p = clover_block_number(1), d = clover_block_number(0), e = p, l = d;
    m = clover_block_scale(spread(scale), m);
    KEEP_LOOP
    for (int k = 1; k <= EXPONENTIAL_TERMS; k++) {
        const real inverse = spread((scalar)1 / (scalar)k);
        d = clover_block_scale(inverse, clover_block_mad(m, p, clover_block_mad(y, d, clover_block_number(0))));
        p = clover_block_scale(inverse, clover_block_mad(y, p, clover_block_number(0)));
        l = clover_block_add(l, d);
        e = clover_block_add(e, p);
    }
    KEEP_LOOP
    for (int n = 0; n < EXPONENTIAL_SQUARINGS; n++) {
        l = clover_block_mad(e, l, clover_block_mad(l, e, clover_block_number(0)));
        e = clover_block_mad(e, e, clover_block_number(0));
    }
    return l;
}

#endif
