/* plot_svg.h - curves as a picture, to be read on light and on dark pages: a self-contained SVG file, or a part of a
 * page. */
#ifndef KILN_REPORT_PLOT_SVG_H
#define KILN_REPORT_PLOT_SVG_H

#include "src/base/text.h"

typedef enum { PLOT_LINE, PLOT_DASHES, PLOT_POINTS, PLOT_LINE_AND_POINTS, PLOT_DASHES_AND_POINTS,
               PLOT_BARS } plot_style;

enum { PLOT_COLORS = 8, PLOT_GREY = PLOT_COLORS - 1, PLOT_SERIES = 16 };

typedef struct {
    const char *name;               /* in the legend; NULL: not there */
    plot_style style;
    int color;                      /* below PLOT_COLORS */
    int count;
    const double *x, *y;            /* borrowed; on a logarithmic axis only what is positive is drawn; bars: even x, no
                                     * logarithms */
    const double *error;            /* of y, borrowed; NULL: none */
} plot_series;

typedef struct {
    const char *title, *x_label, *y_label;      /* a label may be NULL */
    bool compact;                   /* 420 pixels wide, the legend above: one of many on a page */
    const char *id;                 /* what no other plot of its page has; NULL: it is alone */
    bool log_x, log_y;
    double y_least, y_most;         /* what is beyond is cut off; both 0: all there is */
    int count;
    plot_series series[PLOT_SERIES];
} plot;

/* The next series of a plot. */
plot_series *plot_add(plot *p, const char *name, plot_style style, int color);

/* Append it as an element `svg`; a compact one has its colours from its page, which has to have this style sheet. */
void plot_to_text(text *out, const plot *p);
const char *plot_style_sheet(void);

/* A plot of that name is replaced, any other file is left alone (safe_file_may_renew with this mark). */
#define SVG_MARK "<svg "
bool plot_write(const plot *p, const char *path, failure *f);

#endif
