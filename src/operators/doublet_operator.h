/* doublet_operator.h - a non-degenerate doublet of twisted-mass quarks as a dirac_operator: its C is that of doublet.h,
 * the only one in the list of the plan.
 *
 * An update computes c_sw A, and the blocks of E_e^-1 with the logarithm of their determinant, in double, and rounds
 * them to single precision if a storage needs it.  Plain quarks have the kernels of domain-wall quarks, and no
 * determinant beside that of C. */
#ifndef KILN_OPERATORS_DOUBLET_OPERATOR_H
#define KILN_OPERATORS_DOUBLET_OPERATOR_H

#include "src/operators/dirac_operator.h"
#include "src/operators/doublet.h"

/* Parameters of a plan. */
typedef struct {
    quark_boundary boundary;               /* of both flavours */
    double c_sw, mass;
    clover_kind kind;
    doublet_mus mus;
} doublet_operator_params;
dirac_plan doublet_operator_plan(const doublet_operator_params *p);      /* borrows p */

/* Of plans with a clover term, and with c_sw = 0. */
extern const dirac_kind doublet_clover_kind, doublet_plain_kind;

/* Links and term in double. */
doublet_links doublet_operator_links(const dirac_operator *d);

#endif
