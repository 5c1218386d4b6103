/* dense_operator.h - an operator on a small lattice as a dense matrix, for GSL. */
#ifndef KILN_TESTS_OPERATORS_DENSE_OPERATOR_H
#define KILN_TESTS_OPERATORS_DENSE_OPERATOR_H

#include "src/operators/linop.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

/* Columns are A + shift on vectors that are 1 in one component; components are counted as vec_export has them, over the
 * sites of `on` alone.  `like` gives lattice, sites, slabs, place and precision. */
gsl_matrix_complex *dense_operator(const linop *a, double shift, const vec *like);

gsl_vector_complex *dense_vector(const vec *v);
void dense_to_vec(vec *v, const gsl_vector_complex *d);

/* Eigenvalues of a hermitian matrix, ascending; the matrix is destroyed. */
gsl_vector *dense_eigenvalues(gsl_matrix_complex *m);

/* The inverse; m then has its factors L and U (gsl_linalg_complex_LU_lndet gives log |det m|). */
gsl_matrix_complex *dense_invert(gsl_matrix_complex *m);

#endif
