/* hermitian.h - eigenvalues and eigenvectors of dense hermitian matrices. */
#ifndef KILN_TESTS_OPERATORS_HERMITIAN_H
#define KILN_TESTS_OPERATORS_HERMITIAN_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

typedef struct { gsl_vector *eigenvalue; gsl_matrix_complex *v; } hermitian;         /* v: eigenvectors in columns */
hermitian hermitian_of(const gsl_matrix_complex *m);
void hermitian_free(hermitian *s);

double hermitian_log_det(const hermitian *s);                                        /* of a positive one */
void hermitian_power(const hermitian *s, double power, gsl_vector_complex *x);       /* x <- m^power x */

double asymmetry(const gsl_matrix_complex *m);                 /* the largest element of |m - m^+|, over that of |m| */
double dense_distance(const gsl_vector_complex *x, const gsl_vector_complex *want);  /* |x - want| / |want| */

#endif
