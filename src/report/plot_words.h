/* plot_words.h - the words of a plot: none is cut, because long titles wrap and other long words are compressed. */
#ifndef KILN_REPORT_PLOT_WORDS_H
#define KILN_REPORT_PLOT_WORDS_H

#include "src/base/text.h"

int plot_letters(const char *words);                   /* characters in UTF-8 */

/* Append the words to an element. */
void plot_add_text(text *out, const char *words);

/* Append the attributes that compress words of a wide font into this many pixels; nothing if they fit. */
void plot_add_limit(text *out, const char *words, int width);

/* The bytes of the longest beginning of `words` that has at most `most` letters and ends before a blank; without a
 * blank, at a dot, underscore or parenthesis; without these, anywhere. */
size_t plot_row_length(const char *words, int most);

#endif
