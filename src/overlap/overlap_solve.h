/* overlap_solve.h - solutions of D(m) x = b by conjugate gradients; the sign function becomes less accurate as the
 * residual falls.
 *
 * D is normal, hence D D^+ = D^+ D, which commutes with gamma5.  For each chirality c of b,
 *     D^+ D y_c = P_c b,   x = D^+ (y_+ + y_-),
 * with one sign(H) per iteration.  A source of one chirality needs only one of the two solves.
 *
 * Relaxation (N. Cundy, J. van den Eshof, A. Frommer, S. Krieg, Th. Lippert, K. Schaefer, hep-lat/0405003, for
 * conjugate gradients): at iteration j, with iterated residuals r_i, the error of sign(H) p_j is at most eta_j |p_j|,
 *     eta_j = OVERLAP_SHARE T sqrt(sum_(i <= j) 1 / |r_i|^2),   T: the |r_i| at which the solve stops,
 * limited to OVERLAP_ROUGHEST above and to the accuracy of the operator below.  So eta_j rises from OVERLAP_SHARE
 * T/|r_0| to OVERLAP_ROUGHEST, and the true residual follows the iterated one down to T.  The residual b - D x is
 * computed with the full accuracy; if it exceeds the goal, the solve continues with it as the right-hand side.
 *
 * Mixed precision (`mixed` of overlap.h, with `relaxed`): the solve is divided into rounds, each of which reduces the
 * residual by about the same factor.  The factor is so small that all signs of the round can be in single precision
 * (overlap_single_least).  Each round starts a new Krylov space (defect correction).  If the factor would be below 100,
 * the whole solve is in double precision. */
#ifndef KILN_OVERLAP_OVERLAP_SOLVE_H
#define KILN_OVERLAP_OVERLAP_SOLVE_H

#include "src/overlap/overlap.h"
#include "src/solvers/solver.h"

#define OVERLAP_SHARE 0.1
#define OVERLAP_ROUGHEST 0.1

/* Work vectors for links like u; overlap_solver_bytes: their memory, where the links are. */
typedef struct overlap_solver overlap_solver;
overlap_solver *overlap_solver_create(const gauge *u);
void overlap_solver_free(overlap_solver *s);
memory_need overlap_solver_bytes(const lattice_shape *shape);

/* residual: the true |b - D x| / |b|; solves: number of conjugate-gradient solves. */
typedef struct { bool converged; int iterations, solves; double residual; } overlap_solution;

/* x <- D(m)^-1 b, with start vector 0; x and b must differ.  relaxed: accuracies eta_j as above; else every sign has
 * the accuracy of the operator.  A solve that does not converge is a result (converged = false), not an error. */
typedef struct { double mass; stop_rule stop; bool relaxed; } overlap_system;
overlap_solution overlap_solve(vec *x, overlap *o, overlap_solver *s, const overlap_system *system, const vec *b);

#endif
