/* report_plots.h - the figures of a report. */
#ifndef KILN_REPORT_REPORT_PLOTS_H
#define KILN_REPORT_REPORT_PLOTS_H

#include "src/report/report_page.h"

/* Sections with figures; omitted if there is nothing to draw. */
void report_histories(report *r);            /* plaquette, measurements */
void report_metropolis(report *r);           /* dH, acceptance, exp(-dH) */
void report_autocorrelations(report *r);
void report_dynamics(report *r);             /* forces, iterations, residuals, ranges, seconds */

#endif
