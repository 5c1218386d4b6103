/* history_plot.h - the history of a number of the record as a plot in characters, for kiln watch and kiln status. */
#ifndef KILN_REPORT_HISTORY_PLOT_H
#define KILN_REPORT_HISTORY_PLOT_H

#include "src/report/run_view.h"

/* The first line of the record in plots: the first line of the means, if enough lines follow; otherwise 0. */
int64_t history_plot_first(const run_view *v);

/* "plaquette: last 0.593867, mean 0.5919 +- 0.0018, tau 1.5 +- 0.9, trajectories 16 to 40", without a line end.  The
 * range is left out where it would exceed `width` characters. */
void history_plot_add_title(text *out, const run_view *v, const quantity *q, int width);

/* The plot below it: `height` lines of `width` characters. */
void history_plot_add(text *out, const run_view *v, history_value *value, int width, int height, bool unicode);

/* The plaquette, and dH where there was a Metropolis test: titles and plots.  Nothing without a trajectory. */
void history_plots_print(const run_view *v, int width, bool unicode);

#endif
