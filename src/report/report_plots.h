/* report_plots.h - the figures of a report. */
#ifndef KILN_REPORT_REPORT_PLOTS_H
#define KILN_REPORT_REPORT_PLOTS_H

#include "src/report/run_view.h"

/* A page in the making: what is there of it, how many figures it has, and of what it tells. */
typedef struct { text out; int figures; const run_view *v; } report;

/* What `add` (add_estimate, add_tau) writes, with the sign that HTML has for "+-". */
void report_add(text *out, void (*add)(text *out, const correlated_mean *m), const correlated_mean *m);

/* Sections with figures; none where there is nothing to draw. */
void report_histories(report *r);            /* plaquette, measurements */
void report_metropolis(report *r);           /* dH, acceptance, exp(-dH) */
void report_autocorrelations(report *r);
void report_dynamics(report *r);             /* forces, iterations, residuals, ranges, seconds */

#endif
