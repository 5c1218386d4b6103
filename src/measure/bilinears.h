/* bilinears.h - two-point functions of mesons qbar' Gamma q for all products Gamma of gamma matrices, from the 12
 * columns of a source.
 *
 *     C(t) = - sum over x of Re Tr Gamma S(x, 0) Gammabar gamma5 S'(x, 0)^+ gamma5
 *     Gammabar = gamma_t Gamma^+ gamma_t
 * with the quark S and the antiquark of the propagator S'; x and t are counted from the source.  C is <O(x) O(0)^+> of
 * O = qbar' Gamma q: positive for states that O creates, and sum |S|^2 for Gamma = gamma5.
 *
 *     scalar 1, pseudoscalar gamma5, vector_i gamma_i, axial_i gamma_i gamma5, tensor_ij gamma_i gamma_j
 * The mean of vector_x, vector_y and vector_z is the rho. */
#ifndef KILN_MEASURE_BILINEARS_H
#define KILN_MEASURE_BILINEARS_H

#include "src/kernels/meson_args.h"
#include "src/measure/momentum_sums.h"
#include "src/measure/quark_columns.h"

typedef enum { BILINEARS_NONE, BILINEARS_VECTOR, BILINEARS_ALL } bilinears_choice;
extern const char *const bilinears_choices[];           /* ends with NULL */
extern const char *const bilinear_names[];              /* of Gamma; MESON_TERMS_MAX, and NULL */

/* NULL for BILINEARS_NONE, which all functions accept. */
typedef struct bilinears bilinears;
bilinears *bilinears_create(bilinears_choice choice, const gauge *u);
void bilinears_free(bilinears *b);
size_t bilinears_bytes(bilinears_choice choice, const lattice_shape *shape);

/* The densities, a number for each Gamma at each site: for tests. */
const field *bilinears_density(const bilinears *b);

void bilinears_contract(bilinears *b, const quark_columns *quark, const quark_columns *antiquark);

/* The correlators of the last contraction, of momentum 0 and of the momenta, as members of the open object. */
void bilinears_to_json(json *j, const bilinears *b, const param_list *momenta, const int origin[4]);

#endif
