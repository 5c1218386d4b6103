/* gamma_products.h - products of gamma matrices, for contractions of hadrons. */
#ifndef KILN_MEASURE_GAMMA_PRODUCTS_H
#define KILN_MEASURE_GAMMA_PRODUCTS_H

#include "src/kernels/spin_matrix.h"

/* gamma_x, gamma_y, gamma_z, gamma_t for mu = 0 .. 3, gamma5 for GAMMA_FIVE, as in site/spinor.h. */
enum { GAMMA_FIVE = 4 };
spin_matrix gamma_matrix(int mu);
spin_matrix gamma_unit(void);

spin_matrix gamma_product(spin_matrix a, spin_matrix b);
spin_matrix gamma_transposed(spin_matrix a);
spin_matrix gamma_dagger(spin_matrix a);
spin_matrix gamma_times_i_power(spin_matrix a, int power);                 /* i^power a, power >= 0 */

#endif
