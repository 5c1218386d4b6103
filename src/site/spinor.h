/* spinor.h - four colour vectors a site: Wilson and domain-wall fermions.
 *
 * Spins 0, 1 are one chirality and 2, 3 the other: gamma5 is diagonal. */
#ifndef KILN_SITE_SPINOR_H
#define KILN_SITE_SPINOR_H

#include "src/site/color_vector.h"

enum { SPINS = 4 };
typedef struct { color_vector s[SPINS]; } spinor;

SITE_FN spinor spinor_zero(void)
{
    spinor a;
    for (int i = 0; i < SPINS; i++)
        a.s[i] = vector_zero();
    return a;
}

/* s + f a, f the same for all sites */
SITE_FN spinor spinor_axpy(scalar f, spinor a, spinor s)
{
    for (int i = 0; i < SPINS; i++)
        s.s[i] = vector_axpy(f, a.s[i], s.s[i]);
    return s;
}

/* f a */
SITE_FN spinor spinor_scale(scalar f, spinor a)
{
    for (int i = 0; i < SPINS; i++)
        a.s[i] = vector_scale(f, a.s[i]);
    return a;
}

/* |a|^2 */
SITE_FN real spinor_norm2(spinor a)
{
    real s = vector_norm2(a.s[0]);
    for (int i = 1; i < SPINS; i++)
        s = s + vector_norm2(a.s[i]);
    return s;
}

/* a^+ b */
SITE_FN cplx spinor_dot(spinor a, spinor b)
{
    cplx s = vector_dot(a.s[0], b.s[0]);
    for (int i = 1; i < SPINS; i++) {
        cplx d = vector_dot(a.s[i], b.s[i]);
        s.re = s.re + d.re;
        s.im = s.im + d.im;
    }
    return s;
}

#endif
