/* ensemble_state.h - what a file is to a stream: a state of it, damaged, or nothing to be touched. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_STATE_H
#define KILN_ENSEMBLE_ENSEMBLE_STATE_H

#include "src/ensemble/ensemble_files.h"
#include "src/io/configuration.h"

typedef enum {
    STATE_VALID,
    STATE_DAMAGED,       /* its content is no state: it may be set aside */
    STATE_UNTOUCHABLE    /* it cannot be read now, or it is another stream's: a person must look at it */
} state_verdict;

/* Load the file's links into u, and what it says of them into `facts`, if it is a state of the stream that
 * `wanted` names (seed, stream, digest of the input).  Otherwise the reason. */
state_verdict state_file_load(gauge *u, configuration_facts *facts, const state_file *file, const run_state *wanted,
                              failure *f);

/* What the file that is about to be written is, if it is there: STATE_VALID where it has the same links (as
 * rounded to its bits, with their digest in `digest`) and the same state; STATE_DAMAGED where its links cannot
 * be had from it. */
state_verdict state_file_compare(const gauge *u, const char *path, const run_state *state, uint64_t *digest,
                                 failure *f);

#endif
