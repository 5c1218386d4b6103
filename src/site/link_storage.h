/* link_storage.h - loads and stores links in a format (a compile-time constant): the only file that knows their
 * layout.
 *
 * In fixed point they are integers in units of the field's largest number / FIXED16_ONE (or FIXED32_ONE); kernels
 * sum products of the integers, and multiply the sum by the unit.  With 16 bits a word has re | im << 16; with 32,
 * one number.
 *
 * In fewer numbers, real[tile][direction][number][SITE_TILE]:
 *
 *     12            rows a and b; the third is c = (a x b)^*
 *     13            a, b and d, the phase of the determinant; c = d (a x b)^*
 *     8, 9          a and b as points of spheres; 9: and d
 *     fixed16_13, fixed32_13
 *                   a and b as above, in units of 1 / FIXED16_ONE (FIXED32_ONE), which can be fixed as elements of a
 *                   unitary matrix are below 1: so c is known in units too; then d, a float (a double, low word first)
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
 * |c1|.) */
#ifndef KILN_SITE_LINK_STORAGE_H
#define KILN_SITE_LINK_STORAGE_H

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

/* s of a point: it is (s - 1, s p) */
SITE_FN real one_and_w(const real *p, int n)
{
    real p2 = spread(0);
    UNROLL_LOOP
    for (int i = 0; i < n; i++)
        p2 = mad(p[i], p[i], p2);
    return spread(2) / (spread(1) + p2);
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

/* Eight numbers of the rows a and b. */
SITE_FN void project_rows(real *p, su3 m)
{
    cplx phase, q[2];
    p[0] = project_phase(m.e[0][0]);
    phase = phase_at(p[0]);
    real s = spread(1) + cplx_conj_mad(phase, m.e[0][0], cplx_zero()).re;
    for (int i = 0; i < 2; i++) {
        cplx z = cplx_conj_mad(phase, m.e[0][i + 1], cplx_zero());
        p[1 + 2 * i] = z.re / s;
        p[2 + 2 * i] = z.im / s;
    }
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
}

SITE_FN su3 rows_at(const real *p)
{
    su3 r = rotation_at(p + 1), m;
    cplx phase = phase_at(p[0]), q[2];
    real s = one_and_w(p + 5, 3);
    q[0].re = s - spread(1);
    q[0].im = s * p[5];
    q[1].re = s * p[6];
    q[1].im = s * p[7];
    for (int j = 0; j < 3; j++) {
        m.e[0][j] = cplx_mad(phase, r.e[0][j], cplx_zero());
        m.e[1][j] = cplx_mad(q[1], r.e[2][j], cplx_mad(q[0], r.e[1][j], cplx_zero()));
    }
    return m;
}

/* m with the third row of its first two, times `factor` */
SITE_FN su3 with_third_row(su3 m, cplx factor)
{
    m = su3_third_row(m);
    for (int j = 0; j < 3; j++)
        m.e[2][j] = cplx_mad(factor, m.e[2][j], cplx_zero());
    return m;
}

/* Numbers 12, 8, 13, 9 of a link, and the link. */
SITE_FN su3 link_of_numbers(link_format f, const real *p)
{
    const int numbers = LINK_NUMBERS(f), rows = f == LINK_8 || f == LINK_9 ? 8 : 12;
    su3 m;
    if (rows == 8)
        m = rows_at(p);
    else
        for (int k = 0; k < 6; k++) {
            m.e[k / 3][k % 3].re = p[2 * k];
            m.e[k / 3][k % 3].im = p[2 * k + 1];
        }
    return numbers == rows ? su3_third_row(m) : with_third_row(m, phase_at(p[rows]));
}

SITE_FN su3 load_numbers(link_format f, const gauge_view *u, site x, int mu)
{
    const int numbers = LINK_NUMBERS(f);
    place_of o = find(x, 4 * numbers);
    real p[13];
    UNROLL_LOOP
    for (int i = 0; i < numbers; i++)
        p[i] = load_real(u->data, &o, mu * numbers + i);
    return link_of_numbers(f, p);
}

SITE_FN void store_numbers(link_format f, const gauge_view *u, site x, int mu, su3 m)
{
    const int numbers = LINK_NUMBERS(f), rows = f == LINK_8 || f == LINK_9 ? 8 : 12;
    place_of o = find(x, 4 * numbers);
    real p[13];
    if (rows == 8)
        project_rows(p, m);
    else
        for (int k = 0; k < 6; k++) {
            p[2 * k] = m.e[k / 3][k % 3].re;
            p[2 * k + 1] = m.e[k / 3][k % 3].im;
        }
    if (numbers > rows)
        p[rows] = project_phase(su3_determinant(m));
    UNROLL_LOOP
    for (int i = 0; i < numbers; i++)
        store_real(u->data, &o, mu * numbers + i, p[i]);
}

SITE_FN bool has_two_rows(link_format f) { return f == LINK_FIXED16_13 || f == LINK_FIXED32_13; }
SITE_FN bool has_wide_numbers(link_format f) { return f == LINK_FIXED32 || f == LINK_FIXED32_13; }
SITE_FN bool is_fixed_point(link_format f) { return f == LINK_FIXED16 || has_two_rows(f) || has_wide_numbers(f); }

SITE_FN int words_of_link(link_format f)
{
    return f == LINK_FIXED16 ? FIXED16_WORDS : f == LINK_FIXED32 ? FIXED32_WORDS
         : f == LINK_FIXED16_13 ? FIXED16_13_WORDS : FIXED32_13_WORDS;
}

/* Words of a link in fixed point, and the link. */
SITE_FN su3 link_of_words(link_format f, const bits *w)
{
    const int elements = has_two_rows(f) ? 6 : 9;
    su3 m;
    UNROLL_LOOP
    for (int k = 0; k < elements; k++) {
        cplx z;
        z.re = has_wide_numbers(f) ? real_of_integer(w[2 * k], 32) : real_of_integer(w[k], 16);
        z.im = has_wide_numbers(f) ? real_of_integer(w[2 * k + 1], 32) : real_of_integer(w[k] >> 16, 16);
        m.e[k / 3][k % 3] = z;
    }
    if (has_two_rows(f)) {
        const scalar unit = (scalar)(f == LINK_FIXED16_13 ? 1 / FIXED16_ONE : 1 / FIXED32_ONE);
        bits d = f == LINK_FIXED16_13 ? w[6] : w[12] | w[13] << (MANTISSA_BITS / 52 * 32);
        cplx phase = phase_at(real_of_bits(d));
        phase.re = phase.re * unit;
        phase.im = phase.im * unit;
        m = with_third_row(m, phase);
    }
    return m;
}

SITE_FN su3 load_fixed(link_format f, const gauge_view *u, site x, int mu)
{
    bits w[FIXED32_WORDS];
    load_words(w, u->data, x, 4, mu, words_of_link(f));
    return link_of_words(f, w);
}

SITE_FN void store_fixed(link_format f, const gauge_view *u, site x, int mu, su3 m)
{
    const int elements = has_two_rows(f) ? 6 : 9, width = has_wide_numbers(f) ? 32 : 16;
    bits w[FIXED32_WORDS];
    UNROLL_LOOP
    for (int k = 0; k < elements; k++) {
        bits re = integer_of_real(m.e[k / 3][k % 3].re, width), im = integer_of_real(m.e[k / 3][k % 3].im, width);
        if (has_wide_numbers(f)) {
            w[2 * k] = re;
            w[2 * k + 1] = im;
        } else
            w[k] = re | im << 16;
    }
    if (has_two_rows(f)) {
        bits d = bits_of_real(project_phase(su3_determinant(m)));
        if (f == LINK_FIXED16_13)
            w[6] = d;
        else {
            w[12] = d & 0xffffffffu;
            w[13] = d >> (MANTISSA_BITS / 52 * 32);
        }
    }
    store_words(u->data, x, 4, mu, words_of_link(f), w);
}

SITE_FN su3 load_link_as(link_format f, const gauge_view *u, site x, int mu)
{
    return f == LINK_NATIVE ? load_link(u, x, mu)
         : is_fixed_point(f) ? load_fixed(f, u, x, mu)
         : load_numbers(f, u, x, mu);
}

/* m in the units of the format, at most the largest in size; a matrix that the format can keep */
SITE_FN void store_link_as(link_format f, const gauge_view *u, site x, int mu, su3 m)
{
    if (f == LINK_NATIVE)
        store_link(u, x, mu, m);
    else if (is_fixed_point(f))
        store_fixed(f, u, x, mu, m);
    else
        store_numbers(f, u, x, mu, m);
}

#endif
