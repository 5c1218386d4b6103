/* storage.h - loads and stores vectors in a format: the only file that knows their layout in words (words.h).
 *
 *     half    words 0 to 2: re | im << 16, n = round(x 32767 / M); word 3: M, the largest size of a component, a float
 *     int20   n = round(x 2^(19-e)), e the smallest that keeps all |n| < 2^19; E = e + 128 in 8 bits.  Words
 *             n0 | n4 << 20, n1 | (n4 >> 12) << 20 | E << 28, n2 | n5 << 20, n3 | (n5 >> 12) << 20 | (E >> 4) << 28
 *     int30   n = round(x 2^(29-e)); E = e + 128 in 12 bits; word k: n_k | (E >> 2k) << 30
 *
 * in two's complement, cut to their bits.  The format is a compile-time constant.  A site whose largest component is
 * below about 2^-108 (half, int20; 2^-994: int30) has no normal scale, and is stored as zero.  If a component is not
 * finite, or is too large for the format (rounded to 2^127 in int20, to 2^1024 in int30), all components of the site
 * are read back as NaN, so that every sum refuses them.  They are stored with M = NaN, or as n = 0 with an exponent
 * that scales by infinity. */
#ifndef KILN_SITE_STORAGE_H
#define KILN_SITE_STORAGE_H

#include "src/site/formats.h"
#include "src/site/words.h"

SITE_FN real *component(color_vector *v, int i)
{
    return i % 2 ? &v->c[i / 2].im : &v->c[i / 2].re;
}

/* The bits of the largest size of a component: sizes as integers are ordered like the numbers, with infinity and then
 * NaN above all others. */
SITE_FN bits largest_size(color_vector *v)
{
    bits largest = spread_bits(0);
    UNROLL_LOOP
    for (int i = 0; i < VECTOR_REALS; i++) {
        bits size = bits_of_real(*component(v, i)) & ~((scalar_bits)1 << (8 * sizeof(scalar_bits) - 1));
        largest = choose_bits(bits_above(size, largest), size, largest);
    }
    return largest;
}

/* half */
#define HALF_ONE 32767
#define HALF_SMALLEST ((scalar_bits)19 << 23)                /* 2^-108 as bits */
#define HALF_INFINITE ((scalar_bits)255 << 23)
#define HALF_NAN 0x7fc00000u

/* Word 3 for the bits `largest` of M: 0 if M is too small to be a scale, NaN if M is not finite. */
SITE_FN bits half_scale(bits largest)
{
    mask there = bits_above(largest, spread_bits(HALF_SMALLEST - 1));
    mask number = bits_above(spread_bits(HALF_INFINITE), largest);
    return choose_bits(number, choose_bits(there, largest, spread_bits(0)), spread_bits(HALF_NAN));
}
/* Words 0 to 2: the numbers of v in units of M / HALF_ONE; 0 if M is too small or not finite. */
SITE_FN void pack_half_under(bits *w, color_vector v, bits largest)
{
    mask there = bits_above(largest, spread_bits(HALF_SMALLEST - 1));
    mask number = bits_above(spread_bits(HALF_INFINITE), largest);
    bits keep = choose_bits(there, choose_bits(number, ~spread_bits(0), spread_bits(0)), spread_bits(0));
    real per_unit = spread(HALF_ONE) / real_of_bits(largest);
    UNROLL_LOOP
    for (int i = 0; i < 3; i++)
        w[i] = (integer_of_real(v.c[i].re * per_unit, 16) | integer_of_real(v.c[i].im * per_unit, 16) << 16) & keep;
}

SITE_FN color_vector unpack_half_under(const bits *w, real largest)
{
    color_vector v;
    const scalar unit = (scalar)(1.0 / HALF_ONE);            /* rounded so that HALF_ONE of them are exactly 1 */
    UNROLL_LOOP
    for (int i = 0; i < 3; i++) {
        v.c[i].re = largest * (real_of_integer(w[i], 16) * unit);
        v.c[i].im = largest * (real_of_integer(w[i] >> 16, 16) * unit);
    }
    return v;
}

SITE_FN void pack_half(bits *w, color_vector v)
{
    bits largest = largest_size(&v);
    pack_half_under(w, v, largest);
    w[3] = half_scale(largest);
}
SITE_FN color_vector unpack_half(const bits *w)
{
    return unpack_half_under(w, real_of_bits(w[3]));
}

/* Common exponents.  `field` is the biased exponent in the bits of an IEEE number.  For the scale 2^(e-width+1) it is
 * E - 128 - (width-1) + bias, modulo 2^(bits of an exponent); all bits set mean infinity. */
#define EXPONENT_ONES ((scalar_bits)(2 * EXPONENT_BIAS + 1))
#define CODE_OFFSET 128
#define CODE_ONES 0xfff                                      /* int30 has four bits more than int20 */

/* n <- the integers of v, `width` bits in two's complement; returns E.  Numbers whose exponent is above largest_field
 * are too large for the format. */
SITE_FN bits pack_common(bits *n, color_vector v, int width, int largest_field)
{
    /* Half a unit of n is added to the largest size, because rounding up may need the next exponent. */
    bits field = (largest_size(&v) + ((scalar_bits)1 << (MANTISSA_BITS + 1 - width))) >> MANTISSA_BITS;
    mask there = bits_above(field, spread_bits((scalar_bits)(width - 2)));
    mask number = bits_above(spread_bits((scalar_bits)(largest_field + 1)), field);
    bits keep = choose_bits(there, choose_bits(number, ~spread_bits(0), spread_bits(0)), spread_bits(0));
    const scalar_bits nan = (scalar_bits)((EXPONENT_BIAS + CODE_OFFSET + width) & CODE_ONES);
    bits code = field + (scalar_bits)(CODE_OFFSET - EXPONENT_BIAS + 1);
    real per_unit = real_of_bits((((scalar_bits)(width + 2 * EXPONENT_BIAS - 2) - field) & keep) << MANTISSA_BITS);
    UNROLL_LOOP
    for (int i = 0; i < VECTOR_REALS; i++)
        n[i] = integer_of_real(*component(&v, i) * per_unit, width) & keep;
    return choose_bits(number, code & keep, spread_bits(nan));
}

SITE_FN color_vector unpack_common(const bits *n, bits code, int width)
{
    color_vector v;
    bits field = (code + (scalar_bits)(EXPONENT_BIAS - CODE_OFFSET - width + 1)) & EXPONENT_ONES;
    real unit = real_of_bits(field << MANTISSA_BITS);
    UNROLL_LOOP
    for (int i = 0; i < VECTOR_REALS; i++)
        *component(&v, i) = real_of_integer(n[i], width) * unit;
    return v;
}

#define INT20_LARGEST_FIELD 253                              /* e = 127 */

SITE_FN void pack_int20(bits *w, color_vector v)
{
    bits n[VECTOR_REALS], code = pack_common(n, v, 20, INT20_LARGEST_FIELD);
    w[0] = n[0] | n[4] << 20;
    w[1] = n[1] | n[4] >> 12 << 20 | code << 28;
    w[2] = n[2] | n[5] << 20;
    w[3] = n[3] | n[5] >> 12 << 20 | code >> 4 << 28;
}

SITE_FN color_vector unpack_int20(const bits *w)
{
    bits n[VECTOR_REALS];
    UNROLL_LOOP
    for (int i = 0; i < 4; i++)
        n[i] = w[i];
    n[4] = w[0] >> 20 | (w[1] >> 20 & 0xff) << 12;
    n[5] = w[2] >> 20 | (w[3] >> 20 & 0xff) << 12;
    return unpack_common(n, w[1] >> 28 | w[3] >> 28 << 4, 20);
}

SITE_FN void pack_int30(bits *w, color_vector v)
{
    bits code = pack_common(w, v, 30, (int)EXPONENT_ONES - 1);
    UNROLL_LOOP
    for (int i = 0; i < INT30_WORDS; i++)
        w[i] = w[i] | (code >> (2 * i) & 3) << 30;
}

SITE_FN color_vector unpack_int30(const bits *w)
{
    bits code = spread_bits(0);
    UNROLL_LOOP
    for (int i = 0; i < INT30_WORDS; i++)
        code = code | w[i] >> 30 << (2 * i);
    return unpack_common(w, code, 30);
}

SITE_FN color_vector load_vector_as(vector_format f, const vector_view *v, site x)
{
    const int words = f == VECTOR_INT30 ? INT30_WORDS : HALF_WORDS;
    bits w[INT30_WORDS];
    if (f == VECTOR_NATIVE)
        return load_vector(v, x);
    load_words(w, v->data, counted_through_slabs(x), 1, 0, words);
    return f == VECTOR_HALF ? unpack_half(w) : f == VECTOR_INT20 ? unpack_int20(w) : unpack_int30(w);
}

/* Stores a, rounded to the format; returns what load_vector_as will return. */
SITE_FN color_vector store_vector_as(vector_format f, const vector_view *v, site x, color_vector a)
{
    const int words = f == VECTOR_INT30 ? INT30_WORDS : HALF_WORDS;
    bits w[INT30_WORDS];
    if (f == VECTOR_NATIVE) {
        store_vector(v, x, a);
        return a;
    }
    if (f == VECTOR_HALF)
        pack_half(w, a);
    else if (f == VECTOR_INT20)
        pack_int20(w, a);
    else
        pack_int30(w, a);
    store_words(v->data, counted_through_slabs(x), 1, 0, words, w);
    return f == VECTOR_HALF ? unpack_half(w) : f == VECTOR_INT20 ? unpack_int20(w) : unpack_int30(w);
}

#endif
