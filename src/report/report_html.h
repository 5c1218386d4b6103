/* report_html.h - a self-contained HTML page: style sheet, escaped text, tables. */
#ifndef KILN_REPORT_REPORT_HTML_H
#define KILN_REPORT_REPORT_HTML_H

#include "src/base/text.h"

/* Append `words` as text: special characters of HTML are escaped, control characters become U+FFFD. */
void html_text(text *out, const char *words);

/* "<tag>words</tag>"; `tag` may have attributes. */
void html_element(text *out, const char *tag, const char *words);

#define HTML_MARK "<meta name=\"generator\" content=\"kiln report\">"     /* in every page from html_begin */
void html_begin(text *out, const char *title);
void html_end(text *out);

/* A section with a heading; `figures`: elements are side by side if the screen is wide enough. */
void html_section(text *out, const char *heading, bool figures);
void html_section_end(text *out);

/* A table whose first row is `head`, NULL at the end; then rows. */
void html_table(text *out, const char *const head[]);
void html_row(text *out, const char *const cell[], int count);
void html_table_end(text *out);

#endif
