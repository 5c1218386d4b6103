/* segments.h - DIRECTORY/segments.jsonl: which parameters made which trajectories.
 *
 * A segment is a stretch of a stream with constant parameters.  The first one begins with the stream, a further one
 * with each change of parameters (kiln run --new-segment), of measurements (ensemble_measurements.h) or of other keys
 * that may change (ensemble_settings.h).  A segment is a line with checksum (checksummed_line.h):
 *
 *     {"segment": 2, "first_trajectory": 121, "input_digest": "0x...", "file_digest": "0x...", "chain": "0x...",
 *      "reason": "steps were too long", "changes": ["ensemble: ...", "input: ..."], "time": "...", "version": "...",
 *      "digest": "0x..."}
 *
 * "input_digest" identifies the parameters, "file_digest" is the digest64 of their file: parameters.yaml for the newest
 * segment, parameters.000120.yaml for one that ended with trajectory 120.  "chain" is the value of the chain (chain.h)
 * before the first trajectory of the segment; for the first segment the links_digest of its start links.  If the first
 * segment does not begin with trajectory start.trajectory + 1, a program without chains has generated the trajectories
 * before it.
 *
 * A change takes effect with its line.  Before it, Kiln writes the old parameters under their new name and the new ones
 * as parameters.yaml.next; after it, Kiln replaces parameters.yaml.  If a process is killed between these steps, the
 * next one completes them. */
#ifndef KILN_ENSEMBLE_SEGMENTS_H
#define KILN_ENSEMBLE_SEGMENTS_H

#include "src/hmc/run_params.h"

typedef struct {
    int64_t first;                                   /* trajectory */
    uint64_t input_digest, file_digest, chain;
    char *line;                                      /* the line of the file, with its end of line */
} segment;
typedef struct { int count; segment *item; } segments; /* count 0: no trajectories, or made without segments */

#define SEGMENTS_FILE "segments.jsonl"

/* Read DIRECTORY/segments.jsonl; no segments if it does not exist.  False with the line number and the reason. */
bool segments_read(segments *s, const char *directory, failure *f);
void segments_free(segments *s);

/* Read, and complete a change that was interrupted.  The caller holds the lock. */
bool segments_open(segments *s, const char *directory, failure *f);

/* Index of the segment that a trajectory belongs to; 0 also for trajectories before the first segment. */
int segments_at(const segments *s, int64_t trajectory);
/* The first trajectory with a chain; INT64_MAX without segments (s may be NULL). */
int64_t segments_chain_begins(const segments *s);
/* Whether this trajectory is the first one with other parameters than the trajectory before.  Then it starts without
 * the memory of the terms.  False for a segment that only has other measurements or keys that may change. */
bool segments_change_at(const segments *s, int64_t trajectory);
/* Whether segment `index` has other parameters of monomials than the one before (its "changes"). */
bool segments_change_monomials(const segments *s, int index);
int64_t segments_last(const segments *s, int index);             /* its last trajectory; INT64_MAX for the newest */
/* The last trajectory of segment `index` and of those after it with the same input digest: they have other measurements
 * or other keys that may change. */
int64_t segments_last_unchanged(const segments *s, int index);
text segments_parameters_path(const segments *s, const char *directory, int index);

/* Write the first segment, with the parameters in the folder, from trajectory `first` on; replaces earlier segments. */
bool segments_begin(segments *s, const char *directory, int64_t first, uint64_t chain, failure *f);

/* Begin a segment with the parameters of `p` at trajectory `first`, after all earlier trajectories; `changes` are the
 * keys that differ.  It replaces a newest segment without trajectories, whose reason and changes the line has, too; but
 * other parameters do not replace the first segment. */
typedef struct { const char *reason; const text *changes; int64_t first; uint64_t chain; } segments_change;
bool segments_add(segments *s, const run_params *p, const segments_change *change, failure *f);

#endif
