/* vec_steps.h - steps of conjugate gradients on single vectors: for iterations from the host
 * (src/solvers/krylov_host.h). */
#ifndef KILN_LATTICE_VEC_STEPS_H
#define KILN_LATTICE_VEC_STEPS_H

#include "src/lattice/vec_mixed.h"

/* r <- r + a q; norm2: |r|^2 of the new r; change: Re r^+ (r - previous r).  `guess` is an estimate of norm2 as in
 * vec_axpy_norm2. */
typedef struct { double norm2, change; } residual_sums;
residual_sums vec_residual_update(vec *r, double a, const vec *q, double guess);

/* x_k <- x_k + a_k p_k, then p_k <- z_k r + b_k p_k, for k < count <= SHIFTS_MAX */
typedef struct {
    vec *const *x, *const *p;                               /* [count], written */
    const double *a, *b, *z;                                /* [count] */
    int count;
} vec_shift_step;
void vec_multishift_update(const vec_shift_step *s, const vec *r);

#endif
