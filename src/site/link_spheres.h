/* link_spheres.h - two rows of a unitary matrix as points of spheres: eight numbers.
 *
 * A point (w, v) of a unit sphere is kept as its stereographic projection p = v / (1 + w), a phase as the tangent of
 * half its angle: with s = 2 / (1 + |p|^2) it is (s - 1, s p), without roots or angles.  Points near w = -1 lie far
 * out, where numbers in floating point are as fine, relative to their size, as anywhere: every point comes back to
 * rounding, and w = -1, the sign of a boundary, is 2^60 out.  On spheres
 *
 *     a = phase (rho, z1, z2), rho >= 0: a number of the phase, four numbers (y1, y2) = z / s with s = 1 + rho
 *     b = q1 r1 + q2 r2, three numbers of q;  r1, r2 are rows of the rotation that takes (1, 0, 0) to (rho, z1, z2),
 *         (-z1^*, 1 - s |y1|^2, -s y1^* y2)  and  (-z2^*, -s y2^* y1, 1 - s |y2|^2)
 *
 * This holds for all matrices alike.  (The phases of a1 and c1 with a2, a3 and b1, arXiv:0911.3191, appendix A.2,
 * are singular at |a1| = 1, as is said there; and roots of differences lose half of the digits of a small |a1| or
 * |c1|.)
 *
 * For fixed point the projections of the phase and of q are bounded.  With m the largest |p_i|,
 *
 *     x = p / (1 + m) fills the cube |x_i| <= 1;  with A = 1 - max |x_i|, s = 2 / (A^2 + |x|^2): (s A^2 - 1, s A x)
 *
 * y is in the unit ball as it is.  Numbers are rounded one after the other, each to what those before it have become:
 * the matrix that comes back is unitary to rounding of the arithmetic.  If a number is off by h, the phase is off by
 * 2 h (near 1 and -1) to 4 h, q by as much for each of its three, and (rho, z) by h to 2 h for each of y.  With 16 bits
 * h = 2^-16: a row is off by (4^2 + 4 2^2)^(1/2) h = 5.7 h at most from a, by 5.3 h from q, together by 11 h = 1.7e-4;
 * the largest error of an element in 4 10^6 random links was 7.4 h, the rms 1.1 h (0.6 h with two rows).  The phase is
 * arbitrary where a1 = 0, the direction of v where w = -1: links near these points (5 in 10^6) come back as closely,
 * but packed a second time they may be other words. */
#ifndef KILN_SITE_LINK_SPHERES_H
#define KILN_SITE_LINK_SPHERES_H

#include "src/site/formats.h"
#include "src/site/words.h"

#define FAR_OUT 1152921504606846976.0                        /* 2^60: its square is a float too */
#define NEARLY_NONE 7.52316384526264e-37                     /* 2^-120 */

/* v / (1 + w), `n` numbers, in place; (w, v) needs no unit length, and none at all is w = 1. */
SITE_FN void project(real *v, int n, real w)
{
    real v2 = spread(0), none = spread((scalar)NEARLY_NONE);
    UNROLL_LOOP
    for (int i = 0; i < n; i++)
        v2 = mad(v[i], v[i], v2);
    real norm2 = mad(w, w, v2), r = square_root(norm2);
    mask behind = is_above(spread(0), w), behind_all = is_above(none, v2), nothing = is_above(none, norm2);
    real factor = choose(behind, r - w, spread(1)) / choose(behind, v2, r + w);   /* (r + w)(r - w) = v^2 */
    UNROLL_LOOP
    for (int i = 0; i < n; i++) {
        real far_out = spread(i == 0 ? (scalar)FAR_OUT : (scalar)0);
        v[i] = choose(nothing, spread(0), choose(behind_all & behind, far_out, v[i] * factor));
    }
}

SITE_FN real norm2_of_numbers(const real *p, int n)
{
    real p2 = spread(0);
    UNROLL_LOOP
    for (int i = 0; i < n; i++)
        p2 = mad(p[i], p[i], p2);
    return p2;
}

/* s of a point: it is (s - 1, s p) */
SITE_FN real one_and_w(const real *p, int n)
{
    return spread(2) / (spread(1) + norm2_of_numbers(p, n));
}

SITE_FN real project_phase(cplx z)
{
    project(&z.im, 1, z.re);
    return z.im;
}
SITE_FN cplx phase_at(real p)
{
    cplx z;
    real s = one_and_w(&p, 1);
    z.re = s - spread(1);
    z.im = s * p;
    return z;
}

SITE_FN real largest_of_numbers(const real *p, int n)
{
    real largest = spread(0);
    UNROLL_LOOP
    for (int i = 0; i < n; i++) {
        real size = choose(is_above(spread(0), p[i]), -p[i], p[i]);
        largest = choose(is_above(size, largest), size, largest);
    }
    return largest;
}

/* `bits_each`: 0 for projections in floating point; 16 or 32 for numbers below 1 in fixed point.
 * Rounds `n` numbers to what can be kept; projections are bounded first. */
SITE_FN void keep_numbers(int bits_each, real *p, int n, bool projections)
{
    const scalar one = (scalar)(bits_each == 16 ? FIXED16_ONE : FIXED32_ONE);
    if (bits_each == 0)
        return;
    real factor = projections ? spread(1) / (spread(1) + largest_of_numbers(p, n)) : spread(1);
    UNROLL_LOOP
    for (int i = 0; i < n; i++)
        p[i] = real_of_integer(integer_of_real(p[i] * factor * one, bits_each), bits_each) * (1 / one);
}

/* (w, v) of the projections as they are kept */
SITE_FN void point_at(int bits_each, real *w, real *v, const real *x, int n)
{
    real a = bits_each == 0 ? spread(1) : spread(1) - largest_of_numbers(x, n);
    real s = spread(2) / mad(a, a, norm2_of_numbers(x, n));
    s = bits_each == 0 ? s : s * a;
    *w = bits_each == 0 ? s - spread(1) : mad(s, a, spread(-1));
    UNROLL_LOOP
    for (int i = 0; i < n; i++)
        v[i] = s * x[i];
}

/* (rho, z), r1, r2 from y */
SITE_FN su3 rotation_at(const real *p)
{
    su3 r;
    cplx y[2];
    real s = one_and_w(p, 4);
    r.e[0][0].re = s - spread(1);
    r.e[0][0].im = spread(0);
    for (int i = 0; i < 2; i++) {
        y[i].re = p[2 * i];
        y[i].im = p[2 * i + 1];
        r.e[0][i + 1].re = s * y[i].re;
        r.e[0][i + 1].im = s * y[i].im;
        r.e[i + 1][0].re = -r.e[0][i + 1].re;
        r.e[i + 1][0].im = r.e[0][i + 1].im;
        r.e[i + 1][i + 1].re = mad_minus(s, mad(y[i].re, y[i].re, y[i].im * y[i].im), spread(1));
        r.e[i + 1][i + 1].im = spread(0);
    }
    r.e[1][2] = cplx_conj_mad(y[0], r.e[0][2], cplx_zero());
    r.e[1][2].re = -r.e[1][2].re;
    r.e[1][2].im = -r.e[1][2].im;
    r.e[2][1].re = r.e[1][2].re;
    r.e[2][1].im = -r.e[1][2].im;
    return r;
}

/* Eight numbers of the rows a and b, as they are kept in `bits_each`. */
SITE_FN void project_rows(int bits_each, real *p, su3 m)
{
    cplx phase, q[2];
    p[0] = project_phase(m.e[0][0]);
    keep_numbers(bits_each, p, 1, true);
    point_at(bits_each, &phase.re, &phase.im, p, 1);
    real s = spread(1) + cplx_conj_mad(phase, m.e[0][0], cplx_zero()).re;
    for (int i = 0; i < 2; i++) {
        cplx z = cplx_conj_mad(phase, m.e[0][i + 1], cplx_zero());
        p[1 + 2 * i] = z.re / s;
        p[2 + 2 * i] = z.im / s;
    }
    keep_numbers(bits_each, p + 1, 4, false);
    su3 r = rotation_at(p + 1);
    for (int i = 0; i < 2; i++) {
        q[i] = cplx_zero();
        for (int j = 0; j < 3; j++)
            q[i] = cplx_conj_mad(r.e[i + 1][j], m.e[1][j], q[i]);
    }
    p[5] = q[0].im;
    p[6] = q[1].re;
    p[7] = q[1].im;
    project(p + 5, 3, q[0].re);
    keep_numbers(bits_each, p + 5, 3, true);
}

SITE_FN su3 rows_at(int bits_each, const real *p)
{
    su3 r = rotation_at(p + 1), m;
    cplx phase, q[2];
    real v[3];
    point_at(bits_each, &phase.re, &phase.im, p, 1);
    point_at(bits_each, &q[0].re, v, p + 5, 3);
    q[0].im = v[0];
    q[1].re = v[1];
    q[1].im = v[2];
    for (int j = 0; j < 3; j++) {
        m.e[0][j] = cplx_mad(phase, r.e[0][j], cplx_zero());
        m.e[1][j] = cplx_mad(q[1], r.e[2][j], cplx_mad(q[0], r.e[1][j], cplx_zero()));
    }
    return m;
}

#endif
