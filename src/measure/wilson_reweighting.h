/* wilson_reweighting.h - reweighting factors of two flavors of Wilson quarks that were simulated with a regulator. */
#ifndef KILN_MEASURE_WILSON_REWEIGHTING_H
#define KILN_MEASURE_WILSON_REWEIGHTING_H

#include "src/measure/measurement.h"

/* Parameters of a run, "kind: wilson_reweighting"; results of each determinant in the record. */
extern const measurement_kind wilson_reweighting;

#endif
