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

/* The request.  A pair (lambda, x) with |x| = 1 has converged if |A x - lambda x| is at most residual times `upper`, an
 * upper bound of all eigenvalues. */
typedef struct {
    int count, basis;                     /* number of pairs; of Lanczos vectors */
    double residual;
    double cut;                           /* lower end of the filter's interval, above the requested pairs; 0: chosen */
    int degree, max_restarts;             /* degree of the filter, 0: chosen */
} eigen_goal;

typedef struct {
    bool converged;                       /* all pairs; if not, `found` pairs are there nevertheless */
    failure why;                          /* why not */
    int found, restarts, degree;
    double cut, upper;                    /* of the last filter */
    int64_t applications;                 /* of A */
} eigen_result;

/* Computes the pairs, borrowed from s (eigen_pairs).  Start vectors are random: draws first_draw, ... of the key. */
eigen_result eigen_lowest(const linop *a, eigen_space *s, const eigen_goal *goal, rng_key key, uint32_t first_draw);

/* Computes eigenvalues and residuals of vectors that the caller has written into the first goal->count pairs.  Whether
 * they are normalized, satisfy the goal, and have ascending eigenvalues.  `upper` as above. */
bool eigen_accept(const linop *a, eigen_space *s, const eigen_goal *goal, double upper);

#endif
