/* plot.h - the contents of a plot: texts and series. */
#ifndef KILN_REPORT_PLOT_H
#define KILN_REPORT_PLOT_H

#include <stdbool.h>

/* PLOT_FIT: a line; PLOT_BAND: the area between y - error and y + error. */
typedef enum { PLOT_LINE, PLOT_DASHES, PLOT_POINTS, PLOT_LINE_AND_POINTS, PLOT_DASHES_AND_POINTS, PLOT_BARS, PLOT_FIT,
               PLOT_BAND } plot_style;

enum { PLOT_COLORS = 8, PLOT_GREY = PLOT_COLORS - 1, PLOT_SERIES = 16 };

typedef struct {
    const char *name;               /* in the legend; NULL: not in the legend */
    plot_style style;
    int color;                      /* below PLOT_COLORS */
    int count;
    const double *x, *y;            /* borrowed; a logarithmic axis shows positive values only; bars need equidistant
                                     * x and linear axes */
    const double *error;            /* of y, borrowed; NULL: none */
} plot_series;

typedef struct {
    const char *title, *x_label, *y_label;      /* a label may be NULL */
    bool compact;                   /* for a page with many plots: 420 pixels wide, the legend above */
    const char *id;                 /* unique among the plots of a page; NULL: the only plot */
    bool log_x, log_y;
    double y_least, y_most;         /* range of y; both 0: the range of the data */
    int count;
    plot_series series[PLOT_SERIES];
} plot;

#endif
