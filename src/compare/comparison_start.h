/* comparison_start.h - DIRECTORY/start.lime: the links with which all streams of a comparison begin.
 *
 * They are those of a file, or of the newest state of the ensemble if that is thermalized.  Without either they are
 * made by thermalizing trajectories, as an ensemble in DIRECTORY/thermalization, which continues if it was stopped.
 * Once the file exists it stays: a comparison that is continued has the same start, and refuses another file. */
#ifndef KILN_COMPARE_COMPARISON_START_H
#define KILN_COMPARE_COMPARISON_START_H

#include "src/compare/candidates.h"
#include "src/gauge/gauge.h"

/* Continue the stream of a candidate up to trajectory `until`, at most to the time `end` (of the clock of rank 0).
 * False with the reason if it fails, or at a signal (then `stopped` of the limits is true); *done is false if the time
 * is over. */
typedef struct { place where; double end; const run_limits *limits; bool quiet; } stream_limits;
bool comparison_advance(bool *done, const candidate *c, int64_t until, const stream_limits *limits, failure *f);

/* Make start.lime if it does not exist, within the same limits.  False with the reason, also if it exists and r->from
 * has other links; as for comparison_advance, *done is false if the time is over. */
bool comparison_start(bool *done, const comparison_request *r, const run_params *p, const stream_limits *limits,
                      failure *f);

#endif
