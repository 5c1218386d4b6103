/* reweighting_action.h - whether the measured reweighting factors are those of the regulators in the action. */
#ifndef KILN_MEASURE_REWEIGHTING_ACTION_H
#define KILN_MEASURE_REWEIGHTING_ACTION_H

#include "src/measure/action_quarks.h"
#include "src/measure/wilson_masses.h"

/* An item of `masses` of kind wilson_reweighting. */
typedef struct { wilson_mass of; double rho; int64_t type, steps; } regulated_mass;

/* Reports a fault for each item whose factor W the action does not need, and a warning if the action has further
 * regulators.  Without a monomial of Wilson quarks it reports nothing: the configurations then come from elsewhere. */
void reweighting_compare(const param_list *masses, const param_list *monomials, action_listener *emit, void *out);

/* Whether the action has a regulator rho, so that observables of quarks without it need reweighting.  Intermediate rho
 * of a chain cancel and do not count. */
bool reweighting_is_needed(const param_list *monomials);

#endif
