/* mean_curves.h - numbers read off the mean of a curve over the configurations of a run, such as t0 and w0.
 *
 * Every configuration from the first one of the means on counts, even if its own curve does not cross the level
 * (curve_scale.h).  If the mean does not reach the level because older configurations were measured less far, only
 * those that were measured farther count. */
#ifndef KILN_REPORT_MEAN_CURVES_H
#define KILN_REPORT_MEAN_CURVES_H

#include "src/report/run_history.h"

typedef struct {
    /* Values linearised about the mean, by line of the record; the title is that of the number, "flow.t0".  All NaN if
     * the mean curve has no such number. */
    history_column series;
    double value;
    double x;                      /* where the mean curve has the level; NaN without a value, or for other numbers */
    int64_t used, made;            /* configurations in the mean; all configurations, including failed measurements */
    int64_t shorter;               /* configurations left out because they were measured less far */
    text selection;                /* "those measured up to t = 0.7"; "" if all configurations are used */
    text why;                      /* why there is no value; "" if there is one */
    const char *range;             /* the parameter to raise, "t_max", to `needed_x`, which is NaN if unknown; NULL: there is none */
    double needed_x;
} mean_scale;

/* The scales of all curves in the record, from line `from` on; *count of them.  `extents` of the lattice, NULL if
 * unknown: `needed_x` is given only if the lattice is large enough for it. */
mean_scale *mean_scales_make(int *count, const run_history *h, int64_t from, const int *extents);
void mean_scales_free(mean_scale *s, int count);

#endif
