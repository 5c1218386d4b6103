/* dense_wilson.h - Wilson's operator on 2^3x4 as a dense matrix, for tests of measurements. */
#ifndef KILN_TESTS_MEASURE_DENSE_WILSON_H
#define KILN_TESTS_MEASURE_DENSE_WILSON_H

#include "src/operators/clover_operator.h"

#include <complex.h>
#include <gsl/gsl_matrix.h>

enum { SITES = 32, SITES_OF_TIME = 8, SPINOR = 12, DENSE = SITES * SPINOR };

/* M on all sites, [t][z][y][x][spin][color], of the first matrix of `params` on links u.  The caller frees it. */
gsl_matrix_complex *dense_wilson_matrix(const gauge *u, const clover_operator_params *params);

/* The numbers of spinors of one slice, in this order. */
void dense_numbers(double complex out[DENSE], spinor_field v);

double complex dense_at(const gsl_matrix_complex *m, int row, int column);

#endif
