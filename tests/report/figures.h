/* figures.h - the figures of a page of kiln report, as tests read them. */
#ifndef KILN_TESTS_REPORT_FIGURES_H
#define KILN_TESTS_REPORT_FIGURES_H

#include "src/base/text.h"

/* A figure: the characters from `begin` to `end` of the page, which it borrows; both NULL if there is none. */
typedef struct { const char *begin, *end; } figure_part;
figure_part figure_next(figure_part after, const char *page);      /* the first one after { NULL, NULL } */
figure_part figure_titled(const char *page, const char *title);

text figure_title(figure_part f);                                  /* its lines joined by blanks; text_free */

/* The first `piece` at `from` or later; NULL if there is none. */
const char *figure_find(figure_part f, const char *from, const char *piece);
int figure_count(figure_part f, const char *piece);

/* The box of the axes. */
typedef struct { double left, top, right, bottom; } figure_box;
figure_box figure_axes(figure_part f);

/* The value at a pixel of linear axes, by their ticks. */
double figure_x(figure_part f, double pixel);
double figure_y(figure_part f, double pixel);

/* The corners of the first path with this class, in pixels, at most `most`; returns their number, 0 without a path. */
int figure_path(double *x, double *y, int most, figure_part f, const char *class_of_it);

/* The centers of the markers, at most `most`; returns their number. */
int figure_markers(double *x, double *y, double *radius, int most, figure_part f);

#endif
