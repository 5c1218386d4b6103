/* plot_svg.h - curves as a picture for light and dark pages: a self-contained SVG file, or a part of an HTML page. */
#ifndef KILN_REPORT_PLOT_SVG_H
#define KILN_REPORT_PLOT_SVG_H

#include "src/base/text.h"
#include "src/report/plot.h"

/* Add a series to a plot. */
plot_series *plot_add(plot *p, const char *name, plot_style style, int color);

/* Append the plot as an element `svg`.  A compact one takes its colors from plot_style_sheet in its page. */
void plot_to_text(text *out, const plot *p);
const char *plot_style_sheet(void);

/* Append a compact plot as a part of another picture, with its upper left corner at these pixels.  Returns its height
 * in pixels. */
int plot_to_text_at(text *out, const plot *p, int x, int y);

/* Write a file.  An older plot is replaced; any other file is not overwritten (safe_file_may_renew with this mark). */
#define SVG_MARK "<svg "
bool plot_write(const plot *p, const char *path, failure *f);

#endif
