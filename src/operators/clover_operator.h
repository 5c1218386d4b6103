/* clover_operator.h - Wilson quarks, without and with a clover term, a twisted mass or both as a dirac_operator:
 * C = Mhat (clover.h) of a bare mass and a twist, which are in the list of the plan (clover_params.h).
 *
 * An update computes c_sw A, and for each mass and mu the inverse of T_e + i mu gamma5 and the logarithm of its
 * determinant, in double, and rounds both to single precision if a storage needs it; of the symmetric form also those
 * of T_o + i (mu + rho) gamma5.  An update fails if there is no inverse.  With c_sw = 0, T = 4 + m is a number, and
 * needs no memory.
 *
 * Plain Wilson quarks are a choice of the plan: no factor in the hop, and no determinant beside that of C; no mass has
 * a twist.  With c_sw = 0 and without this choice, results differ by rounding. */
#ifndef KILN_OPERATORS_CLOVER_OPERATOR_H
#define KILN_OPERATORS_CLOVER_OPERATOR_H

#include "src/operators/clover_terms.h"
#include "src/operators/dirac_operator.h"
#include "src/operators/wilson_launch.h"

dirac_plan clover_operator_plan(const clover_operator_params *p);      /* borrows p */

/* Of plans, as `form` and `plain` say.  Both forms of plain quarks are alike up to a factor. */
extern const dirac_kind clover_operator_kind, clover_symmetric_kind, clover_plain_kind;

/* The C of an index with another rho; not of the symmetric form, whose terms depend on rho. */
dirac_matrix *clover_operator_matrix_with(const dirac_operator *d, int index, double rho);

/* Links and the clover term of a matrix of this kind: in double; for vectors of an open storage. */
clover_links clover_operator_links(const dirac_operator *d, const dirac_matrix *m);
clover_links clover_operator_links_for(const dirac_operator *d, vec_storage in, const dirac_matrix *m);

#endif
