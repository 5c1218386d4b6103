/* wilson_measurement.h - the measurement "wilson": mesons, baryons, PCAC mass, condensate and spectrum of Wilson
 * quarks. */
#ifndef KILN_MEASURE_WILSON_MEASUREMENT_H
#define KILN_MEASURE_WILSON_MEASUREMENT_H

#include "src/measure/measurement.h"

extern const measurement_kind wilson_measurement;
extern const result_group wilson_results[];

#endif
