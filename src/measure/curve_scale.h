/* curve_scale.h - numbers read off a curve y(x), such as the scales of the gradient flow:
 *
 *     F(x) = level  at  x = c,   number = c^power,   F = y or x dy/dx
 *
 * where F first reaches the level from below; y is a natural cubic spline through the points.
 *
 * For an ensemble, the number is read off the mean curve.  Its error is the error of the mean of linearized numbers,
 * one for each configuration, whose average is the number of the mean curve:
 *
 *     number_i = number - power c^(power - 1) (F_i(c) - level) / F'(c)
 *
 * F is linear in y, so every configuration has such a number, even if its own curve does not reach the level.  This is
 * the projection of a derived quantity on its gradient of U. Wolff, hep-lat/0306017, and to order 1/N the pseudovalue
 * of the jackknife.  The Gamma method on the series of these numbers gives the error with autocorrelation. */
#ifndef KILN_MEASURE_CURVE_SCALE_H
#define KILN_MEASURE_CURVE_SCALE_H

typedef enum { CURVE_VALUE, CURVE_LOG_SLOPE } curve_functional;         /* y; x dy/dx */

typedef struct {
    const char *key;               /* "t0" */
    curve_functional of;
    double level, power;           /* power > 0 */
    const char *unit;              /* of the number, as in result_unit.h: "a_s^2" */
} curve_scale;

enum { CURVE_LEAST = 3 };          /* points, for a cubic spline */
typedef struct { int count; const double *x, *y; } curve_points;        /* ascending x >= 0, all finite */

typedef enum {
    CURVE_CROSSES,
    CURVE_TOO_FEW_POINTS,
    CURVE_COMES_FROM_ABOVE,        /* begins at or above the level, and never reaches it from below */
    CURVE_STAYS_BELOW
} curve_verdict;

typedef struct {
    curve_verdict verdict;
    double x, value, slope;        /* c, c^power and F'(c); NaN without a crossing */
    /* If F stays below the level: the largest F at a point, and its x; and the x to which the curve should be
     * continued, from a linear extrapolation of the last quarter of F, times CURVE_MARGIN, rounded upwards to two
     * digits (NaN if F does not rise there). */
    double most, most_x, needed_x;
} curve_crossing;

#define CURVE_MARGIN 1.2           /* for curves that bend downwards, and for points after the crossing */

curve_crossing curve_find_crossing(const curve_scale *s, curve_points c);

/* The number of a configuration, linearized about the mean curve, whose crossing is `mean` (CURVE_CROSSES). */
double curve_linearized(const curve_scale *s, const curve_crossing *mean, curve_points c);

#endif
