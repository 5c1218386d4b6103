/* link_storage.h - loads and stores links in a format (a compile-time constant): the only file that knows their
 * layout.
 *
 * fixed16 and fixed32 store 18 integers, in units of the field's largest number / FIXED16_ONE (or FIXED32_ONE); kernels
 * sum products of the integers, and multiply the sum by the unit.  Integers of 16 bits share a word, re | im << 16; an
 * integer of 32 bits is a word.  words.h has the order of words in memory.
 *
 * The other formats store fewer numbers: 12, 13, 8 and 9 as real[tile][direction][number][SITE_TILE], those in fixed
 * point as words.  The rows of a link are a, b and c.
 *
 *     12            rows a and b; the third is c = (a x b)^*
 *     13            a, b and d, the phase of the determinant; c = d (a x b)^*
 *     8, 9          a and b as points of spheres (site/link_spheres.h); 9: and d
 *     fixed16_12, fixed32_12
 *                   a and b as above, in units of 1 / FIXED16_ONE (FIXED32_ONE), because elements of a unitary matrix
 *                   are at most 1; c is computed in the same units
 *     fixed16_13, fixed32_13
 *                   the same, then d, a float (a double, low word first)
 *     fixed16_8     a and b as points of spheres, in units of 1 / FIXED16_ONE, two numbers a word; the link that is
 *                   loaded is in units of 1
 *     fixed16_9, fixed32_9
 *                   the same (in units of 1 / FIXED32_ONE, one number a word), then d as above */
#ifndef KILN_SITE_LINK_STORAGE_H
#define KILN_SITE_LINK_STORAGE_H

#include "src/site/formats.h"
#include "src/site/link_spheres.h"
#include "src/site/words.h"

/* m with the third row factor (row0 x row1)^* */
SITE_FN su3 with_third_row(su3 m, cplx factor)
{
    m = su3_third_row(m);
    for (int j = 0; j < 3; j++)
        m.e[2][j] = cplx_mad(factor, m.e[2][j], cplx_zero());
    return m;
}

/* The link that the numbers p stand for, in format 12, 8, 13 or 9. */
SITE_FN su3 link_of_numbers(link_format f, const real *p)
{
    const int numbers = LINK_NUMBERS(f), rows = f == LINK_8 || f == LINK_9 ? 8 : 12;
    su3 m;
    if (rows == 8)
        m = rows_at(0, p);
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
        project_rows(0, p, m);
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

SITE_FN bool has_wide_numbers(link_format f)
{
    return f == LINK_FIXED32 || f == LINK_FIXED32_12 || f == LINK_FIXED32_13 || f == LINK_FIXED32_9;
}
SITE_FN bool has_points(link_format f)
{
    return f == LINK_FIXED16_8 || f == LINK_FIXED16_9 || f == LINK_FIXED32_9;
}
SITE_FN int phase_word_count(link_format f)
{
    return f == LINK_FIXED16_13 || f == LINK_FIXED16_9 ? 1 : f == LINK_FIXED32_13 || f == LINK_FIXED32_9 ? 2 : 0;
}

/* How many fixed-point numbers a link has; number i in the words w; and the words w of the numbers p. */
SITE_FN int fixed_numbers(link_format f)
{
    return (LINK_WORDS(f) - phase_word_count(f)) * (has_wide_numbers(f) ? 1 : 2);
}
SITE_FN real fixed_number(link_format f, const bits *w, int i)
{
    return has_wide_numbers(f) ? real_of_integer(w[i], 32) : real_of_integer(w[i / 2] >> (i % 2 * 16), 16);
}
SITE_FN void set_fixed_numbers(link_format f, bits *w, const real *p)
{
    const int words = LINK_WORDS(f) - phase_word_count(f);
    UNROLL_LOOP
    for (int i = 0; i < words; i++)
        w[i] = has_wide_numbers(f) ? integer_of_real(p[i], 32)
             : integer_of_real(p[2 * i], 16) | integer_of_real(p[2 * i + 1], 16) << 16;
}

/* The link that the words w stand for: in units of 1 if it was stored as points of spheres, else in those of w. */
SITE_FN su3 link_from_words(link_format f, const bits *w)
{
    const bool wide = has_wide_numbers(f);
    const scalar unit = (scalar)(wide ? 1 / FIXED32_ONE : 1 / FIXED16_ONE);
    const int words = LINK_WORDS(f), numbers = fixed_numbers(f);
    su3 m;
    if (has_points(f)) {
        real p[8];
        UNROLL_LOOP
        for (int i = 0; i < 8; i++)
            p[i] = fixed_number(f, w, i) * unit;
        m = rows_at(wide ? 32 : 16, p);
    } else {
        UNROLL_LOOP
        for (int k = 0; k < numbers / 2; k++) {
            m.e[k / 3][k % 3].re = fixed_number(f, w, 2 * k);
            m.e[k / 3][k % 3].im = fixed_number(f, w, 2 * k + 1);
        }
    }
    if (numbers == 18)
        return m;
    cplx factor;
    factor.re = spread(1);
    factor.im = spread(0);
    if (phase_word_count(f))
        factor = phase_at(real_of_bits(wide ? w[words - 2] | w[words - 1] << (MANTISSA_BITS / 52 * 32)
                                            : w[words - 1]));
    else if (has_points(f))
        return su3_third_row(m);
    factor.re = has_points(f) ? factor.re : factor.re * unit;
    factor.im = has_points(f) ? factor.im : factor.im * unit;
    return with_third_row(m, factor);
}

SITE_FN su3 load_fixed(link_format f, const gauge_view *u, site x, int mu)
{
    bits w[FIXED32_WORDS];
    load_words(w, u->data, x, 4, mu, LINK_WORDS(f));
    return link_from_words(f, w);
}

SITE_FN void link_to_words(link_format f, bits *w, su3 m)
{
    const bool wide = has_wide_numbers(f);
    const int words = LINK_WORDS(f), numbers = fixed_numbers(f);
    real p[LINK_REALS];
    if (has_points(f)) {
        project_rows(wide ? 32 : 16, p, m);
        UNROLL_LOOP
        for (int i = 0; i < 8; i++)
            p[i] = p[i] * (scalar)(wide ? FIXED32_ONE : FIXED16_ONE);
    } else {
        UNROLL_LOOP
        for (int k = 0; k < numbers / 2; k++) {
            p[2 * k] = m.e[k / 3][k % 3].re;
            p[2 * k + 1] = m.e[k / 3][k % 3].im;
        }
    }
    set_fixed_numbers(f, w, p);
    if (phase_word_count(f)) {
        bits d = bits_of_real(project_phase(su3_determinant(m)));
        if (wide) {
            w[words - 2] = d & 0xffffffffu;
            w[words - 1] = d >> (MANTISSA_BITS / 52 * 32);
        } else
            w[words - 1] = d;
    }
}

SITE_FN void store_fixed(link_format f, const gauge_view *u, site x, int mu, su3 m)
{
    bits w[FIXED32_WORDS];
    link_to_words(f, w, m);
    store_words(u->data, x, 4, mu, LINK_WORDS(f), w);
}

SITE_FN su3 load_link_as(link_format f, const gauge_view *u, site x, int mu)
{
    return f == LINK_NATIVE ? load_link(u, x, mu)
         : LINK_WORDS(f) ? load_fixed(f, u, x, mu)
         : load_numbers(f, u, x, mu);
}

/* Stores m, in the units in which load_link_as returns it.  The format must be able to represent m: all numbers must be
 * in its range, and formats of fewer than 18 numbers need a matrix of SU(3) or, with the phase d, of U(3). */
SITE_FN void store_link_as(link_format f, const gauge_view *u, site x, int mu, su3 m)
{
    if (f == LINK_NATIVE)
        store_link(u, x, mu, m);
    else if (LINK_WORDS(f))
        store_fixed(f, u, x, mu, m);
    else
        store_numbers(f, u, x, mu, m);
}

#endif
