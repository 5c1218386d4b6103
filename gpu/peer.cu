/* peer.cu - stores into the ghosts of other GPUs, flags, and sums over ranks (src/kernels/peer_args.h).
 *
 * A kernel here may wait for a kernel on another GPU, so each rank that uses them has a separate GPU. */
#include "gpu/peer_stores.h"
#include "src/kernels/krylov_finish.h"

/* Compiled once: words have any precision and format, scalars are in double. */
#ifndef SINGLE

enum { PACK_THREADS = 256, PACK_BLOCKS = 132, SUM_THREADS = 128 };

static __global__ void __launch_bounds__(PACK_THREADS)
pack_into_peers(const __grid_constant__ peer_pack_args a)
{
    pack_for_peers(a, (int)blockIdx.x, (int)gridDim.x);
}

static __global__ void __launch_bounds__(32)
wait_for_ghosts(const __grid_constant__ peer_group g)
{
    const unsigned long long turn = wait_for_peers(g);
    if (threadIdx.x == 0)
        g.state->exchanges = turn;
}

/* Words are integers: all ranks get the same sums, in any order. */
static __global__ void __launch_bounds__(SUM_THREADS)
sum_over_ranks(const __grid_constant__ peer_sum_args a)
{
    const peer_group &g = a.group;
    krylov_state *state = a.b.state;
    const unsigned long long turn = g.state->sums + 1;
    const int sums = sums_of_kind(a.sum), cells = a.b.count * sums, words = 4 * cells, thread = (int)threadIdx.x;
    for (int i = thread; i < cells; i += SUM_THREADS)
        sum_cell_carry(&state->cell[a.b.number[i / sums]][i % sums]);
    __syncthreads();
    delay_at_random(g, 4, turn);
    for (int i = thread; i < words * g.ranks; i += SUM_THREADS) {
        const int w = i % words, cell = w / 4;
        const sum_cell *mine = &state->cell[a.b.number[cell / sums]][cell % sums];
        g.mailbox[i / words]->words[turn & 1][g.rank][w] = w % 4 < 3 ? mine->word[w % 4] : mine->refused;
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
    for (int w = thread; w < words; w += SUM_THREADS) {
        const int cell = w / 4;
        sum_cell *mine = &state->cell[a.b.number[cell / sums]][cell % sums];
        long long sum = 0;
        for (int r = 0; r < g.ranks; r++)
            sum += *(volatile long long *)&g.mailbox[g.rank]->words[turn & 1][r][w];
        if (w % 4 < 3)
            mine->word[w % 4] = sum;
        else
            mine->refused = sum;
    }
    if (thread == 0)
        g.state->sums = turn;
    __syncthreads();
    const bool going = state->going != 0;
    __syncthreads();
    finish_kind(a.sum, &a.b, going, thread, SUM_THREADS);
    __syncthreads();
    if (thread == 0 && *(volatile int *)&g.state->failed)
        state->going = 0;
}

static __global__ void __launch_bounds__(32)
greet_ranks(const __grid_constant__ peer_group g)
{
    const int other = (int)threadIdx.x;
    if (other < g.ranks)
        raise_flag(&g.mailbox[other]->greeting[g.rank], PEER_GREETING(g.rank, other));
}

extern "C" peer_greet_fn peer_greet_gpu;
extern "C" peer_pack_fn peer_pack_gpu;
extern "C" peer_wait_fn peer_wait_gpu;
extern "C" peer_sum_fn peer_sum_gpu;

extern "C" void peer_greet_gpu(const peer_group *g, void *stream)
{
    greet_ranks<<<1, 32, 0, (cudaStream_t)stream>>>(*g);
}

extern "C" void peer_pack_gpu(const peer_pack_args *a, void *stream)
{
    const int warps = PACK_THREADS / WARP_THREADS, needed = (packed_pieces(*a) + warps - 1) / warps;
    pack_into_peers<<<needed < PACK_BLOCKS ? needed : PACK_BLOCKS, PACK_THREADS, 0, (cudaStream_t)stream>>>(*a);
}

extern "C" void peer_wait_gpu(const peer_group *g, void *stream)
{
    wait_for_ghosts<<<1, 32, 0, (cudaStream_t)stream>>>(*g);
}

extern "C" void peer_sum_gpu(const peer_sum_args *a, void *stream)
{
    sum_over_ranks<<<1, SUM_THREADS, 0, (cudaStream_t)stream>>>(*a);
}

#endif
