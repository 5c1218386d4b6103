/* sign_product.h - H R(H^2) v in one precision, for the approximation h R(h^2) of the sign function (sign_function.h):
 * partial fractions by conjugate gradients for all poles at once, or polynomials by Clenshaw's recursion.
 *
 * Vectors are pairs (operators/spinor_pair.h) in the precision of the product, where the links are. */
#ifndef KILN_OVERLAP_SIGN_PRODUCT_H
#define KILN_OVERLAP_SIGN_PRODUCT_H

#include "src/overlap/sign_function.h"
#include "src/overlap/wilson_kernel.h"

/* poles: the largest number of poles of a function; 0: only polynomials. */
typedef struct {
    precision in;
    double M0;
    quark_boundary boundary;
    int poles;
    int max_iterations;                    /* of a solve with H^2 */
} sign_product_params;

/* For links with the lattice and place of u; allocates all vectors.  sign_product_bytes: their memory. */
typedef struct sign_product sign_product;
sign_product *sign_product_create(const sign_product_params *p, const gauge *u);
void sign_product_free(sign_product *s);
memory_need sign_product_bytes(const sign_product_params *p, const lattice_shape *shape);

/* Copies the links, of any precision; false with the reason if one is not in SU(3). */
bool sign_product_update(sign_product *s, const gauge *u, failure *why);

/* out <- H R(H^2) v, |v| > 0, with an error of at most `error` |v| from solves or truncation, besides rounding errors;
 * out and v must differ.  Collective; the result does not depend on the process grid. */
typedef struct { int iterations; bool converged; } sign_work;      /* iterations of the solve; or degree, true */
sign_work sign_product_apply(vec *out, sign_product *s, const sign_function *f, double error, const vec *v);

const wilson_kernel *sign_product_kernel(const sign_product *s);   /* borrowed */

#endif
