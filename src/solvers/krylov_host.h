/* krylov_host.h - the iterations of krylov.h for operators without batches (linop.add_batch NULL): one system after the
 * other, by apply_dot and verbs for single vectors, with the scalars on the host. */
#ifndef KILN_SOLVERS_KRYLOV_HOST_H
#define KILN_SOLVERS_KRYLOV_HOST_H

#include "src/solvers/krylov.h"

/* As krylov_run does, after krylov_prepare. */
void krylov_run_on_host(krylov *k, const linop *a, const int *number, const krylov_vectors *v, int count);

/* ---- shared with krylov.c */

/* The vector with the direction of a pass.  With windows it is p[0] for the first pass of a window, then turn[1],
 * turn[0], turn[1] and so on.  At the end of the window, the direction of the next pass is written to p[0]. */
vec *krylov_direction_of(const krylov_vectors *v, int pass);

/* The vector with the residual after a pass. */
vec *krylov_residual_of(const krylov_vectors *v, int pass);

/* Updates solutions and directions by the steps of a window, from the state where the vectors are. */
void krylov_move_window(krylov *k, int number, const krylov_vectors *v);

#endif
