/* plot_words.h - the texts of a plot: long titles wrap and other long texts are compressed, so that no text is cut. */
#ifndef KILN_REPORT_PLOT_WORDS_H
#define KILN_REPORT_PLOT_WORDS_H

#include "src/base/text.h"

int plot_letters(const char *words);                   /* characters in UTF-8 */

/* Append the words to an element. */
void plot_add_text(text *out, const char *words);

/* Append the attributes that compress `words` to `width` pixels, unless they fit in a wide font. */
void plot_add_limit(text *out, const char *words, int width);

/* The number of bytes of the first row of `words`, with at most `most` letters: it ends before a blank, else at a dot,
 * underscore or parenthesis, else anywhere. */
size_t plot_row_length(const char *words, int most);

#endif
