/* tune_stages.h - the stages of a tuning that change masses and solvers of the input. */
#ifndef KILN_TUNE_TUNE_STAGES_H
#define KILN_TUNE_TUNE_STAGES_H

#include "src/tune/tuning.h"

/* Try other Hasenbusch masses; better ones are chosen, and the model is updated. */
bool tune_masses(tuning *t);

/* Try the fixed kinds of solvers of every monomial with solves; a clearly faster one is chosen. */
bool tune_solvers(tuning *t);

#endif
