/* batch_sums.h - adds the sums of a batch over ranks on the host, and computes the scalars of the batch from them. */
#ifndef KILN_LATTICE_BATCH_SUMS_H
#define KILN_LATTICE_BATCH_SUMS_H

#include "src/kernels/batch_words.h"
#include "src/lattice/sums.h"

/* The number of sums of each system in a launch. */
int batch_sums_of(krylov_sum sum);

/* For sums that are added over ranks as words (kernels/batch_words.h), on the GPU; both return at once.  a->words is
 * memory that the GPU can access.  batch_words_write: writes the cells of this rank to the words.  batch_words_finish:
 * computes the scalars from the words, which must then be the sums over all ranks. */
void batch_words_write(const batch_words_args *a);
void batch_words_finish(const batch_words_args *a);

/* Replaces the cells at `where` by the sums over all ranks, in normal form (site/exact_sum.h), and computes the scalars
 * from them.  Collective. */
void batch_sum_on_host(place where, krylov_sum sum, const krylov_batch *b, const comm *ranks);

#endif
