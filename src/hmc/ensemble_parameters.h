/* ensemble_parameters.h - DIRECTORY/parameters.yaml: what an ensemble was made with, and must go on with. */
#ifndef KILN_HMC_ENSEMBLE_PARAMETERS_H
#define KILN_HMC_ENSEMBLE_PARAMETERS_H

#include "src/hmc/run_params.h"

/* Write the complete parameters into a folder: that of an ensemble which is about to begin, over what an earlier
 * beginning may have left. */
bool ensemble_parameters_write(const char *directory, const run_params *p, failure *f);

/* False, with the lines that differ, unless `p` is what the ensemble in its folder was made with, but for what
 * is free to change; false also where that cannot be read. */
bool ensemble_parameters_agree(const run_params *p, failure *f);

#endif
