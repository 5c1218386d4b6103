/* wall_quarks.h - the determinants of domain-wall quarks as a monomial: Shamir, Moebius, optimal; two flavours and one.
 *
 *     weight  prod det [C(m)^+C(m)]^(n/2) / det [C(M)^+C(M)]^(n/2),   n = 2 or 1 flavours,   S = sum over factors
 *
 * where det C is det D5 but for a number that links do not change (operators/domain_wall.h). */
#ifndef KILN_ACTIONS_WALL_QUARKS_H
#define KILN_ACTIONS_WALL_QUARKS_H

#include "actions/monomial.h"
#include "actions/wall_params.h"

extern const monomial_kind wall_monomial;

#endif
