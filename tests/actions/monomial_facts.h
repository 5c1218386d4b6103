/* monomial_facts.h - facts about any monomial with fields. */
#ifndef KILN_TESTS_ACTIONS_MONOMIAL_FACTS_H
#define KILN_TESTS_ACTIONS_MONOMIAL_FACTS_H

#include "actions/monomial.h"

/* Links and fields in another gauge: the action is the same, the force turns with them, within `tolerance` of its
 * largest link.  The fields stay turned. */
void gauge_turn_facts(monomial *m, const gauge *u, double tolerance, const char *name);

/* Action, force and fields, for a comparison of bits (memory_free). */
double *monomial_numbers(size_t *bytes, monomial *m, const gauge *u);

#endif
