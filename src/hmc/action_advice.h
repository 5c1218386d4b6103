/* action_advice.h - warnings about values of the action that depend on each other or on the lattice. */
#ifndef KILN_HMC_ACTION_ADVICE_H
#define KILN_HMC_ACTION_ADVICE_H

#include "src/hmc/run_params.h"

/* Adds a line if `flavors` of a gauge action differs from the number of dynamical flavors, for each stout rho that
 * amplifies high frequencies, and for each use of staggered links that are longer than the lattice. */
void action_advice_add(text *lines, const run_params *p);

#endif
