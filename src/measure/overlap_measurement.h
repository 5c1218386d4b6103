/* overlap_measurement.h - the measurement "overlap": the lowest eigenvalues of the overlap operator in each chirality,
 * and its index. */
#ifndef KILN_MEASURE_OVERLAP_MEASUREMENT_H
#define KILN_MEASURE_OVERLAP_MEASUREMENT_H

#include "src/measure/measurement.h"

extern const measurement_kind overlap_measurement;

#endif
