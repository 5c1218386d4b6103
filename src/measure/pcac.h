/* pcac.h - the quark mass of partially conserved axial current (PCAC), from correlators on time slices.
 *
 *     m(t) = [ (C_AP(t+1) - C_AP(t-1)) / 2 + c_A (C_PP(t+1) - 2 C_PP(t) + C_PP(t-1)) ] / (2 C_PP(t))
 * in lattice units, with C_AP(t) = -sum <A_0(t) P(0)> and C_PP(t) = -sum <P'(t) P(0)> (docs/conventions.md); c_A
 * belongs to the improved current A_0 + c_A d_0 P' (M. Luescher, S. Sint, R. Sommer, P. Weisz, hep-lat/9605038).
 * Correlators are periodic in t. */
#ifndef KILN_MEASURE_PCAC_H
#define KILN_MEASURE_PCAC_H

/* mass[t] = m(t) for 0 <= t < times */
void pcac_mass_in_time(double *mass, const double *axial, const double *pion, int times, double c_A);

#endif
