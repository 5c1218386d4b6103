/* quark_advice.h - warnings about quarks that are measured and not simulated, and about chains of determinants whose
 * parts
 * do not fit. */
#ifndef KILN_HMC_QUARK_ADVICE_H
#define KILN_HMC_QUARK_ADVICE_H

#include "src/hmc/run_params.h"

/* A line for each key in which the quarks of a measurement differ from those of every monomial, and for each key in
 * which
 * two monomials differ that share a chain of determinants. */
void quark_advice_add(text *lines, const run_params *p);

#endif
