/* wilson_measured.h - the measurement "wilson" for tests. */
#ifndef KILN_TESTS_MEASURE_WILSON_MEASURED_H
#define KILN_TESTS_MEASURE_WILSON_MEASURED_H

#include "tests/measure/measured.h"

/* With solves to 1e-13; `keys` follow. */
yaml_node *wilson_measured(const gauge *u, const char *keys);

/* An end of the spectrum, "smallest" or "largest".  Facts: those of the first mass are these numbers to 1e-3, and not
 * beyond them. */
double wilson_spectrum(const yaml_node *tree, int mass, const char *end);
void wilson_spectrum_facts(const yaml_node *tree, double smallest, double largest, const char *keys);

/* The PCAC mass without c_A. */
double pcac_mass_of(const double *axial, const double *pion, int t, int times);

/* The eigenvalue of Mhat^+ Mhat for free quarks of momentum p; p and p + (pi, pi, pi, pi) have the same.  space: the
 * weight nu/xi_0 of hops in space. */
double wilson_free_mhat2(double mass, double mu, double space, const double p[4]);

#endif
