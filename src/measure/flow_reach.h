/* flow_reach.h - the largest flow time of a lattice: the smoothing radius sqrt(8 t) is at most half of its extent
 * (M. Luescher, arXiv:1006.4518). */
#ifndef KILN_MEASURE_FLOW_REACH_H
#define KILN_MEASURE_FLOW_REACH_H

#include "src/base/text.h"

#include <stdbool.h>

#define FLOW_LIMIT "a lattice of extent L holds flow times up to about (L/2)^2/8"
double flow_limit(double extent);

/* Whether a flow time exceeds a limit by more than rounding: messages print the limit with four digits, and a user may
 * set this value. */
bool flow_exceeds(double t, double limit);

/* The smallest extent in units of a_s, and its direction (0 to 3); `xi`: a_s/a_t. */
double flow_least_extent(int *direction, const int extents[4], double xi);

/* Append a line, which begins with `key`, if the smoothing radius at t_max exceeds half of an extent.  `xi`: a_s/a_t,
 * which divides the extent in t, because flow times are in units of a_s^2; 1 on isotropic lattices. */
void flow_reach_advise(text *lines, const char *key, double t_max, double xi, const int extents[4]);

#endif
