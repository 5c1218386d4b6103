/* su2_random.h - elements b of SU(2) with the weight exp(alpha b0) and Haar's measure:
 *
 *     db0 sqrt(1 - b0^2) exp(alpha b0), the direction of (b1, b2, b3) uniform
 *
 * alpha above SU2_SPLIT:  A. D. Kennedy, B. J. Pendleton, Phys. Lett. B 156 (1985) 393:
 *     delta = -(ln r1 + cos^2(2 pi r2) ln r3) / alpha,   b0 = 1 - delta,   accepted if r4^2 <= 1 - delta/2
 * below it, where that accepts little: b0 of a uniform point of the sphere, accepted with exp(alpha (b0 - 1)):
 *     b0 = sqrt(r1) cos(2 pi r2),   accepted if ln r3 <= alpha (b0 - 1)
 * At alpha = SU2_SPLIT = (2/pi)^(1/3) both accept 0.46 of the tries; elsewhere the one that is used accepts more.
 *
 * At most SU2_TRIES tries are made.  If none is accepted (at worst once in 3e8 elements), the caller keeps the old
 * element.  The probability of this depends on alpha alone, which an update with this weight does not change, so the
 * weight remains stationary exactly.  Each try has separate random numbers, whether or not earlier tries were accepted.
 *
 * In double whatever the field's precision, from + - * / sqrt only: the same bits everywhere (gaussian.h). */
#ifndef KILN_SITE_SU2_RANDOM_H
#define KILN_SITE_SU2_RANDOM_H

#include "src/site/gaussian.h"

#include <stdbool.h>

#define SU2_SPLIT 0.8602540138280996
enum { SU2_TRIES = 32, SU2_DRAWS = 2 * SU2_TRIES + 1 };       /* SU2_DRAWS: draws (philox.h) of one element */

/* One try for 1 - b0 from four uniform numbers; false: not accepted. */
TARGET_FN bool su2_try(double *delta, double alpha, const double r[4])
{
    double c, s;
    series_cos_sin(r[1], &c, &s);
    if (alpha > SU2_SPLIT) {
        *delta = -(series_log(r[0]) + c * c * series_log(r[2])) / alpha;
        return r[3] * r[3] <= 1 - 0.5 * *delta;
    }
    *delta = 1 - sqrt(r[0]) * c;
    return series_log(r[2]) <= -alpha * *delta;
}

/* An element from the draws first_draw .. first_draw + SU2_DRAWS - 1 of the site; false, and b is not set, if no try
 * was accepted. */
TARGET_FN bool su2_random(double b[4], double alpha, rng_key key, uint64_t site_rank, uint32_t first_draw)
{
    double delta = 0, r[4], c, s;
    bool accepted = false;
    for (int t = 0; t < SU2_TRIES && !accepted; t++) {
        for (int half = 0; half < 2; half++) {
            philox_words w = rng_words(key, site_rank, first_draw + (uint32_t)(2 * t + half));
            r[2 * half] = rng_uniform(w.v[0], w.v[1]);
            r[2 * half + 1] = rng_uniform(w.v[2], w.v[3]);
        }
        accepted = su2_try(&delta, alpha, r);
    }
    if (!accepted)
        return false;
    philox_words w = rng_words(key, site_rank, first_draw + 2 * SU2_TRIES);
    double height = 2 * rng_uniform(w.v[0], w.v[1]) - 1;
    double length = sqrt(delta * (2 - delta)), around = length * sqrt((1 - height) * (1 + height));
    series_cos_sin(rng_uniform(w.v[2], w.v[3]), &c, &s);
    b[0] = 1 - delta;
    b[1] = around * c;
    b[2] = around * s;
    b[3] = length * height;
    return true;
}

#endif
