/* eigensolver.h - the lowest eigenpairs of a hermitian operator A >= 0: thick-restart Lanczos with a Chebyshev filter.
 *
 * Lanczos with full orthogonalization applies p(A) (chebyshev.h).  When its `basis` vectors are used up, it keeps the
 * best Ritz vectors and continues (K. Wu and H. Simon, SIAM J. Matrix Anal. Appl. 22 (2000) 602).  Without a given
 * `cut`, Lanczos begins with A itself, computes the cut from its Ritz values, and lowers it when these improve.
 *
 * A Krylov space has only one vector of each degenerate eigenspace.  Therefore further searches begin with new start
 * vectors, orthogonal to the known eigenvectors, until they find only larger eigenvalues. */
#ifndef KILN_SOLVERS_EIGENSOLVER_H
#define KILN_SOLVERS_EIGENSOLVER_H

#include "src/operators/linop.h"
#include "src/solvers/eigen_space.h"

/* The pairs that are requested.  residual: largest |A x - lambda x| / upper of |x| = 1, where `upper` is a bound of all
 * eigenvalues; cut: lower end of the filter's interval, above the eigenvalues that are requested, and degree of the
 * filter; 0: chosen. */
typedef struct {
    int count, basis;
    double residual;
    double cut;
    int degree, max_restarts;
} eigen_goal;

/* Not converged: `why`; the pairs that have converged are there nevertheless.  applications: of A. */
typedef struct {
    bool converged;
    failure why;
    int found, restarts, degree;
    double cut, upper;
    int64_t applications;
} eigen_result;

/* Start vectors are those of the key, from first_draw on. */
eigen_result eigen_lowest(const linop *a, eigen_space *s, const eigen_goal *goal, rng_key key, uint32_t first_draw);

/* Computes eigenvalues and residuals of vectors that the caller has written into the first goal->count pairs.  Whether
 * they are normalised, satisfy the goal, and have ascending eigenvalues.  `upper` as above. */
bool eigen_accept(const linop *a, eigen_space *s, const eigen_goal *goal, double upper);

#endif
