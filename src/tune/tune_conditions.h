/* tune_conditions.h - what times, and measurements that depend on them, belong to: program, ranks, device, threads, and
 * what a lab uses of the input (lab_params.h). */
#ifndef KILN_TUNE_TUNE_CONDITIONS_H
#define KILN_TUNE_TUNE_CONDITIONS_H

#include "src/tune/tuning.h"

/* Append the conditions of the input `p` with its links `u`, in words.  Collective (comm/comm.h). */
void tune_conditions_add(text *out, const run_params *p, const gauge *u);

/* Whether the conditions of an earlier call, `then`, are those of this one; false with the reason, on all ranks alike.
 * Collective. */
bool tune_conditions_are(const tuning *t, const char *then, failure *why);

#endif
