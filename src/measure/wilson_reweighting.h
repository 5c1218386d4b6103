/* wilson_reweighting.h - reweighting factors of two flavors of Wilson quarks that were simulated with a regulator. */
#ifndef KILN_MEASURE_WILSON_REWEIGHTING_H
#define KILN_MEASURE_WILSON_REWEIGHTING_H

#include "src/measure/measurement.h"

/* The measurement "kind: wilson_reweighting". */
extern const measurement_kind wilson_reweighting;

#endif
