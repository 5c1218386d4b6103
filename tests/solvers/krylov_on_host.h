/* krylov_on_host.h - the oracle of the engine of Krylov spaces: the same steps with verbs for single vectors, and with
 * the scalars on the host. */
#ifndef KILN_TESTS_SOLVERS_KRYLOV_ON_HOST_H
#define KILN_TESTS_SOLVERS_KRYLOV_ON_HOST_H

#include "src/operators/linop.h"

/* The add_batch of operators that krylov_run is to apply to one system after the other, by apply_dot. */
void one_by_one_on_host(const linop *a, loop *l, const krylov_batch *b, vec *const *q, vec *const *p);

#endif
