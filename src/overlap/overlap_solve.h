/* overlap_solve.h - solutions of D(m) x = b by conjugate gradients, with a sign whose accuracy falls with the residual.
 *
 * D is normal, hence D D^+ = D^+ D, which commutes with gamma5.  For each chirality c of b,
 *     D^+ D y_c = P_c b,   x = D^+ (y_+ + y_-),
 * one sign of H an iteration.  A source of one chirality takes one of the two solves.
 *
 * Relaxation (N. Cundy, J. van den Eshof, A. Frommer, S. Krieg, Th. Lippert, K. Schaefer, hep-lat/0405003, for
 * conjugate gradients): at iteration j, with iterated residuals r_i, the sign of H p_j has the accuracy
 *     eta_j = OVERLAP_SHARE (target |r_0|) sqrt(sum_(i <= j) 1 / |r_i|^2),
 * at most OVERLAP_ROUGHEST and at least that of the operator.  So it falls from about `target` at the beginning to
 * OVERLAP_ROUGHEST at the end, and the true residual follows the iterated one down to `target`.  The residual
 * b - D x is computed with the full accuracy; if it exceeds the goal, the solve continues with it as the right-hand
 * side.
 *
 * Mixed precision (`mixed` of overlap.h, with `relaxed`): the solve is divided into rounds, each of which reduces the
 * residual by about the same factor, small enough that all signs of the round are in single precision
 * (overlap_single_least).  Each round begins the Krylov space again, as defect correction.  If the factor would be
 * below 100, the whole solve is in double precision. */
#ifndef KILN_OVERLAP_OVERLAP_SOLVE_H
#define KILN_OVERLAP_OVERLAP_SOLVE_H

#include "src/overlap/overlap.h"
#include "src/solvers/solver.h"

#define OVERLAP_SHARE 0.1
#define OVERLAP_ROUGHEST 0.1

/* Working vectors, for links like u; and their device memory. */
typedef struct overlap_solver overlap_solver;
overlap_solver *overlap_solver_create(const gauge *u);
void overlap_solver_free(overlap_solver *s);
memory_need overlap_solver_bytes(const lattice_shape *shape);

/* residual: |b - D x| / |b|, the true one; solves: right-hand sides of conjugate gradients. */
typedef struct { bool converged; int iterations, solves; double residual; } overlap_solution;

/* x <- D(m)^-1 b from zero; x is not b.  relaxed: by the rule above; else every sign has the accuracy of the
 * operator.  Not converging is a result. */
typedef struct { double mass; stop_rule stop; bool relaxed; } overlap_system;
overlap_solution overlap_solve(vec *x, overlap *o, overlap_solver *s, const overlap_system *system, const vec *b);

#endif
