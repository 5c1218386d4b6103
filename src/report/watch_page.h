/* watch_page.h - what `kiln watch` shows of an ensemble, as lines for a terminal. */
#ifndef KILN_REPORT_WATCH_PAGE_H
#define KILN_REPORT_WATCH_PAGE_H

#include "src/report/run_view.h"

/* How to write: no line is longer than `width` characters, there are at most `height` lines. */
typedef struct { int width, height; bool unicode, color; } page_form;

/* The page of `v`; without one (NULL) that of a folder which is waited for, and `why`. */
text watch_page(const run_view *v, const char *directory, const char *why, const page_form *form);

#endif
