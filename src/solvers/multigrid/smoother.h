/* smoother.h - a polynomial that smooths: x <- x + s(A) (b - A x), so that r <- p(A) r with r = b - A x and
 * p(z) = 1 - z s(z).
 *
 * p is the residual polynomial of GMRES for a random vector (H. A. van der Vorst, Iterative Krylov Methods for Large
 * Linear Systems, Cambridge 2003, section 6; J. A. Loe, R. B. Morgan, Numer. Linear Algebra Appl. 29 (2022) e2397,
 * arXiv:1911.07065).  It is applied by its roots z_i,
 *     x <- x + (b - A x) / z_i,
 * so that smoothing needs no inner products. */
#ifndef KILN_SOLVERS_MULTIGRID_SMOOTHER_H
#define KILN_SOLVERS_MULTIGRID_SMOOTHER_H

#include "src/solvers/gcr.h"

typedef struct { int steps; complex_number factor[GCR_POLYNOMIAL_MAX]; } smoother;     /* 1 / z_i */

/* For the first `steps` iterations of the last solve of s from zero, without preconditioner and restart; fewer, if the
 * solve had fewer.  False if no iteration was made, or as below. */
bool smoother_of(smoother *p, const gcr_space *s, int steps);

/* For p(z) = c[0] + ... + c[degree] z^degree, degree at most GCR_POLYNOMIAL_MAX.  False if its roots are not found
 * or not finite: steps is then 0. */
bool smoother_of_polynomial(smoother *p, const complex_number *c, int degree);

/* x <- x + s(a) (b - a x); x is not b.  `product` is scratch, and is not used if there is `relax`.  conjugate: by the
 * conjugate polynomial, for a = A^+.  from_zero: from x = 0 in place of x, which saves a product.
 * relax: x <- x + u (b - a x), of matrices that have it in one; or NULL. */
typedef struct {
    const linop *a;
    vec *x, *product;
    const vec *b;
    bool conjugate, from_zero;
    void (*relax)(const linop *a, vec *x, complex_number u, const vec *b);
} smoothing;
void smoother_apply(const smoother *p, const smoothing *of);

#endif
