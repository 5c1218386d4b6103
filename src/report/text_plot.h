/* text_plot.h - curves in characters: dots of Braille letters, two by four to a character, or stars.
 *
 * What a terminal shows is made of UTF-8 or of ASCII; widths are counted in characters. */
#ifndef KILN_REPORT_TEXT_PLOT_H
#define KILN_REPORT_TEXT_PLOT_H

#include "src/base/text.h"

#include <stdint.h>

enum { TEXT_PLOT_LABEL = 11 };         /* characters of the numbers on the left */

/* Lines of a plot of value[0 ... count - 1], whose gaps are NaN, `width` characters wide in all and `height` lines
 * high: a number at its top and bottom line, a column a bin of values, drawn from its least to its largest one; few
 * values make steps.  Each line ends with '\n'.  Nothing but blanks where no value is a number. */
void text_plot_add(text *out, const double *value, int64_t count, int width, int height, bool unicode);

/* The same in one line of `width` characters, without numbers or line end: a block a bin, of the height of its mean. */
void text_spark_add(text *out, const double *value, int64_t count, int width, bool unicode);

/* A bar, `share` of it full. */
void text_bar_add(text *out, double share, int width, bool unicode);

/* Append the first `width` characters of `words` (a line), what cannot be printed as '?'. */
void text_add_cut(text *out, const char *words, int width, bool unicode);

#endif
