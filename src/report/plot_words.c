/* plot_words.c - escape, measure and wrap the texts of a plot.  The width of a letter assumes a wide font. */
#include "src/report/plot_words.h"

#include <ctype.h>
#include <string.h>

enum { LETTER = 7 };

static bool is_first_byte(char c)
{
    return (c & 0xc0) != 0x80;                             /* of a character in UTF-8 */
}

int plot_letters(const char *words)
{
    int n = 0;
    for (; *words; words++)
        n += is_first_byte(*words);
    return n;
}

void plot_add_text(text *out, const char *words)
{
    for (; *words; words++)
        if (*words == '<' || *words == '&')
            text_add(out, *words == '<' ? "&lt;" : "&amp;");
        else
            text_add_bytes(out, words, 1);
}

void plot_add_limit(text *out, const char *words, int width)
{
    if (LETTER * plot_letters(words) > width)
        text_add(out, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", width);
}

/* Whether a row may end before words[n], within a word. */
static bool is_joint(const char *words, size_t n)
{
    const char before = words[n - 1];
    return words[n] == '(' || before == '_' || (before == '.' && !isdigit((unsigned char)words[n]));
}

size_t plot_row_length(const char *words, int most)
{
    size_t n = 0, blank = 0, joint = 0;
    for (int seen = 0; words[n]; n++) {
        if (words[n] == ' ')
            blank = n;
        else if (n > 0 && is_joint(words, n))
            joint = n;
        if (is_first_byte(words[n]) && seen++ == most)
            return blank > 0 ? blank : joint > 0 ? joint : n;
    }
    return n;
}
