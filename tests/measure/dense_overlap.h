/* dense_overlap.h - the overlap operator that domain-wall quarks approach, dense on a small lattice.
 *
 * Made of Dw alone, by the eigenvectors of a hermitian matrix: no fifth dimension is solved for. */
#ifndef KILN_TESTS_MEASURE_DENSE_OVERLAP_H
#define KILN_TESTS_MEASURE_DENSE_OVERLAP_H

#include "src/operators/dwf.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

/* gamma5 Dw (2 + (b - c) Dw)^-1 of weights with one b - c: eigenvalues, and eigenvectors in columns.  Components are
 * counted as [t][z][y][x][spin][color]. */
typedef struct { size_t n; gsl_vector *value; gsl_matrix_complex *vector; } dense_kernel;
dense_kernel dense_kernel_of(const hop_links *links, lattice *l, place where, const dwf_weights *w);
void dense_kernel_free(dense_kernel *k);

/* (1 - prod T_s) / (1 + prod T_s) of an eigenvalue. */
double dense_sign(const dwf_weights *w, double eigenvalue);

/* q <- [D(m)^-1 - 1] eta / (1 - m), D(m) = (1 + m)/2 + (1 - m)/2 gamma5 S, S having the eigenvalues `sign`; both are
 * n complex numbers. */
void dense_propagator(double *q, const dense_kernel *k, const double *sign, double mass, const double *eta);

#endif
