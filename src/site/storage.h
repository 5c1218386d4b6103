/* storage.h - vectors and links in a format, a literal argument: the one place that knows their layout.
 *
 * Words of 32 bits, as many a site as formats.h says, are kept in units of four, and what is left in a unit of its own:
 * [tile][unit][SITE_TILE][words of the unit], so that a thread of the GPU moves 16 bytes at once and a warp moves them
 * side by side.  (Links: [tile][direction][unit] ...)
 *
 * Integers and numbers are turned into each other by sums with a power of two, under which the unit of the last place
 * is 1: exact one way, rounded to nearest even the other, and the same bits on CPU and GPU.
 *
 *     half    words 0 to 2: re | im << 16, n = round(x 32767 / M); word 3: M, the largest size of a component, a float
 *     int20   n = round(x 2^(19-e)), e the smallest that keeps all |n| < 2^19; E = e + 128 in 8 bits.  Words
 *             n0 | n4 << 20, n1 | (n4 >> 12) << 20 | E << 28, n2 | n5 << 20, n3 | (n5 >> 12) << 20 | (E >> 4) << 28
 *     int30   n = round(x 2^(29-e)); E = e + 128 in 12 bits; word k: n_k | (E >> 2k) << 30
 *
 * in two's complement, cut to their bits.  What has no normal scale is stored as zero: sites whose largest component is
 * below about 2^-108 (half, int20; 2^-994: int30).  Where a component is no number, or too large for the format (2^127,
 * int20 alone), all come back as NaN, so that no sum can take them for numbers: by M = NaN, or n = 0 under an exponent
 * that scales by infinity. */
#ifndef KILN_SITE_STORAGE_H
#define KILN_SITE_STORAGE_H

#include "src/site/formats.h"
#include "src/site/load.h"

/* Integers of `width` bits in two's complement, in the low bits. */
SITE_FN real real_of_integer(bits n, int width)
{
    const scalar_bits half = (scalar_bits)1 << (width - 1);
    const scalar_bits unit_one = (scalar_bits)(MANTISSA_BITS + EXPONENT_BIAS) << MANTISSA_BITS;  /* 2^MANTISSA_BITS */
    const scalar offset = (scalar)(((scalar_bits)1 << MANTISSA_BITS) + half);
    return real_of_bits(((n & (2 * half - 1)) ^ half) | unit_one) - offset;
}
SITE_FN bits integer_of_real(real x, int width)
{
    const scalar unit_one = (scalar)((scalar_bits)3 << (MANTISSA_BITS - 1));                   /* 1.5 2^MANTISSA_BITS */
    return bits_of_real(x + unit_one) & (((scalar_bits)2 << (width - 1)) - 1);
}

/* Where a unit of `width` words, `first` words into the record, begins for one site. */
SITE_FN size_t unit_at(int x, int records, int record, int words, int first, int width)
{
    size_t tile = ((size_t)(x / SITE_TILE) * (size_t)records + (size_t)record) * (size_t)words * SITE_TILE;
    return tile + (size_t)(first * SITE_TILE + width * (x % SITE_TILE));
}

/* `words` words of record `record` of `records` at each site.  Sites that lie apart meet in a copy. */
SITE_FN void load_words(bits *w, const void *data, site x, int records, int record, int words)
{
    const uint32_t *memory = (const uint32_t *)data;
    UNROLL_LOOP
    for (int first = 0; first < words; first += 4) {
        const int width = words - first < 4 ? words - first : 4;
        if (LANES == 1 || x.together)
            words_from(w + first, memory + unit_at(x.at[0], records, record, words, first, width), width);
        else {
            uint32_t copy[4 * LANES];
            UNROLL_LOOP
            for (int lane = 0; lane < LANES; lane++)
                memcpy(copy + width * lane, memory + unit_at(x.at[lane], records, record, words, first, width),
                       (size_t)width * sizeof *copy);
            words_from(w + first, copy, width);
        }
    }
}

SITE_FN void store_words(void *data, site x, int records, int record, int words, const bits *w)
{
    uint32_t *memory = (uint32_t *)data;
    UNROLL_LOOP
    for (int first = 0; first < words; first += 4) {
        const int width = words - first < 4 ? words - first : 4;
        if (LANES == 1 || x.together)
            words_to(memory + unit_at(x.at[0], records, record, words, first, width), w + first, width);
        else {
            uint32_t copy[4 * LANES];
            words_to(copy, w + first, width);
            UNROLL_LOOP
            for (int lane = 0; lane < LANES; lane++)
                memcpy(memory + unit_at(x.at[lane], records, record, words, first, width), copy + width * lane,
                       (size_t)width * sizeof *copy);
        }
    }
}

SITE_FN real *component(color_vector *v, int i)
{
    return i % 2 ? &v->c[i / 2].im : &v->c[i / 2].re;
}

/* The bits of the largest size of a component: sizes as integers are ordered as numbers are, with infinity and then
 * what is no number above them. */
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

SITE_FN void pack_half(bits *w, color_vector v)
{
    bits largest = largest_size(&v);
    mask there = bits_above(largest, spread_bits(HALF_SMALLEST - 1));
    mask number = bits_above(spread_bits(HALF_INFINITE), largest);
    bits keep = choose_bits(there, choose_bits(number, ~spread_bits(0), spread_bits(0)), spread_bits(0));
    real per_unit = spread(HALF_ONE) / real_of_bits(largest);
    UNROLL_LOOP
    for (int i = 0; i < 3; i++)
        w[i] = (integer_of_real(v.c[i].re * per_unit, 16) | integer_of_real(v.c[i].im * per_unit, 16) << 16) & keep;
    w[3] = choose_bits(number, choose_bits(there, largest, spread_bits(0)), spread_bits(HALF_NAN));
}

SITE_FN color_vector unpack_half(const bits *w)
{
    color_vector v;
    real largest = real_of_bits(w[3]);
    const scalar unit = (scalar)(1.0 / HALF_ONE);            /* rounded so that HALF_ONE of them are exactly 1 */
    UNROLL_LOOP
    for (int i = 0; i < 3; i++) {
        v.c[i].re = largest * (real_of_integer(w[i], 16) * unit);
        v.c[i].im = largest * (real_of_integer(w[i] >> 16, 16) * unit);
    }
    return v;
}

/* Common exponents.  `field` is the exponent of a number as IEEE has it in its bits; that of the scale 2^(e-width+1) is
 * E - 128 - (width-1) + bias modulo 2^(bits of an exponent), and all bits set are infinity. */
#define EXPONENT_ONES ((scalar_bits)(2 * EXPONENT_BIAS + 1))
#define CODE_OFFSET 128
#define CODE_ONES 0xfff                                      /* int30 has four bits more than int20 */

/* E; and whole numbers n, in two's complement. */
SITE_FN bits pack_common(bits *n, color_vector v, int width, int largest_field)
{
    /* half a unit of n more: rounding may need the next exponent */
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

SITE_FN site site_in(const vector_view *v, site x)
{
    UNROLL_LOOP
    for (int lane = 0; lane < LANES; lane++)
        x.at[lane] -= v->first;
    return x;
}

SITE_FN color_vector load_vector_as(vector_format f, const vector_view *v, site x)
{
    bits w[INT30_WORDS];
    if (f == VECTOR_NATIVE)
        return load_vector(v, x);
    load_words(w, v->data, site_in(v, x), 1, 0, f == VECTOR_INT30 ? INT30_WORDS : HALF_WORDS);
    return f == VECTOR_HALF ? unpack_half(w) : f == VECTOR_INT20 ? unpack_int20(w) : unpack_int30(w);
}

/* Returns what will be loaded: the vector as the format has it. */
SITE_FN color_vector store_vector_as(vector_format f, const vector_view *v, site x, color_vector a)
{
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
    store_words(v->data, site_in(v, x), 1, 0, f == VECTOR_INT30 ? INT30_WORDS : HALF_WORDS, w);
    return f == VECTOR_HALF ? unpack_half(w) : f == VECTOR_INT20 ? unpack_int20(w) : unpack_int30(w);
}

/* Links in fixed point are whole numbers, in units of the field's largest / FIXED16_ONE (or FIXED32_ONE), by which
 * whoever sums products of them multiplies in the end.  Of 16 bits: re | im << 16 in a word; of 32: a word each. */
SITE_FN su3 load_link_as(link_format f, const gauge_view *u, site x, int mu)
{
    bits w[FIXED32_WORDS];
    su3 m;
    if (f == LINK_NATIVE)
        return load_link(u, x, mu);
    load_words(w, u->data, x, 4, mu, f == LINK_FIXED16 ? FIXED16_WORDS : FIXED32_WORDS);
    UNROLL_LOOP
    for (int i = 0; i < 3; i++)
        UNROLL_LOOP
        for (int j = 0; j < 3; j++) {
            int k = 3 * i + j;
            m.e[i][j].re = f == LINK_FIXED16 ? real_of_integer(w[k], 16) : real_of_integer(w[2 * k], 32);
            m.e[i][j].im = f == LINK_FIXED16 ? real_of_integer(w[k] >> 16, 16) : real_of_integer(w[2 * k + 1], 32);
        }
    return m;
}

/* m in those units, at most the largest in size */
SITE_FN void store_link_as(link_format f, const gauge_view *u, site x, int mu, su3 m)
{
    bits w[FIXED32_WORDS];
    if (f == LINK_NATIVE) {
        store_link(u, x, mu, m);
        return;
    }
    UNROLL_LOOP
    for (int i = 0; i < 3; i++)
        UNROLL_LOOP
        for (int j = 0; j < 3; j++) {
            int k = 3 * i + j, width = f == LINK_FIXED16 ? 16 : 32;
            bits re = integer_of_real(m.e[i][j].re, width), im = integer_of_real(m.e[i][j].im, width);
            if (f == LINK_FIXED16)
                w[k] = re | im << 16;
            else {
                w[2 * k] = re;
                w[2 * k + 1] = im;
            }
        }
    store_words(u->data, x, 4, mu, f == LINK_FIXED16 ? FIXED16_WORDS : FIXED32_WORDS, w);
}

#endif
