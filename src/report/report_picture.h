/* report_picture.h - some figures of a report in two columns, as one SVG file. */
#ifndef KILN_REPORT_REPORT_PICTURE_H
#define KILN_REPORT_REPORT_PICTURE_H

#include "src/report/plot_svg.h"

/* Figures so far, pixels of the ends of the last row, and the number of figures that may follow. */
typedef struct report_picture { text body; int count, top, bottom, plots_left; } report_picture;

/* Add a compact plot, if plots_left > 0. */
void report_picture_add(report_picture *picture, const plot *figure);

/* Append the file; frees the figures. */
void report_picture_end(text *out, report_picture *picture, const char *title);

#endif
