/* figures.c - find titles, axes, markers and paths in the SVG of kiln report. */
#include "tests/report/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

figure_part figure_next(figure_part after, const char *page)
{
    const char *begin = strstr(after.end ? after.end : page, "<figure>");
    const char *end = begin ? strstr(begin, "</figure>") : NULL;
    return end ? (figure_part){ begin, end } : (figure_part){ NULL, NULL };
}

figure_part figure_titled(const char *page, const char *title)
{
    figure_part f = figure_next((figure_part){ NULL, NULL }, page);
    for (; f.begin; f = figure_next(f, page)) {
        text found = figure_title(f);
        const bool same = strcmp(text_string(&found), title) == 0;
        text_free(&found);
        if (same)
            break;
    }
    return f;
}

const char *figure_find(figure_part f, const char *from, const char *piece)
{
    const char *at = from ? strstr(from, piece) : NULL;
    return at && at < f.end ? at : NULL;
}

int figure_count(figure_part f, const char *piece)
{
    int n = 0;
    for (const char *at = f.begin; (at = figure_find(f, at, piece)); at++)
        n++;
    return n;
}

text figure_title(figure_part f)
{
    text title = { 0 };
    for (const char *at = f.begin; (at = figure_find(f, at, "<text class=\"title\"")); at++) {
        const char *words = strchr(at, '>') + 1;
        if (title.length > 0)
            text_add(&title, " ");
        text_add_bytes(&title, words, strcspn(words, "<"));
    }
    return title;
}

figure_box figure_axes(figure_part f)
{
    double x = NAN, y = NAN, width = NAN, height = NAN;
    const char *at = figure_find(f, f.begin, "<rect class=\"axis\"");
    if (at)
        sscanf(at, "<rect class=\"axis\" x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y, &width, &height);
    return (figure_box){ x, y, x + width, y + height };
}

/* By the first and the last tick whose grid line has this form, with the pixel as its number `which`. */
static double by_ticks(figure_part f, const char *form, int which, double pixel)
{
    double at[2] = { NAN, NAN }, value[2] = { NAN, NAN };
    for (const char *line = f.begin; (line = figure_find(f, line, "<path class=\"grid\"")); line++) {
        double numbers[3];
        char end[2];
        if (sscanf(line, form, &numbers[0], &numbers[1], &numbers[2], end) != 4)
            continue;
        const int k = isnan(at[0]) ? 0 : 1;
        at[k] = numbers[which];
        value[k] = atof(strchr(strstr(line, "<text"), '>') + 1);
    }
    return value[0] + (value[1] - value[0]) * (pixel - at[0]) / (at[1] - at[0]);
}

double figure_x(figure_part f, double pixel)
{
    return by_ticks(f, "<path class=\"grid\" d=\"M%lf %lfV%lf%1[\"]", 0, pixel);
}

double figure_y(figure_part f, double pixel)
{
    return by_ticks(f, "<path class=\"grid\" d=\"M%lf %lfH%lf%1[\"]", 1, pixel);
}

int figure_path(double *x, double *y, int most, figure_part f, const char *class_of_it)
{
    char piece[64];
    int n = 0, used;
    snprintf(piece, sizeof piece, "<path class=\"%s\"", class_of_it);
    const char *at = figure_find(f, f.begin, piece);
    at = at ? strstr(at, " d=\"") : NULL;
    if (!at)
        return 0;
    for (at += 4; n < most && sscanf(at, "%*1[ML]%lf %lf%n", &x[n], &y[n], &used) == 2; at += used)
        n++;
    return n;
}

int figure_markers(double *x, double *y, double *radius, int most, figure_part f)
{
    int n = 0;
    for (const char *at = f.begin; n < most && (at = figure_find(f, at, "<circle cx=")); at++)
        n += sscanf(at, "<circle cx=\"%lf\" cy=\"%lf\" r=\"%lf\"", &x[n], &y[n], &radius[n]) == 3;
    return n;
}
