/* staggered_quarks.h - the determinants of staggered quarks as a monomial: HISQ, Asqtad, naive; any flavors.
 *
 * One factor of rational functions (rational_fields.h) with r_A(x) ~= prod_j (x + 4 m_j^2)^(-n_j/8), the range of which
 * is [0, largest eigenvalue of K]. */
#ifndef KILN_ACTIONS_STAGGERED_QUARKS_H
#define KILN_ACTIONS_STAGGERED_QUARKS_H

#include "actions/quarks.h"
#include "actions/staggered_params.h"

extern const monomial_kind staggered_monomial;

#endif
