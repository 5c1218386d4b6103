/* meson_mass.h - a mass from the correlator of one configuration, to monitor a run:
 *
 *     M = arccosh [(C(T/2 - d) + C(T/2 + d)) / (2 C(T/2))] / d,   d = T/4 rounded down
 *
 * the mass of C(t) = A cosh M (T/2 - t).  Like every ratio on a single configuration it has a bias; masses of an
 * ensemble come from mean correlators. */
#ifndef KILN_MEASURE_MESON_MASS_H
#define KILN_MEASURE_MESON_MASS_H

/* c[t], t < times, counted from the source; NaN for less than 4 times, or if no mass gives these numbers. */
double meson_mass(const double *c, int times);
int meson_mass_distance(int times);                         /* d */

#endif
