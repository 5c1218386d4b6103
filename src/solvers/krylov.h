/* krylov.h - conjugate gradients for a batch of systems in lockstep; the host waits for no sum.
 *
 * The scalars are in a state (kernels/krylov_args.h) in the memory of the vectors.  The host has a copy of the state,
 * which it reads and changes between runs.  A run ends when a system of the batch stops: it has converged, or its
 * residual must be replaced, or no step is possible.
 *
 * A ring keeps the last KRYLOV_RING directions of a system, a step group its last KRYLOV_RING residuals; the solutions
 * are then updated with all of them at once.  With either, a run ends only when the rings or groups of the other
 * systems are complete. */
#ifndef KILN_SOLVERS_KRYLOV_H
#define KILN_SOLVERS_KRYLOV_H

#include "src/operators/linop.h"
#include "src/solvers/krylov_vectors.h"

/* Adds a shift; it is frozen at once if |r| / |b| is small enough already. */
void krylov_add_shift(krylov_system *s, double shift, double tolerance);

/* Iterates systems number[0 .. count-1]; v[i] are the vectors of system number[i].  Returns when at least one of them
 * has stopped. */
void krylov_run(krylov *k, const linop *a, const int *number, const krylov_vectors *v, int count);

/* out_i <- (A + shift_i) in_i, where each link is read once for several systems.  Overwrites the state of the
 * systems. */
void krylov_apply(krylov *k, const linop *a, vec *const *out, const double *shift, vec *const *in, int count);

/* With a ring, for a system that has stopped in a run: adds the remaining steps to y.  Returns the index in the ring of
 * the direction of the last step. */
int krylov_settle(krylov *k, int number, const krylov_vectors *v);

/* The same with step groups: updates solutions and directions by the remaining steps.  The last residual stays where it
 * is (krylov_residual_of); v->r may be older. */
void krylov_finish_groups(krylov *k, int number, const krylov_vectors *v);

#endif
