/* residuals.h - true residuals of several systems at once. */
#ifndef KILN_SOLVERS_RESIDUALS_H
#define KILN_SOLVERS_RESIDUALS_H

#include "src/operators/linop.h"
#include "src/solvers/krylov.h"

/* r_i <- scale_i (b_i - (A + shift_i) x_i), and norm2 <- |r_i|^2; guess: an estimate of norm2 (vec.h).  The launches
 * use k and overwrite its systems. */
typedef struct { vec *r; const vec *b; vec *x; double shift, scale, guess, norm2; } true_residual;
void residuals_compute(krylov *k, const linop *a, true_residual *of, int count);

#endif
