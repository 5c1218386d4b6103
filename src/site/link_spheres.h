/* link_spheres.h - two rows of a unitary matrix as points of spheres: eight numbers.
 *
 * A point (w, v) of a unit sphere is stored as its stereographic projection p = v / (1 + w):
 *
 *     (w, v) = (s - 1, s p),   s = 2 / (1 + |p|^2)
 *
 * without roots or angles.  A phase is a point of the unit circle; its p is the tangent of half the angle.  Points near
 * w = -1 have large p.  Floating-point numbers have the same relative accuracy at any size, so every point is recovered
 * to rounding; w = -1 itself (a sign of the boundary condition) is stored as p = 2^60.  The rows are
 *
 *     a = phase (rho, z1, z2), rho >= 0: a number of the phase, four numbers (y1, y2) = z / s with s = 1 + rho
 *     b = q1 r1 + q2 r2, three numbers of q;  r1, r2 are rows of the rotation that takes (1, 0, 0) to (rho, z1, z2),
 *         (-z1^*, 1 - s |y1|^2, -s y1^* y2)  and  (-z2^*, -s y2^* y1, 1 - s |y2|^2)
 *
 * No unitary matrix is singular in this form.  (The form of arXiv:0911.3191, appendix A.2, which stores the phases of
 * a1 and c1 with a2, a3 and b1, is singular at |a1| = 1; and its roots of differences lose half of the digits of a
 * small |a1| or |c1|.)
 *
 * For fixed point the projections p of the phase and of q are mapped to the cube |x_i| <= 1.  With m the largest |p_i|,
 *
 *     x = p / (1 + m);   back, with A = 1 - max |x_i| and s = 2 / (A^2 + |x|^2):  (w, v) = (s A^2 - 1, s A x)
 *
 * y needs no map, because |y| <= 1.  Each group of numbers is computed from the rounded values of the groups before it,
 * so the loaded matrix is unitary to the rounding of the arithmetic.  An error h of one number changes the phase by 2 h
 * (near 1 and -1) to 4 h, q by as much for each of its three numbers, and (rho, z) by h to 2 h for each number of y.
 * With 16 bits h = 2^-16: the error of a row is at most (4^2 + 4 2^2)^(1/2) h = 5.7 h from a and 5.3 h from q, together
 * 11 h = 1.7e-4; the largest error of an element in 4 10^6 random links was 7.4 h, the rms 1.1 h (0.6 h with two rows).
 * The phase is arbitrary where a1 = 0, and the direction of v where w = -1.  Links near these points (5 in 10^6) are
 * loaded as accurately as others, but when they are stored a second time their words may differ. */
#ifndef KILN_SITE_LINK_SPHERES_H
#define KILN_SITE_LINK_SPHERES_H

#include "src/site/formats.h"
#include "src/site/words.h"

#define FAR_OUT 1152921504606846976.0                        /* 2^60: its square is a float too */
#define NEARLY_NONE 7.52316384526264e-37                     /* 2^-120 */

/* v <- v / (1 + w) for the point (w, v); v has `n` numbers.  (w, v) may have any length; length 0 counts as w = 1. */
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

/* s = 1 + w of the point with projection p, which has `n` numbers */
SITE_FN real one_plus_w(const real *p, int n)
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
    real s = one_plus_w(&p, 1);
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

/* `bits_each`, here and below: 16 or 32 for fixed point, 0 for floating point.  In fixed point, rounds the `n` numbers
 * p to multiples of 1 / FIXED16_ONE (FIXED32_ONE); projections are first mapped to x = p / (1 + m). */
SITE_FN void round_numbers(int bits_each, real *p, int n, bool projections)
{
    const scalar one = (scalar)(bits_each == 16 ? FIXED16_ONE : FIXED32_ONE);
    if (bits_each == 0)
        return;
    real factor = projections ? spread(1) / (spread(1) + largest_of_numbers(p, n)) : spread(1);
    UNROLL_LOOP
    for (int i = 0; i < n; i++)
        p[i] = real_of_integer(integer_of_real(p[i] * factor * one, bits_each), bits_each) * (1 / one);
}

/* The point (w, v) of `n` stored numbers: x in fixed point, p in floating point */
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

/* The rotation with rows (rho, z1, z2), r1 and r2, from the four numbers of y */
SITE_FN su3 rotation_at(const real *p)
{
    su3 r;
    cplx y[2];
    real s = one_plus_w(p, 4);
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

/* p <- the eight numbers of rows 0 and 1 of m. */
SITE_FN void project_rows(int bits_each, real *p, su3 m)
{
    cplx phase, q[2];
    p[0] = project_phase(m.e[0][0]);
    round_numbers(bits_each, p, 1, true);
    point_at(bits_each, &phase.re, &phase.im, p, 1);
    real s = spread(1) + cplx_conj_mad(phase, m.e[0][0], cplx_zero()).re;
    for (int i = 0; i < 2; i++) {
        cplx z = cplx_conj_mad(phase, m.e[0][i + 1], cplx_zero());
        p[1 + 2 * i] = z.re / s;
        p[2 + 2 * i] = z.im / s;
    }
    round_numbers(bits_each, p + 1, 4, false);
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
    round_numbers(bits_each, p + 5, 3, true);
}

/* The inverse: rows 0 and 1 from eight numbers; row 2 of the result is not set. */
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
