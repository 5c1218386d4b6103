/* batch_sums.h - the sums of a batch over ranks by way of the host, and the scalars of the batch. */
#ifndef KILN_LATTICE_BATCH_SUMS_H
#define KILN_LATTICE_BATCH_SUMS_H

#include "src/kernels/batch_words.h"
#include "src/lattice/sums.h"

/* The sums of each system in a launch. */
int batch_sums_of(krylov_sum sum);

/* Launches for sums that travel as words (kernels/batch_words.h): the words of a batch, in memory that the GPU reaches;
 * and its scalars, from the words of all ranks. */
void batch_words_write(const batch_words_args *a);
void batch_words_finish(const batch_words_args *a);

/* The cells at `where` become those of all ranks, in normal form; then the scalars are computed.  Collective. */
void batch_sum_on_host(place where, krylov_sum sum, const krylov_batch *b, const comm *ranks);

#endif
