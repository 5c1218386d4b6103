/* algebra.h - antihermitian traceless matrices (momenta, forces) and their exponential.
 *
 * P is held as eight reals: Im P00, Im P11, P01, P02, P12 (re, im each); P22 = -P00 - P11,
 * P_ji = -P_ij^*.  Norm: Tr P^+P = |P00|^2 + |P11|^2 + |P22|^2 + 2 (|P01|^2 + |P02|^2 + |P12|^2). */
#ifndef KILN_SITE_ALGEBRA_H
#define KILN_SITE_ALGEBRA_H

#include "src/site/su3.h"

enum { ALGEBRA_REALS = 8 };
typedef struct { real c[8]; } algebra;

/* s + f a */
SITE_FN algebra algebra_axpy(scalar f, algebra a, algebra s)
{
    for (int i = 0; i < 8; i++)
        s.c[i] = mad(spread(f), a.c[i], s.c[i]);
    return s;
}

/* f a */
SITE_FN algebra algebra_scale(scalar f, algebra a)
{
    for (int i = 0; i < 8; i++)
        a.c[i] = spread(f) * a.c[i];
    return a;
}

/* Tr P^+P */
SITE_FN real algebra_norm2(algebra p)
{
    real third = p.c[0] + p.c[1];
    real diagonal = mad(p.c[0], p.c[0], mad(p.c[1], p.c[1], third * third));
    real off = spread(0);
    for (int i = 2; i < 8; i++)
        off = mad(p.c[i], p.c[i], off);
    return mad(spread(2), off, diagonal);
}

/* The larger of two numbers, or NaN if one of them is not finite: a comparison alone may drop a NaN. */
SITE_FN real larger_or_nan(real a, real b)
{
    return choose(is_above(b, a), b, a) + ((a - a) + (b - b));
}

/* The antihermitian traceless part [M]_TA = (M - M^+)/2 - Tr(M - M^+)/6 */
SITE_FN algebra algebra_part(su3 m)
{
    algebra p;
    real half = spread((scalar)0.5), third = spread((scalar)(1.0 / 3));
    real trace = (m.e[0][0].im + m.e[1][1].im + m.e[2][2].im) * third;
    p.c[0] = m.e[0][0].im - trace;
    p.c[1] = m.e[1][1].im - trace;
    p.c[2] = (m.e[0][1].re - m.e[1][0].re) * half;
    p.c[3] = (m.e[0][1].im + m.e[1][0].im) * half;
    p.c[4] = (m.e[0][2].re - m.e[2][0].re) * half;
    p.c[5] = (m.e[0][2].im + m.e[2][0].im) * half;
    p.c[6] = (m.e[1][2].re - m.e[2][1].re) * half;
    p.c[7] = (m.e[1][2].im + m.e[2][1].im) * half;
    return p;
}

SITE_FN su3 algebra_matrix(algebra p)
{
    su3 m;
    m.e[0][0].re = m.e[1][1].re = m.e[2][2].re = spread(0);
    m.e[0][0].im = p.c[0];
    m.e[1][1].im = p.c[1];
    m.e[2][2].im = -(p.c[0] + p.c[1]);
    for (int k = 0; k < 3; k++) {
        int i = k / 2, j = (k + 3) / 2;                       /* (0,1) (0,2) (1,2) */
        m.e[i][j].re = p.c[2 + 2 * k];
        m.e[i][j].im = p.c[3 + 2 * k];
        m.e[j][i].re = -p.c[2 + 2 * k];
        m.e[j][i].im = p.c[3 + 2 * k];
    }
    return m;
}

/* f0 + f1 Y + f2 Y^2: every function of a 3x3 matrix Y has this form (Cayley and Hamilton) */
typedef struct { cplx f[3]; } quadratic;

/* q^2, reduced to a quadratic by Y^3 = t Y + i d */
SITE_FN quadratic quadratic_square(quadratic q, real t, real d)
{
    cplx q11 = cplx_mad(q.f[1], q.f[1], cplx_zero()), q22 = cplx_mad(q.f[2], q.f[2], cplx_zero());
    cplx q00 = cplx_mad(q.f[0], q.f[0], cplx_zero()), q01 = cplx_mad(q.f[0], q.f[1], cplx_zero());
    cplx q02 = cplx_mad(q.f[0], q.f[2], cplx_zero()), q12 = cplx_mad(q.f[1], q.f[2], cplx_zero());
    real two = spread(2);
    quadratic s;
    s.f[0].re = mad_minus(two * d, q12.im, q00.re);
    s.f[0].im = mad(two * d, q12.re, q00.im);
    s.f[1].re = mad_minus(d, q22.im, two * mad(t, q12.re, q01.re));
    s.f[1].im = mad(d, q22.re, two * mad(t, q12.im, q01.im));
    s.f[2].re = mad(two, q02.re, mad(t, q22.re, q11.re));
    s.f[2].im = mad(two, q02.im, mad(t, q22.im, q11.im));
    return s;
}

/* exp(dt P): the Taylor series of order EXP_ORDER in Y = 2^-k dt P with |Y| <= 1 (Frobenius), summed
 * as a quadratic in Y by the Cayley-Hamilton relation Y^3 = t Y + i d, t = -Tr(Y^+Y)/2, i d = det Y,
 * and squared k times.  The remainder is below 1/19! = 8e-18: exp(Y) exp(-Y) = 1 to rounding.  Valid for
 * |dt P| <= 2^EXP_HALVINGS = 4096, far beyond any step that conserves energy. */
enum { EXP_ORDER = 18, EXP_HALVINGS = 12 };

SITE_FN su3 algebra_exp(scalar dt, algebra p)
{
    real scale = spread(dt);
    real norm2 = algebra_norm2(p) * scale * scale, half = spread((scalar)0.5), halvings = spread(0);
    for (int k = 0; k < EXP_HALVINGS; k++) {
        mask large = is_above(norm2, spread(1));
        if (!any_of(large))
            break;
        scale = choose(large, scale * half, scale);
        norm2 = choose(large, norm2 * spread((scalar)0.25), norm2);
        halvings = choose(large, halvings + spread(1), halvings);
    }
    for (int i = 0; i < 8; i++)
        p.c[i] = p.c[i] * scale;
    su3 y = algebra_matrix(p);
    real t = -norm2 * half, d = su3_determinant(y).im;

    quadratic q;
    for (int i = 0; i < 3; i++)
        q.f[i] = cplx_zero();
    q.f[0].re = spread(1);
    for (int n = EXP_ORDER; n > 0; n--) {                     /* q <- 1 + Y q / n */
        real inverse = spread((scalar)1 / (scalar)n);
        cplx f0 = q.f[0], f1 = q.f[1], f2 = q.f[2];
        q.f[0].re = mad_minus(inverse * d, f2.im, spread(1));
        q.f[0].im = inverse * d * f2.re;
        q.f[1].re = inverse * mad(t, f2.re, f0.re);
        q.f[1].im = inverse * mad(t, f2.im, f0.im);
        q.f[2].re = inverse * f1.re;
        q.f[2].im = inverse * f1.im;
    }
    for (int k = 0; k < EXP_HALVINGS; k++) {
        mask again = is_above(halvings, spread((scalar)k + (scalar)0.5));
        if (!any_of(again))
            break;
        quadratic s = quadratic_square(q, t, d);
        for (int i = 0; i < 3; i++) {
            q.f[i].re = choose(again, s.f[i].re, q.f[i].re);
            q.f[i].im = choose(again, s.f[i].im, q.f[i].im);
        }
    }

    su3 y2 = su3_mul(y, y), e;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            cplx s = cplx_zero();
            if (i == j)
                s = q.f[0];
            e.e[i][j] = cplx_mad(q.f[2], y2.e[i][j], cplx_mad(q.f[1], y.e[i][j], s));
        }
    return e;
}

#endif
