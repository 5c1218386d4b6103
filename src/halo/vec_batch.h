/* vec_batch.h - the vector operations of conjugate gradients for a batch, as launches for a loop (krylov_args.h).
 *
 * Each function appends a launch to the loop.  v[n] is the vector of system b->number[n], n < b->count.  Vectors of one
 * call have the same sites, place, precision and format; they are borrowed until the loop is cleared.  The scalars are
 * in the state, at the place of the vectors. */
#ifndef KILN_HALO_VEC_BATCH_H
#define KILN_HALO_VEC_BATCH_H

#include "src/halo/loop.h"
#include "src/kernels/krylov_args.h"
#include "src/lattice/vec.h"

/* The logarithm of `count` = 1, 2, 4 or 8 to base 2, which is the index of an operator's kernel for `count` systems. */
int vec_batch_logarithm(int count);

/* r_n <- from_n - alpha_n q_n (vec_batch_residual: `from` is r); then |r_n|^2 and the scalars computed from it
 * (residual_finish) */
void vec_batch_residual(loop *l, const krylov_batch *b, vec *const *r, vec *const *q);
void vec_batch_residual_from(loop *l, const krylov_batch *b, vec *const *r, vec *const *from, vec *const *q);

/* <p_n, q_n> for q_n = (C^+C + shift_n) p_n, and the scalars computed from it (curvature_finish).  For operators whose
 * kernels do not compute this sum, but store c_n = C p_n: without a shift <p_n, q_n> = |c_n|^2. */
void vec_batch_curvature(loop *l, const krylov_batch *b, vec *const *c, vec *const *p, vec *const *q);

/* p_n <- r_n + beta_n from_n, for systems that have not stopped */
void vec_batch_direction(loop *l, const krylov_batch *b, vec *const *p, vec *const *r, vec *const *from);

/* q_n <- factor q_n + shift_n p_n */
void vec_batch_shift(loop *l, const krylov_batch *b, vec *const *q, double factor, vec *const *p);

/* y_n <- y_n + unit_n sum_j alpha_j ring_n[j] in double, for systems whose ring has just become full; y is native */
void vec_batch_gather(loop *l, const krylov_batch *b, vec *const *y, const double *unit, vec *const *const *ring);

/* The vectors of system `number` of the state: the base (k = 0), then the `count - 1` other shifts in the order of the
 * state. */
typedef struct {
    int number, count;
    vec *const *x, *const *p;                  /* [count], written */
} shift_vectors;

/* x_k <- x_k + alpha_k p_k and p_k <- zeta_k r + beta_k p_k */
void vec_shifts_update(loop *l, krylov_state *state, shift_vectors v, const vec *r);

/* Updates the vectors by the steps of the system's step group (krylov_args.h), with its residuals r, if the step group
 * is complete or `always` is set. */
void vec_shifts_step_group(loop *l, krylov_state *state, shift_vectors v, vec *const *r, bool always);

#endif
