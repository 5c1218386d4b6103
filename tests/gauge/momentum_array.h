/* momentum_array.h - the matrices of a momentum field as an array of the whole lattice. */
#ifndef KILN_TESTS_GAUGE_MOMENTUM_ARRAY_H
#define KILN_TESTS_GAUGE_MOMENTUM_ARRAY_H

#include "src/gauge/momentum.h"

/* As full matrices [t][z][y][x][mu][row][col][re,im].  Importing takes the antihermitian traceless part, and returns
 * the largest element of the rest, or NaN if an element is not finite. */
double momentum_import(momentum *p, const double *lexicographic);
void   momentum_export(double *lexicographic, const momentum *p);

#endif
