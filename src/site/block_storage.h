/* block_storage.h - hermitian 6x6 blocks (clover_block.h) in 16 bits, for vectors in half: 80 bytes instead of 144.
 *
 * The 36 numbers of a block are n times a unit: word k = 0 .. 17 has the n of numbers 2 k and 2 k + 1, as
 * (n + 2^15) | (n' + 2^15) << 16, n = round(x / unit).  Words 18 and 19 are floats: the units of the diagonal, and of
 * the entries below it, which are much smaller in T^-1.  A unit is the largest absolute value of its numbers / 32767;
 * 0, as are its numbers, if that value is below about 2^-108; NaN if a number is not finite.
 *
 * Products sum the integers times numbers of a vector, and multiply the sum by the unit. */
#ifndef KILN_SITE_BLOCK_STORAGE_H
#define KILN_SITE_BLOCK_STORAGE_H

#include "src/site/clover_block.h"
#include "src/site/storage.h"

/* Number k of a block, in its order in memory. */
SITE_FN real *block_number(clover_block *b, int k)
{
    const int below = k < BLOCK_ROWS ? 0 : k - BLOCK_ROWS;
    return k < BLOCK_ROWS ? &b->d[k] : below % 2 ? &b->below[below / 2].im : &b->below[below / 2].re;
}

/* Packs numbers first .. end - 1 under the largest of them; returns their unit. */
SITE_FN bits pack_block_numbers(bits *w, clover_block *b, int first, int end)
{
    bits largest = spread_bits(0);
    UNROLL_LOOP
    for (int k = first; k < end; k++) {
        bits size = bits_of_real(*block_number(b, k)) & ~((scalar_bits)1 << (8 * sizeof(scalar_bits) - 1));
        largest = choose_bits(bits_above(size, largest), size, largest);
    }
    mask there = bits_above(largest, spread_bits(HALF_SMALLEST - 1));
    mask number = bits_above(spread_bits(HALF_INFINITE), largest);
    bits keep = choose_bits(there, choose_bits(number, ~spread_bits(0), spread_bits(0)), spread_bits(0));
    real per_unit = spread(HALF_ONE) / real_of_bits(largest);
    UNROLL_LOOP
    for (int k = first; k < end; k++) {
        bits n = (integer_of_real(*block_number(b, k) * per_unit, 16) & keep) ^ 0x8000;
        w[k / 2] = k % 2 ? w[k / 2] | n << 16 : n;
    }
    return bits_of_real(real_of_bits(half_scale(largest)) * (scalar)(1.0 / HALF_ONE));
}

SITE_FN void store_packed_block(const clover_view *v, site x, int chirality, clover_block b)
{
    bits w[BLOCK_WORDS];
    w[BLOCK_WORDS - 2] = pack_block_numbers(w, &b, 0, BLOCK_ROWS);
    w[BLOCK_WORDS - 1] = pack_block_numbers(w, &b, BLOCK_ROWS, BLOCK_REALS);
    store_words(v->data, x, 2, chirality, BLOCK_WORDS, w);
}

/* (a + B) h of a packed B. */
SITE_FN half_spinor packed_block_times(real a, const clover_view *v, site x, int chirality, half_spinor h)
{
    bits w[BLOCK_WORDS];
    clover_block b;
    half_spinor out;
    load_words(w, v->data, x, 2, chirality, BLOCK_WORDS);
    UNROLL_LOOP
    for (int k = 0; k < BLOCK_REALS; k++)
        *block_number(&b, k) = real_of_offset16(w[k / 2], k % 2);
    const real of_diagonal = real_of_bits(w[BLOCK_WORDS - 2]), unit = real_of_bits(w[BLOCK_WORDS - 1]);
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++) {
        const cplx mine = h.s[i / 3].c[i % 3], sum = clover_block_off_diagonal(b, i, h, cplx_zero());
        const real diagonal = mad(of_diagonal, b.d[i], a);
        out.s[i / 3].c[i % 3].re = mad(unit, sum.re, diagonal * mine.re);
        out.s[i / 3].c[i % 3].im = mad(unit, sum.im, diagonal * mine.im);
    }
    return out;
}

/* (a + B) h with B in the format that goes with the literal vector format f: 16 bits for half, native for others. */
SITE_FN half_spinor block_times_as(vector_format f, real a, const clover_view *v, site x, int chirality, half_spinor h)
{
    return f == VECTOR_HALF ? packed_block_times(a, v, x, chirality, h)
                            : clover_block_times(a, load_clover_block(v, x, chirality), h);
}

#endif
