/* mean_derived.h - numbers of a run that are functions of other means: products of scales, curves at a scale, moments.
 *
 * Each has a series of values linearised about the means, as scales have (measure/curve_scale.h): errors with
 * autocorrelation come from it.  A function returns 1, or 0 without writing if there is no such number. */
#ifndef KILN_REPORT_MEAN_DERIVED_H
#define KILN_REPORT_MEAN_DERIVED_H

#include "src/report/mean_scale.h"

/* s0^p0 s1^p1 (curve c->of->curve->product) of the scales factor[0] and factor[1]:
 *     number_i = number [1 + p0 (s0_i - s0)/s0 + p1 (s1_i - s1)/s1] */
int mean_product(mean_scale *made, const run_history *h, const history_curve *c, const mean_scale *factor);

/* The mean over configurations of this curve at the x of a scale of the same measurement among known[0 ... count - 1].
 * The curve of a configuration is continued between its points by a straight line.  x is that of the mean; its error is
 * not part of the error of this number. */
int mean_value_at(mean_scale *made, const run_history *h, int64_t from, const history_curve *c, const mean_scale *known,
                  int count);

/* f(<y>, <y2>) of c->of->moments:  number_i = f + f_1 (y_i - <y>) + f_2 (y2_i - <y2>), y[line] and y2[line] being NaN
 * where they were not measured.  y2 NULL: the squares of y. */
int mean_of_moments(mean_scale *made, const run_history *h, int64_t from, const history_curve *c, const double *y,
                    const double *y2, const int *extents);

/* y[line], or x[line], of a curve that has one number in each result, NaN where it has none; memory_free. */
double *mean_points_by_line(const run_history *h, const history_curve *c, bool of_x);

#endif
