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

/* p <- the residual polynomial of the first `steps` iterations of the last solve of s, or of all if there were fewer.
 * That solve must have started from zero, without preconditioner and restart.  steps = 0: p = 1, no smoothing.  False
 * if the solve made no iteration although steps > 0, or if the roots are not found. */
bool smoother_of(smoother *p, const gcr_space *s, int steps);

/* p <- the polynomial c[0] + ... + c[degree] z^degree with c[0] = 1, degree at most GCR_POLYNOMIAL_MAX.  False if its
 * roots are not found or their inverses are not finite: p->steps is then 0. */
bool smoother_of_polynomial(smoother *p, const complex_number *c, int degree);

/* x <- x + s(a) (b - a x); x is not b.  All pointers are borrowed. */
typedef struct {
    const linop *a;
    vec *x;
    vec *product;                          /* scratch; not used with `relax` */
    const vec *b;
    bool conjugate;                        /* a is the adjoint of the operator of the polynomial */
    bool from_zero;                        /* x = 0 at the start, whatever it contains: saves a product */
    void (*relax)(const linop *a, vec *x, complex_number u, const vec *b);    /* x <- x + u (b - a x), fused; or NULL */
} smoothing;
void smoother_apply(const smoother *p, const smoothing *of);

#endif
