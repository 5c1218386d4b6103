/* doublet_operator.h - a non-degenerate doublet of twisted-mass quarks as a dirac_operator: its C is that of doublet.h,
 * for each mass, mu_sigma and mu_delta in the list of the plan.
 *
 * An update computes c_sw A, and for each C the blocks of E_e^-1 with the logarithm of their determinant, in double,
 * and rounds them to single precision if a storage needs it.  Plain quarks have the kernels of domain-wall quarks, and
 * no determinant beside that of C. */
#ifndef KILN_OPERATORS_DOUBLET_OPERATOR_H
#define KILN_OPERATORS_DOUBLET_OPERATOR_H

#include "src/operators/clover_params.h"
#include "src/operators/dirac_operator.h"
#include "src/operators/doublet.h"

/* Parameters of a plan, and of each C; add: its index in the list, where it is added if it is new. */
typedef struct { double mass; doublet_mus mus; } doublet_matrix_params;
typedef struct {
    quark_boundary boundary;               /* of both flavours */
    double c_sw;
    clover_kind kind;
    int matrices;
    doublet_matrix_params matrix[DIRAC_MATRICES_MAX];
} doublet_operator_params;
int doublet_operator_add(doublet_operator_params *p, doublet_matrix_params of);
clover_operator_params doublet_operator_terms(const doublet_operator_params *p);     /* by the same indices */
dirac_plan doublet_operator_plan(const doublet_operator_params *p);      /* borrows p */

/* Of plans with a clover term, and with c_sw = 0. */
extern const dirac_kind doublet_clover_kind, doublet_plain_kind;

/* Links and term in double. */
doublet_links doublet_operator_links(const dirac_operator *d, const dirac_matrix *m);

#endif
