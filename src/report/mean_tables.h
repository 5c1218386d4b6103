/* mean_tables.h - derived quantities of the mean of a table, such as the static potential.
 *
 *     number_i = f + sum over k of (df / d<y_k>) (y_k of configuration i - <y_k>)
 *
 * is the series that gives errors with autocorrelation (measure/curve_scale.h).  If tables have different sizes, the
 * mean has the rows and columns that all of its configurations have. */
#ifndef KILN_REPORT_MEAN_TABLES_H
#define KILN_REPORT_MEAN_TABLES_H

#include "src/report/mean_scale.h"

/* The largest number of derived quantities of a table c->of->table. */
int mean_table_most(const history_curve *c);

/* The derived quantities of the mean over the lines from `from` on.  Returns their number.  `extents` of the lattice;
 * NULL: unknown. */
int mean_table_numbers(mean_scale *made, const run_history *h, int64_t from, const history_curve *c,
                       const int *extents);

#endif
