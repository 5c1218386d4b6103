/* clover_operator.h - Wilson quarks, without and with a clover term, a twisted mass or both, as a dirac_operator:
 * C = Mhat (clover.h).  The list of the plan (clover_params.h) has the bare mass and the twist of each C.
 *
 * An update computes in double: c_sw A; for each mass and mu the inverse of T_e + i mu gamma5 and the logarithm of its
 * determinant; for the symmetric form also those of T_o + i (mu + rho) gamma5.  It rounds A and the inverses to the
 * open storages of lower precision.  It fails if an inverse does not exist, or if the links of the clover term are not
 * in double precision.  Without blocks (clover_params_have_blocks), T = 4 + m is a number, and needs no memory.
 *
 * Plain Wilson quarks are a choice of the plan, without blocks and without twists: they use the kernels without a
 * factor T, have no determinant beside det C, and accept links in any precision.  The clover kinds without blocks have
 * the same C up to rounding. */
#ifndef KILN_OPERATORS_CLOVER_OPERATOR_H
#define KILN_OPERATORS_CLOVER_OPERATOR_H

#include "src/operators/clover_terms.h"
#include "src/operators/dirac_operator.h"
#include "src/operators/wilson_launch.h"

dirac_plan clover_operator_plan(const clover_operator_params *p);      /* borrows p */

/* The kinds: asymmetric and symmetric form, and plain quarks.  clover_operator_plan chooses by `form` and `plain`. */
extern const dirac_kind clover_operator_kind, clover_symmetric_kind, clover_plain_kind;

/* The C of an index, but with another rho; memory_free frees it.  Asymmetric form only: the terms of the symmetric form
 * depend on rho. */
dirac_matrix *clover_operator_matrix_with(const dirac_operator *d, int index, double rho);

/* Links and the clover term of a matrix of this kind: in double; for vectors of an open storage. */
clover_links clover_operator_links(const dirac_operator *d, const dirac_matrix *m);
clover_links clover_operator_links_for(const dirac_operator *d, vec_storage in, const dirac_matrix *m);

#endif
