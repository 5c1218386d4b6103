/* monomial_facts.h - facts about any monomial with fields. */
#ifndef KILN_TESTS_ACTIONS_MONOMIAL_FACTS_H
#define KILN_TESTS_ACTIONS_MONOMIAL_FACTS_H

#include "actions/monomial.h"

/* After a gauge transformation of links and fields the action is the same, and the force is transformed, within
 * `tolerance` of its largest link.  The fields stay transformed. */
void gauge_turn_facts(monomial *m, const gauge *u, double tolerance, const char *name);

/* Action, force and fields, for a comparison of bits (memory_free). */
double *monomial_numbers(size_t *bytes, monomial *m, const gauge *u);

#endif
