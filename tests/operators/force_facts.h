/* force_facts.h - the force of quarks: as a derivative, under gauge transformations, added with weights, on links in
 * single precision; the same bits everywhere. */
#ifndef KILN_TESTS_OPERATORS_FORCE_FACTS_H
#define KILN_TESTS_OPERATORS_FORCE_FACTS_H

#include "tests/operators/dwf_forces.h"

/* States facts about `count` actions of as many slices, the longer ones about `shown` alone.  first[count] keeps forces
 * of the first place for the others; release with memory_free. */
void quark_force_facts(const quark_action *actions, int count, const quark_action *shown, place where, double **first);

#endif
