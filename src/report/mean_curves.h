/* mean_curves.h - numbers read off the mean of a curve over the configurations of a run, such as t0 and w0.
 *
 * Every configuration from the first one of the means on counts, even if its own curve does not cross the level
 * (curve_scale.h).  If the mean does not reach the level because older configurations were measured less far, only
 * those that were measured farther count. */
#ifndef KILN_REPORT_MEAN_CURVES_H
#define KILN_REPORT_MEAN_CURVES_H

#include "src/report/mean_scale.h"

/* The scales of all curves in the record, from line `from` on; *count of them.  `extents` of the lattice, NULL if
 * unknown: `needed_x` is given only if the lattice is large enough for it. */
mean_scale *mean_scales_make(int *count, const run_history *h, int64_t from, const int *extents);
void mean_scales_free(mean_scale *s, int count);

#endif
