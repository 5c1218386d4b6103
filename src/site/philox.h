/* philox.h - Philox 4x32-10: random numbers without a state.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * SC 2011.  A draw is a function of (seed, stream, trajectory, purpose; site, number of the draw):
 *
 *     key      seed, low and high word                             (rng_key.key)
 *     counter  site low word; site high byte | draw << 8; trajectory; stream << 16 | purpose
 *
 * so any layout of the lattice on threads and processes draws the same numbers. */
#ifndef KILN_SITE_PHILOX_H
#define KILN_SITE_PHILOX_H

#include "src/site/view.h"

typedef struct { uint32_t v[4]; } philox_words;

enum { PHILOX_ROUNDS = 10 };
#define PHILOX_M0 0xD2511F53u
#define PHILOX_M1 0xCD9E8D57u
#define PHILOX_W0 0x9E3779B9u               /* golden ratio */
#define PHILOX_W1 0xBB67AE85u               /* sqrt(3) - 1 */

COMMON_FN philox_words philox(philox_words counter, uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        uint64_t p0 = (uint64_t)PHILOX_M0 * counter.v[0], p1 = (uint64_t)PHILOX_M1 * counter.v[2];
        philox_words next;
        next.v[0] = (uint32_t)(p1 >> 32) ^ counter.v[1] ^ key0;
        next.v[1] = (uint32_t)p1;
        next.v[2] = (uint32_t)(p0 >> 32) ^ counter.v[3] ^ key1;
        next.v[3] = (uint32_t)p0;
        counter = next;
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
    return counter;
}

/* The 128 random bits of a site's draw number `draw` (below 2^24). */
COMMON_FN philox_words rng_words(rng_key key, uint64_t site_rank, uint32_t draw)
{
    philox_words counter;
    counter.v[0] = (uint32_t)site_rank;
    counter.v[1] = (uint32_t)(site_rank >> 32) | draw << 8;
    counter.v[2] = key.high[0];
    counter.v[3] = key.high[1];
    return philox(counter, key.key[0], key.key[1]);
}

/* Two words to a double in (0, 1): 52 bits, never 0 or 1. */
COMMON_FN double rng_uniform(uint32_t high, uint32_t low)
{
    uint64_t mantissa = ((uint64_t)high << 32 | low) >> 12;
    return ((double)mantissa + 0.5) * (1.0 / 4503599627370496.0);
}

#endif
