/* quark_advice.h - warnings about quarks that are measured but not simulated, and about inconsistent chains of
 * determinants. */
#ifndef KILN_HMC_QUARK_ADVICE_H
#define KILN_HMC_QUARK_ADVICE_H

#include "src/hmc/run_params.h"

/* Adds a line for each key in which the quarks of a measurement differ from the quarks of every monomial. */
void quark_advice_add_measured(text *lines, const run_params *p);

/* The same, and a line for each key in which two monomials of a chain of determinants differ. */
void quark_advice_add(text *lines, const run_params *p);

#endif
