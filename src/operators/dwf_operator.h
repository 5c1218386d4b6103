/* dwf_operator.h - domain-wall quarks as a dirac_operator: a matrix is a dwf_matrix, its parameter the mass.
 * Only C^+C in solvers uses the last scratch vector. */
#ifndef KILN_OPERATORS_DWF_OPERATOR_H
#define KILN_OPERATORS_DWF_OPERATOR_H

#include "src/operators/hop_operator.h"

/* Parameters of a plan.  dwf_operator_add_mass returns the index of a mass in the list; it adds a new one. */
typedef struct {
    dwf_weights weights;
    double boundary;                       /* in t: 1 periodic, -1 antiperiodic */
    int masses;
    double mass[DIRAC_MATRICES_MAX];
} dwf_operator_params;
int dwf_operator_add_mass(dwf_operator_params *p, double mass);
dirac_plan dwf_operator_plan(const dwf_operator_params *p);        /* borrows p */

extern const dirac_kind dwf_operator_kind;                          /* in double, for every gauge field */

/* The parameters of an operator of this kind, borrowed. */
const dwf_operator_params *dwf_operator_params_of(const dirac_operator *d);
const dirac_matrix *dwf_operator_matrix(const dwf_matrix *m);      /* any mass and corner, for this operator */

#endif
