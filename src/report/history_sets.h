/* history_sets.h - sets of results of a measurement, of which the columns of a history show one. */
#ifndef KILN_REPORT_HISTORY_SETS_H
#define KILN_REPORT_HISTORY_SETS_H

#include "src/report/history_table.h"

/* Add a result of a trajectory to its set, and show this set: the columns and curves of the previous set of `name` are
 * set aside.  Returns the index of the set. */
int history_set_show(run_history *h, const char *name, const history_result *result, int64_t trajectory);
/* Append a curve of a shown set; the caller fills it. */
history_curve *history_curve_add(run_history *h);
void history_sets_free(run_history *h);

#endif
