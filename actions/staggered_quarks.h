/* staggered_quarks.h - the determinants of staggered quarks as a monomial: HISQ, Asqtad, naive; any flavours.
 *
 *     S = sum over pseudofermions |r_A(K) phi|^2,   r_A(x) ~= prod_j (x + 4 m_j^2)^(-n_j/8),   phi on even sites
 *
 * heat bath: phi = r_H(K) eta, r_H ~= 1/r_A, eta of weight exp(-|eta|^2); force: the exact derivative of
 * phi^+ r_F(K) phi, r_F ~= r_A^2.  The three are made from the masses (src/rational) for the range
 * [0, largest eigenvalue of K]: K >= 0 whatever the links, so that only the upper end has to be measured. */
#ifndef KILN_ACTIONS_STAGGERED_QUARKS_H
#define KILN_ACTIONS_STAGGERED_QUARKS_H

#include "actions/monomial.h"
#include "actions/staggered_params.h"

extern const monomial_kind staggered_monomial;

#endif
