/* record_continuity.h - whether each line of run.jsonl continues the lines before it, decided as lines are read.
 *
 * record_check.h looks for the first fault of a record.  Means of a record go on behind it: they leave out lines of
 * another run, and lines that are there a second time. */
#ifndef KILN_ENSEMBLE_RECORD_CONTINUITY_H
#define KILN_ENSEMBLE_RECORD_CONTINUITY_H

#include "src/ensemble/checksummed_line.h"
#include "src/ensemble/record_line.h"
#include "src/ensemble/segments.h"

/* What is known about the stream.  Without segments, parameters are not compared; without a seed, nor are chains. */
typedef struct {
    const segments *segments;      /* borrowed; NULL: unknown */
    bool seeded;                   /* seed and stream are known */
    uint64_t seed;
    uint32_t stream;
    uint64_t newest;               /* input digest of the newest segment */
} continuity_rules;

/* `p`: parameters.yaml, or NULL.  If it does not agree with the newest segment, its seed is not used. */
continuity_rules continuity_rules_make(const segments *s, const run_params *p);

typedef enum {
    LINE_CONTINUES,
    LINE_IS_REPEATED,              /* its trajectory is not after that of the last line that continues */
    LINE_HAS_OTHER_PARAMETERS,     /* its input digest is not that of its segment */
    LINE_HAS_ANOTHER_PAST,         /* its chain does not follow */
    LINE_VERDICTS
} line_verdict;

/* The last line that continues; trajectory 0: none yet.  strayed: lines behind it did not continue. */
typedef struct { int64_t trajectory; chain_value chain; bool strayed; } record_continuity;

/* The verdict on the next line, from a continuity of { 0 } on.  A line behind a gap continues, because its chain cannot
 * be computed, unless lines in the gap did not continue.  Of a line that was changed (`checksum`) only the trajectory
 * and the input digest count. */
line_verdict record_continuity_judge(record_continuity *c, const continuity_rules *rules, const record_line *l,
                                     checksum_state checksum);

#endif
