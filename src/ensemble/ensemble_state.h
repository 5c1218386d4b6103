/* ensemble_state.h - classify a file of a stream: a valid state, a damaged one, or one that Kiln must not touch. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_STATE_H
#define KILN_ENSEMBLE_ENSEMBLE_STATE_H

#include "src/ensemble/ensemble_files.h"
#include "src/io/configuration.h"

typedef enum {
    STATE_VALID,
    STATE_DAMAGED,       /* its content is no state: Kiln may rename it */
    STATE_UNTOUCHABLE    /* unreadable at the moment, or of another stream: a person must decide */
} state_verdict;

/* Load the links of a file into u and its metadata into `facts`, if it is a state of the stream `wanted` (seed, stream,
 * digest of the input).  Otherwise the reason. */
state_verdict state_file_load(gauge *u, configuration_facts *facts, const state_file *file, const run_state *wanted,
                              failure *f);

/* The verdict on a state file that could not be loaded, with the reason in `f`.  STATE_DAMAGED if every byte of the
 * file can be read; else STATE_UNTOUCHABLE, and `f` has the reason why it cannot be read. */
state_verdict state_file_verdict(const char *path, failure *f);

/* Compare an existing file with the state that is about to be written under its name: STATE_VALID if it has the same
 * links (rounded to its bits, with their digest in `digest`) and the same state; STATE_DAMAGED if its links cannot be
 * read. */
state_verdict state_file_compare(const gauge *u, const char *path, const run_state *state, uint64_t *digest,
                                 failure *f);

#endif
