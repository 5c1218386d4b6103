/* mean_tables.h - numbers of a run that are functions of the mean of a table, such as the static potential.
 *
 *     number_i = f + sum over k of (df / d<y_k>) (y_k of configuration i - <y_k>)
 *
 * is the series from which errors with autocorrelation come (measure/curve_scale.h).  If tables have different sizes,
 * the rows and columns count that all configurations of the mean have. */
#ifndef KILN_REPORT_MEAN_TABLES_H
#define KILN_REPORT_MEAN_TABLES_H

#include "src/report/mean_scale.h"

/* The largest number of numbers of a table c->of->table. */
int mean_table_most(const history_curve *c);

/* The numbers of the mean over the lines from `from` on; returns how many. */
int mean_table_numbers(mean_scale *made, const run_history *h, int64_t from, const history_curve *c);

#endif
