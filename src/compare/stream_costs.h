/* stream_costs.h - the cost of an independent configuration of a stream, from its record. */
#ifndef KILN_COMPARE_STREAM_COSTS_H
#define KILN_COMPARE_STREAM_COSTS_H

#include "src/compare/candidates.h"

/* Read the record in the folder of a candidate.  The price of a trajectory is its seconds without measurements and
 * files, or with `r->work` the iterations of its solves plus the evaluations of forces, each counted as one.  A stream
 * without trajectories has no observables.  False with the reason.  Rank 0 reads; all ranks get the result. */
bool stream_costs_read(compared_stream *s, const candidate *c, const comparison_request *r, failure *f);

#endif
