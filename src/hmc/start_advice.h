/* start_advice.h - a warning about the file that an ensemble starts from. */
#ifndef KILN_HMC_START_ADVICE_H
#define KILN_HMC_START_ADVICE_H

#include "src/hmc/run_advice.h"

/* One sentence if the file is a configuration of Kiln that trajectories with the seed and stream of this input have
 * made on this lattice, and the ensemble will have the numbers of such trajectories again.
 * start_advice_warn logs it. */
void start_advice_add(const run_params *p, advice_listener *emit, void *out);
void start_advice_warn(const run_params *p);

#endif
