/* staggered_quarks.h - the determinants of staggered quarks as a monomial: HISQ, Asqtad, naive; any number of flavors.
 *
 * All pseudofermions are one factor with rational functions (rational_fields.h), r_A(x) ~= prod_j (x + 4
 * m_j^2)^(-n_j/8), divided by n in the exponent for one of n equal fields. */
#ifndef KILN_ACTIONS_STAGGERED_QUARKS_H
#define KILN_ACTIONS_STAGGERED_QUARKS_H

#include "actions/quarks.h"
#include "actions/staggered_params.h"

extern const monomial_kind staggered_monomial;

#endif
