/* gaussian.h - pairs of normal numbers (mean 0, variance 1) by Box and Muller, from + - * / sqrt only:
 *
 *     g0 = sqrt(-2 ln u) cos(2 pi v),   g1 = sqrt(-2 ln u) sin(2 pi v)
 *
 * This file sums series for logarithm, sine and cosine instead of calling libm, and does not contract, so that CPU
 * and GPU give the same bits: ln(2^e m) = e ln 2 + 2 artanh((m-1)/(m+1)) with m in [sqrt(1/2), sqrt(2)), and Taylor
 * series for angles in [-pi/4, pi/4].  Always in double, whatever the field's precision. */
#ifndef KILN_SITE_GAUSSIAN_H
#define KILN_SITE_GAUSSIAN_H

#include "src/site/exact_sum.h"
#include "src/site/philox.h"

#include <math.h>

/* ln u for 0 < u < 1, u >= 2^-1022 */
TARGET_FN double series_log(double u)
{
    union { long long bits; double number; } m;
    m.bits = bits_of(u);
    int exponent = (int)(m.bits >> 52) - 1023;
    m.bits = (m.bits & 0x000fffffffffffffLL) | 0x3ff0000000000000LL;     /* 1 <= m < 2 */
    if (m.number > 1.4142135623730951) {
        m.number = m.number * 0.5;
        exponent++;
    }
    double s = (m.number - 1) / (m.number + 1), s2 = s * s, series = 0;   /* s2 < 0.0295: 2 s^23/23 < 1e-18 */
    for (int k = 21; k >= 1; k -= 2)
        series = series * s2 + 1.0 / k;
    return exponent * 0.6931471805599453 + 2 * s * series;
}

/* cos and sin of 2 pi v, 0 <= v < 1 */
TARGET_FN void series_cos_sin(double v, double *cosine, double *sine)
{
    int quarter = (int)(4 * v + 0.5);                                     /* nearest multiple of pi/2 */
    double angle = (v - 0.25 * quarter) * 6.283185307179586, a2 = angle * angle, c = 0, s = 0;
    for (int k = 18; k >= 2; k -= 2)
        c = (1 - c) * a2 * (1.0 / ((k - 1) * k));                         /* cos a = 1 - c */
    for (int k = 19; k >= 3; k -= 2)
        s = (1 - s) * a2 * (1.0 / ((k - 1) * k));                         /* sin a = a (1 - s) */
    c = 1 - c;
    s = angle * (1 - s);
    quarter &= 3;
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

/* Two independent normal numbers: number `draw` of the site. */
TARGET_FN void rng_gaussian_pair(rng_key key, uint64_t site_rank, uint32_t draw, double g[2])
{
    philox_words w = rng_words(key, site_rank, draw);
    double radius = sqrt(-2 * series_log(rng_uniform(w.v[0], w.v[1]))), c, s;
    series_cos_sin(rng_uniform(w.v[2], w.v[3]), &c, &s);
    g[0] = radius * c;
    g[1] = radius * s;
}

#endif
