/* report_page.h - the page of a report under construction. */
#ifndef KILN_REPORT_REPORT_PAGE_H
#define KILN_REPORT_REPORT_PAGE_H

#include "src/report/run_view.h"

/* The text of the page so far, its number of figures, the ensemble, and a picture (report_picture.h) with the same
 * figures, or NULL. */
struct report_picture;
typedef struct { text out; int figures; const run_view *v; struct report_picture *picture; } report;

/* A text, with the plus-minus sign of HTML for "+-". */
void report_add_words(text *out, const text *words);

/* The output of `add` (run_view_add_estimate, run_view_add_tau), in the same way. */
void report_add(text *out, void (*add)(text *out, const correlated_mean *m), const correlated_mean *m);

#endif
