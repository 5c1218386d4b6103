/* cg_solver.h - conjugate gradients with A = C^+C as a solver_kind: one shift or many, in double or mixed precision
 * (cg.c, cg_multishift.c, cg_mixed.c, multishift_mixed.c). */
#ifndef KILN_SOLVERS_CG_SOLVER_H
#define KILN_SOLVERS_CG_SOLVER_H

#include "src/solvers/cg_space.h"
#include "src/solvers/solver_kinds.h"

/* Its vectors in the operator's precision. */
cg_space *cg_solver_space(linear_solver *s);

/* Memory for more shifts of each system, of its own. */
void cg_solver_reserve(linear_solver *s, int shifts);

#endif
