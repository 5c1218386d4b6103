/* doublet_measurement.h - the measurement "wilson_doublet": mesons of a non-degenerate doublet of twisted-mass quarks,
 * as strange and charm, with light quarks and within the doublet (doublet_mesons.h), and pions of the light quarks. */
#ifndef KILN_MEASURE_DOUBLET_MEASUREMENT_H
#define KILN_MEASURE_DOUBLET_MEASUREMENT_H

#include "src/measure/measurement.h"

extern const measurement_kind doublet_measurement;
extern const result_group doublet_results[];

#endif
