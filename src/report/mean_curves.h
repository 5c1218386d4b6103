/* mean_curves.h - numbers read off the mean of a curve over the configurations of a run, such as t0 and w0.
 *
 * The mean uses every configuration from line `from` on, even if the curve of a configuration does not cross the level
 * (curve_scale.h).  If the mean does not reach the level because older configurations were measured less far, it uses
 * only configurations that were measured farther. */
#ifndef KILN_REPORT_MEAN_CURVES_H
#define KILN_REPORT_MEAN_CURVES_H

#include "src/report/mean_scale.h"

/* The scales of all curves in the record, from line `from` on; *count of them.  `extents` of the lattice, NULL if
 * unknown: `needed_x` is given only if the lattice is large enough for it. */
mean_scale *mean_scales_make(int *count, const run_history *h, int64_t from, const int *extents);
void mean_scales_free(mean_scale *s, int count);

#endif
