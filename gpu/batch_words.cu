/* batch_words.cu - the sums of a batch as integers in a row, and back (src/kernels/batch_words.h): one block. */
#include "src/kernels/batch_words.h"
#include "src/kernels/krylov_kinds.h"

/* Compiled once: words are integers, scalars are in double. */
#ifndef SINGLE

enum { WORDS_THREADS = 128 };

static __device__ __forceinline__ sum_cell *cell_of(const batch_words_args &a, int cell)
{
    const int sums = sums_of_kind(a.sum);
    return &a.b.state->cell[a.b.number[cell / sums]][cell % sums];
}

static __global__ void __launch_bounds__(WORDS_THREADS) batch_to_words(const __grid_constant__ batch_words_args a)
{
    for (int cell = (int)threadIdx.x; cell < a.b.count * sums_of_kind(a.sum); cell += WORDS_THREADS) {
        sum_cell mine = *cell_of(a, cell);
        sum_cell_carry(&mine);
        for (int w = 0; w < CELL_WORDS - 1; w++)
            a.words[CELL_WORDS * cell + w] = mine.word[w];
        a.words[CELL_WORDS * cell + CELL_WORDS - 1] = mine.refused;
    }
}

static __global__ void __launch_bounds__(WORDS_THREADS) batch_from_words(const __grid_constant__ batch_words_args a)
{
    const int thread = (int)threadIdx.x;
    for (int cell = thread; cell < a.b.count * sums_of_kind(a.sum); cell += WORDS_THREADS) {
        const long long *word = a.words + CELL_WORDS * cell;
        sum_cell sum = { { word[0], word[1], word[2] }, word[3] };
        sum_cell_carry(&sum);
        *cell_of(a, cell) = sum;
    }
    __syncthreads();
    const bool going = a.b.state->going != 0;
    __syncthreads();
    finish_kind(a.sum, &a.b, going, thread, WORDS_THREADS);
}

extern "C" batch_words_fn batch_words_gpu;
extern "C" batch_words_fn batch_finish_gpu;

extern "C" void batch_words_gpu(const batch_words_args *a, void *stream)
{
    batch_to_words<<<1, WORDS_THREADS, 0, (cudaStream_t)stream>>>(*a);
}

extern "C" void batch_finish_gpu(const batch_words_args *a, void *stream)
{
    batch_from_words<<<1, WORDS_THREADS, 0, (cudaStream_t)stream>>>(*a);
}

#endif
