/* projection.h - functions for the projection of smeared links and for its derivative. */
#ifndef KILN_KERNELS_PROJECTION_H
#define KILN_KERNELS_PROJECTION_H

#include "src/kernels/link_multiple.h"
#include "src/site/svd.h"

/* 1 / an eigenvalue of V^+V, kept finite. */
SITE_FN real inverse_eigenvalue(real g)
{
    real least = spread((scalar)1e-30);
    return spread(1) / choose(is_above(least, g), least, g);
}

/* exp(i phi/2) of exp(i phi), -pi < phi <= pi */
SITE_FN cplx half_angle(cplx z)
{
    real zero = spread(0), half = spread((scalar)0.5), one = spread(1), re2 = (one + z.re) * half;
    real im2 = (one - z.re) * half;
    cplx h;
    h.re = square_root(choose(is_above(re2, zero), re2, zero));
    h.im = square_root(choose(is_above(im2, zero), im2, zero));
    h.im = choose(is_above(zero, z.im), -h.im, h.im);
    return h;
}

/* z = exp(-i arg(d)/3) for d = det W of a unitary W, so that det(z W) = 1.  exp(-i phi (1/4 + 1/16)) by half angles is
 * within 0.07 of z; Newton's iteration for z^3 = d^*, z <- (2 z + d^* / z^2) / 3, does the rest. */
enum { CUBE_ROOT_STEPS = 4 };
SITE_FN cplx special_phase(su3 w)
{
    cplx d = su3_determinant(w);
    d = cplx_scale(spread(1) / square_root(mad(d.re, d.re, d.im * d.im)), d);
    cplx quarter = half_angle(half_angle(d));
    cplx z = cplx_mad(quarter, half_angle(half_angle(quarter)), cplx_zero());
    d.im = -d.im;
    z.im = -z.im;
    for (int step = 0; step < CUBE_ROOT_STEPS; step++) {
        cplx z2 = cplx_mad(z, z, cplx_zero());
        real inverse = spread(1) / mad(z2.re, z2.re, z2.im * z2.im);
        cplx other = cplx_scale(inverse, cplx_conj_mad(z2, d, cplx_zero()));
        z.re = mad(spread(2), z.re, other.re) * spread((scalar)(1.0 / 3));
        z.im = mad(spread(2), z.im, other.im) * spread((scalar)(1.0 / 3));
    }
    return cplx_scale(spread(1) / square_root(mad(z.re, z.re, z.im * z.im)), z);
}

#endif
