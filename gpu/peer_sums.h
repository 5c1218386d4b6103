/* peer_sums.h - functions of a block of threads that adds the sums of a batch over ranks, through the memory of other
 * GPUs (src/kernels/peer_args.h): in a separate launch (gpu/peer.cu) or a persistent kernel (gpu/persistent_loop.h). */
#ifndef KILN_GPU_PEER_SUMS_H
#define KILN_GPU_PEER_SUMS_H

#include "gpu/peer_stores.h"
#include "src/kernels/krylov_kinds.h"

/* Cells of the state <- their sums over all ranks.  All `threads` threads of the block call it; at the end all see the
 * cells. */
static __device__ __forceinline__ void add_over_peers(const peer_group &g, const krylov_batch &b, krylov_sum sum,
                                                      int thread, int threads)
{
    krylov_state *state = b.state;
    const unsigned long long turn = g.state->sums + 1;
    const int sums = sums_of_kind(sum), cells = b.count * sums, words = CELL_WORDS * cells;
    for (int i = thread; i < cells; i += threads)
        sum_cell_carry(&state->cell[b.number[i / sums]][i % sums]);
    __syncthreads();
    delay_at_random(g, 4, turn);
    for (int i = thread; i < words * g.ranks; i += threads) {
        const int w = i % words, cell = w / CELL_WORDS, part = w % CELL_WORDS;
        const sum_cell *mine = &state->cell[b.number[cell / sums]][cell % sums];
        g.mailbox[i / words]->words[turn & 1][g.rank][w] = part < CELL_WORDS - 1 ? mine->word[part] : mine->refused;
    }
    __threadfence_system();
    __syncthreads();
    delay_at_random(g, 5, turn);
    if (thread < g.ranks) {
        raise_flag(&g.mailbox[thread]->summed[g.rank], turn);
        wait_for(&g.mailbox[g.rank]->summed[thread], turn, g, thread);
    }
    __syncthreads();
    delay_at_random(g, 6, turn);
    for (int w = thread; w < words; w += threads) {
        const int cell = w / CELL_WORDS, part = w % CELL_WORDS;
        sum_cell *mine = &state->cell[b.number[cell / sums]][cell % sums];
        long long total = 0;
        for (int r = 0; r < g.ranks; r++)
            total += *(volatile long long *)&g.mailbox[g.rank]->words[turn & 1][r][w];
        if (part < CELL_WORDS - 1)
            mine->word[part] = total;
        else
            mine->refused = total;
    }
    if (thread == 0)
        g.state->sums = turn;
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
