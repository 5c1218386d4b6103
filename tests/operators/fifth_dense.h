/* fifth_dense.h - tables of the fifth dimension as full matrices. */
#ifndef KILN_TESTS_OPERATORS_FIFTH_DENSE_H
#define KILN_TESTS_OPERATORS_FIFTH_DENSE_H

#include "src/operators/fifth_dimension.h"

/* A table as a matrix [Ls][Ls] of one chirality. */
void fifth_dense(double *matrix, const fifth_table *k, int chirality, int Ls);

#endif
