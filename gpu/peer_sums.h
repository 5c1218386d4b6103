/* peer_sums.h - functions of a block of threads that adds the sums of a batch over ranks, through the memory of other
 * GPUs (src/kernels/peer_args.h): in a separate launch (gpu/peer.cu) or a persistent kernel (gpu/persistent_loop.h).
 *
 * Words need no fence, because each number of a word says to which sum it belongs.  A persistent kernel has no other
 * order between reads of ghosts and the stores that overwrite them: a sum depends on every ghost that its ranks have
 * read, and the ghosts stored next depend on the sum. */
#ifndef KILN_GPU_PEER_SUMS_H
#define KILN_GPU_PEER_SUMS_H

#include "gpu/peer_stores.h"
#include "src/kernels/krylov_kinds.h"

#include <stddef.h>

static_assert(offsetof(peer_mailbox, words) % 16 == 0 && sizeof(peer_word) == 16, "words are in units of 16 bytes");

static __device__ __forceinline__ unsigned int number_of(unsigned long long sequence)
{
    return (unsigned int)sequence | 1u << 31;
}

static __device__ __forceinline__ void store_word(peer_word *to, long long word, unsigned long long sequence)
{
    const unsigned long long bits = (unsigned long long)word, number = (unsigned long long)number_of(sequence) << 32;
    asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};"
                 ::"l"(to), "l"(number | (bits & 0xffffffffu)), "l"(number | bits >> 32) : "memory");
}

/* The sum of word w over all ranks, once all have arrived; in one pass over the ranks, so that loads overlap. */
static __device__ __forceinline__ long long word_of_ranks(const peer_group &g, unsigned long long sequence, int w)
{
    const unsigned int number = number_of(sequence);
    const unsigned long long begun = now_ns();
    for (;;) {
        long long total = 0;
        int missing = -1;
        for (int r = 0; r < g.ranks; r++) {
            unsigned long long half[2];
            asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
                         : "=l"(half[0]), "=l"(half[1])
                         : "l"(&g.mailbox[g.rank]->words[sequence & 1][r][w]) : "memory");
            total += (long long)((half[0] & 0xffffffffu) | half[1] << 32);
            missing = (unsigned int)(half[0] >> 32) == number && (unsigned int)(half[1] >> 32) == number ? missing : r;
        }
        if (missing < 0 || has_failed(g, begun, missing))
            return total;
    }
}

/* Cells of the state <- their sums over all ranks.  All `threads` threads of the block call it; at the end all see the
 * cells. */
static __device__ __forceinline__ void add_over_peers(const peer_group &g, const krylov_batch &b, krylov_sum sum,
                                                      int thread, int threads)
{
    krylov_state *state = b.state;
    const unsigned long long sequence = g.state->sums + 1;
    const int sums = sums_of_kind(sum), cells = b.count * sums, words = CELL_WORDS * cells;
    for (int i = thread; i < cells; i += threads)
        sum_cell_carry(&state->cell[b.number[i / sums]][i % sums]);
    __syncthreads();
    delay_at_random(g, 4, sequence);
    for (int i = thread; i < words * g.ranks; i += threads) {
        const int w = i % words, cell = w / CELL_WORDS, part = w % CELL_WORDS;
        const sum_cell *mine = &state->cell[b.number[cell / sums]][cell % sums];
        store_word(&g.mailbox[i / words]->words[sequence & 1][g.rank][w],
                   part < CELL_WORDS - 1 ? mine->word[part] : mine->refused, sequence);
    }
    __syncthreads();                                          /* cells are read before they are written */
    delay_at_random(g, 5, sequence);
    for (int w = thread; w < words; w += threads) {
        const int cell = w / CELL_WORDS, part = w % CELL_WORDS;
        sum_cell *mine = &state->cell[b.number[cell / sums]][cell % sums];
        const long long total = word_of_ranks(g, sequence, w);
        if (part < CELL_WORDS - 1)
            mine->word[part] = total;
        else
            mine->refused = total;
    }
    if (thread == 0)
        g.state->sums = sequence;
    __syncthreads();
}

/* After the scalars: the batch stops if a wait of this rank has failed. */
static __device__ __forceinline__ void end_if_failed(const peer_group &g, const krylov_batch &b, int thread)
{
    __syncthreads();
    if (thread == 0 && *(volatile int *)&g.state->failed)
        b.state->going = 0;
}

#endif
