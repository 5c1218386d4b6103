/* run_advice.h - advice on the values of an input. */
#ifndef KILN_HMC_RUN_ADVICE_H
#define KILN_HMC_RUN_ADVICE_H

#include "src/hmc/run_params.h"

/* A sentence for each of the values that are allowed but probably a mistake: a residual or an error of rational
 * functions that lets dH be wrong by more than ENERGY_ERROR_MAX (actions/energy_error.h), a thermalization longer than
 * the ensemble.  input_warn logs them. */
typedef void advice_listener(void *out, const char *sentence);
void input_advise(const run_params *p, advice_listener *tell, void *out);
void input_warn(const run_params *p);

#endif
