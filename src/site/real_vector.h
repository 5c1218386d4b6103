/* real_vector.h - the CPU, LANES sites at once: a real is a vector as wide as the machine's.
 *
 * The vector types of GCC and clang have + - * / on whole vectors, and broadcast scalars.  This file has the other
 * operations.  Included by real.h only. */
#ifndef KILN_SITE_REAL_VECTOR_H
#define KILN_SITE_REAL_VECTOR_H

#if defined __AVX512F__
#define VECTOR_BYTES 64
#elif defined __AVX__
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
#ifdef __FMA__
#include <immintrin.h>
#endif

enum { LANES = VECTOR_BYTES / sizeof(scalar) };
typedef scalar real __attribute__((vector_size(VECTOR_BYTES)));
typedef scalar_bits bits __attribute__((vector_size(VECTOR_BYTES)));
#ifdef SINGLE
typedef int mask __attribute__((vector_size(VECTOR_BYTES)));
#else
typedef long long mask __attribute__((vector_size(VECTOR_BYTES)));
#endif

SITE_FN real fused(real a, real b, real c)
{
#if defined __FMA__ && defined __AVX512F__ && defined SINGLE
    return (real)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined __FMA__ && defined __AVX512F__
    return (real)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined __FMA__ && defined SINGLE
    return (real)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined __FMA__
    return (real)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif defined __FP_FAST_FMA                     /* e.g. 64-bit Arm */
    real r;
    for (int lane = 0; lane < LANES; lane++)
        r[lane] = (scalar)(sizeof(scalar) == sizeof(double) ? __builtin_fma(a[lane], b[lane], c[lane])
                                                            : __builtin_fmaf((float)a[lane], (float)b[lane],
                                                                             (float)c[lane]));
    return r;
#else
    return a * b + c;
#endif
}

SITE_FN real spread(scalar s)
{
    real r = { 0 };
    return r + s;
}

SITE_FN real square_root(real a)
{
    real r;
    for (int lane = 0; lane < LANES; lane++)
        r[lane] = (scalar)(sizeof(scalar) == sizeof(double) ? __builtin_sqrt(a[lane])
                                                            : __builtin_sqrtf((float)a[lane]));
    return r;
}

SITE_FN mask is_above(real a, real b) { return a > b; }

SITE_FN bool any_of(mask m)
{
    bool any = false;
    for (int lane = 0; lane < LANES; lane++)
        any |= m[lane] != 0;
    return any;
}

SITE_FN real choose(mask m, real yes, real no)
{
    return (real)((m & (mask)yes) | (~m & (mask)no));
}

SITE_FN scalar lane_of(real a, int lane) { return a[lane]; }
SITE_FN void set_lane(real *a, int lane, scalar value) { (*a)[lane] = value; }

SITE_FN bits spread_bits(scalar_bits b)
{
    bits r = { 0 };
    return r + b;
}

/* a > b, for a and b below half the range of `bits`: vector instructions compare signed integers. */
SITE_FN mask bits_above(bits a, bits b) { return (mask)((mask)a > (mask)b); }
SITE_FN bits choose_bits(mask m, bits yes, bits no) { return (yes & (bits)m) | (no & ~(bits)m); }

/* The low or the high (literal `high`) 16 bits of words of 32 bits, under `top`, whose low 16 bits are 0. */
SITE_FN bits sixteen_bits_under(scalar_bits top, bits w, int high)
{
    return (w >> (high ? 16 : 0) & 0xffff) | top;
}

/* Lanes first, first + 2, ... of a, then of b. */
SITE_FN bits every_other(bits a, bits b, int first)
{
    bits r;
#ifdef __clang__
    UNROLL_LOOP
    for (int lane = 0; lane < LANES; lane++)
        r[lane] = lane < LANES / 2 ? a[2 * lane + first] : b[2 * lane - LANES + first];
#else
    bits pick = { 0 };
    UNROLL_LOOP
    for (int lane = 0; lane < LANES; lane++)
        pick[lane] = (scalar_bits)(2 * lane + first);
    r = __builtin_shuffle(a, b, pick);
#endif
    return r;
}

/* The inverse: lanes of a and b alternate, a[first], b[first], a[first + 1], b[first + 1], ... */
SITE_FN bits in_turn(bits a, bits b, int first)
{
    bits r;
#ifdef __clang__
    UNROLL_LOOP
    for (int lane = 0; lane < LANES; lane++)
        r[lane] = lane % 2 ? b[first + lane / 2] : a[first + lane / 2];
#else
    bits pick = { 0 };
    UNROLL_LOOP
    for (int lane = 0; lane < LANES; lane++)
        pick[lane] = (scalar_bits)(first + lane / 2 + lane % 2 * LANES);
    r = __builtin_shuffle(a, b, pick);
#endif
    return r;
}

/* Loads and stores `width` words of 32 bits for each lane, which lie in memory lane after lane; w[i] has word i of all
 * lanes.  width: 4, 2 or 1 in single precision; 4 or 2 in double, where two words are as wide as a number. */
#ifdef SINGLE
SITE_FN void words_from(bits *w, const uint32_t *memory, int width)
{
    bits raw[4], even[2], odd[2];
    memcpy(raw, memory, (size_t)width * sizeof *raw);
    if (width == 1) {
        w[0] = raw[0];
        return;
    }
    if (width == 2) {
        w[0] = every_other(raw[0], raw[1], 0);
        w[1] = every_other(raw[0], raw[1], 1);
        return;
    }
    UNROLL_LOOP
    for (int i = 0; i < 2; i++) {
        even[i] = every_other(raw[2 * i], raw[2 * i + 1], 0);
        odd[i] = every_other(raw[2 * i], raw[2 * i + 1], 1);
    }
    UNROLL_LOOP
    for (int i = 0; i < 2; i++) {
        w[2 * i] = every_other(even[0], even[1], i);
        w[2 * i + 1] = every_other(odd[0], odd[1], i);
    }
}

SITE_FN void words_to(uint32_t *memory, const bits *w, int width)
{
    bits raw[4];
    raw[0] = width == 2 ? in_turn(w[0], w[1], 0) : w[0];
    if (width == 2)
        raw[1] = in_turn(w[0], w[1], LANES / 2);
    UNROLL_LOOP
    for (int i = 0; i < width && width == 4; i++)
        raw[i] = in_turn(in_turn(w[0], w[2], i / 2 * LANES / 2), in_turn(w[1], w[3], i / 2 * LANES / 2),
                         i % 2 * LANES / 2);
    memcpy(memory, raw, (size_t)width * sizeof *raw);
}
#else
SITE_FN void words_from(bits *w, const uint32_t *memory, int width)
{
    bits raw[2], pair;
    memcpy(raw, memory, (size_t)width / 2 * sizeof *raw);
    UNROLL_LOOP
    for (int i = 0; i < width / 2; i++) {
        pair = width == 2 ? raw[0] : every_other(raw[0], raw[1], i);
        w[2 * i] = pair & 0xffffffffu;
        w[2 * i + 1] = pair >> 32;
    }
}

SITE_FN void words_to(uint32_t *memory, const bits *w, int width)
{
    bits raw[2], pair = w[0] | w[1] << 32;
    raw[0] = pair;
    if (width == 4) {
        bits next = w[2] | w[3] << 32;
        raw[0] = in_turn(pair, next, 0);
        raw[1] = in_turn(pair, next, LANES / 2);
    }
    memcpy(memory, raw, (size_t)width / 2 * sizeof *raw);
}
#endif

#endif
