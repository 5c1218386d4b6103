/* color_vector.h - three complex numbers a site: staggered fermions. */
#ifndef KILN_SITE_COLOR_VECTOR_H
#define KILN_SITE_COLOR_VECTOR_H

#include "src/site/su3.h"

typedef struct { cplx c[3]; } color_vector;

SITE_FN color_vector vector_zero(void)
{
    color_vector a;
    for (int i = 0; i < 3; i++)
        a.c[i] = cplx_zero();
    return a;
}

/* s + f a, f the same for all sites */
SITE_FN color_vector vector_axpy(scalar f, color_vector a, color_vector s)
{
    real factor = spread(f);
    for (int i = 0; i < 3; i++) {
        s.c[i].re = mad(factor, a.c[i].re, s.c[i].re);
        s.c[i].im = mad(factor, a.c[i].im, s.c[i].im);
    }
    return s;
}

/* f a */
SITE_FN color_vector vector_scale(scalar f, color_vector a)
{
    real factor = spread(f);
    for (int i = 0; i < 3; i++) {
        a.c[i].re = factor * a.c[i].re;
        a.c[i].im = factor * a.c[i].im;
    }
    return a;
}

/* s + m a */
SITE_FN color_vector su3_mul_vector(su3 m, color_vector a, color_vector s)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s.c[i] = cplx_mad(m.e[i][j], a.c[j], s.c[i]);
    return s;
}

/* s - m^+ a */
SITE_FN color_vector su3_dagger_mul_vector_minus(su3 m, color_vector a, color_vector s)
{
    for (int j = 0; j < 3; j++) {
        cplx minus;
        minus.re = -a.c[j].re;
        minus.im = -a.c[j].im;
        for (int i = 0; i < 3; i++)
            s.c[i] = cplx_conj_mad(m.e[j][i], minus, s.c[i]);
    }
    return s;
}

/* |a|^2 */
SITE_FN real vector_norm2(color_vector a)
{
    real s = spread(0);
    for (int i = 0; i < 3; i++)
        s = mad(a.c[i].im, a.c[i].im, mad(a.c[i].re, a.c[i].re, s));
    return s;
}

/* a^+ b */
SITE_FN cplx vector_dot(color_vector a, color_vector b)
{
    cplx s = cplx_zero();
    for (int i = 0; i < 3; i++)
        s = cplx_conj_mad(a.c[i], b.c[i], s);
    return s;
}

/* s + f a b^+ */
SITE_FN su3 outer_product(scalar f, color_vector a, color_vector b, su3 s)
{
    a = vector_scale(f, a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)                             /* conj(b_j) a_i */
            s.e[i][j] = cplx_conj_mad(b.c[j], a.c[i], s.e[i][j]);
    return s;
}

#endif
