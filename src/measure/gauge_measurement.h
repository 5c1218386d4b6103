/* gauge_measurement.h - the measurement "gauge": observables of the links without flow or quarks (observable.h). */
#ifndef KILN_MEASURE_GAUGE_MEASUREMENT_H
#define KILN_MEASURE_GAUGE_MEASUREMENT_H

#include "src/measure/measurement.h"

extern const measurement_kind gauge_observables_measurement;

#endif
