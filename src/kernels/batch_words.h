/* batch_words.h - the sums of a batch as integers in a row, which NCCL (gpu/nccl.h), the host or kernels (peer_args.h)
 * add over ranks.
 *
 * words[n][sum][high, middle, low, refused] are the cells of system n (site/exact_sum.h).  batch_words_gpu writes them,
 * in normal form; after the sum over ranks, batch_finish_gpu stores them in the state and computes the scalars. */
#ifndef KILN_KERNELS_BATCH_WORDS_H
#define KILN_KERNELS_BATCH_WORDS_H

#include "src/kernels/krylov_args.h"

enum { CELL_WORDS = 4, BATCH_WORDS = CELL_WORDS * BATCH_SUMS * BATCH_MAX_RHS };

typedef struct { krylov_batch b; krylov_sum sum; long long *words; } batch_words_args;

typedef void batch_words_fn(const batch_words_args *a, void *stream);

#endif
