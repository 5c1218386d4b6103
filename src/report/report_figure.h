/* report_figure.h - a figure of a report; curves are thinned out before they are drawn. */
#ifndef KILN_REPORT_REPORT_FIGURE_H
#define KILN_REPORT_REPORT_FIGURE_H

#include "src/report/plot_svg.h"
#include "src/report/report_page.h"

enum { CURVE_POINTS = 600 };           /* largest number; longer curves are reduced to the extrema of bins */

typedef struct { int count; double *x, *y, *error; } curve;     /* error may be NULL */

curve curve_make(int64_t count, bool errors);
void curve_free(curve *c);

/* The values of the lines from `from` on, without gaps. */
curve curve_of_history(const run_history *h, int64_t from, history_value *value, const void *context);

/* The histogram of the finite values, as densities, between mean - 4 and mean + 4 deviations.  Empty if there are fewer
 * than two values or if all are equal. */
curve curve_histogram(const double *value, int64_t count, double mean, double deviation);

/* The line from (x0, y0) to (x1, y1). */
curve curve_line(double x0, double y0, double x1, double y1);

/* A figure: begin, add curves (figure_end frees them; names are borrowed until then), end.  A figure without points is
 * omitted. */
typedef struct { plot p; curve of[PLOT_SERIES]; } figure;

void figure_begin(figure *f, const char *title, const char *x_label, const char *y_label);
void figure_add(figure *f, const char *name, plot_style style, int color, curve c);
void figure_end(figure *f, report *r);

/* A mean as a line and its error as a band, from x0 to x1; without an error only the line. */
void figure_add_mean(figure *f, const char *name, int color, double x0, double x1, const correlated_mean *of);

/* "in units of a" for a number with the unit a; empty if it has no unit. */
text figure_unit(const quantity *q);

#endif
