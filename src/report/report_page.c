/* report_page.c - numbers with errors on the page of a report. */
#include "src/report/report_page.h"

#include <string.h>

void report_add_words(text *out, const text *words)
{
    const char *sign = strstr(text_string(words), "+-");
    if (sign)
        text_add(out, "%.*s\u00b1%s", (int)(sign - words->s), words->s, sign + 2);
    else
        text_add(out, "%s", text_string(words));
}

void report_add(text *out, void (*add)(text *out, const correlated_mean *m), const correlated_mean *m)
{
    text words = { 0 };
    add(&words, m);
    report_add_words(out, &words);
    text_free(&words);
}
