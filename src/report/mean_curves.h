/* mean_curves.h - numbers read off the mean of a curve over the configurations of a run, such as t0 and w0.
 *
 * Every configuration from the first one of the means on counts, whatever its own curve does (curve_scale.h).  Where
 * they do not reach the level because older ones were measured less far, those that were measured farther do. */
#ifndef KILN_REPORT_MEAN_CURVES_H
#define KILN_REPORT_MEAN_CURVES_H

#include "src/report/run_history.h"

typedef struct {
    /* Linearised about the mean, by line of the record; its title is that of the number, "flow.t0".  All of it is NaN
     * where the mean curve has no such number. */
    history_column series;
    double value;
    int64_t used, made;            /* configurations of the mean; of how many, those counted whose measurement failed */
    int64_t shorter;               /* configurations left out because they were measured less far */
    text selection;                /* "those measured up to t = 0.7" where there are such; else "" */
    text why;                      /* why there is no value; "" where there is one */
    const char *range;             /* the parameter to raise, "t_max", to `needed_x`: NaN where that is not known */
    double needed_x;
} mean_scale;

/* Those of the curves that the record has at all, of the means from line `from` on; how many they are.  `extents` of
 * the lattice, NULL if not known: `needed_x` is given only where the lattice holds the curve so far. */
mean_scale *mean_scales_make(int *count, const run_history *h, int64_t from, const int *extents);
void mean_scales_free(mean_scale *s, int count);

#endif
