/* record_check.h - check the lines of run.jsonl: each is the next trajectory, with the parameters of its segment, and
 * unchanged.
 *
 * Lines are checked from the first one on, until one does not fit the rules.  kiln audit, kiln run and kiln status
 * report that line.  kiln run continues only from a state before it, so that every trajectory has a valid line. */
#ifndef KILN_ENSEMBLE_RECORD_CHECK_H
#define KILN_ENSEMBLE_RECORD_CHECK_H

#include "src/ensemble/record_lines.h"
#include "src/ensemble/segments.h"
#include "src/ensemble/stream_fault.h"
#include "src/io/links_file.h"

/* What the lines must agree with.  Without segments (segments->count == 0: nothing has a chain) only the numbers of
 * trajectories are checked. */
typedef struct {
    const segments *segments;
    const int64_t *thermalization;      /* hmc.thermalization of each segment; NULL without segments */
    int64_t start;                      /* start.trajectory: the first line is that of the next trajectory */
    uint64_t seed;
    uint32_t stream;
} record_rules;

typedef struct {
    int64_t lines;                      /* number of complete lines in the file, valid or not */
    int64_t start;                      /* that of the rules */
    int64_t count;                      /* number of lines that fit, up to `last`: trajectories start + 1 and on */
    record_line *line;
    bool torn;                          /* the last line is incomplete */
    bool chained;                       /* some readable line has a chain */
    bool faulty;                        /* a line does not fit, perhaps one after `last`; `fault` says why */
    stream_fault fault;
} record_check;

/* Check DIRECTORY/run.jsonl; no file is a record without lines.  Lines after that of trajectory `last` are checked, but
 * not counted as lines that fit: the run has no state after `last`, and generates them again.  Release with
 * record_check_free in any case. */
void record_check_file(record_check *c, const char *directory, const record_rules *rules, int64_t last);
/* record_check_file with the lines of that file, which the caller has read already. */
void record_check_lines(record_check *c, const char *directory, const record_lines *lines, const record_rules *rules,
                        int64_t last);
void record_check_free(record_check *c);

/* The last trajectory whose line fits, c->start without any; the line of a trajectory from c->start + 1 to it. */
int64_t record_check_last(const record_check *c);
const record_line *record_check_line(const record_check *c, int64_t trajectory);

/* Whether a state of trajectory n <= record_check_last(c), in the file `path`, agrees with the line of n: parameters,
 * chain, plaquette.  False with the fault. */
bool record_check_state(stream_fault *fault, const record_check *c, const record_rules *rules, const run_state *state,
                        const char *path, const char *advice);

#endif
