/* residuals.h - true residuals, of several systems at once. */
#ifndef KILN_SOLVERS_RESIDUALS_H
#define KILN_SOLVERS_RESIDUALS_H

#include "src/operators/linop.h"
#include "src/solvers/krylov.h"

/* r_i <- scale_i (b_i - (A + shift_i) x_i), and |r_i|^2; `guess` of them.  k is used for the launches: its systems are
 * overwritten. */
typedef struct { vec *r; const vec *b; vec *x; double shift, scale, guess, norm2; } true_residual;
void true_residuals(krylov *k, const linop *a, true_residual *of, int count);

#endif
