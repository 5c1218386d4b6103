/* watch_page.h - the page of `kiln watch`, as lines for a terminal. */
#ifndef KILN_REPORT_WATCH_PAGE_H
#define KILN_REPORT_WATCH_PAGE_H

#include "src/report/run_view.h"

/* The size of the page: at most `width` characters per line, at most `height` lines. */
typedef struct { int width, height; bool unicode, color; } page_form;

/* The page of `v`; if `v` is NULL, the page of a folder that does not exist yet, with the reason `why`. */
text watch_page(const run_view *v, const char *directory, const char *why, const page_form *form);

#endif
