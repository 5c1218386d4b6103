/* krylov_host.h - the iterations of krylov.h for operators without batches (linop.add_batch NULL): one system after
 * another, by apply_dot and operations on single vectors, with the scalars on the host. */
#ifndef KILN_SOLVERS_KRYLOV_HOST_H
#define KILN_SOLVERS_KRYLOV_HOST_H

#include "src/operators/linop.h"
#include "src/solvers/krylov_vectors.h"

/* Does the work of krylov_run after krylov_prepare. */
void krylov_run_on_host(krylov *k, const linop *a, const int *number, const krylov_vectors *v, int count);

#endif
