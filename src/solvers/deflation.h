/* deflation.h - the lowest eigenpairs of a hermitian operator A >= 0, and start vectors of solves from them.
 *
 *     A x_i = lambda_i x_i,   |x_i| = 1
 *     start vector for (A + shift) x = b:   sum_i x_i (x_i^+ b) / (lambda_i + shift)
 *
 * With this start vector, the residual has almost no components along the x_i, which make solves slow. */
#ifndef KILN_SOLVERS_DEFLATION_H
#define KILN_SOLVERS_DEFLATION_H

#include "src/base/number_row.h"
#include "src/solvers/eigensolver.h"

enum { DEFLATION_PAIRS_MAX = 4096 };

/* Memory for the pairs and for their computation, with vectors like the native vector `like`.  The goal is copied; if
 * goal->basis is 0, eigen_basis chooses it. */
typedef struct deflation deflation;
deflation *deflation_create(const vec *like, const eigen_goal *goal);
void deflation_free(deflation *d);
int deflation_vectors(const eigen_goal *goal);               /* number of vectors in a deflation */

/* Computes the pairs of A, with start vectors from the random numbers of the key, from first_draw on.  False with the
 * reason if they do not converge. */
bool deflation_compute(deflation *d, const linop *a, rng_key key, uint32_t first_draw, failure *f);

/* deflation_vector: vector i of the pairs, borrowed; the caller may write it before deflation_accept.
 * deflation_accept: accepts the vectors as eigenvectors of A if they satisfy the goal (eigen_accept), with the result
 * of their computation.  False: the caller must compute them again. */
vec *deflation_vector(deflation *d, int i);
bool deflation_accept(deflation *d, const linop *a, const eigen_result *from);

/* After a computation: its result, whose `found` is the number of pairs; the pairs, ascending; and the largest value
 * that is zero within the error of an eigenvalue. */
const eigen_result *deflation_result(const deflation *d);
const eigen_pair *deflation_pairs(const deflation *d);
double deflation_zero(const deflation *d);

/* The numbers of the state of d, for checkpoints: its eigen_result, eigenvalues and residuals, always the same count.
 * Together with the vectors (deflation_vector) they restore the state in another deflation with the same goal. */
void deflation_row(deflation *d, number_row *row);

/* x <- sum_i weight_i x_i (x_i^+ b) */
void deflation_combine(vec *x, const deflation *d, const double *weight, const vec *b);

/* x <- the start vector above, without eigenvalues that are zero within their error; d NULL: zero. */
void deflation_start(vec *x, const deflation *d, double shift, const vec *b);

#endif
