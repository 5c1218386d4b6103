/* plot_axis.h - the axes of a plot: the range of its series, ticks, and pixels of values. */
#ifndef KILN_REPORT_PLOT_AXIS_H
#define KILN_REPORT_PLOT_AXIS_H

#include "src/base/text.h"
#include "src/report/plot.h"

/* Pixels of the picture and of the box of the axes in it.  The legend is to the right of the box, or above it. */
typedef struct { int width, height, left, right, top, bottom; bool legend_above; } plot_frame;

int plot_marker_radius(const plot_frame *in);
bool plot_has_line(plot_style s);
bool plot_has_points(plot_style s);

enum { PLOT_TICKS = 32 };
typedef struct {
    bool log, vertical, few;                   /* few: a logarithmic axis with few decades */
    double least, most;                        /* on a logarithmic axis: decimal logarithms, like ticks */
    const plot_frame *in;
    int from, to;                              /* pixels of the ends, inside the box if there are markers */
    const char *label;
    int ticks, digits;
    double tick[PLOT_TICKS];
} plot_axis;

plot_axis plot_axis_make(const plot *p, const plot_frame *in, bool vertical);
void plot_axis_add(text *out, const plot_axis *a);

bool plot_drawable(double value, bool log);
double plot_pixel(const plot_axis *a, double value);       /* of a drawable value */

#endif
