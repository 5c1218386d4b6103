/* ensemble_check.h - what must hold of the files of an ensemble before kiln run continues it.
 *
 *     segments.jsonl           is there, if anything in the folder has a chain
 *     parameters*.yaml       have the bytes that segments.jsonl names; a missing one is written again where the input
 *                            gives those bytes
 *     run.jsonl              every line up to the state to continue from is the one that was written
 *     states                 belong to this stream, and to their lines
 *
 * A fault is refused with the sentence that kiln audit has for it; the folder stays as it is.  Links of states that the
 * run does not continue from are not read: kiln audit does that. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_CHECK_H
#define KILN_ENSEMBLE_ENSEMBLE_CHECK_H

#include "src/ensemble/ensemble_files.h"
#include "src/ensemble/record_check.h"

/* Whether nothing of this ensemble is there yet, so that it begins from its start links. */
bool ensemble_is_fresh(const run_params *p);

/* A folder without states and record lines, in which an ensemble is to begin, holds nothing but what an interrupted
 * beginning leaves: false, with the file that is in the way. */
bool ensemble_check_folder(const run_params *p, failure *f);

/* Whether a line of the record or a state belongs to a chain: then segments.jsonl must be there. */
bool ensemble_is_chained(const run_params *p);

/* The past of an ensemble: what its lines must agree with, and which of them do; whether parameters.yaml is missing. */
typedef struct { record_rules rules; int64_t *thermalization; record_check record; bool missing; } ensemble_past;

/* Check segments and their parameters, and read the record; begin with { 0 }, release with ensemble_past_free.  Writes
 * nothing: a missing file of parameters is one that the input gives. */
bool ensemble_check_tables(ensemble_past *past, const segments *s, const run_params *p, failure *f);
void ensemble_past_free(ensemble_past *past);

/* Write the missing files of parameters, each with a warning: when all else has been checked. */
bool ensemble_restore_parameters(const segments *s, const run_params *p, failure *f);

/* Check what the states up to `trajectory` say of themselves: a readable one must fit its name and its line.  Warns of
 * configurations that are missing or cannot be read: the run does not need them. */
bool ensemble_check_states(const ensemble_past *past, const run_params *p, int64_t trajectory, failure *f);

#endif
