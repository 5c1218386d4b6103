/* quark_totals.h - the determinants of all monomials together.
 *
 * A chain of intermediate masses may be divided among monomials (two_flavor_chain.h).  Monomials with the same operator
 * are multiplied: equal matrices in numerators and denominators cancel, and what is left is the weight of the links. */
#ifndef KILN_HMC_QUARK_TOTALS_H
#define KILN_HMC_QUARK_TOTALS_H

#include "src/base/json.h"
#include "src/hmc/run_params.h"

/* Whether monomial `m` has quarks and is the first monomial with its operator. */
bool quark_total_begins(const run_params *p, int m);
/* Whether two monomials have determinants of the same operator. */
bool quark_total_shares(const run_params *p, int one, int other);
/* The quarks of `first` and of all later monomials with its operator; entries with 0 flavors have cancelled.  False
 * with the reason if there are too many masses. */
bool quark_total(quark_list *l, const run_params *p, int first, failure *f);

/* "(0.01)^2 (0.5)^1 of light, heavy; (0.3, mu 0.2)^2 of twisted; 5 flavors", with the matrices and powers of
 * quark_describe_ratio and pseudofermion_describe; nothing without quarks.  Pauli-Villars fields are matrices, but no
 * flavors. */
void quark_totals_add(text *out, const run_params *p);
/* A list `determinants`, one object for each operator: `monomials`, their names, and `quarks`, a list of `matrix` as in
 * the text and `flavors`.  Then `flavors`, the sum without Pauli-Villars fields. */
void quark_totals_to_json(json *j, const run_params *p);

#endif
