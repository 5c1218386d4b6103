/* report_picture.c - figures side by side; the highest figure of a row gives its height. */
#include "src/report/report_picture.h"

#include "src/report/report_html.h"

enum { COLUMNS = 2, CELL_WIDTH = 436, GAP = 12, HEAD = 34 };

void report_picture_add(report_picture *picture, const plot *figure)
{
    if (picture->plots_left <= 0)
        return;
    const int column = picture->count % COLUMNS;
    if (column == 0)
        picture->top = picture->bottom;
    const int x = GAP + CELL_WIDTH * column;
    const int bottom = picture->top + plot_to_text_at(&picture->body, figure, x, HEAD + picture->top) + GAP;
    picture->bottom = bottom > picture->bottom ? bottom : picture->bottom;
    picture->plots_left--;
    picture->count++;
}

void report_picture_end(text *out, report_picture *picture, const char *title)
{
    const int width = 2 * GAP + CELL_WIDTH * COLUMNS, height = HEAD + picture->bottom;
    text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
                  "<style>\n%s</style>\n<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n"
                  "<text x=\"%d\" y=\"24\" font-size=\"15\">", width, height, width, height, plot_style_sheet(),
             2 * GAP);
    html_text(out, title);
    text_add(out, "</text>\n%s</svg>\n", text_string(&picture->body));
    text_free(&picture->body);
}
