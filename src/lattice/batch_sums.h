/* batch_sums.h - the sums of a batch over ranks by way of the host, and the scalars of the batch. */
#ifndef KILN_LATTICE_BATCH_SUMS_H
#define KILN_LATTICE_BATCH_SUMS_H

#include "src/kernels/krylov_args.h"
#include "src/lattice/sums.h"

/* The sums of each system in a launch. */
int batch_sums_of(krylov_sum sum);

/* The cells at `where` become those of all ranks, in normal form; then the scalars are computed.  Collective. */
void batch_sum_on_host(place where, krylov_sum sum, const krylov_batch *b, const comm *ranks);

#endif
