/* bicg_solver.h - the solver_kinds of BiCGstab(l) with C or C^+, l = 1, 2, 4 (bicg_mixed.h). */
#ifndef KILN_SOLVERS_BICG_SOLVER_H
#define KILN_SOLVERS_BICG_SOLVER_H

#include "src/solvers/solver_kinds.h"

/* The order l of a BiCGstab(l) kind, for callers that create its vectors themselves; 0 if `kind` is another method. */
int bicg_solver_order(const solver_kind *kind);

#endif
