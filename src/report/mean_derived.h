/* mean_derived.h - derived quantities of a run: products of scales, curves at a scale, moments.
 *
 * Each has a series of values linearized about the means, like a scale (measure/curve_scale.h), which gives its error
 * with autocorrelation.  A function returns 1, or 0 without writing if there is no such quantity. */
#ifndef KILN_REPORT_MEAN_DERIVED_H
#define KILN_REPORT_MEAN_DERIVED_H

#include "src/report/mean_scale.h"

/* s0^p0 s1^p1 (curve c->of->curve->product) of the scales factor[0] and factor[1]:
 *     number_i = number [1 + p0 (s0_i - s0)/s0 + p1 (s1_i - s1)/s1] */
int mean_product(mean_scale *made, const run_history *h, const history_curve *c, const mean_scale *factor);

/* The mean over configurations of this curve at the x of a scale of the same measurement among known[0 ... count - 1],
 * with linear interpolation between the points of a curve.  x belongs to the mean curve; the error of this number does
 * not include the error of x. */
int mean_value_at(mean_scale *made, const run_history *h, int64_t from, const history_curve *c, const mean_scale *known,
                  int count);

/* f(<y>, <y2>) of c->of->moments, with the xi of the results:  number_i = f + f_1 (y_i - <y>) + f_2 (y2_i - <y2>).
 * y[line] and y2[line] are NaN for lines without a measurement.  y2 NULL: the squares of y. */
int mean_of_moments(mean_scale *made, const run_history *h, int64_t from, const history_curve *c, const double *y,
                    const double *y2, const int *extents);

/* y[line], or x[line], of a curve with one point in each result; NaN for lines without it.  Free with memory_free. */
double *mean_points_by_line(const run_history *h, const history_curve *c, bool of_x);

#endif
