/* gauge_action_facts.h - facts about any gauge action, on links of double precision. */
#ifndef KILN_TESTS_ACTIONS_GAUGE_ACTION_FACTS_H
#define KILN_TESTS_ACTIONS_GAUGE_ACTION_FACTS_H

#include "actions/gauge_action.h"
#include "src/gauge/loop_weights.h"

/* The force is minus the derivative of the action along p, has the requested weight, and is the same in single
 * precision; the action is invariant under gauge rotations.  m: the monomial with these parameters; links: the numbers
 * of u. */
void gauge_action_facts(const gauge_params *params, monomial *m, const gauge *u, const momentum *p,
                        const double *links, const char *name);

/* Overrelaxation keeps the action: its staples are those of the action.  w: the weights of its loops.  Returns the
 * links after it (gauge_free). */
gauge *overrelaxation_facts(const loop_weights *w, monomial *m, const gauge *u, const char *name);

#endif
