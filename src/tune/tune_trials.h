/* tune_trials.h - the stages that try other values of the input, on the links at the end of learning.
 *
 * With a checkpoint their measurements are kept, and a call that continues uses them again, if its conditions
 * (tune_conditions.h), the links and the trajectories of learning are the same; else all are made again.  The links at
 * the end of learning stay in the folder for the trials that are left, also when trajectories of a verification have
 * led to other links.  Each call decides again, from the measurements and the model at the end of learning. */
#ifndef KILN_TUNE_TUNE_TRIALS_H
#define KILN_TUNE_TUNE_TRIALS_H

#include "src/tune/tuning.h"

/* Run the stages that the request wants.  The links and their number are afterwards those before. */
bool tune_trials(tuning *t);

/* The measurement `what` with the values chosen so far, of `count` numbers (ANY_COUNT: any number of them), which an
 * earlier call made; without numbers if it was not possible.  NULL: it is to be made. */
enum { ANY_COUNT = -1 };
const stored_trial *tune_trial_find(tuning *t, const char *what, int count);

/* Whether there is one: it needs no time. */
bool tune_trial_is_kept(const tuning *t, const char *what);

/* Keep the measurement `what`; count 0: it was not possible.  After a signal, nothing is kept that was not possible. */
void tune_trial_keep(tuning *t, const char *what, const double *value, int count);

#endif
