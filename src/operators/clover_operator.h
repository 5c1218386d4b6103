/* clover_operator.h - Wilson quarks with a clover term as a dirac_operator: C = Mhat (clover.h), its parameter the bare
 * mass, one of those of the plan.
 *
 * An update computes c_sw A, and for each mass T_e^-1 and log |det T_e|, in double, and rounds both to single precision
 * if a storage needs it.  An update fails if T_e of a mass has no inverse. */
#ifndef KILN_OPERATORS_CLOVER_OPERATOR_H
#define KILN_OPERATORS_CLOVER_OPERATOR_H

#include "src/operators/clover.h"
#include "src/operators/dirac_operator.h"

enum { CLOVER_MASSES_MAX = 64 };

/* Parameters of a plan; boundary in t: 1 or -1.  clover_operator_add_mass adds a mass that is not there yet. */
typedef struct { double boundary, c_sw, mass[CLOVER_MASSES_MAX]; int masses; clover_kind kind; } clover_operator_params;
void clover_operator_add_mass(clover_operator_params *p, double mass);
dirac_plan clover_operator_plan(const clover_operator_params *p);      /* borrows p */

extern const dirac_kind clover_operator_kind;

/* Links in double, and the clover term of a matrix of this kind. */
clover_links clover_operator_links(const dirac_operator *d, const dirac_matrix *m);

#endif
