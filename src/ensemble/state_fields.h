/* state_fields.h - DIRECTORY/NAME.fields.000010: fields of the state after trajectory 10.
 *
 *     fields.json           trajectory; shape and digest of each file below; a digest of itself
 *     momenta.npy           momenta, eight reals a link (site/view.h)
 *     TERM.FIELD.npy        pseudofermions
 *     replica.1.npy         with tempering instead: the links of the replicas from the second on
 *
 * They are part of the state with stochastic molecular dynamics (src/hmc/smd.h) or tempering (src/hmc/tempering.h).
 * The folder stands beside the checkpoint NAME.checkpoint.000010.lime, which has its digest.  It is written before the
 * checkpoint and removed after it, so a checkpoint always has its folder. */
#ifndef KILN_ENSEMBLE_STATE_FIELDS_H
#define KILN_ENSEMBLE_STATE_FIELDS_H

#include "src/ensemble/ensemble_state.h"
#include "src/ensemble/state_fields_folder.h"
#include "src/hmc/hmc.h"

/* The fields of a state, written under a temporary name.  `exists` is false where the state has no fields. */
typedef struct { bool exists; text partial; int64_t trajectory; uint64_t digest; } fields_draft;

/* Write the fields of a state that is about to be written to a file of this kind.
 *     checkpoint     if the run has fields (hmc_has_fields), writes the present fields of `h`, or those at the start of
 *                    the current trajectory (at_start), to a draft, reads them back, and puts their digest into `state`
 *     configuration  writes nothing, and sets state->lacks_fields if the run has fields
 * Then the caller ends the draft:
 *     state_fields_keep    renames it; keeps an existing folder with the same fields, and sets aside one with others
 *     state_fields_drop    removes it */
bool state_fields_draft(fields_draft *d, run_state *state, state_file_kind kind, const run_params *p, hmc *h,
                        bool at_start, failure *f);
bool state_fields_keep(fields_draft *d, const run_params *p, failure *f);
void state_fields_drop(fields_draft *d);

/* Read the fields of a state into the present ones of `h`, which are undefined if the verdict is not STATE_VALID. */
state_verdict state_fields_read(hmc *h, const run_params *p, const run_state *state, failure *f);

/* Whether the folder of a state exists, is undamaged and belongs to it.  Needs no fields in memory. */
bool state_fields_check(const run_params *p, const run_state *state, failure *f);

/* set_aside: renames the folder of a trajectory, if it exists (state_file_set_aside).  sweep: removes what killed
 * processes left: unfinished folders, and folders without their checkpoint. */
void state_fields_set_aside(const run_params *p, int64_t trajectory);
void state_fields_sweep(const run_params *p);

#endif
