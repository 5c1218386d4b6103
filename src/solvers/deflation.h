/* deflation.h - the lowest eigenpairs of a hermitian operator A >= 0, and start vectors of solves from them.
 *
 *     A x_i = lambda_i x_i,   |x_i| = 1
 *     start vector for (A + shift) x = b:   sum_i x_i (x_i^+ b) / (lambda_i + shift)
 *
 * With this start vector the residual has almost no part along x_i, which are what makes solves slow. */
#ifndef KILN_SOLVERS_DEFLATION_H
#define KILN_SOLVERS_DEFLATION_H

#include "src/base/number_row.h"
#include "src/solvers/eigensolver.h"

enum { DEFLATION_PAIRS_MAX = 4096 };

/* Memory for the pairs and for their computation, with vectors like the native vector `like`.  The goal is copied;
 * goal->basis 0: chosen (eigen_basis). */
typedef struct deflation deflation;
deflation *deflation_create(const vec *like, const eigen_goal *goal);
void deflation_free(deflation *d);
int deflation_vectors(const eigen_goal *goal);               /* how many vectors it has */

/* Computes the pairs of A; start vectors are those of the key, from first_draw on.  False with the reason if they do
 * not converge. */
bool deflation_compute(deflation *d, const linop *a, rng_key key, uint32_t first_draw, failure *f);

/* Vector i of the pairs, to be read, or to be written before deflation_accept: this takes all of them as eigenvectors
 * of A if they satisfy the goal (eigen_accept), with the result of the computation that they come from.  False: they
 * must be computed. */
vec *deflation_vector(deflation *d, int i);
bool deflation_accept(deflation *d, const linop *a, const eigen_result *from);

/* After a computation: its result, whose `found` is the number of pairs; the pairs, ascending; and the value up to
 * which an eigenvalue cannot be told from zero. */
const eigen_result *deflation_result(const deflation *d);
const eigen_pair *deflation_pairs(const deflation *d);
double deflation_zero(const deflation *d);

/* The numbers of result and pairs, always as many; with the vectors they bring another one with the same goal to the
 * same state. */
void deflation_row(deflation *d, number_row *row);

/* x <- sum_i weight_i x_i (x_i^+ b) */
void deflation_combine(vec *x, const deflation *d, const double *weight, const vec *b);

/* x <- the start vector above, without eigenvalues that cannot be told from zero; d NULL: zero. */
void deflation_start(vec *x, const deflation *d, double shift, const vec *b);

#endif
