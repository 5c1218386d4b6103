/* report_page.h - the page of a report in the making. */
#ifndef KILN_REPORT_REPORT_PAGE_H
#define KILN_REPORT_REPORT_PAGE_H

#include "src/report/run_view.h"

/* A page in the making: what is there of it, how many figures it has, and of what it tells. */
typedef struct { text out; int figures; const run_view *v; } report;

/* What `add` (run_view_add_estimate, add_tau) writes, with the sign that HTML has for "+-". */
void report_add(text *out, void (*add)(text *out, const correlated_mean *m), const correlated_mean *m);

#endif
