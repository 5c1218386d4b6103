/* static_potential.h - the potential of static quarks, r0 and r1, from the mean Wilson loops of an ensemble.
 *
 *     V(r) = log [<W(r, t)> / <W(r, t+1)>],   F(d_r) = V(r) - V(r-1)
 *     r0, r1:  r^2 F(r) = 1.65, 1,   F = f1 + f2/r^2 between the two neighboring d_r that bracket it
 *
 * in lattice units; on anisotropic lattices V is multiplied by xi = a_s/a_t, so that all are in units of a_s (R.
 * Sommer, hep-lat/9310022; C. Bernard et al., hep-lat/0002028). */
#ifndef KILN_MEASURE_STATIC_POTENTIAL_H
#define KILN_MEASURE_STATIC_POTENTIAL_H

#include "src/measure/measurement.h"

/* d_r = r - 1/2, or the distance at which the force has its tree-level value for the Wilson gauge action and thin lines
 * in time: 1/(4 pi d_r^2) = G(r-1) - G(r), with the lattice propagator G in three dimensions. */
typedef enum { FORCE_AT_MIDPOINT, FORCE_AT_WILSON_TREE } force_distance;
extern const char *const force_distance_names[];            /* ends with NULL */
double static_force_distance(force_distance d, int r);      /* r >= 2 */

/* The time of a potential from loops up to t_max: `wanted`; if that is 0, POTENTIAL_TIME, but less than t_max.  0 if
 * there is none. */
enum { POTENTIAL_TIME = 3 };
int static_potential_time(int wanted, int t_max);

/* Derived quantities of the mean of a table of loops W(r, t), loops[row][t - 1], of results with the members
 * "t_potential", "distance" and "xi" (0, FORCE_AT_MIDPOINT and 1 without them).  Points V(r) for rows with
 * positive loops. */
extern const measured_table static_potential_on_axis;       /* row: r - 1.  V(r), r0 and r1 */
extern const measured_table static_potential_110, static_potential_111, static_potential_210;   /* row: n - 1. V(n v) */

#endif
