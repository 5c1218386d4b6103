/* ensemble_check.h - what must hold of the files of an ensemble before kiln run continues it.
 *
 *     segments.jsonl         exists, if anything in the folder has a chain
 *     parameters*.yaml       agree with segments.jsonl to the last byte; a missing one is restored if the input has
 *                            the same parameters, and not needed if it is an old one and another segment has the
 *                            same input digest
 *     run.jsonl              is unchanged, up to the state to continue from
 *     states                 belong to this stream, and agree with their lines in run.jsonl
 *
 * On a fault kiln run stops with the same message as kiln audit, and leaves the folder as it is.  It reads the links of
 * one state only, from which it continues; kiln audit reads the links of all states. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_CHECK_H
#define KILN_ENSEMBLE_ENSEMBLE_CHECK_H

#include "src/ensemble/ensemble_files.h"
#include "src/ensemble/record_check.h"

/* Whether nothing of this ensemble exists yet, so that it begins with its start links. */
bool ensemble_is_fresh(const run_params *p);

/* Whether the run fits into the free memory (hmc_memory_fits).  If not, and the ensemble has another lattice than the
 * input, the reason names this difference. */
bool ensemble_memory_fits(const run_params *p, place where, failure *f);

/* Check a folder in which an ensemble is to begin: it holds nothing but files of an interrupted beginning.  False with
 * the name of the first other file. */
bool ensemble_check_folder(const run_params *p, failure *f);

/* Whether a line of the record or a state has a chain (chain.h): then segments.jsonl must exist. */
bool ensemble_is_chained(const run_params *p);

/* The past of an ensemble: the rules for lines of its record, the lines that fit, and whether parameters.yaml is
 * missing and the input gives it byte for byte. */
typedef struct { record_rules rules; int64_t *thermalization; record_check record; bool missing; } ensemble_past;

/* Check segments and their parameters, and read the record; begin with { 0 }, release with ensemble_past_free.  Writes
 * nothing; true for a missing file of parameters that ensemble_restore_parameters can write, or that the run does not
 * need. */
bool ensemble_check_tables(ensemble_past *past, const segments *s, const run_params *p, failure *f);
void ensemble_past_free(ensemble_past *past);

/* Write the missing files of parameters that the input gives, after all other checks; warn of each missing one. */
bool ensemble_restore_parameters(const segments *s, const run_params *p, failure *f);

/* Check the metadata of the states up to `trajectory`: those of a readable state must agree with its name and its line
 * in the record.  Configurations that are missing or unreadable cause a warning only: the run does not need them. */
bool ensemble_check_states(const ensemble_past *past, const run_params *p, int64_t trajectory, failure *f);

#endif
