/* real.h - the precision and the place this kernel file is being compiled for.
 *
 * Every kernel file is compiled four times: by the C compiler and by nvcc, each with and without
 * -DSINGLE.  Inside it
 *
 *     scalar   float or double: coefficients, the same for all sites
 *     real     one number a site: a scalar on the GPU (one thread, one site), a vector of LANES scalars
 *              on the CPU (one vector instruction, LANES sites); + - * / mean the same on both
 *     mask     the outcome of a comparison of reals
 *     bits     for each scalar of a real an unsigned integer of the same width: its bits, or a word of 32 bits
 *
 * A file that needs scalar control flow (integer generators, iterations that differ from site to
 * site) defines ONE_LANE before its first include: then a real is a scalar on the CPU too.
 *
 * The same bits on CPU and GPU: compilers are told not to contract a*b+c (-ffp-contract=off,
 * --fmad=false); kernels say mad(a, b, c) where they mean one rounding.  + - * / sqrt and fma are
 * correctly rounded on both, so a kernel made of these gives the same bits everywhere (on a CPU with
 * FMA instructions; without them mad takes two roundings). */
#ifndef KILN_SITE_REAL_H
#define KILN_SITE_REAL_H

#include "src/site/target.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef SINGLE
typedef float scalar;
typedef uint32_t scalar_bits;
#define MANTISSA_BITS 23
#define EXPONENT_BIAS 127
#define PRECISION_TAG f
#else
typedef double scalar;
typedef uint64_t scalar_bits;
#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1023
#define PRECISION_TAG d
#endif

#define K_PASTE(name, place, precision) name##_##place##_##precision
#define K_EXPAND(name, place, precision) K_PASTE(name, place, precision)
#define K(name) K_EXPAND(name, PLACE_TAG, PRECISION_TAG)

#if TARGET_IS_GPU
#include "src/site/real_gpu.h"
#elif defined ONE_LANE
#include "src/site/real_scalar.h"
#else
#include "src/site/real_vector.h"
#endif

SITE_FN bits bits_of_real(real a)
{
    bits b;
    memcpy(&b, &a, sizeof b);
    return b;
}
SITE_FN real real_of_bits(bits b)
{
    real a;
    memcpy(&a, &b, sizeof a);
    return a;
}

/* a * b + c and c - a * b with one rounding */
SITE_FN real mad(real a, real b, real c)
{
    return fused(a, b, c);
}
SITE_FN real mad_minus(real a, real b, real c)
{
    return fused(-a, b, c);
}

#endif
