/* segments.h - DIRECTORY/segments.jsonl: which parameters made which trajectories.
 *
 * A segment is a stretch of a stream with constant parameters.  The first one begins with the stream; another one
 * begins when parameters are changed on the way (kiln run --new-segment).  A line each, sealed (checksummed_line.h):
 *
 *     {"segment": 2, "first_trajectory": 121, "input_digest": "0x...", "file_digest": "0x...", "chain": "0x...",
 *      "reason": "steps were too long", "changes": ["ensemble: ...", "input: ..."], "time": "...", "version": "...",
 *      "digest": "0x..."}
 *
 * "input_digest" names the parameters, "file_digest" is the digest64 of the file that has them: parameters.yaml for
 * the newest segment, parameters.000120.yaml for one that ended with trajectory 120.  "chain" is the value of the
 * chain (chain.h) before its first trajectory; for the first segment the links_digest of the links it begins with.
 * If that is not before trajectory 1, a program that knew no chain has made the trajectories before.
 *
 * The line is what makes a change: before it there are the old parameters under their new name and the new ones as
 * parameters.yaml.next, after it parameters.yaml is replaced.  Whoever comes between finishes it. */
#ifndef KILN_ENSEMBLE_SEGMENTS_H
#define KILN_ENSEMBLE_SEGMENTS_H

#include "src/hmc/run_params.h"

typedef struct {
    int64_t first;                                   /* trajectory */
    uint64_t input_digest, file_digest, chain;
    char *line;                                      /* as it stands in the file, with its end */
} segment;
typedef struct { int count; segment *item; } segments; /* none: nothing was made, or by a program that knew none */

#define SEGMENTS_FILE "segments.jsonl"

/* Read DIRECTORY/segments.jsonl; none if it is not there.  False, with the line and what is wrong with it. */
bool segments_read(segments *s, const char *directory, failure *f);
void segments_free(segments *s);

/* Read, and finish what an earlier process has left half-done.  The lock is held. */
bool segments_open(segments *s, const char *directory, failure *f);

/* Index of the segment that a trajectory belongs to; 0 for those before the first one, and for the start. */
int segments_at(const segments *s, int64_t trajectory);
int64_t segments_last(const segments *s, int index);             /* its last trajectory; INT64_MAX for the newest */
text segments_parameters_path(const segments *s, const char *directory, int index);

/* The first segment, of the parameters that lie in the folder, from trajectory `first` on; over what there was. */
bool segments_begin(segments *s, const char *directory, int64_t first, uint64_t chain, failure *f);

/* Go on with the parameters of `p` from trajectory `first` on, all those before being made; `changes` are the lines
 * that differ.  A newest segment without trajectories is replaced. */
typedef struct { const char *reason; const text *changes; int64_t first; uint64_t chain; } segments_change;
bool segments_add(segments *s, const run_params *p, const segments_change *change, failure *f);

#endif
