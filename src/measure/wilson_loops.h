/* wilson_loops.h - the measurement "wilson_loops": loops in space and time with smeared lines in space. */
#ifndef KILN_MEASURE_WILSON_LOOPS_H
#define KILN_MEASURE_WILSON_LOOPS_H

#include "src/measure/measurement.h"

extern const measurement_kind wilson_loops_measurement;

#endif
