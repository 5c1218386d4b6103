/* bicg_solver.h - BiCGstab(l) with C or C^+ as solver_kinds, l = 1, 2, 4 (bicg_mixed.h). */
#ifndef KILN_SOLVERS_BICG_SOLVER_H
#define KILN_SOLVERS_BICG_SOLVER_H

#include "src/solvers/solver_kinds.h"

/* l of BiCGstab(l), for those who create its vectors themselves; 0: another method. */
int bicg_solver_order(const solver_kind *kind);

#endif
