/* tune_stages.h - stages of a tuning that change values of the input. */
#ifndef KILN_TUNE_TUNE_STAGES_H
#define KILN_TUNE_TUNE_STAGES_H

#include "src/tune/tuning.h"

/* Try other Hasenbusch masses: what is better is taken, and the model is of it. */
bool tune_masses(tuning *t);

/* Try the fixed kinds of solvers of every monomial that solves: what is clearly faster is taken. */
bool tune_solvers(tuning *t);

#endif
