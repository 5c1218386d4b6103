/* staggered_rationals.h - the rational functions of staggered quarks. */
#ifndef KILN_ACTIONS_STAGGERED_RATIONALS_H
#define KILN_ACTIONS_STAGGERED_RATIONALS_H

#include "actions/staggered_params.h"

/* sets[plan->count] <- the rational functions of every pseudofermion of a plan, for x in [0, largest]: from
 * p->rational_file, checked against the plan, or computed.  False with the reason. */
bool staggered_rationals(rational_set *sets, const staggered_plan *plan, const staggered_params *p, double largest,
                         failure *f);

/* The largest eigenvalue of K that plans of memory and work assume before a measurement. */
double staggered_expected_largest(const staggered_params *p);

#endif
