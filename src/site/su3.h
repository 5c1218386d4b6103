/* su3.h - complex 3x3 matrices for kernel code. */
#ifndef KILN_SITE_SU3_H
#define KILN_SITE_SU3_H

#include "src/site/real.h"

typedef struct { real re, im; } cplx;
typedef struct { cplx e[3][3]; } su3;

/* s + a b */
SITE_FN cplx cplx_mad(cplx a, cplx b, cplx s)
{
    s.re = mad(a.re, b.re, s.re);
    s.im = mad(a.re, b.im, s.im);
    s.re = mad_minus(a.im, b.im, s.re);
    s.im = mad(a.im, b.re, s.im);
    return s;
}

/* s + a^* b */
SITE_FN cplx cplx_conj_mad(cplx a, cplx b, cplx s)
{
    s.re = mad(a.re, b.re, s.re);
    s.im = mad(a.re, b.im, s.im);
    s.re = mad(a.im, b.im, s.re);
    s.im = mad_minus(a.im, b.re, s.im);
    return s;
}

SITE_FN cplx cplx_zero(void)
{
    cplx z;
    z.re = z.im = spread(0);
    return z;
}

SITE_FN su3 su3_zero(void)
{
    su3 a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.e[i][j] = cplx_zero();
    return a;
}

SITE_FN su3 su3_unit(void)
{
    su3 a = su3_zero();
    for (int i = 0; i < 3; i++)
        a.e[i][i].re = spread(1);
    return a;
}

SITE_FN su3 su3_dagger(su3 a)
{
    su3 b;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            b.e[i][j].re = a.e[j][i].re;
            b.e[i][j].im = -a.e[j][i].im;
        }
    return b;
}

/* a b */
SITE_FN su3 su3_mul(su3 a, su3 b)
{
    su3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            cplx s = cplx_zero();
            for (int k = 0; k < 3; k++)
                s = cplx_mad(a.e[i][k], b.e[k][j], s);
            c.e[i][j] = s;
        }
    return c;
}

/* a b^+ and a^+ b */
SITE_FN su3 su3_mul_dag(su3 a, su3 b)
{
    return su3_mul(a, su3_dagger(b));
}
SITE_FN su3 su3_dag_mul(su3 a, su3 b)
{
    return su3_mul(su3_dagger(a), b);
}

SITE_FN su3 su3_add(su3 a, su3 b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            a.e[i][j].re = a.e[i][j].re + b.e[i][j].re;
            a.e[i][j].im = a.e[i][j].im + b.e[i][j].im;
        }
    return a;
}

/* s + f a, f the same for all sites */
SITE_FN su3 su3_axpy(scalar f, su3 a, su3 s)
{
    real factor = spread(f);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            s.e[i][j].re = mad(factor, a.e[i][j].re, s.e[i][j].re);
            s.e[i][j].im = mad(factor, a.e[i][j].im, s.e[i][j].im);
        }
    return s;
}

SITE_FN real su3_re_trace(su3 a)
{
    return a.e[0][0].re + a.e[1][1].re + a.e[2][2].re;
}

/* Re tr a b^+ */
SITE_FN real su3_re_trace_mul_dag(su3 a, su3 b)
{
    real s = spread(0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s = mad(a.e[i][j].im, b.e[i][j].im, mad(a.e[i][j].re, b.e[i][j].re, s));
    return s;
}

/* Re tr a b */
SITE_FN real su3_re_trace_mul(su3 a, su3 b)
{
    real s = spread(0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s = mad_minus(a.e[i][j].im, b.e[j][i].im, mad(a.e[i][j].re, b.e[j][i].re, s));
    return s;
}

/* a with third row (row0 x row1)^*: a matrix of SU(3) if the first two rows are orthonormal. */
SITE_FN su3 su3_third_row(su3 a)
{
    for (int j = 0; j < 3; j++) {
        int k = (j + 1) % 3, l = (j + 2) % 3;
        cplx minor = cplx_mad(a.e[0][k], a.e[1][l], cplx_zero());
        cplx minus;
        minus.re = -a.e[0][l].re;
        minus.im = -a.e[0][l].im;
        minor = cplx_mad(minus, a.e[1][k], minor);
        a.e[2][j].re = minor.re;
        a.e[2][j].im = -minor.im;
    }
    return a;
}

/* The SU(3) matrix whose first two rows are those of `a` made orthonormal in order (Gram-Schmidt);
 * the third is (row0 x row1)^*. */
SITE_FN su3 su3_from_two_rows(su3 a)
{
    for (int row = 0; row < 2; row++) {
        if (row == 1) {
            cplx along = cplx_zero();                          /* row0^* . row1 */
            for (int j = 0; j < 3; j++)
                along = cplx_conj_mad(a.e[0][j], a.e[1][j], along);
            along.re = -along.re;
            along.im = -along.im;
            for (int j = 0; j < 3; j++)
                a.e[1][j] = cplx_mad(along, a.e[0][j], a.e[1][j]);
        }
        real norm2 = spread(0);
        for (int j = 0; j < 3; j++)
            norm2 = mad(a.e[row][j].im, a.e[row][j].im, mad(a.e[row][j].re, a.e[row][j].re, norm2));
        real inverse = spread(1) / square_root(norm2);
        for (int j = 0; j < 3; j++) {
            a.e[row][j].re = a.e[row][j].re * inverse;
            a.e[row][j].im = a.e[row][j].im * inverse;
        }
    }
    return su3_third_row(a);
}

/* det a */
SITE_FN cplx su3_determinant(su3 a)
{
    cplx d = cplx_zero();
    for (int j = 0; j < 3; j++) {
        int k = (j + 1) % 3, l = (j + 2) % 3;
        cplx minor = cplx_mad(a.e[1][k], a.e[2][l], cplx_zero());
        cplx minus;
        minus.re = -a.e[1][l].re;
        minus.im = -a.e[1][l].im;
        minor = cplx_mad(minus, a.e[2][k], minor);
        d = cplx_mad(a.e[0][j], minor, d);
    }
    return d;
}

#endif
