/* multigrid_solver.h - flexible GCR with multigrid as its preconditioner, as a solver_kind. */
#ifndef KILN_SOLVERS_MULTIGRID_SOLVER_H
#define KILN_SOLVERS_MULTIGRID_SOLVER_H

#include "src/solvers/solver_kind.h"

/* The cycle alone: z <- one multigrid cycle for C z = v or C^+ z = v, which is never tested for convergence.  Its state
 * is the near-null vectors. */
extern const solver_kind multigrid_cycle;

#endif
