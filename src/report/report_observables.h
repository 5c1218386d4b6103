/* report_observables.h - the figures of distributions in a report. */
#ifndef KILN_REPORT_REPORT_OBSERVABLES_H
#define KILN_REPORT_REPORT_OBSERVABLES_H

#include "src/report/report_page.h"

/* A histogram of every number with moments, and a plane for every pair of numbers (measure/measurement.h); omitted if
 * there is neither. */
void report_observables(report *r);

/* A figure with the points of the tables of each measurement, such as the static potential; omitted if there is
 * none. */
void report_derived_quantities(report *r);

#endif
