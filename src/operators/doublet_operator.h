/* doublet_operator.h - a non-degenerate doublet of twisted-mass quarks as a dirac_operator: its C is that of doublet.h,
 * for each mass, mu_sigma and mu_delta in the list of the plan.
 *
 * An update computes in double: c_sw A, and for each C the blocks of E_e^-1 and the logarithm of their determinant.  It
 * rounds the blocks to the open storages of lower precision.  It fails if E_e has no inverse, or if quarks with a
 * clover term get links that are not in double precision.  Plain quarks (c_sw = 0) use the kernels of domain-wall
 * quarks, and have no determinant beside det C that depends on the links. */
#ifndef KILN_OPERATORS_DOUBLET_OPERATOR_H
#define KILN_OPERATORS_DOUBLET_OPERATOR_H

#include "src/operators/clover_params.h"
#include "src/operators/dirac_operator.h"
#include "src/operators/doublet.h"

/* Parameters of a plan, and of each C.  doublet_operator_add returns the index of a C in the list; it adds a new one.
 * The list must have room (DIRAC_MATRICES_MAX). */
typedef struct { double mass; doublet_mus mus; } doublet_matrix_params;
typedef struct {
    quark_boundary boundary;               /* of both flavors */
    double c_sw;
    clover_kind kind;
    int matrices;
    doublet_matrix_params matrix[DIRAC_MATRICES_MAX];
} doublet_operator_params;
int doublet_operator_add(doublet_operator_params *p, doublet_matrix_params of);
/* The clover terms that the matrices need (doublet.h), as parameters of clover_terms.h; matrix i has term i. */
clover_operator_params doublet_operator_terms(const doublet_operator_params *p);
dirac_plan doublet_operator_plan(const doublet_operator_params *p);      /* borrows p */

/* Of plans with a clover term, and with c_sw = 0. */
extern const dirac_kind doublet_clover_kind, doublet_plain_kind;

/* Links and term in double. */
doublet_links doublet_operator_links(const dirac_operator *d, const dirac_matrix *m);

#endif
