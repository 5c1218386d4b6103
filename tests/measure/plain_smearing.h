/* plain_smearing.h - Gaussian smearing of a spinor by plain loops over its numbers: for tests of quark_smearing.h. */
#ifndef KILN_TESTS_MEASURE_PLAIN_SMEARING_H
#define KILN_TESTS_MEASURE_PLAIN_SMEARING_H

#include <complex.h>
#include <stdbool.h>

/* out += m in, or m^+ in, for all spins of a site; m: 9 complex numbers [row][column], in and out: [spin][color] */
void plain_add_product(double complex *out, const double complex *m, bool dagger, const double complex *in);

/* psi <- (1 + (width^2 / 4 steps) Laplace)^steps psi, [t][z][y][x][spin][color], by links
 * [t][z][y][x][mu][row][column] on a lattice of these extents. */
typedef struct { const int *extents; const double complex *links; int steps; double width; } plain_smearing;
void plain_smear(double complex *psi, const plain_smearing *s);

#endif
