/* spinor.h - four color vectors a site: Wilson and domain-wall fermions.
 *
 * gamma matrices in the chiral basis of T. DeGrand and P. Rossi, as rows:
 *     x [0 0 0 i; 0 0 i 0; 0 -i 0 0; -i 0 0 0]     y [0 0 0 -1; 0 0 1 0; 0 1 0 0; -1 0 0 0]
 *     z [0 0 i 0; 0 0 0 -i; -i 0 0 0; 0 i 0 0]     t [0 0 1 0; 0 0 0 1; 1 0 0 0; 0 1 0 0]
 * gamma5 = gamma_x gamma_y gamma_z gamma_t = diag(1, 1, -1, -1): spins 0, 1 are one chirality and 2, 3 the other.
 *
 * 1 - gamma and 1 + gamma have rank 2: the upper two spins of their image determine the lower two.  So a hop multiplies
 * only two color vectors by a link: project, multiply, expand. */
#ifndef KILN_SITE_SPINOR_H
#define KILN_SITE_SPINOR_H

#include "src/site/color_vector.h"

enum { SPINS = 4 };
typedef struct { color_vector s[SPINS]; } spinor;
typedef struct { color_vector s[2]; } half_spinor;

SITE_FN spinor spinor_zero(void)
{
    spinor a;
    for (int i = 0; i < SPINS; i++)
        a.s[i] = vector_zero();
    return a;
}

/* what (a literal) = 0: a + b,  1: a - b,  2: a + i b,  3: a - i b */
SITE_FN color_vector vector_plus(int what, color_vector a, color_vector b)
{
    for (int i = 0; i < 3; i++) {
        cplx u = a.c[i], v = b.c[i];
        a.c[i].re = what == 0 ? u.re + v.re : what == 1 ? u.re - v.re : what == 2 ? u.re - v.im : u.re + v.im;
        a.c[i].im = what == 0 ? u.im + v.im : what == 1 ? u.im - v.im : what == 2 ? u.im + v.re : u.im - v.re;
    }
    return a;
}

/* The upper spins of (1 - gamma_mu) a, or with `plus` of (1 + gamma_mu) a; mu and plus are literals. */
SITE_FN half_spinor spinor_project(int mu, int plus, spinor a)
{
    half_spinor h;
    const int flip = plus ? 1 : 0;
    if (mu == 0) {
        h.s[0] = vector_plus(3 - flip, a.s[0], a.s[3]);
        h.s[1] = vector_plus(3 - flip, a.s[1], a.s[2]);
    } else if (mu == 1) {
        h.s[0] = vector_plus(flip, a.s[0], a.s[3]);
        h.s[1] = vector_plus(1 - flip, a.s[1], a.s[2]);
    } else if (mu == 2) {
        h.s[0] = vector_plus(3 - flip, a.s[0], a.s[2]);
        h.s[1] = vector_plus(2 + flip, a.s[1], a.s[3]);
    } else {
        h.s[0] = vector_plus(1 - flip, a.s[0], a.s[2]);
        h.s[1] = vector_plus(1 - flip, a.s[1], a.s[3]);
    }
    return h;
}

/* U h, and U^+ h */
SITE_FN half_spinor half_spinor_carried(su3 u, half_spinor h)
{
    for (int i = 0; i < 2; i++)
        h.s[i] = su3_mul_vector(u, h.s[i], vector_zero());
    return h;
}
SITE_FN half_spinor half_spinor_carried_back(su3 u, half_spinor h)
{
    for (int i = 0; i < 2; i++) {
        color_vector sum = vector_zero();
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++)
                sum.c[k] = cplx_conj_mad(u.e[j][k], h.s[i].c[j], sum.c[k]);
        h.s[i] = sum;
    }
    return h;
}

/* s + the spinor that has these upper spins and is in the image of 1 - gamma_mu, or 1 + gamma_mu */
SITE_FN spinor spinor_expand(int mu, int plus, half_spinor h, spinor s)
{
    const int flip = plus ? 1 : 0;
    s.s[0] = vector_plus(0, s.s[0], h.s[0]);
    s.s[1] = vector_plus(0, s.s[1], h.s[1]);
    if (mu == 0) {
        s.s[2] = vector_plus(2 + flip, s.s[2], h.s[1]);
        s.s[3] = vector_plus(2 + flip, s.s[3], h.s[0]);
    } else if (mu == 1) {
        s.s[2] = vector_plus(1 - flip, s.s[2], h.s[1]);
        s.s[3] = vector_plus(flip, s.s[3], h.s[0]);
    } else if (mu == 2) {
        s.s[2] = vector_plus(2 + flip, s.s[2], h.s[0]);
        s.s[3] = vector_plus(3 - flip, s.s[3], h.s[1]);
    } else {
        s.s[2] = vector_plus(1 - flip, s.s[2], h.s[0]);
        s.s[3] = vector_plus(1 - flip, s.s[3], h.s[1]);
    }
    return s;
}

#endif
