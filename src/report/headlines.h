/* headlines.h - the most important numbers of measurements, found in the JSON of a record. */
#ifndef KILN_REPORT_HEADLINES_H
#define KILN_REPORT_HEADLINES_H

#include "src/measure/measurement.h"

#include <stdbool.h>

/* The unit of a number of these results by its title, as in result_unit.h; NULL if it has none, or if it is not a
 * headline. */
const char *headlines_unit(const result_group *results, const char *title);
/* Whether a number with this title has the mean 0 in every ensemble in equilibrium. */
bool headlines_vanishes(const result_group *results, const char *title);

typedef void headline_listener(void *out, const char *title, double value);

/* Call the listener for the headlines of measurement `name` with the result `result`: "flow.charge",
 * "light.condensate(0.05)". */
void headlines_report(const char *name, yyjson_val *result, headline_listener *emit, void *out);

/* Call the listener for further numbers of one configuration: "flow.t0", read off the curves of this result, not off
 * mean curves, and the first number of a table, "wilson_loops.W(1,1)". */
void headlines_report_of_one(const char *name, yyjson_val *result, headline_listener *emit, void *out);

/* Call the listener for the curves of a result; for its tables as curves, with TABLE_HEAD numbers (rows, columns,
 * settings) and then the values row by row; and for its numbers with moments or in a plane as curves of one point.  A
 * missing or invalid curve (not finite, x not ascending, rows of different lengths) has no points.  `label`: "(0.05)"
 * of an item of a list (item_label.h), else "". */
enum { TABLE_HEAD = 2 + TABLE_SETTINGS };
typedef struct { const char *name, *label; const result_member *of; } curve_title;
typedef void curve_listener(void *out, curve_title of, curve_points points);
void headlines_report_curves(const char *name, yyjson_val *result, curve_listener *emit, void *out);

/* "flow.t0" */
text headlines_title(const char *name, const char *key);
text headlines_labeled_title(const char *name, const char *key, const char *label);       /* "light.condensate(0.05)" */

#endif
