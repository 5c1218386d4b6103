/* wilson_operator.h - Wilson quarks as a dirac_operator: C = Mhat (wilson.h), its parameter the bare mass. */
#ifndef KILN_OPERATORS_WILSON_OPERATOR_H
#define KILN_OPERATORS_WILSON_OPERATOR_H

#include "src/operators/hop_operator.h"
#include "src/operators/wilson.h"

/* Parameters of a plan. */
typedef struct { quark_boundary boundary; } wilson_operator_params;
dirac_plan wilson_operator_plan(const wilson_operator_params *p);      /* borrows p */

extern const dirac_kind wilson_operator_kind;

double wilson_operator_mass(const dirac_matrix *m);                    /* the mass of a matrix of this kind */

#endif
