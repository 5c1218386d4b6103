/* condensate.h - the measurement "condensate": the chiral condensate of staggered quarks. */
#ifndef KILN_MEASURE_CONDENSATE_H
#define KILN_MEASURE_CONDENSATE_H

#include "src/measure/measurement.h"

extern const measurement_kind condensate_measurement;

#endif
