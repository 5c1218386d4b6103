/* report_sections.h - the parts of a report that consist of text and tables. */
#ifndef KILN_REPORT_REPORT_SECTIONS_H
#define KILN_REPORT_REPORT_SECTIONS_H

#include "src/report/report_page.h"

void report_head(report *r);                 /* which ensemble this is */
void report_fault(report *r);                /* if parameters or record were changed after they were written */
void report_verdict(report *r);              /* whether the ensemble can be used */
void report_numbers(report *r);              /* means, errors, autocorrelation times; cost */
void report_time(report *r);                 /* by phase */
void report_warnings(report *r);
void report_segments(report *r);
void report_files(report *r);
void report_parameters(report *r);           /* in full */

#endif
