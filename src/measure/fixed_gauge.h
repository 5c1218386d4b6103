/* fixed_gauge.h - the measurement "gauge_fixing": the value of the functional in Landau or Coulomb gauge. */
#ifndef KILN_MEASURE_FIXED_GAUGE_H
#define KILN_MEASURE_FIXED_GAUGE_H

#include "src/gauge/gauge_fixing.h"
#include "src/measure/measurement.h"

extern const measurement_kind gauge_fixing_measurement;

/* "functional", "theta", "theta_largest", "sweeps", as members of the open object. */
void gauge_fixing_to_json(json *j, const gauge_fixing_result *r, gauge_condition condition);

#endif
