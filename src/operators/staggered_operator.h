/* staggered_operator.h - staggered quarks as a dirac_operator: C = D_oe, C^+C = K; a matrix is a set of links, with
 * the index of its Naik epsilon.
 *
 * Each open storage other than that of the gauge field has a copy of the links (staggered_low.h), which a solve in it
 * renews if the links have changed. */
#ifndef KILN_OPERATORS_STAGGERED_OPERATOR_H
#define KILN_OPERATORS_STAGGERED_OPERATOR_H

#include "src/operators/dirac_operator.h"
#include "src/operators/staggered_force.h"

/* Parameters of a plan: links; for the force, the filter of small eigenvalues and the precision of the chain rule. */
typedef struct { staggered_links_params links; double filter; precision chain; } staggered_operator_params;
dirac_plan staggered_operator_plan(const staggered_operator_params *p);         /* borrows p */

extern const dirac_kind staggered_operator_kind;

/* The expected largest eigenvalue of K for an action: that of free quarks, with a margin. */
double staggered_expected_range(staggered_kind kind);

#endif
