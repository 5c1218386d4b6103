/* bicg.h - BiCGstab(l) for a batch of systems in lockstep, for operators A that are not hermitian.  The scalars of the
 * iteration stay at the place of the vectors: the host waits for no sum.
 *
 * G. L. G. Sleijpen and D. R. Fokkema, Electron. Trans. Numer. Anal. 1 (1993) 11; l = 1 is BiCGstab (H. A. van der
 * Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631).  With the shadow residual s, a cycle is
 *
 *     for j = 0 .. l-1:
 *         beta = alpha (s, r_j) / rho;  rho = (s, r_j);  u_k <- r_k - beta u_k (k <= j);  u_(j+1) = A u_j          (1)
 *         alpha = rho / (s, u_(j+1));  r_k <- r_k - alpha u_(k+1) (k <= j);  r_(j+1) = A r_j;  x <- x + alpha u_0   (2)
 *     g minimizes |r_0 - sum_k g_k r_k|, k = 1 .. l                                                              (3)
 *     x <- x + sum_k g_k r_(k-1);  r_0 <- r_0 - sum_k g_k r_k;  u_0 <- u_0 - sum_k g_k u_k;  rho <- - g_l rho       (4)
 *
 * An iteration is a pass of the loop over j: two products with A.  (3) solves the normal equations in double; their
 * matrix has exact sums (site/exact_sum.h).  x is summed from the vectors as they are stored, in high precision;
 * for half, a vector in single precision sums its terms between true residuals (bicg_mixed.h).  The new u_0 of (4) is
 * computed with (1) of the next cycle, so that it is not stored in between.  For l = 1 and spinors in half, the sums of
 * (3) give the scalars of the next cycle, and one pass makes (4) and the next u_0 (kernels/bicg_short_args.h).
 *
 * BiCGstab and conjugate gradients (krylov.h) share the engine: the host reads the scalars when a system has stopped,
 * and the bits of a system do not depend on the other systems of its batch. */
#ifndef KILN_SOLVERS_BICG_H
#define KILN_SOLVERS_BICG_H

#include "src/halo/vec_bicg.h"
#include "src/solvers/krylov.h"

/* The vectors of a system; borrowed.  All have the same format and sites, except x, which may be native.  r[k] and
 * u[k], k = 0 .. l, are r_k and u_k of (1) to (4); shadow is s.  Each step is multiplied by `unit` and added to x. */
typedef struct { vec *x; double unit; vec *shadow; vec *r[BICG_POWERS], *u[BICG_POWERS]; } bicg_vectors;

/* Sets up the scalars of a system after krylov_begin, from s = r_0; u_0 .. u_l must be zero. */
void bicg_begin(krylov *k, int number, int order);

/* The caller calls this after it has replaced r_0, with rr = |r_0|^2 and rho = (s, r_0): the system then continues with
 * its directions u_k.  False if it cannot continue: the caller must begin again (bicg_begin). */
bool bicg_replaced(krylov *k, int number, double rr, complex_number rho);

/* Iterates systems number[0 .. count-1] of this order with the operator A + shift; v[i] are the vectors of system
 * number[i].  Returns when at least one of them has stopped.  a->add_batch adds no sums (linop.h). */
void bicg_run(krylov *k, const linop *a, int order, const int *number, const bicg_vectors *v, int count);

#endif
