/* staggered_mesons.h - the measurement "staggered_mesons". */
#ifndef KILN_MEASURE_STAGGERED_MESONS_H
#define KILN_MEASURE_STAGGERED_MESONS_H

#include "src/measure/measurement.h"

extern const measurement_kind staggered_mesons_measurement;

#endif
