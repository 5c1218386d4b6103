/* gcr_solver.h - flexible GCR with A = C^+C as a solver_kind for tests of the table: with a preconditioner, a few
 * iterations of conjugate gradients, and with state, a few eigenvectors of A (src/solvers/gcr.h). */
#ifndef KILN_TESTS_SOLVERS_GCR_SOLVER_H
#define KILN_TESTS_SOLVERS_GCR_SOLVER_H

#include "src/solvers/deflation.h"
#include "src/solvers/solver_kinds.h"

enum { GCR_DIRECTIONS = 4, GCR_MODES = 3 };

/* parameter: the largest number of directions of a solve; hasty: one, so that it fails.  The state is kept for an
 * action; for a force it is refined if it satisfies the residual of its goal with the new links, else rebuilt. */
extern const solver_kind gcr_solver, hasty_gcr_solver;

/* Its state; NULL before it is first needed. */
const deflation *gcr_solver_modes(const linear_solver *s);

#endif
