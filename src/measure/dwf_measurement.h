/* dwf_measurement.h - the measurement "domain_wall": mesons, baryons, residual mass and condensate of domain-wall
 * quarks, and the spectrum of their kernel. */
#ifndef KILN_MEASURE_DWF_MEASUREMENT_H
#define KILN_MEASURE_DWF_MEASUREMENT_H

#include "src/measure/measurement.h"

extern const measurement_kind dwf_measurement;
extern const result_group dwf_results[];

#endif
