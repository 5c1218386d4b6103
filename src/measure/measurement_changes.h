/* measurement_changes.h - the differences of the measurements of two inputs, for messages and for segments.jsonl. */
#ifndef KILN_MEASURE_MEASUREMENT_CHANGES_H
#define KILN_MEASURE_MEASUREMENT_CHANGES_H

#include "src/measure/measurement.h"

/* The index of a name in a list; -1 if it is not there. */
int measurement_index(const param_list *list, const char *name);

/* Add a line to `changes` for each measurement in which `now` differs from `then`, by name: "\n  measurement flow:
 * added".  The order in a list does not count. */
void measurements_compare(text *changes, const param_list *then, const param_list *now);

/* Add a line for each parameter in which measurement `index` of `now` differs from number `before` of `then`. */
void measurement_add_differences(text *changes, const param_list *then, int before, const param_list *now, int index);

#endif
