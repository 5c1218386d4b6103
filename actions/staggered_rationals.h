/* staggered_rationals.h - the rational functions of staggered quarks. */
#ifndef KILN_ACTIONS_STAGGERED_RATIONALS_H
#define KILN_ACTIONS_STAGGERED_RATIONALS_H

#include "actions/staggered_params.h"

/* The rational functions of every pseudofermion of a plan, for x in [0, largest]: from p->rational_file where there is
 * one (checked against the plan), else made; sets[plan->count]. */
bool staggered_rationals(rational_set *sets, const staggered_plan *plan, const staggered_params *p, double largest,
                         failure *f);

/* What is assumed of the largest eigenvalue before anything is measured: for plans of memory and work. */
double staggered_expected_largest(const staggered_params *p);

#endif
