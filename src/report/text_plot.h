/* text_plot.h - curves in characters: dots of Braille letters, two by four to a character, or stars.
 *
 * The text is UTF-8 or ASCII; widths are numbers of characters. */
#ifndef KILN_REPORT_TEXT_PLOT_H
#define KILN_REPORT_TEXT_PLOT_H

#include "src/base/text.h"

#include <stdint.h>

enum { TEXT_PLOT_LABEL = 11 };         /* characters of the numbers on the left */

/* Append a plot of value[0 ... count - 1] (NaN: gap), `width` characters wide and `height` lines high, with numbers at
 * the top and bottom line.  A column shows a bin of values from its smallest to its largest; few values make steps.
 * Each line ends with '\n'.  Blanks if no value is a number. */
void text_plot_add(text *out, const double *value, int64_t count, int width, int height, bool unicode);

/* The same in one line of `width` characters, without numbers and line end: one block per bin, as high as its mean. */
void text_spark_add(text *out, const double *value, int64_t count, int width, bool unicode);

/* A bar, `share` of it full. */
void text_bar_add(text *out, double share, int width, bool unicode);

/* Append the first `width` characters of the line `words`; unprintable ones become '?'. */
void text_add_cut(text *out, const char *words, int width, bool unicode);

#endif
