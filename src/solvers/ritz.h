/* ritz.h - the projection of a hermitian operator on the Lanczos vectors, and its eigenpairs.
 *
 * The matrix is real and symmetric.  After a thick restart with k kept vectors it has the Ritz values on its diagonal
 * and, in row k, the coupling of each kept vector to vector k; then it is tridiagonal (K. Wu and H. Simon, SIAM J.
 * Matrix Anal. Appl. 22 (2000) 602). */
#ifndef KILN_SOLVERS_RITZ_H
#define KILN_SOLVERS_RITZ_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

typedef struct {
    gsl_matrix *t;                       /* the projection */
    double last;                         /* coupling of the last vector to the next one */
    gsl_vector *theta;                   /* eigenvalues of t, descending */
    gsl_matrix *s;                       /* eigenvectors of t, in columns */
    size_t size;                         /* of theta and s */
} ritz;

ritz *ritz_create(int most);             /* most: largest number of vectors */
void ritz_free(ritz *r);

void ritz_clear(ritz *r);
void ritz_set_diagonal(ritz *r, int row, double alpha);
void ritz_set_next(ritz *r, int row, double beta);            /* coupling of row and row + 1 */

/* Eigenpairs of the first `count` rows; `last` is the coupling to vector `count`. */
void ritz_solve(ritz *r, int count, double last);
double ritz_value(const ritz *r, int i);
double ritz_bound(const ritz *r, int i);                      /* |p(A) x - theta x| of the Ritz pair */
double ritz_coefficient(const ritz *r, int row, int i);

/* The projection on the first `kept` Ritz vectors, and on the last Lanczos vector as row `kept`. */
void ritz_restart(ritz *r, int kept);

#endif
