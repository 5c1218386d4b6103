/* run_anisotropy.h - one bare anisotropy for all terms of the action, and measurements that can have it. */
#ifndef KILN_HMC_RUN_ANISOTROPY_H
#define KILN_HMC_RUN_ANISOTROPY_H

#include "src/hmc/run_params.h"

/* The bare anisotropy of the first term that is not isotropic; 1 if there is none. */
double run_anisotropy(const run_params *p);

/* monomial_check and measurement_check, and the anisotropy: also false, with the reason, if this monomial or
 * measurement has another anisotropy than the action, or if the action is anisotropic and it supports only isotropic
 * ones. */
bool run_check_monomial(const run_params *p, int index, const lattice_shape *shape, failure *f);
bool run_check_measurement(const run_params *p, int index, const lattice_shape *shape, failure *f);

#endif
