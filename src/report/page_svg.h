/* page_svg.h - a page of a terminal as a picture. */
#ifndef KILN_REPORT_PAGE_SVG_H
#define KILN_REPORT_PAGE_SVG_H

#include "src/base/text.h"

/* Append an SVG file of the lines in `page`, in UTF-8, on a terminal of `width` characters.  Bold, faint and yellow of
 * a terminal (ESC [ 1, 2, 33 m; 0 ends them) are shown.  Letters of Braille and blocks are drawn as dots and bars, so
 * that the picture is the same with every font. */
void page_to_svg(text *out, const char *page, int width);

#endif
