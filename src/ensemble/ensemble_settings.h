/* ensemble_settings.h - keys that may change while a stream grows: solvers, files, numbers of trajectories.
 *
 * They have no part in the digest of the parameters, but solvers change the rounding of numbers.  A change begins a
 * segment (segments.h) with the first trajectory that has the new values, so that the folder says at any time which
 * values made which trajectories, and parameters.yaml continues the stream with its present values. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_SETTINGS_H
#define KILN_ENSEMBLE_ENSEMBLE_SETTINGS_H

#include "src/ensemble/segments.h"

/* Begin a segment at trajectory `next` if `p` has other values of these keys than the newest segment; a line of the log
 * has each change.  Only warn if trajectory `next` of an earlier segment is generated again with another solver. */
bool ensemble_settings_settle(segments *s, const run_params *p, int64_t next, uint64_t chain, failure *f);

#endif
