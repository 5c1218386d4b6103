/* real_vector.h - the CPU, LANES sites at once: a real is a vector as wide as the machine's.
 *
 * GCC's and clang's vector types bring + - * / on whole vectors and broadcast scalars; what they lack
 * stands here.  Included by real.h only. */
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

/* Numbers below half the range of `bits`: machines compare with a sign. */
SITE_FN mask bits_above(bits a, bits b) { return (mask)((mask)a > (mask)b); }
SITE_FN bits choose_bits(mask m, bits yes, bits no) { return (yes & (bits)m) | (no & ~(bits)m); }
SITE_FN scalar_bits bits_of_lane(bits b, int lane) { return b[lane]; }
SITE_FN void set_bits_of_lane(bits *b, int lane, scalar_bits value) { (*b)[lane] = value; }

#endif
