/* wall_forecast.h - start vectors of solves A x = b, A = C^+C, from solutions of nearby systems (R. C. Brower et al.,
 * hep-lat/9509012): that vector of their span which is nearest to x in the norm |C (. - x)|. */
#ifndef KILN_ACTIONS_WALL_FORECAST_H
#define KILN_ACTIONS_WALL_FORECAST_H

#include "src/operators/domain_wall.h"

enum { WALL_FORECAST_MAX = 16 };            /* solutions at the most */

/* `room` vectors on odd sites in double, the caller's; `kept` of them are solutions, the latest one first. */
typedef struct { int room, kept; vec **solution; } wall_forecast;

/* start <- that vector, zero where none is kept.  Costs a product with C for each solution.  Solutions become others
 * with the same span, and those are dropped that add nothing to the later ones: each is orthogonal in <x, A y> to those
 * after it, so that what a number of the latest ones spans stays what it was.  Scratch: `even`, and for each solution
 * an image, on odd sites. */
void wall_forecast_start(wall_forecast *f, vec *start, const wall_links *links, const wall_matrix *m, const vec *b,
                         vec *even, vec *const *image);

/* Keeps a copy of x, in place of the oldest one where there is no room; room is 1 or more. */
void wall_forecast_keep(wall_forecast *f, const vec *x);

#endif
