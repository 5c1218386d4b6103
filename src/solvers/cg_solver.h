/* cg_solver.h - the solver_kind of conjugate gradients with A = C^+C: one shift or many, in double or mixed precision
 * (cg.c, cg_multishift.c, cg_mixed.c, multishift_mixed.c). */
#ifndef KILN_SOLVERS_CG_SOLVER_H
#define KILN_SOLVERS_CG_SOLVER_H

#include "src/solvers/cg_space.h"
#include "src/solvers/solver_kinds.h"

/* The working vectors of the solver s in the operator's precision; borrowed. */
cg_space *cg_solver_space(linear_solver *s);

/* Allocates memory for more shifts of each system, outside the workspace. */
void cg_solver_reserve(linear_solver *s, int shifts);

#endif
