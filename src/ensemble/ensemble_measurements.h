/* ensemble_measurements.h - the measurements of a stream and those of an input: what was added, removed or changed.
 *
 * Measurements do not change trajectories, so a stream may continue with others.  The change begins a segment
 * (segments.h), so that parameters.yaml says at any time what is measured.  A name stands for one quantity: with other
 * settings (measurement_settings) under the same name, means over the record would mix two quantities.  Such a change
 * is refused, unless a new segment was requested. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_MEASUREMENTS_H
#define KILN_ENSEMBLE_ENSEMBLE_MEASUREMENTS_H

#include "src/ensemble/segments.h"

/* Begin a segment at trajectory `next` if `p` has other measurements than the newest segment.  False with the reason if
 * a name has other settings than in the segment of `next`, or, without the name there, than in the nearest segment
 * before it that has the name, or else after it.  Trajectories of an earlier segment that are generated again may lack
 * its measurements, or have others. */
bool ensemble_measurements_settle(segments *s, const run_params *p, int64_t next, uint64_t chain, failure *f);

#endif
