/* words.h - words of 32 bits at sites, and the integers in them, for storage formats.
 *
 * The words of a site (formats.h has their number) are stored in units of four, the rest in units of two and of one:
 * [tile][unit][SITE_TILE][words of the unit], so that a thread of the GPU moves 16 bytes at once and a warp moves them
 * side by side.  (Links: [tile][direction][unit] ...)
 *
 * Conversions use numbers between 2^MANTISSA_BITS and 2^(MANTISSA_BITS + 1), whose unit in the last place is 1: an
 * integer becomes the mantissa of such a number, from which an offset is subtracted, exactly; a real becomes an integer
 * in the low bits when 1.5 2^MANTISSA_BITS is added, rounded to nearest even.  CPU and GPU have the same bits. */
#ifndef KILN_SITE_WORDS_H
#define KILN_SITE_WORDS_H

#include "src/site/load.h"

/* The low `width` bits of n, an integer in two's complement, as a real; and the inverse, with the other bits 0. */
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

/* n, where the low 16 bits of a word (the high ones if the literal `high` is 1) are n + 2^15. */
SITE_FN real real_of_offset16(bits w, int high)
{
    const scalar_bits unit_one = (scalar_bits)(MANTISSA_BITS + EXPONENT_BIAS) << MANTISSA_BITS;
    const scalar offset = (scalar)(((scalar_bits)1 << MANTISSA_BITS) + 0x8000);
    return real_of_bits(sixteen_bits_under(unit_one, w, high)) - offset;
}

/* Where, in words, the unit of `width` words that begins at word `first` of a record lies for site x. */
SITE_FN ptrdiff_t unit_at(int x, int records, int record, int words, int first, int width)
{
    ptrdiff_t tile = ((ptrdiff_t)tile_of(x) * records + record) * (words * SITE_TILE);
    return tile + (first * SITE_TILE + width * place_in_tile(x));
}

/* Loads one unit.  If the lanes are not adjacent in memory, their words are first gathered in `copy`. */
SITE_FN void load_unit(bits *w, const uint32_t *memory, site x, int records, int record, int words, int first,
                       int width)
{
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

SITE_FN void store_unit(uint32_t *memory, site x, int records, int record, int words, int first, int width,
                        const bits *w)
{
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

/* `words` words of record `record` of `records` at each site. */
SITE_FN void load_words(bits *w, const void *data, site x, int records, int record, int words)
{
    const uint32_t *memory = (const uint32_t *)data;
    UNROLL_LOOP
    for (int first = 0; first + 4 <= words; first += 4)
        load_unit(w, memory, x, records, record, words, first, 4);
    if (words & 2)
        load_unit(w, memory, x, records, record, words, words & ~3, 2);
    if (words & 1)
        load_unit(w, memory, x, records, record, words, words - 1, 1);
}

SITE_FN void store_words(void *data, site x, int records, int record, int words, const bits *w)
{
    uint32_t *memory = (uint32_t *)data;
    UNROLL_LOOP
    for (int first = 0; first + 4 <= words; first += 4)
        store_unit(memory, x, records, record, words, first, 4, w);
    if (words & 2)
        store_unit(memory, x, records, record, words, words & ~3, 2, w);
    if (words & 1)
        store_unit(memory, x, records, record, words, words - 1, 1, w);
}

#endif
