/* tune_checkpoint.h - what a tuning has learned, in a folder (--checkpoint), from which the same command continues.
 *
 *     links.NNNNNN.lime   the links after trajectory NNNNNN: the newest, and those of the trials
 *     tuning.json         version and commit of Kiln, the origin of the first links, the trajectories so far, trials
 *                         (tune_trials.h), verification; "timed_by": the conditions of times and verification
 *     verification.*      the verification of an input that the trials have changed (tune_verification.h)
 *     lock                held by the process that tunes (checkpoint_folder.h)
 *
 * It belongs to an input, by its digest: the options of the command may change, and start links of --from are those of
 * the first call only.  Another version of Kiln continues it, as it does an ensemble.  Under other conditions
 * (tune_conditions.h) the trajectories stay, and times, trials and verification are made again. */
#ifndef KILN_TUNE_TUNE_CHECKPOINT_H
#define KILN_TUNE_TUNE_CHECKPOINT_H

#include "src/ensemble/latest_links.h"
#include "src/tune/tuning.h"

/* Load the links of a checkpoint as latest_links_load does; their origin is that of the first ones.  `found`: whether
 * the folder has any.  False with the reason and what to do, if they cannot be read or are of another input. */
bool tune_checkpoint_load_links(bool *found, latest_links *at, gauge *u, const run_params *p, const char *folder,
                                failure *f);

/* Continue from the checkpoint in the folder of the request, if there is one.  The links of the tuning are already its
 * own.  False with the reason if it cannot be read, or is of another input. */
bool tune_checkpoint_load(tuning *t);

/* Read the links after trajectory `number` into those of the tuning; false with the reason. */
bool tune_checkpoint_read_links(tuning *t, int64_t number, failure *f);
void tune_checkpoint_remove_links(const tuning *t, int64_t number);

/* Write it, between two trajectories, or the verification of a changed input; nothing without a folder. */
bool tune_checkpoint_save(tuning *t);

#endif
