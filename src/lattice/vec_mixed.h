/* vec_mixed.h - operations on color vectors for solvers in mixed precision. */
#ifndef KILN_LATTICE_VEC_MIXED_H
#define KILN_LATTICE_VEC_MIXED_H

#include "src/kernels/vec_mixed_args.h"
#include "src/lattice/vec.h"

/* p <- u r + b from; p may be `from` */
void vec_direction(vec *p, complex_number u, const vec *r, double b, const vec *from);

/* x <- x + u (b - q); the vectors are alike, in any format, and may be the same */
void vec_relax(vec *x, complex_number u, const vec *b, const vec *q);

/* y <- y + sum_k c_k v_k for k < count <= GATHER_MAX, summed in double: y native, on the same sites as v, in any
 * precision */
void vec_gather(vec *y, const double *c, vec *const *v, int count);

/* y <- a y + sum_k c_k v_k for k < count; native */
void vec_project(vec *y, double a, const complex_number *c, vec *const *v, int count);

/* norm2[k] <- |x_k|^2, and dot[k] <- x_k^+ y, for k < count <= VEC_DOTS_MAX, with one synchronization with the device.
 * guess[k] is an estimate of |x_k|^2; `guess` of the size of the products.  Results are exact up to rounding for any
 * guess: norms relative to themselves, products relative to the guess. */
enum { VEC_DOTS_MAX = SUM_SCRATCH / 4 };
void vec_norms2(double *norm2, vec *const *x, const double *guess, int count);
void vec_dots(complex_number *dot, vec *const *x, const vec *y, double guess, int count);

/* A zeroed vector like `v`, in the same format on the same sites; vec_free frees it. */
vec *vec_create_like(const vec *v);

/* The largest rounding error of a stored number: relative to the number, or in a packed format to the largest number of
 * its site. */
double vec_rounding(const vec *v);

#endif
