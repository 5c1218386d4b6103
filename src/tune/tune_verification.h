/* tune_verification.h - what a tuning makes after its trials have changed the input: trajectories with longer steps,
 * the verification, and the choice.  The folder of --checkpoint has them:
 *
 *     verification.json           trajectories and choice, and a digest of what they depend on
 *     verification.NNNNNN.lime    the links after trajectory NNNNNN, the last of these
 *
 * They depend on the conditions of the trials (tune_trials.h), on the values that the trials have chosen, and on the
 * model of dH and times at their end.  If any of these differs, they are made again.  While the trials have changed
 * nothing, all this belongs to the checkpoint of the input (tune_checkpoint.h), and depends on the same conditions. */
#ifndef KILN_TUNE_TUNE_VERIFICATION_H
#define KILN_TUNE_TUNE_VERIFICATION_H

#include "src/tune/tuning.h"

/* At the end of trials that have changed the input: forget proofs of the input, and continue the verification of an
 * earlier call, if it may be used.  The links of the tuning are those of the checkpoint.  False if these cannot be read
 * again. */
bool tune_verification_load(tuning *t);

/* Forget proofs, trials of longer steps and the choice; their trajectories stay in the model. */
void tune_verification_forget(tuning *t);

/* Write it, between two trajectories. */
bool tune_verification_save(tuning *t);

#endif
