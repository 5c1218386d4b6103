/* polyakov_loops.h - the measurement "polyakov": the Polyakov loop, its size, and correlators of loops. */
#ifndef KILN_MEASURE_POLYAKOV_LOOPS_H
#define KILN_MEASURE_POLYAKOV_LOOPS_H

#include "src/measure/measurement.h"

extern const measurement_kind polyakov_measurement;

#endif
