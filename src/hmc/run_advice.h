/* run_advice.h - warnings about the values of an input. */
#ifndef KILN_HMC_RUN_ADVICE_H
#define KILN_HMC_RUN_ADVICE_H

#include "src/hmc/run_params.h"

/* One sentence for each value that is allowed but probably a mistake: residuals or errors of rational functions that
 * cause an error of dH above ENERGY_ERROR_MAX (actions/energy_error.h), a thermalization longer than the ensemble,
 * measurements of quarks that the action does not have, or on other links (quark_advice.h), parts of the action that
 * are inconsistent with each other or the lattice (action_advice.h), advice of the monomials and the measurements.
 * run_advice_warn logs them; run_advice_warn_of_measurements those about measurements. */
typedef void advice_listener(void *out, const char *sentence);
advice_listener run_advice_log;                 /* logs a warning; `out` is not used */
void run_advice_add(const run_params *p, advice_listener *emit, void *out);
void run_advice_warn(const run_params *p);
void run_advice_warn_of_measurements(const run_params *p);

#endif
