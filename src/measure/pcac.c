/* pcac.c - the quark mass of partially conserved axial current (PCAC), from correlators on time slices. */
#include "src/measure/pcac.h"

void pcac_mass_in_time(double *mass, const double *axial, const double *pion, int times, double c_A)
{
    for (int t = 0; t < times; t++) {
        const int after = (t + 1) % times, before = (t + times - 1) % times;
        const double slope = (axial[after] - axial[before]) / 2, bend = pion[after] - 2 * pion[t] + pion[before];
        mass[t] = (slope + c_A * bend) / (2 * pion[t]);
    }
}
