/* lab_params.h - what a lab is given of an input, and hence all of it that a trial can depend on.
 *
 * Keys about files, measurements and the number of trajectories are empty there: a lab cannot use them, and trials stay
 * valid if they change.  Any other key, also a new one, belongs to the digest. */
#ifndef KILN_TUNE_LAB_PARAMS_H
#define KILN_TUNE_LAB_PARAMS_H

#include "src/hmc/run_params.h"
#include "src/lattice/lattice.h"

/* The parameters for a lab; they borrow from those of the input. */
run_params lab_params(const run_params *p);

/* A digest of these parameters, of the content of the files that they name, and of how far kernels read beyond the
 * sites of a rank, for which measurements may ask.  Collective (comm/comm.h). */
uint64_t lab_params_digest(const run_params *p, const lattice *l);

#endif
