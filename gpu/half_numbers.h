/* half_numbers.h - converts vectors in half to and from numbers, and links of 16 bits to numbers, as storage.h does,
 * with the same bits, in fewer instructions of a GPU: 3 instead of 5 for a number from memory.
 *
 * An integer n of 16 bits becomes a float when its bits are put below an exponent for which the last bit of the
 * mantissa counts 1: the low integer of a word becomes n + 2^15 + 2^23 by one logical operation, the high one n + 1.5
 * 2^23 by a shift and an addition.  One fused multiply-add then gives n / 32767 with one rounding: 1 / 32767 as a
 * float is 2^-15 + 2^-30, and its products with the constants 2^15 + 2^23 and 1.5 2^23 are floats, which it subtracts
 * exactly.  The largest size is found by maxima that keep NaN. */
#ifndef KILN_GPU_HALF_NUMBERS_H
#define KILN_GPU_HALF_NUMBERS_H

#include "src/site/storage.h"

/* The bits of 2^23 + 2^15, for low integers.  If the compiler knew this word, it would use two operations instead of
 * one: raw_numbers.h hides it. */
#define HALF_LOW_BITS 0x4b008000u

#ifdef SINGLE

#define HALF_HIGH_BITS 0x4b400000
#define HALF_UNIT (1.0f / 32768 + 1.0f / 32768 / 32768)
#define HALF_LOW_OFFSET (8421376.0f * HALF_UNIT)             /* (2^23 + 2^15) / 32767 */
#define HALF_HIGH_OFFSET (12582912.0f * HALF_UNIT)           /* 1.5 2^23 / 32767 */

static __device__ __forceinline__ color_vector numbers_of_half(const bits *w, uint32_t low_bits)
{
    color_vector v;
    const float largest = real_of_bits(w[3]);
    UNROLL_LOOP
    for (int i = 0; i < 3; i++) {
        const uint32_t low = (w[i] & 0xffffu) ^ low_bits, high = (uint32_t)(((int)w[i] >> 16) + HALF_HIGH_BITS);
        v.c[i].re = largest * mad(real_of_bits(low), HALF_UNIT, -HALF_LOW_OFFSET);
        v.c[i].im = largest * mad(real_of_bits(high), HALF_UNIT, -HALF_HIGH_OFFSET);
    }
    return v;
}

/* Eighteen numbers, as link_from_words of LINK_FIXED16. */
static __device__ __forceinline__ su3 numbers_of_fixed16(const bits *w, uint32_t low_bits)
{
    su3 m;
    UNROLL_LOOP
    for (int k = 0; k < 9; k++) {
        const uint32_t low = (w[k] & 0xffffu) ^ low_bits, high = (uint32_t)(((int)w[k] >> 16) + HALF_HIGH_BITS);
        m.e[k / 3][k % 3].re = real_of_bits(low) - 8421376.0f;
        m.e[k / 3][k % 3].im = real_of_bits(high) - 12582912.0f;
    }
    return m;
}

static __device__ __forceinline__ float larger_size(float a, float b)
{
    float c;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(fabsf(a)), "f"(fabsf(b)));
    return c;
}

static __device__ __forceinline__ void half_of_numbers(bits *w, color_vector v)
{
    const float size[3] = { larger_size(v.c[0].re, v.c[0].im), larger_size(v.c[1].re, v.c[1].im),
                            larger_size(v.c[2].re, v.c[2].im) };
    const bits largest = bits_of_real(larger_size(larger_size(size[0], size[1]), size[2]));
    const bool kept = largest - HALF_SMALLEST < HALF_INFINITE - HALF_SMALLEST;
    const float per_unit = HALF_ONE / real_of_bits(largest), round = 12582912.0f;
    UNROLL_LOOP
    for (int i = 0; i < 3; i++) {
        const float re = v.c[i].re * per_unit + round, im = v.c[i].im * per_unit + round;
        w[i] = kept ? __byte_perm(bits_of_real(re), bits_of_real(im), 0x5410) : 0;
    }
    w[3] = kept ? largest : largest < HALF_SMALLEST ? 0 : HALF_NAN;
}

#endif

#endif
