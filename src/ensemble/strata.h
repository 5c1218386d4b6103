/* strata.h - DIRECTORY/strata.jsonl: which parameters made which trajectories.
 *
 * A stratum is a run of trajectories with the same parameters.  The first one begins with the ensemble; another one
 * when parameters are changed on the way (kiln run --new-stratum).  A line each, sealed (sealed_line.h):
 *
 *     {"stratum": 2, "first_trajectory": 121, "input_digest": "0x...", "file_digest": "0x...", "chain": "0x...",
 *      "reason": "steps were too long", "changes": ["ensemble: ...", "input: ..."], "time": "...", "version": "...",
 *      "digest": "0x..."}
 *
 * "input_digest" names the parameters, "file_digest" is the digest64 of the file that has them: parameters.yaml for
 * the newest stratum, parameters.000120.yaml for one that ended with trajectory 120.  "chain" is the value of the
 * chain (chain.h) before its first trajectory; for the first stratum the links_digest of the links it begins with.
 * If that is not before trajectory 1, a program that knew no chain has made the trajectories before.
 *
 * The line is what makes a change: before it there are the old parameters under their new name and the new ones as
 * parameters.yaml.next, after it parameters.yaml is replaced.  Whoever comes between finishes it. */
#ifndef KILN_ENSEMBLE_STRATA_H
#define KILN_ENSEMBLE_STRATA_H

#include "src/hmc/run_params.h"

typedef struct {
    int64_t first;                                   /* trajectory */
    uint64_t input_digest, file_digest, chain;
    char *line;                                      /* as it stands in the file, with its end */
} stratum;
typedef struct { int count; stratum *item; } strata; /* none: nothing was made, or by a program that knew none */

#define STRATA_FILE "strata.jsonl"

/* Read DIRECTORY/strata.jsonl; none if it is not there.  False, with the line and what is wrong with it. */
bool strata_read(strata *s, const char *directory, failure *f);
void strata_free(strata *s);

/* Read, and finish what an earlier process has left half-done.  The lock is held. */
bool strata_open(strata *s, const char *directory, failure *f);

/* Index of the stratum that a trajectory belongs to; 0 for those before the first one, and for the start. */
int strata_at(const strata *s, int64_t trajectory);
int64_t strata_last(const strata *s, int index);             /* its last trajectory; INT64_MAX for the newest */
text strata_parameters_path(const strata *s, const char *directory, int index);

/* The first stratum, of the parameters that lie in the folder, from trajectory `first` on; over what there was. */
bool strata_begin(strata *s, const char *directory, int64_t first, uint64_t chain, failure *f);

/* Go on with the parameters of `p` from trajectory `first` on, all those before being made; `changes` are the lines
 * that differ.  A newest stratum without trajectories is replaced. */
typedef struct { const char *reason; const text *changes; int64_t first; uint64_t chain; } strata_change;
bool strata_add(strata *s, const run_params *p, const strata_change *change, failure *f);

#endif
