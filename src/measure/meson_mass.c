/* meson_mass.c - the mass of a correlator from its values at T/2 and T/2 +- T/4. */
#include "src/measure/meson_mass.h"

#include <math.h>

int meson_mass_distance(int times)
{
    return times / 4;
}

double meson_mass(const double *c, int times)
{
    const int middle = times / 2, d = meson_mass_distance(times);
    return d == 0 ? NAN : acosh((c[middle - d] + c[(middle + d) % times]) / (2 * c[middle])) / d;
}
